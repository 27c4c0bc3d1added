"""Word alignment of the training text in a system's own units, for dictionaries and candidate lists (paper, section 4).

In: seg/{system}/train.{lang}, vocabulary.{lang}. Steps: align in both directions and put these together -> count the translations of
every source unit. Out: seg/{system}/align/{forward,reverse,symmetrised}.txt, seg/{system}/lexicon.tsv.
"""


rule align:
    input:
        source=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/train.{{src}}",
        target=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/train.{{tgt}}",
    output:
        forward_links=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/align/forward.txt",
        reverse_links=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/align/reverse.txt",
        symmetrised_links=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/align/symmetrised.txt",
    log:
        f"logs/align/{CORPUS}/{{src}}-{{tgt}}/{{system}}.log",
    benchmark:
        f"benchmarks/align/{CORPUS}/{{src}}-{{tgt}}/{{system}}.tsv"
    resources:
        mem_mb=16000,
        runtime=720,
    params:
        aligner=f"--aligner={ALIGNMENT['aligner']}",
    message:
        "Align the units of {wildcards.system} in {wildcards.src}-{wildcards.tgt}."
    shell:
        """
        rarewords align run \\
        --source {input.source:q} \\
        --target {input.target:q} \\
        {params.aligner} \\
        --forward {output.forward_links:q} \\
        --reverse {output.reverse_links:q} \\
        --symmetrised {output.symmetrised_links:q} \\
        >{log:q} 2>&1
        """


rule lexicon:
    input:
        source=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/train.{{src}}",
        target=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/train.{{tgt}}",
        alignment=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/align/symmetrised.txt",
        vocabulary=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/vocabulary.{{tgt}}",
    output:
        f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/lexicon.tsv",
    log:
        f"logs/lexicon/{CORPUS}/{{src}}-{{tgt}}/{{system}}.log",
    benchmark:
        f"benchmarks/lexicon/{CORPUS}/{{src}}-{{tgt}}/{{system}}.tsv"
    resources:
        mem_mb=8000,
    params:
        most=f"--most={ALIGNMENT['candidates']}",
    message:
        "Count the translations of the units of {wildcards.system} in {wildcards.src}-{wildcards.tgt}."
    shell:
        """
        rarewords align lexicon \\
        --source {input.source:q} \\
        --target {input.target:q} \\
        --alignment {input.alignment:q} \\
        {params.most} \\
        --target-vocabulary {input.vocabulary:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """
