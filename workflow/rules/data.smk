"""Raw text: the parts of the corpus, fetched where they are missing, checked and put together.

In: the files of config/corpora.yaml, or the archives that they are made from.
Out: data/{corpus}/{pair}/raw/{split}.{lang}.
"""


rule import_text:
    input:
        source=lambda w: EXPERIMENT.parts(pair_of(w), w.split, "source"),
        target=lambda w: EXPERIMENT.parts(pair_of(w), w.split, "target"),
    output:
        source=layout.text("raw", PAIR, "{split}", "{src}"),
        target=layout.text("raw", PAIR, "{split}", "{tgt}"),
    log:
        layout.log("import", "{src}-{tgt}/{split}", of_text=True),
    wildcard_constraints:
        split=one_of(["train", *SETS]),
    # All text is checked before anything else happens, so that a mistake in a test set shows before training.
    priority: 100
    params:
        source=lambda w: steps.parts(pair_of(w), w.split, "source"),
        target=lambda w: steps.parts(pair_of(w), w.split, "target"),
        kind=lambda w: [] if w.split == "train" else ["--test-set"],
    message:
        "Assemble and check {wildcards.split} of {wildcards.src}-{wildcards.tgt}."
    shell:
        """
        rarewords corpus import \\
        {params.source:q} \\
        {params.target:q} \\
        {params.kind} \\
        --source {output.source:q} \\
        --target {output.target:q} \\
        >{log:q} 2>&1
        """


# The rules below only make files that do not exist when Snakemake starts: it may delete the outputs of a rule, and
# existing files are the user's own.
if ARCHIVES_TO_FETCH:

    # On a cluster this runs where Snakemake runs: the other machines may have no network.
    rule fetch_archive:
        output:
            layout.archive("{archive}"),
        log:
            layout.log("fetch_archive", "{archive}", of_text=True),
        wildcard_constraints:
            archive=one_of(ARCHIVES_TO_FETCH),
        priority: 200
        localrule: True
        params:
            urls=lambda w: [f"--url={url}" for url in ARCHIVES_TO_FETCH[w.archive].urls],
            checksums=lambda w: checksum_options(ARCHIVES_TO_FETCH[w.archive]),
            sources=lambda w: steps.source_options(ARCHIVES_TO_FETCH[w.archive]),
            lock=f"--lock={layout.lock}",
        message:
            "Fetch {wildcards.archive}."
        shell:
            """
            rarewords corpus download \\
            {params.urls:q} \\
            {params.checksums:q} \\
            {params.sources:q} \\
            {params.lock:q} \\
            --output {output:q} \\
            >{log:q} 2>&1
            """


if TEXTS_TO_FETCH:

    rule extract_text:
        input:
            lambda w: layout.archive(text_to_fetch(w).archive),
        output:
            layout.given("{file}"),
        log:
            layout.log("extract_text", "{file}", of_text=True),
        wildcard_constraints:
            file=one_of(text.file for text in TEXTS_TO_FETCH.values()),
        priority: 150
        params:
            members=lambda w: [f"--member={name}" for name in text_to_fetch(w).members],
            language=lambda w: f"--language={text_to_fetch(w).language}",
            columns=lambda w: [f"--column={language}" for language in text_to_fetch(w).columns],
            lines=lambda w: line_options(text_to_fetch(w)),
            checksums=lambda w: checksum_options(ARCHIVES[text_to_fetch(w).archive]),
            lock=f"--lock={layout.lock}",
        message:
            "Extract {wildcards.file} from its archive."
        shell:
            """
            rarewords corpus extract \\
            --archive {input:q} \\
            {params.members:q} \\
            {params.language:q} \\
            {params.columns:q} \\
            {params.lines} \\
            {params.checksums:q} \\
            {params.lock:q} \\
            --output {output:q} \\
            >{log:q} 2>&1
            """


if MISSING:

    rule require_files:
        output:
            MISSING,
        log:
            layout.log("require_files", "files", of_text=True),
        localrule: True
        params:
            files=[f"--file={path}" for path in MISSING],
        message:
            "Ask for files that must be put there by hand."
        shell:
            "rarewords corpus require {params.files:q} > {log:q} 2>&1"
