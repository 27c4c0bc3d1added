"""Files and rows of tables and figures, and which translations are compared."""


def result_file(kind, name, testset):
    """The first test set's files lie in tables/ or figures/, the others' in a folder of their own below."""
    folder = "" if testset == EXPERIMENT.tests[0] else f"{testset}/"
    return f"{RESULTS}/{kind}/{folder}{name}"


def table_file(pair, testset, suffix):
    return result_file("tables", f"{table_name(pair)}.{suffix}", testset)


def oov_file(pair, testset, suffix):
    return result_file("tables", f"{oov_name(pair)}.{suffix}", testset)


def figure_file(pair, testset, suffix):
    return result_file("figures", f"{figure_name(pair)}.{suffix}", testset)


def all_tables(pairs=EXPERIMENT.pairs):
    return [
        name_of(pair, testset, suffix)
        for pair in pairs
        for testset in EXPERIMENT.tests
        for name_of in (table_file, oov_file)
        for suffix in ("tsv", "md", "tex")
    ]


def training_file(pair, suffix):
    return f"{RESULTS}/tables/{training_name(pair)}.{suffix}"


def training_files(pairs=EXPERIMENT.pairs):
    return [training_file(pair, suffix) for pair in pairs for suffix in ("tsv", "md", "tex")]


def all_figures(pairs=EXPERIMENT.pairs):
    return [
        figure_file(pair, testset, suffix)
        for pair in pairs
        for testset in EXPERIMENT.tests
        for suffix in ("svg", "png", "tsv")
    ]


def table1_files(suffixes=("tsv", "md", "tex"), pairs=EXPERIMENT.pairs):
    return [f"{RESULTS}/tables/{table1_name(pair)}.{suffix}" for pair in pairs for suffix in suffixes]


def table1_statistics(pair):
    return [f"{DATA}/{pair}/table1/{row}/statistics.json" for row in EXPERIMENT.table1_rows]


def table1_row_options(pair):
    """The rows of table 1 as options; no function of the inputs, so that a changed label is noticed."""
    rows = zip(EXPERIMENT.table1_rows, table1_statistics(pair))
    return [f"--row={EXPERIMENT.table1_row(row, pair, statistics)}" for row, statistics in rows]


def table_choices(pair):
    """The choice of every system on the development set."""
    return [f"{RESULTS}/{pair}/{system}/{EXPERIMENT.dev}/choice.json" for system in EXPERIMENT.systems_in(pair)]


def table_singles(pair, testset, system):
    """Scores of every member; on the test sets there are some only with `decoding.all_members`."""
    if not DECODING["all_members"]:
        return []
    return steps.member_scores(pair, system, testset)


def all_singles(pair, testset):
    return [path for system in EXPERIMENT.systems_in(pair) for path in table_singles(pair, testset, system)]


def external_scores(pair, testset):
    names = EXPERIMENT.external_of(pair, testset)
    return [f"{RESULTS}/{pair}/{name}/{testset}/given.json" for name in names]


def external_rows(option, pair, testset):
    rows = zip(EXPERIMENT.external_of(pair, testset), external_scores(pair, testset))
    return [f"--{option}={EXPERIMENT.score_row(name, pair, scores)}" for name, scores in rows]


def ensemble_rows(pair, testset):
    """The systems' ensembles as options of the smaller tables and of figures."""
    rows = zip(EXPERIMENT.systems_in(pair), table_scores(pair, testset, "ensemble"))
    return [f"--row={EXPERIMENT.score_row(system, pair, scores)}" for system, scores in rows]


def table_scores(pair, testset, output):
    return [score_file(pair, testset, system, output) for system in EXPERIMENT.systems_in(pair)]


def table_vocabularies(pair, side):
    return [
        layout.vocabulary(pair, EXPERIMENT.text_of(system), language(pair, side))
        for system in EXPERIMENT.systems_in(pair)
    ]


def ablation_file(kind, pair, testset, suffix):
    return result_file(kind, f"{ablation_name(pair)}.{suffix}", testset)


def ablation_files(kinds=(("tables", ("tsv", "md", "tex")), ("figures", ("svg", "png")))):
    """Table and figure of the grid; none without one."""
    return [
        ablation_file(kind, pair, testset, suffix)
        for pair in EXPERIMENT.pairs
        for testset in EXPERIMENT.tests
        for kind, suffixes in kinds
        for suffix in suffixes
        if EXPERIMENT.grid
    ]


def score_file(pair, testset, system, output):
    return f"{RESULTS}/{pair}/{system}/{testset}/{output}.json"


def system_vocabularies(pair, system):
    return list(layout.vocabularies(pair, EXPERIMENT.text_of(system)))


def grid_systems(pair):
    return [system for system in EXPERIMENT.systems_in(pair) if system in EXPERIMENT.grid]


def ablation_rows(pair, testset):
    """The systems of the grid as options; no function of the inputs, so that a changed value is noticed."""
    return [
        "--row="
        + EXPERIMENT.grid_row(
            system,
            {
                "ensemble": score_file(pair, testset, system, "ensemble"),
                "singles": table_singles(pair, testset, system),
                "vocabulary": system_vocabularies(pair, system),
            },
        )
        for system in grid_systems(pair)
    ]


def table_rows(pair, testset):
    """The rows of a table as options; no function of the inputs, so that a changed label is noticed."""
    files = zip(
        table_scores(pair, testset, "best"),
        table_scores(pair, testset, "ensemble"),
        [table_singles(pair, testset, system) for system in EXPERIMENT.systems_in(pair)],
        table_choices(pair),
        [list(sides) for sides in zip(table_vocabularies(pair, "source"), table_vocabularies(pair, "target"))],
    )
    keys = ("best", "ensemble", "singles", "choice", "vocabulary")
    return [
        f"--row={EXPERIMENT.table_row(system, pair, dict(zip(keys, values)))}"
        for system, values in zip(EXPERIMENT.systems_in(pair), files)
    ]
