"""Translation: every member on the development set; the best of them and the ensemble of all on the test sets.

In: members, seg/{system}/{testset}.{source language}. Out: {testset}/{single-k,best,ensemble}.{sub,tc,txt}, that is,
units, words, and plain text.
"""


rule translate:
    input:
        members=translating,
        choice=choice,
        text=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/{{testset}}.{{src}}",
        segmenter=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/segmenter.{{tgt}}.json",
    output:
        units=f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.sub",
        words=f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.tc",
        text=f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.txt",
    log:
        f"logs/translate/{NAME}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.log",
    benchmark:
        f"benchmarks/translate/{NAME}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.tsv"
    threads: TRAINING["threads"]
    resources:
        gpu=gpus,
        mem_mb=32000,
        runtime=240,
    params:
        members=member_options,
        beam=f"--beam={DECODING['beam']}",
        batch_size=f"--batch-size={DECODING['batch_size']}",
        device=f"--device={TRAINING['device']}",
        label=lambda wildcards: f"{pair_of(wildcards)} {wildcards.system} {wildcards.testset} {wildcards.output}",
    message:
        "Translate {wildcards.testset} with {wildcards.system}: {wildcards.output}."
    shell:
        """
        rarewords translate \\
        {params.members:q} \\
        --input {input.text:q} \\
        --segmenter {input.segmenter:q} \\
        --language {wildcards.tgt} \\
        --units {output.units:q} \\
        --truecased {output.words:q} \\
        --text {output.text:q} \\
        {params.beam} \\
        {params.batch_size} \\
        --label {params.label:q} \\
        {params.device} \\
        --threads {threads} \\
        2>&1 | tee -i {log:q}
        """


rule choose_best:
    input:
        scores=[f"{RESULTS}/{{pair}}/{{system}}/{{testset}}/single-{member}.json" for member in EXPERIMENT.members],
    output:
        f"{RESULTS}/{{pair}}/{{system}}/{{testset}}/choice.json",
    log:
        f"logs/choose_best/{NAME}/{{pair}}/{{system}}/{{testset}}.log",
    localrule: True
    params:
        candidates=lambda wildcards, input: [
            f"--candidate={MODELS}/{wildcards.pair}/{wildcards.system}/member{member}={path}"
            for member, path in zip(EXPERIMENT.members, input.scores)
        ],
    message:
        "Choose the member of {wildcards.system} with the highest BLEU on {wildcards.testset}."
    shell:
        """
        rarewords choose \\
        {params.candidates:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """
