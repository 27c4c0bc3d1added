"""What the report holds: its parts as options of `rarewords report html`, and the files that they are made of."""


def example_file(pair, suffix):
    return f"{RESULTS}/tables/{examples_name(pair)}.{suffix}"


def example_units(pair):
    """Source units, translations of the ensemble and source vocabulary of every system."""
    testset, source = EXPERIMENT.example_set, language(pair, "source")
    return [
        {
            "source": steps.units_of(pair, system, testset),
            "output": f"{RESULTS}/{pair}/{system}/{testset}/ensemble.sub",
            "vocabulary": layout.vocabulary(pair, EXPERIMENT.text_of(system), source),
        }
        for system in EXPERIMENT.systems_in(pair)
    ]


def example_systems(pair):
    """The systems as options; no function of the inputs, so that a changed label is noticed."""
    files = zip(EXPERIMENT.systems_in(pair), example_units(pair))
    return [f"--system={EXPERIMENT.example_system(system, pair, units)}" for system, units in files]


def missing_targets():
    """The paper's tables and figures of pairs that the experiment does not have, as (target, pair)."""
    missing = [pair for pair in ("en-de", "en-ru") if pair not in EXPERIMENT.pairs or not EXPERIMENT.names_paper()]
    return [(name_of(pair), pair) for pair in missing for name_of in PAPERS_NAMES]


def refuse(target, pair):
    """An input function that stops with one sentence if such a target is asked for."""
    names = [name_of(own) for own in EXPERIMENT.pairs for name_of in (table_name, figure_name, examples_name)]
    targets = ", ".join(name.replace("-", "_") for name in ["table1", *names])

    def stop(wildcards):
        if pair in EXPERIMENT.pairs:
            end(
                f"{target} is the paper's, and no system of experiment '{NAME}' names its row in the paper; ask for one of "
                f"{targets} or report, or give a system the key `paper`."
            )
        end(
            f"{target} is about {pair}, and experiment '{NAME}' has only {', '.join(EXPERIMENT.pairs)}; "
            f"ask for one of {targets} or report, or add the pair to experiment.pairs."
        )

    return stop


def refuse_ablation(wildcards):
    end(f"ablation is about a grid, and experiment '{NAME}' has none; config/README.md explains the key `grid`.")


def end(sentence):
    print(f"rarewords: {sentence}", file=sys.stderr)
    sys.exit(2)


def attention_folder(pair, system):
    return f"{RESULTS}/figures/attention/{pair}/{system}"


def attentive_systems(pair):
    """The systems of which the report shows attention: those with models of their own."""
    return [system for system in EXPERIMENT.systems_in(pair) if system in EXPERIMENT.trained]


def system_label(wildcards):
    return EXPERIMENT.system(wildcards.system, pair_of(wildcards))["label"]


def trainings():
    """Every training as (pair, system, run)."""
    return [
        (pair, system, run)
        for pair in EXPERIMENT.pairs
        for system in EXPERIMENT.trained_in(pair)
        for run in EXPERIMENT.runs
    ]


def last_saved_models():
    """The last model of every training, there when it is finished."""
    return [
        f"{MODELS}/{pair}/{system}/run{run}/saved{EXPERIMENT.saved_models}.safetensors"
        for pair, system, run in trainings()
    ]


def curves():
    """Every training with its reports, which lie in the undeclared folder of its checkpoints."""
    return [
        f"--run={EXPERIMENT.curve(system, pair, run, f'{MODELS}/{pair}/{system}/run{run}/checkpoints/metrics.jsonl')}"
        for pair, system, run in trainings()
    ]


def all_ensemble_scores():
    return [
        path
        for pair in EXPERIMENT.pairs
        for testset in EXPERIMENT.tests
        for path in table_scores(pair, testset, "ensemble")
    ]


def raw_texts():
    """The files that all text comes from."""
    return list(dict.fromkeys(entry[-1] for entry in EXPERIMENT.files()))


def table1_pairs():
    """Pairs of which table 1 is part of the report."""
    return [pair for pair in EXPERIMENT.pairs if EXPERIMENT.table1_suits(pair)]


def report_files():
    """Everything that the report shows."""
    pairs, tests = EXPERIMENT.pairs, EXPERIMENT.tests
    return [
        *(table_file(pair, testset, "tsv") for pair in pairs for testset in tests),
        *(oov_file(pair, testset, "tsv") for pair in pairs for testset in tests),
        *ablation_files((("tables", ("tsv",)), ("figures", ("svg",)))),
        *(figure_file(pair, testset, "svg") for pair in pairs for testset in tests),
        *all_ensemble_scores(),
        *(layout.claims(pair, testset, "json") for pair in pairs for testset in tests),
        *(f"{RESULTS}/tables/{table1_name(pair)}.tsv" for pair in table1_pairs()),
        *(f"{RESULTS}/figures/{table1_name(pair)}.svg" for pair in table1_pairs()),
        f"{RESULTS}/figures/learning-curves.svg",
        *(training_file(pair, "tsv") for pair in pairs),
        *(example_file(pair, "json") for pair in pairs),
        *(attention_folder(pair, system) for pair in pairs for system in attentive_systems(pair)),
        f"{RESULTS}/manifest.json",
    ]


def report_items():
    """The parts of the report in the order in which it shows them, as options."""
    items = [
        *score_items(),
        *ablation_items(),
        *rare_word_items(),
        *segmentation_items(),
        *training_items(),
        curve_item(),
        *example_items(),
    ]
    items.insert(0, setup_item())
    items += [{"kind": "manifest", "path": f"{RESULTS}/manifest.json"}, place_item()]
    return [f"--item={json.dumps(item, ensure_ascii=False)}" for item in items]


def score_items():
    return [
        {
            "kind": "scores",
            "pair": pair,
            "test_set": testset,
            "path": table_file(pair, testset, "tsv"),
            "claims": layout.claims(pair, testset, "json"),
            "systems": [
                EXPERIMENT.compared_system(system, pair, path)
                for system, path in zip(EXPERIMENT.systems_in(pair), table_scores(pair, testset, "ensemble"))
            ],
        }
        for pair in EXPERIMENT.pairs
        for testset in EXPERIMENT.tests
    ]


def ablation_items():
    items = []
    for pair in EXPERIMENT.pairs if EXPERIMENT.grid else ():
        for testset in EXPERIMENT.tests:
            part = {"section": "results", "title": f"Ablation, {pair}, {testset}"}
            items.append(part | {"kind": "table", "path": ablation_file("tables", pair, testset, "tsv")})
            figure = {"kind": "figure", "path": ablation_file("figures", pair, testset, "svg")}
            items.append(
                part
                | figure
                | {"description": "Marks: ensembles, filled where they differ from the baseline; bars: the members."}
            )
    return items


def rare_word_items():
    """The figure of unigram F1 by training frequency and the table of unseen words, of every pair and test set."""
    items = []
    for pair in EXPERIMENT.pairs:
        for testset in EXPERIMENT.tests:
            name, part = f"{pair}, {testset}", {"section": "rare-words"}
            items.append(
                part
                | {"kind": "figure", "title": f"Unigram F1 by training frequency, {name}"}
                | {"path": figure_file(pair, testset, "svg")}
                | {
                    "description": "The paper's figures 2 and 3: frequent words left, rare ones right, unseen ones last."
                }
            )
            items.append(
                part | {"kind": "table", "title": f"Unseen words, {name}", "path": oov_file(pair, testset, "tsv")}
            )
    return items


def segmentation_items():
    items = []
    for pair in table1_pairs():
        name, part = table1_name(pair), {"section": "segmentation"}
        items.append(
            part | {"kind": "table", "title": f"Segmentations, {pair}", "path": f"{RESULTS}/tables/{name}.tsv"}
        )
        items.append(
            part
            | {"kind": "figure", "title": f"Types against tokens, {pair}", "path": f"{RESULTS}/figures/{name}.svg"}
            | {
                "description": "How much longer each segmentation makes the text, and how much smaller its vocabulary is."
            }
        )
    return items


def setup_item():
    """What was trained, for the top of the page; the configuration is no output of a rule, see write_config."""
    trainings = {pair: training_file(pair, "json") for pair in EXPERIMENT.pairs}
    return {"kind": "setup", "config": layout.config, "trainings": trainings}


def training_items():
    return [
        {
            "kind": "table",
            "section": "training",
            "title": f"What was trained, {pair}",
            "path": training_file(pair, "tsv"),
        }
        for pair in EXPERIMENT.pairs
    ]


def curve_item():
    return {
        "kind": "figure",
        "section": "training",
        "title": "Learning curves",
        "path": f"{RESULTS}/figures/learning-curves.svg",
        "description": "Loss per token of the training text and gradient norm before clipping, one colour a system, "
        "one line a run. Thick: running mean. Losses of different segmentations cannot be compared, as their tokens "
        "differ.",
    }


def example_items():
    return [
        {
            "kind": "examples",
            "pair": pair,
            "path": example_file(pair, "json"),
            "attention": {system: attention_folder(pair, system) for system in attentive_systems(pair)},
        }
        for pair in EXPERIMENT.pairs
    ]


def place_item():
    places = [
        ("Tables", f"{RESULTS}/tables", "(.tsv, .md, .tex)"),
        ("Figures", f"{RESULTS}/figures", "(.svg, .png)"),
        (
            "Translations and scores",
            RESULTS,
            "/{pair}/{system}/{test set}/ (.sub units, .tc words, .txt text, .json)",
        ),
        ("Configuration of the run", layout.config, ""),
        ("Models", MODELS, "/{pair}/{system}/member{number}/"),
        ("Reports of the trainings", MODELS, "/{pair}/{system}/run{number}/checkpoints/metrics.jsonl"),
        ("Prepared text", DATA, ""),
        ("Output of the steps", "logs", ""),
        ("Time and memory of the steps", "benchmarks", ""),
    ]
    return {"kind": "files", "places": places}
