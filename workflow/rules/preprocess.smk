"""Moses preprocessing, as in the paper's section 4.

In: raw/{split}.{lang}. Steps: (normalise punctuation and) tokenise -> clean the training text, both sides together ->
train a truecaser on it -> truecase everything -> count the words of the training text. Out: tc/{split}.{lang} and
tc/counts.{lang}.
"""


rule tokenise:
    input:
        f"{DATA}/{{pair}}/raw/{{split}}.{{lang}}",
    output:
        f"{DATA}/{{pair}}/tok/{{split}}.{{lang}}",
    log:
        f"logs/tokenise/{CORPUS}/{{pair}}/{{split}}.{{lang}}.log",
    benchmark:
        f"benchmarks/tokenise/{CORPUS}/{{pair}}/{{split}}.{{lang}}.tsv"
    params:
        normalise=["--normalise"] if EXPERIMENT.preprocess("normalise") else [],
        aggressive=["--aggressive"] if EXPERIMENT.preprocess("aggressive") else [],
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
        source=f"{DATA}/{{src}}-{{tgt}}/tok/{{split}}.{{src}}",
        target=f"{DATA}/{{src}}-{{tgt}}/tok/{{split}}.{{tgt}}",
    output:
        source=f"{DATA}/{{src}}-{{tgt}}/clean/{{split}}.{{src}}",
        target=f"{DATA}/{{src}}-{{tgt}}/clean/{{split}}.{{tgt}}",
    log:
        f"logs/clean/{CORPUS}/{{src}}-{{tgt}}/{{split}}.log",
    wildcard_constraints:
        split=TRAINING_TEXT,
    params:
        minimum=f"--minimum={EXPERIMENT.preprocess('minimum')}",
        maximum=f"--maximum={EXPERIMENT.preprocess('maximum')}",
        ratio=f"--ratio={EXPERIMENT.preprocess('ratio')}",
        may_be_empty=["--may-be-empty"] if SHARDS > 1 else [],
    message:
        "Drop pairs of {wildcards.src}-{wildcards.tgt} that are empty, too long or of too unequal length."
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
        f"{DATA}/{{pair}}/clean/train.{{lang}}",
    output:
        f"{DATA}/{{pair}}/tc/truecaser.{{lang}}",
    log:
        f"logs/train_truecaser/{CORPUS}/{{pair}}/{{lang}}.log",
    resources:
        mem_mb=8000,
    message:
        "Learn the usual case of {wildcards.lang} words."
    shell:
        "rarewords corpus train-truecaser --input {input:q} --model {output:q} > {log:q} 2>&1"


rule truecase:
    input:
        text=tokenised,
        model=f"{DATA}/{{pair}}/tc/truecaser.{{lang}}",
    output:
        f"{DATA}/{{pair}}/tc/{{split}}.{{lang}}",
    log:
        f"logs/truecase/{CORPUS}/{{pair}}/{{split}}.{{lang}}.log",
    message:
        "Truecase {input.text}."
    shell:
        """
        rarewords corpus truecase \\
        --model {input.model:q} \\
        --input {input.text:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule count_words:
    input:
        f"{DATA}/{{pair}}/tc/train.{{lang}}",
    output:
        f"{DATA}/{{pair}}/tc/counts.{{lang}}",
    log:
        f"logs/count_words/{CORPUS}/{{pair}}/{{lang}}.log",
    resources:
        mem_mb=8000,
    message:
        "Count the {wildcards.lang} words of the training text."
    shell:
        "rarewords corpus count --input {input:q} --output {output:q} > {log:q} 2>&1"
