"""Text in other forms than that of the corpus, for systems with `preprocess`: raw text, say, or without escapes.

In: raw/{split}.{lang}, and tok/{split}.{lang} for the choice of pairs. Steps: (clean up, normalise, tokenise) -> keep the
pairs of the training text that the corpus keeps -> (train a truecaser, truecase) -> count words. Out: below forms/{form}/
tok, clean and tc; `Steps.form_text` says which is the last stage of a form.
"""


rule write_form:
    input:
        layout.text("raw", "{pair}", "{split}", "{lang}"),
    output:
        layout.text(layout.stage("tok", "{form}"), "{pair}", "{split}", "{lang}"),
    log:
        layout.log("write_form", "{pair}/{form}/{split}.{lang}", of_text=True),
    params:
        steps=lambda w: steps.form_options(w.pair, w.form, w.lang),
    message:
        "Convert {input} to the form {wildcards.form}."
    shell:
        """
        rarewords corpus tokenise \\
        --language {wildcards.lang} \\
        {params.steps} \\
        --input {input:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule clean_form:
    input:
        source=layout.text("tok", PAIR, "{split}", "{src}"),
        target=layout.text("tok", PAIR, "{split}", "{tgt}"),
        other_source=layout.text(layout.stage("tok", "{form}"), PAIR, "{split}", "{src}"),
        other_target=layout.text(layout.stage("tok", "{form}"), PAIR, "{split}", "{tgt}"),
    output:
        source=layout.text(layout.stage("clean", "{form}"), PAIR, "{split}", "{src}"),
        target=layout.text(layout.stage("clean", "{form}"), PAIR, "{split}", "{tgt}"),
    log:
        layout.log("clean_form", "{src}-{tgt}/{form}/{split}", of_text=True),
    wildcard_constraints:
        split=TRAINING_TEXT,
    params:
        minimum=f"--minimum={EXPERIMENT.preprocess('minimum')}",
        maximum=f"--maximum={EXPERIMENT.preprocess('maximum')}",
        ratio=f"--ratio={EXPERIMENT.preprocess('ratio')}",
        may_be_empty=["--may-be-empty"] if SHARDS > 1 else [],
    message:
        "Keep the training pairs of {wildcards.src}-{wildcards.tgt} that all systems share, as {wildcards.form}."
    shell:
        """
        rarewords corpus clean \\
        --source {input.source:q} \\
        --target {input.target:q} \\
        --other-source {input.other_source:q} \\
        --other-target {input.other_target:q} \\
        --clean-source {output.source:q} \\
        --clean-target {output.target:q} \\
        {params.minimum:q} \\
        {params.maximum:q} \\
        {params.ratio:q} \\
        {params.may_be_empty} \\
        >{log:q} 2>&1
        """


use rule train_truecaser as train_truecaser_of_form with:
    input:
        layout.text(layout.stage("clean", "{form}"), "{pair}", "train", "{lang}"),
    output:
        layout.truecaser("{pair}", "{lang}", "{form}"),
    log:
        layout.log("train_truecaser", "{pair}/{form}/{lang}", of_text=True),


use rule truecase as truecase_form with:
    input:
        text=lambda w: steps.tokenised(w.pair, w.split, w.lang, w.form),
        model=layout.truecaser("{pair}", "{lang}", "{form}"),
    output:
        layout.text(layout.stage("tc", "{form}"), "{pair}", "{split}", "{lang}"),
    log:
        layout.log("truecase", "{pair}/{form}/{split}.{lang}", of_text=True),


use rule count_words as count_words_of_form with:
    input:
        lambda w: steps.form_text(w.form, w.pair, "train", w.lang),
    output:
        layout.counts("{pair}", "{lang}", "{form}"),
    log:
        layout.log("count_words", "{pair}/{form}/{lang}", of_text=True),
