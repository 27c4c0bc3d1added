"""Word alignment of the training text in a system's own units, for dictionaries and candidate lists (paper, section 4).

In: seg/{system}/train.{lang}, vocabulary.{lang}. Steps: align in both directions and put these together -> count the translations of
every source unit. Out: seg/{system}/align/{forward,reverse,symmetrised}.txt, seg/{system}/lexicon.tsv.
"""


rule align:
    input:
        source=layout.units(PAIR, "{system}", "train", "{src}"),
        target=layout.units(PAIR, "{system}", "train", "{tgt}"),
    output:
        forward_links=layout.alignment(PAIR, "{system}", "forward"),
        reverse_links=layout.alignment(PAIR, "{system}", "reverse"),
        symmetrised_links=layout.alignment(PAIR, "{system}", "symmetrised"),
    log:
        layout.log("align", "{src}-{tgt}/{system}", of_text=True),
    benchmark:
        layout.benchmark("align", "{src}-{tgt}/{system}", of_text=True)
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
        source=layout.units(PAIR, "{system}", "train", "{src}"),
        target=layout.units(PAIR, "{system}", "train", "{tgt}"),
        alignment=layout.alignment(PAIR, "{system}", "symmetrised"),
        vocabulary=layout.vocabulary(PAIR, "{system}", "{tgt}"),
    output:
        layout.lexicon(PAIR, "{system}"),
    log:
        layout.log("lexicon", "{src}-{tgt}/{system}", of_text=True),
    benchmark:
        layout.benchmark("lexicon", "{src}-{tgt}/{system}", of_text=True)
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
