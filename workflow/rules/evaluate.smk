"""Scores of every translation: BLEU and chrF3 on plain text, on test sets also unigram F1 on truecased words.

In: {testset}/{output}.{txt,tc}, the raw and the truecased reference, the target words of the training text.
Out: {testset}/{output}.json; significance/{pair}/{testset}.json, all systems against the baseline.
"""


rule score:
    input:
        hypothesis=layout.translation(PAIR, "{system}", "{testset}", "{output}", "txt"),
        words=layout.translation(PAIR, "{system}", "{testset}", "{output}", "tc"),
        reference=layout.text("raw", PAIR, "{testset}", "{tgt}"),
        reference_words=layout.text("tc", PAIR, "{testset}", "{tgt}"),
        counts=layout.counts(PAIR, "{tgt}"),
    output:
        layout.scores(PAIR, "{system}", "{testset}", "{output}"),
    log:
        layout.log("score", "{src}-{tgt}/{system}/{testset}/{output}"),
    priority: 1
    params:
        # the selection on the development set needs only BLEU
        words=lambda w, input: (
            unigram_options(input.words, input.reference_words, input.counts) if w.testset in EXPERIMENT.tests else []
        ),
        rare_rank=lambda w: steps.rare_rank(w.testset),
    message:
        "Score {input.hypothesis}."
    shell:
        """
        rarewords score \\
        --hypothesis {input.hypothesis:q} \\
        --reference {input.reference:q} \\
        {params.words:q} \\
        {params.rare_rank} \\
        --json {output:q} \\
        >{log:q} 2>&1
        """


rule compare_with_baseline:
    input:
        texts=lambda w: [path for _, path in steps.compared(pair_of(w), w.testset, "txt")],
        words=lambda w: [path for _, path in steps.compared(pair_of(w), w.testset, "tc")],
        reference=layout.text("raw", PAIR, "{testset}", "{tgt}"),
        reference_words=layout.text("tc", PAIR, "{testset}", "{tgt}"),
        counts=layout.counts(PAIR, "{tgt}"),
    output:
        layout.significance(PAIR, "{testset}"),
    log:
        layout.log("compare_with_baseline", "{src}-{tgt}/{testset}"),
    benchmark:
        layout.benchmark("compare_with_baseline", "{src}-{tgt}/{testset}")
    priority: 1
    params:
        baseline=lambda w: steps.compared_options("baseline", pair_of(w), w.testset, "txt")[0],
        systems=lambda w: steps.compared_options("system", pair_of(w), w.testset, "txt")[1:],
        words=lambda w: steps.compared_options("words", pair_of(w), w.testset, "tc"),
        rare_rank=lambda w: steps.rare_rank(w.testset),
        method=f"--method={SIGNIFICANCE['method']}",
        samples=f"--samples={SIGNIFICANCE['samples']}",
        seed=f"--seed={SIGNIFICANCE['seed']}",
    message:
        "Compare the systems of {wildcards.src}-{wildcards.tgt} on {wildcards.testset} with the baseline."
    shell:
        """
        rarewords significance \\
        --reference {input.reference:q} \\
        {params.baseline:q} \\
        {params.systems:q} \\
        {params.words:q} \\
        --words-reference {input.reference_words:q} \\
        --train-counts {input.counts:q} \\
        {params.rare_rank} \\
        {params.method} \\
        {params.samples} \\
        {params.seed} \\
        --json {output:q} \\
        >{log:q} 2>&1
        """
