"""Params that read a job's files, and what a run does at its ends; the rest is in `rarewords.experiment.steps`."""


def pair_of(wildcards):
    return f"{wildcards.src}-{wildcards.tgt}"


def gpus(wildcards):
    """GPUs that one training or translation asks for: one if it is going to use one."""
    device = TRAINING["device"]
    return int(device.startswith("cuda") or (device == "auto" and shutil.which("nvidia-smi") is not None))


def write_config():
    """Keep the configuration of the run, defaults filled in, beside its results."""
    os.makedirs(RESULTS, exist_ok=True)
    with open(layout.config, "w", encoding="utf-8") as out:
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


def show_failures():
    """With `--quiet all` Snakemake keeps a failed step to itself, so its last words are shown here."""
    if not any(kind.name == "ALL" for kind in workflow.output_settings.quiet or ()):
        return
    for path in sorted(Path("logs").rglob("*.log")):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.stat().st_mtime >= BEGAN else []
        failed = [line for line in lines if line.startswith(("rarewords: ", "Usage: ", "Error: ", "Traceback"))]
        if failed:
            print(f"{path}:", *lines[-15:], sep="\n  ")


def given(wildcards):
    """The text that a rule is to make from an archive."""
    return TEXTS_TO_FETCH[layout.given(wildcards.file)]


def development_text(wildcards):
    """What a training measures itself on. It is `ancient`: a new copy of it changes no model."""
    files = steps.development_text(pair_of(wildcards), wildcards.system)
    return files if TRAINING["patience"] else ancient(files)


def development_options(wildcards, input):
    return [f"--dev-{name}={path}" for name, path in zip(("source", "target", "segmenter"), input.development)]


def lexicon_option(wildcards, input):
    return [f"--lexicon={input.lexicon}"] if input.lexicon else []


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
