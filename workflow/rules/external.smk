"""Translations made elsewhere (`external`), scored like our own.

In: the user's plain text, the truecaser and tokenisation of the corpus. Out: {external}/{testset}/given.{tc,json}.
"""

if EXPERIMENT.external:

    wildcard_constraints:
        external=one_of(EXPERIMENT.external),

    rule prepare_external:
        input:
            text=lambda w: EXPERIMENT.external_hypothesis(w.external, pair_of(w), w.testset),
            model=layout.truecaser(PAIR, "{tgt}"),
        output:
            layout.translation(PAIR, "{external}", "{testset}", "given", "tc"),
        log:
            layout.log("prepare_external", "{src}-{tgt}/{external}/{testset}"),
        params:
            normalise=steps.preprocessing_flag("normalise"),
            aggressive=steps.preprocessing_flag("aggressive"),
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
            --language {wildcards.tgt} \\
            --model {input.model:q} \\
            --output {output:q} \\
            >>{log:q} 2>&1
            """

    use rule score as score_external with:
        input:
            hypothesis=lambda w: EXPERIMENT.external_hypothesis(w.external, pair_of(w), w.testset),
            words=layout.translation(PAIR, "{external}", "{testset}", "given", "tc"),
            reference=layout.text("raw", PAIR, "{testset}", "{tgt}"),
            reference_words=layout.text("tc", PAIR, "{testset}", "{tgt}"),
            counts=layout.counts(PAIR, "{tgt}"),
        output:
            layout.scores(PAIR, "{external}", "{testset}", "given"),
        log:
            layout.log("score", "{src}-{tgt}/{external}/{testset}/given"),
