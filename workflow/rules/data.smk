"""Raw text: the parts of the corpus, checked and put together.

In: the files of config/corpora.yaml. Out: data/{corpus}/{pair}/raw/{split}.{lang}.
"""


rule import_text:
    input:
        source=parts("source"),
        target=parts("target"),
    output:
        source=f"{DATA}/{{src}}-{{tgt}}/raw/{{split}}.{{src}}",
        target=f"{DATA}/{{src}}-{{tgt}}/raw/{{split}}.{{tgt}}",
    log:
        f"logs/import/{CORPUS}/{{src}}-{{tgt}}/{{split}}.log",
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


if MISSING:

    # Only files that are not there: Snakemake may delete the outputs of a rule, and these are the user's own.
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
