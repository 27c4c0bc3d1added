"""Scores of every translation: BLEU and chrF3 on plain text, on test sets also unigram F1 on truecased words.

In: {testset}/{output}.{txt,tc}, the raw and the truecased reference, the target words of the training text.
Out: {testset}/{output}.json.
"""


rule score:
    input:
        hypothesis=f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.txt",
        words=f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.tc",
        reference=f"{DATA}/{{src}}-{{tgt}}/raw/{{testset}}.{{tgt}}",
        reference_words=f"{DATA}/{{src}}-{{tgt}}/tc/{{testset}}.{{tgt}}",
        counts=f"{DATA}/{{src}}-{{tgt}}/tc/counts.{{tgt}}",
    output:
        f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.json",
    log:
        f"logs/score/{NAME}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.log",
    priority: 1
    params:
        words=unigram_files,
        rare_rank=rare_rank,
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
