"""Translations made elsewhere (`external`): scored like our own.

In: the user's plain text, the truecaser and tokenisation of the corpus. Out: {external}/{testset}/given.{tc,json}.
"""

if EXPERIMENT.external:

    wildcard_constraints:
        external=one_of(EXPERIMENT.external),

    rule prepare_external:
        input:
            text=external_hypothesis,
            model=f"{DATA}/{{src}}-{{tgt}}/tc/truecaser.{{tgt}}",
        output:
            f"{RESULTS}/{{src}}-{{tgt}}/{{external}}/{{testset}}/given.tc",
        log:
            f"logs/prepare_external/{NAME}/{{src}}-{{tgt}}/{{external}}/{{testset}}.log",
        params:
            normalise=["--normalise"] if EXPERIMENT.preprocess("normalise") else [],
            aggressive=["--aggressive"] if EXPERIMENT.preprocess("aggressive") else [],
        message:
            "Tokenise and truecase {input.text} like the references."
        shell:
            """
            rarewords corpus tokenise \\
            --language {wildcards.tgt} \\
            {params.normalise} \\
            {params.aggressive} \\
            --input {input.text:q} \\
            2>{log:q} | \\
            rarewords corpus truecase \\
            --model {input.model:q} \\
            --output {output:q} \\
            >>{log:q} 2>&1
            """

    use rule score as score_external with:
        input:
            hypothesis=external_hypothesis,
            words=f"{RESULTS}/{{src}}-{{tgt}}/{{external}}/{{testset}}/given.tc",
            reference=f"{DATA}/{{src}}-{{tgt}}/raw/{{testset}}.{{tgt}}",
            reference_words=f"{DATA}/{{src}}-{{tgt}}/tc/{{testset}}.{{tgt}}",
            counts=f"{DATA}/{{src}}-{{tgt}}/tc/counts.{{tgt}}",
        output:
            f"{RESULTS}/{{src}}-{{tgt}}/{{external}}/{{testset}}/given.json",
        log:
            f"logs/score/{NAME}/{{src}}-{{tgt}}/{{external}}/{{testset}}/given.log",
