"""Moses preprocessing, as in the paper's section 4.

In: raw/{split}.{lang}. Steps: (normalise punctuation and) tokenise -> clean the training text, both sides together ->
train a truecaser on it -> truecase everything -> count the words of the training text. Out: tc/{split}.{lang} and
tc/counts.{lang}.
"""


rule tokenise:
    input:
        layout.text("raw", "{pair}", "{split}", "{lang}"),
    output:
        layout.text("tok", "{pair}", "{split}", "{lang}"),
    log:
        layout.log("tokenise", "{pair}/{split}.{lang}", of_text=True),
    benchmark:
        layout.benchmark("tokenise", "{pair}/{split}.{lang}", of_text=True)
    params:
        normalise=steps.preprocessing_flag("normalise"),
        aggressive=steps.preprocessing_flag("aggressive"),
    message:
        "Tokenise {input}."
    shell:
        """
        rarewords corpus tokenise \\
        --language {wildcards.lang} \\
        {params.normalise} \\
        {params.aggressive} \\
        --input {input:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule clean:
    input:
        source=layout.text("tok", PAIR, "{split}", "{src}"),
        target=layout.text("tok", PAIR, "{split}", "{tgt}"),
    output:
        source=layout.text("clean", PAIR, "{split}", "{src}"),
        target=layout.text("clean", PAIR, "{split}", "{tgt}"),
    log:
        layout.log("clean", "{src}-{tgt}/{split}", of_text=True),
    wildcard_constraints:
        split=TRAINING_TEXT,
    params:
        minimum=f"--minimum={EXPERIMENT.preprocess('minimum')}",
        maximum=f"--maximum={EXPERIMENT.preprocess('maximum')}",
        ratio=f"--ratio={EXPERIMENT.preprocess('ratio')}",
        may_be_empty=["--may-be-empty"] if SHARDS > 1 else [],
    message:
        "Drop pairs of {wildcards.src}-{wildcards.tgt} that are empty, too long or too different in length."
    shell:
        """
        rarewords corpus clean \\
        --source {input.source:q} \\
        --target {input.target:q} \\
        --clean-source {output.source:q} \\
        --clean-target {output.target:q} \\
        {params.minimum:q} \\
        {params.maximum:q} \\
        {params.ratio:q} \\
        {params.may_be_empty} \\
        >{log:q} 2>&1
        """


rule train_truecaser:
    input:
        layout.text("clean", "{pair}", "train", "{lang}"),
    output:
        layout.truecaser("{pair}", "{lang}"),
    log:
        layout.log("train_truecaser", "{pair}/{lang}", of_text=True),
    resources:
        mem_mb=8000,
    message:
        "Learn the usual case of {wildcards.lang} words."
    shell:
        "rarewords corpus train-truecaser --language {wildcards.lang} --input {input:q} --model {output:q} > {log:q} 2>&1"


rule truecase:
    input:
        text=lambda w: steps.tokenised(w.pair, w.split, w.lang),
        model=layout.truecaser("{pair}", "{lang}"),
    output:
        layout.text("tc", "{pair}", "{split}", "{lang}"),
    log:
        layout.log("truecase", "{pair}/{split}.{lang}", of_text=True),
    message:
        "Truecase {input.text}."
    shell:
        """
        rarewords corpus truecase \\
        --language {wildcards.lang} \\
        --model {input.model:q} \\
        --input {input.text:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule count_words:
    input:
        layout.text("tc", "{pair}", "train", "{lang}"),
    output:
        layout.counts("{pair}", "{lang}"),
    log:
        layout.log("count_words", "{pair}/{lang}", of_text=True),
    resources:
        mem_mb=8000,
    message:
        "Count the {wildcards.lang} words of the training text."
    shell:
        "rarewords corpus count --input {input:q} --output {output:q} > {log:q} 2>&1"
