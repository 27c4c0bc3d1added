"""Functions of the rules: inputs and parameters that depend on wildcards, and what a run does at its ends.

Snakemake compares the *set of values* of a rule's params with that of the last run, without their names, and leaves out
params that are functions of `input`, `output`, `threads` or `resources`. So every setting is a param of its own, written as the whole option (`--hidden=128`
and not 128), and never part of a param that reads `input`.
"""


def pair_of(wildcards):
    return f"{wildcards.src}-{wildcards.tgt}"


def gpus(wildcards):
    """GPUs that one training or translation asks for: one if it is going to use one."""
    device = TRAINING["device"]
    return int(device.startswith("cuda") or (device == "auto" and shutil.which("nvidia-smi") is not None))


def write_config():
    """Keep the configuration of the run, defaults filled in, beside its results."""
    os.makedirs(RESULTS, exist_ok=True)
    with open(f"{RESULTS}/config.yaml", "w", encoding="utf-8") as out:
        yaml.safe_dump(EXPERIMENT.config, out, sort_keys=False, allow_unicode=True)


def show_results():
    """Print the finished tables and where everything lies."""
    from rarewords.report import formats, terminal

    tables_of_all = [*all_tables(), *training_files(), *ablation_files()]
    written = [path for path in tables_of_all if path.endswith(".tsv")] + table1_files(["tsv"])
    tables = [path for path in written if os.path.exists(path)]
    for path in tables:
        terminal.show(formats.read_tsv(path))
        print(f"  {path}  (also .md and .tex)")
    for path in [*all_figures(), *ablation_files()]:
        if path.endswith(".svg") and os.path.exists(path):
            print(f"  {path}  (also .png)")
    if os.path.exists(f"{RESULTS}/report.html"):
        print(f"  the report, everything on one page: {RESULTS}/report.html")
    if tables:
        print(f"  scores and translations: {RESULTS}/   models: {MODELS}/   logs: logs/")


def parts(side):
    return lambda wildcards: EXPERIMENT.parts(pair_of(wildcards), wildcards.split, side)


def given(wildcards):
    """The text that a rule is to make from an archive."""
    return TEXTS_TO_FETCH[f"{GIVEN}/{wildcards.file}"]


def line_options(wildcards):
    text = given(wildcards)
    values = (("lines", text.lines), ("approximate-lines", text.approximate_lines))
    return [f"--{name}={value}" for name, value in values if value]


def checksum_options(archive):
    return [f"--{kind}={value}" for kind, value in (("md5", archive.md5), ("sha256", archive.sha256)) if value]


def source_options(archive):
    """Where an archive may come from besides its addresses."""
    mirror = EXPERIMENT.config["corpora"][CORPUS]["mirror"]
    values = (("mirror", mirror), ("sacrebleu", archive.sacrebleu), ("by-hand", archive.by_hand))
    return [f"--{name}={value}" for name, value in values if value]


def tokenised(wildcards):
    """Training text is cleaned; development and test sets are not."""
    step = "tok" if wildcards.split in SETS else "clean"
    return f"{DATA}/{wildcards.pair}/{step}/{wildcards.split}.{wildcards.lang}"


def shards(path):
    """The shards of a training text as files; `path` has {shard} in it, and its other wildcards stay."""
    return [path.replace("{shard}", str(shard)) for shard in range(1, SHARDS + 1)]


def vocabulary_size(wildcards):
    side = "source" if wildcards.lang == language(wildcards.pair, "source") else "target"
    return EXPERIMENT.system(wildcards.system, wildcards.pair)["vocabulary"][side]


def fallback_vocabulary(wildcards):
    """The vocabulary that limits the segmentation, for systems that undo merges outside it."""
    if EXPERIMENT.system(wildcards.system, wildcards.pair)["fallback"]:
        return f"{DATA}/{wildcards.pair}/seg/{wildcards.system}/vocabulary.{wildcards.lang}"
    return []


def unit_counts(wildcards):
    """What the units of a vocabulary are counted in: the words, or the randomly segmented training text."""
    folder = f"{DATA}/{wildcards.pair}"
    if is_sampled(wildcards.system, wildcards.pair):
        return f"{folder}/seg/{wildcards.system}/sampled/train.{wildcards.lang}"
    return f"{folder}/tc/counts.{wildcards.lang}"


def development_text(wildcards):
    """What a training measures itself on. It is `ancient`: a new copy of it changes no model."""
    if TRAINING["validate"] == "none":
        return []
    folder = segmented(wildcards)
    files = [f"{folder}/{EXPERIMENT.dev}.{language}" for language in (wildcards.src, wildcards.tgt)]
    if TRAINING["validate"] == "bleu":
        files.append(f"{folder}/segmenter.{wildcards.tgt}.json")
    return files if TRAINING["patience"] else ancient(files)


def development_options(wildcards, input):
    return [f"--dev-{name}={path}" for name, path in zip(("source", "target", "segmenter"), input.development)]


def encoded_text(side):
    """A function of wildcards: the segmented training text of a side that networks are trained on."""

    def path(wildcards):
        pair = pair_of(wildcards)
        folder = f"{DATA}/{pair}/seg/{wildcards.system}"
        name = "sampled/train" if is_sampled(wildcards.system, pair) else "train"
        return f"{folder}/{name}.{language(pair, side)}"

    return path


def is_sampled(system, pair):
    return EXPERIMENT.sampling(system, pair) is not None


def sampling_strength(system, pair):
    name, strength, _ = EXPERIMENT.sampling(system, pair)
    return f"--{name}={strength}"


def copies(system, pair):
    return [f"--copies={EXPERIMENT.sampling(system, pair)[2]}"] if is_sampled(system, pair) else []


def source_blocks(wildcards):
    largest = EXPERIMENT.network(wildcards.system, "source_blocks")
    return [f"--source-blocks={largest}"] if largest else []


def loaded_vocabulary(wildcards):
    size = EXPERIMENT.training(wildcards.system, "loaded_vocabulary")
    return [] if size is None else [f"--loaded-vocabulary={size}"]


def saved_model(wildcards):
    run, k = EXPERIMENT.origin(int(wildcards.member))
    return f"{MODELS}/{pair_of(wildcards)}/{wildcards.system}/run{run}/saved{k}.safetensors"


def saved_updates(wildcards):
    """The update of that model, which its file must name."""
    _, k = EXPERIMENT.origin(int(wildcards.member))
    return TRAINING["updates"] - TRAINING["save_every"] * (EXPERIMENT.saved_models - k)


def saved_seed(wildcards):
    """The seed of that model, which its file must name."""
    run, _ = EXPERIMENT.origin(int(wildcards.member))
    return EXPERIMENT.seed(pair_of(wildcards), wildcards.system, run)


def translating(wildcards):
    """The members that make an output: one, all, or (for the best) all of which the choice names one."""
    if wildcards.output.startswith("single-"):
        numbers = [wildcards.output.removeprefix("single-")]
    else:
        numbers = EXPERIMENT.members
    return member_files(wildcards, numbers)


def member_files(wildcards, numbers=EXPERIMENT.members):
    """The files of some members that a system translates with."""
    folder = f"{MODELS}/{pair_of(wildcards)}/{EXPERIMENT.models_of(wildcards.system)}"
    return [f"{folder}/member{number}/{file}" for number in numbers for file in ("model.json", "model.safetensors")]


def choice(wildcards):
    return choice_of_member(wildcards) if wildcards.output.startswith("best") else []


def choice_of_member(wildcards):
    """Which member is the best on the development set, by the system's own translations; best-for-{system} by its."""
    system = wildcards.get("output", "best").removeprefix("best").removeprefix("-for-") or wildcards.system
    return f"{RESULTS}/{pair_of(wildcards)}/{system}/{EXPERIMENT.dev}/choice.json"


def segmented(wildcards):
    """The folder of a system's segmented text; a system that shares the models of another one shares it, too."""
    return segmented_of(pair_of(wildcards), wildcards.system)


def segmented_of(pair, system):
    return f"{DATA}/{pair}/seg/{EXPERIMENT.text_of(system)}"


def candidate_lexicon(wildcards):
    return [] if DECODING["candidates"] is None else f"{segmented(wildcards)}/lexicon.tsv"


def candidate_options():
    """Lengths of candidate lists, where there are any."""
    chosen = DECODING["candidates"]
    if chosen is None:
        return []
    block = [] if chosen["block"] is None else [f"--block={chosen['block']}"]
    return [f"--common={chosen['common']}", f"--per-word={chosen['per_word']}", *block]


def dictionary(wildcards):
    """The lexicon that unknown words are looked up in; copying needs none."""
    return [] if EXPERIMENT.unknown_words(wildcards.system) == "copy" else f"{segmented(wildcards)}/lexicon.tsv"


def lexicon_option(wildcards, input):
    return [f"--lexicon={input.lexicon}"] if input.lexicon else []


def untouched_translation(wildcards):
    """The translation whose unknown words are replaced: that of the system whose models are shared.

    The best member is another one with and without replacement, so its translation is made for this system.
    """
    owner = EXPERIMENT.models_of(wildcards.system)
    output = f"best-for-{wildcards.system}" if wildcards.output == "best" else wildcards.output
    return f"{RESULTS}/{pair_of(wildcards)}/{owner}/{wildcards.testset}/{output}.sub"


def member_options(wildcards, input):
    if input.choice:
        return [f"--choice={input.choice}"]
    return [f"--member={os.path.dirname(path)}" for path in input.members if path.endswith(".json")]


def unigram_files(wildcards, input):
    """Unigram F1 is part of the result; the choice on the development set needs only BLEU."""
    if wildcards.testset not in EXPERIMENT.tests:
        return []
    return [
        f"--tokenised-hypothesis={input.words}",
        f"--tokenised-reference={input.reference_words}",
        f"--train-counts={input.counts}",
    ]


def rare_rank(wildcards):
    if wildcards.testset not in EXPERIMENT.tests:
        return []
    return [f"--rare-rank={EXPERIMENT.config['experiment']['rare_rank']}"]


def single_outputs(folder, suffixes):
    """The outputs of all members in a folder of translations."""
    return [f"{folder}/single-{member}.{suffix}" for member in EXPERIMENT.members for suffix in suffixes]


def member_candidates(wildcards):
    """Every member with its outputs; from the wildcards alone, so that it is compared with the last run's."""
    pair = pair_of(wildcards)
    return [
        f"--candidate={MODELS}/{pair}/{EXPERIMENT.models_of(wildcards.system)}/member{member}="
        f"{RESULTS}/{pair}/{wildcards.system}/{wildcards.testset}/single-{member}"
        for member in EXPERIMENT.members
    ]


def external_hypothesis(wildcards):
    return EXPERIMENT.external_hypothesis(wildcards.external, pair_of(wildcards), wildcards.testset)
