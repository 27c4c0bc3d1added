"""Params that read a job's files, and what a run does at start and end; the rest is in `rarewords.experiment.steps`."""


def pair_of(wildcards):
    return f"{wildcards.src}-{wildcards.tgt}"


def gpus(wildcards):
    """The number of GPUs that one training run or translation asks for: one if it will use one."""
    device = TRAINING["device"]
    return int(device.startswith("cuda") or (device == "auto" and shutil.which("nvidia-smi") is not None))


def write_config():
    """Keep the configuration of the run, defaults filled in, beside its results."""
    with atomic_file(layout.config) as out:
        yaml.safe_dump(EXPERIMENT.config, out, sort_keys=False, allow_unicode=True, encoding="utf-8")


def show_results():
    """Print the finished tables and the places of all results."""
    from rarewords.report.finished import show

    show(EXPERIMENT)


def score_table(wildcards):
    return parts.score_table(TABLES[wildcards.table], TEST_AT[wildcards.place])


def oov_table(wildcards):
    return parts.oov_table(OOV_TABLES[wildcards.oov], TEST_AT[wildcards.place])


def frequency_figure(wildcards):
    return parts.frequency_figure(FIGURES[wildcards.figure], TEST_AT[wildcards.place])


def ablation_part(wildcards):
    return parts.ablation(ABLATIONS[wildcards.ablation], TEST_AT[wildcards.place])


def table1_part(wildcards):
    return parts.table1(TABLES1[wildcards.table1])


def examples_part(wildcards):
    return parts.examples(EXAMPLES[wildcards.examples])


def refuse(target, pair):
    """An input function that stops with a message if a table or figure of another pair is requested."""
    known = ", ".join(["table1", *targets.named()])

    def stop(wildcards):
        if pair in EXPERIMENT.pairs:
            end(
                f"{target} is the paper's, and no system of experiment '{NAME}' names its row in the paper; ask for one of "
                f"{known} or report, or give a system the key `paper`."
            )
        end(
            f"{target} is about {pair}, and experiment '{NAME}' has only {', '.join(EXPERIMENT.pairs)}; "
            f"ask for one of {known} or report, or add the pair to experiment.pairs."
        )

    return stop


def refuse_ablation(wildcards):
    end(f"ablation is about a grid, and experiment '{NAME}' has none; config/README.md explains the key `grid`.")


def end(sentence):
    print(f"rarewords: {sentence}", file=sys.stderr)
    sys.exit(2)


def file_state(path):
    """A value that changes when a file is written again, whatever the clock says."""
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


LOGS_BEFORE = {path: file_state(path) for path in Path("logs").rglob("*.log")}


def show_failures():
    """Show the last lines of a failed step, which Snakemake does not show with `--quiet all`."""
    if not any(kind.name == "ALL" for kind in workflow.output_settings.quiet or ()):
        return
    for path in sorted(Path("logs").rglob("*.log")):
        if file_state(path) == LOGS_BEFORE.get(path):
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        failed = [line for line in lines if line.startswith(("rarewords: ", "Usage: ", "Error: ", "Traceback"))]
        if failed:
            print(f"{path}:", *lines[-15:], sep="\n  ")


def given(wildcards):
    """The text that a rule makes from an archive."""
    return TEXTS_TO_FETCH[layout.given(wildcards.file)]


def development_text(wildcards):
    """The development text of a training run. It is `ancient`: a new copy of it changes no model."""
    files = steps.development_text(pair_of(wildcards), wildcards.system)
    return files if EXPERIMENT.training(wildcards.system, "patience") else ancient(files)


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
