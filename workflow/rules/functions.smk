"""What depends on a job's wildcards, and what a run does at start and end; the rest is in the package."""


def pair_of(wildcards):
    return f"{wildcards.src}-{wildcards.tgt}"


def refuse(sentence):
    """An input function that stops with a sentence, if what it belongs to is requested."""

    def stop(wildcards):
        print(f"rarewords: {sentence}", file=sys.stderr)
        sys.exit(2)

    return stop


def text_to_fetch(wildcards):
    """The text that a rule makes from an archive."""
    return TEXTS_TO_FETCH[layout.given(wildcards.file)]


def development_text(wildcards):
    """The development text of a training run. It is `ancient`: a new copy of it changes no model."""
    files = steps.development_text(pair_of(wildcards), wildcards.system)
    return files if EXPERIMENT.training(wildcards.system, "patience") else ancient(files)


def write_config():
    """Keep the configuration of the run, defaults filled in, beside its results."""
    with atomic_file(layout.config) as out:
        yaml.safe_dump(EXPERIMENT.config, out, sort_keys=False, allow_unicode=True, encoding="utf-8")


def show_results():
    """Print the finished tables and the places of all results."""
    from rarewords.report.finished import show

    show(EXPERIMENT)


def show_failures():
    """Show the last lines of a failed step, which Snakemake does not show with `--quiet all`."""
    if any(kind.name == "ALL" for kind in workflow.output_settings.quiet or ()):
        print(*LOGS.failures(), sep="\n")
