"""Raw text: the parts of the corpus, fetched where they are missing, checked and put together.

In: the files of config/corpora.yaml, or the archives that they are made from.
Out: data/{corpus}/{pair}/raw/{split}.{lang}.
"""


rule import_text:
    input:
        source=parts("source"),
        target=parts("target"),
    output:
        source=layout.text("raw", PAIR, "{split}", "{src}"),
        target=layout.text("raw", PAIR, "{split}", "{tgt}"),
    log:
        layout.log("import", "{src}-{tgt}/{split}", of_text=True),
    wildcard_constraints:
        split=one_of(["train", *SETS]),
    # All text is checked before anything else happens: a mistake in a test set must not wait for the trainings.
    priority: 100
    params:
        source=lambda wildcards: [f"--source-part={path}" for path in parts("source")(wildcards)],
        target=lambda wildcards: [f"--target-part={path}" for path in parts("target")(wildcards)],
        kind=lambda wildcards: [] if wildcards.split == "train" else ["--test-set"],
    message:
        "Put together and check {wildcards.split} of {wildcards.src}-{wildcards.tgt}."
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


# The rules below make only files that are not there when Snakemake starts: it may delete the outputs of a rule, and
# what is there is the user's own.
if ARCHIVES_TO_FETCH:

    # On a cluster this runs where Snakemake runs: the other machines may have no network.
    rule fetch_archive:
        output:
            f"{DATA}/archives/{{archive}}",
        log:
            layout.log("fetch_archive", "{archive}", of_text=True),
        wildcard_constraints:
            archive=one_of(ARCHIVES_TO_FETCH),
        priority: 200
        localrule: True
        params:
            urls=lambda wildcards: [f"--url={url}" for url in ARCHIVES_TO_FETCH[wildcards.archive].urls],
            checksums=lambda wildcards: checksum_options(ARCHIVES_TO_FETCH[wildcards.archive]),
            sources=lambda wildcards: source_options(ARCHIVES_TO_FETCH[wildcards.archive]),
            lock=f"--lock={DATA}/{LOCK_FILE}",
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
            lambda wildcards: f"{DATA}/archives/{given(wildcards).archive}",
        output:
            f"{GIVEN}/{{file}}",
        log:
            layout.log("extract_text", "{file}", of_text=True),
        wildcard_constraints:
            file=one_of(text.file for text in TEXTS_TO_FETCH.values()),
        priority: 150
        params:
            members=lambda wildcards: [f"--member={name}" for name in given(wildcards).members],
            language=lambda wildcards: f"--language={given(wildcards).language}",
            columns=lambda wildcards: [f"--column={language}" for language in given(wildcards).columns],
            lines=line_options,
            checksums=lambda wildcards: checksum_options(ARCHIVES[given(wildcards).archive]),
            lock=f"--lock={DATA}/{LOCK_FILE}",
        message:
            "Take {wildcards.file} out of its archive."
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
            f"logs/require_files/{CORPUS}.log",
        localrule: True
        params:
            files=[f"--file={path}" for path in MISSING],
        message:
            "Ask for files that have to be put there by hand."
        shell:
            "rarewords corpus require {params.files:q} > {log:q} 2>&1"
