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
    params:
        source=lambda wildcards, input: [f"--source-part={path}" for path in input.source],
        target=lambda wildcards, input: [f"--target-part={path}" for path in input.target],
        kind=lambda wildcards: [] if wildcards.split == "train" else ["--test-set"],
    message:
        "Put together and check {wildcards.split} of {wildcards.src}-{wildcards.tgt}."
    shell:
        """
        rarewords corpus import \
            {params.source:q} \
            {params.target:q} \
            {params.kind} \
            --source {output.source:q} \
            --target {output.target:q} \
            >{log:q} 2>&1
        """


if EXPERIMENT.by_hand():

    rule require_file:
        output:
            f"{DATA}/given/{{pair}}/{{file}}",
        log:
            f"logs/require/{CORPUS}/{{pair}}/{{file}}.log",
        message:
            "Ask for {output}, which has to be put there by hand."
        shell:
            "rarewords corpus require --file {output:q} > {log:q} 2>&1"
