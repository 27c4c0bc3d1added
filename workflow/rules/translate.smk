"""Translation: every member on the development set; the best of them and the ensemble of all on the test sets.

In: members, seg/{system}/{testset}.{source language}. Out: {testset}/{single-k,best,ensemble}.{sub,tc,txt}, that is,
units, words, and plain text.
"""


def translating(wildcards):
    """The members that make an output: one, all, or (for `best`) all of which the choice names one."""
    if wildcards.output.startswith("single-"):
        numbers = [wildcards.output.removeprefix("single-")]
    else:
        numbers = EXPERIMENT.members
    folder = f"{MODELS}/{pair_of(wildcards)}/{wildcards.system}"
    return [f"{folder}/member{number}/{file}" for number in numbers for file in ("model.json", "model.safetensors")]


def choice(wildcards):
    if wildcards.output != "best":
        return []
    return f"{RESULTS}/{pair_of(wildcards)}/{wildcards.system}/{EXPERIMENT.dev}/choice.json"


def member_options(wildcards, input):
    if input.choice:
        return [f"--choice={input.choice}"]
    return [f"--member={os.path.dirname(path)}" for path in input.members if path.endswith(".json")]


rule translate:
    message:
        "Translate {wildcards.testset} with {wildcards.system}: {wildcards.output}."
    input:
        members=translating,
        choice=choice,
        text=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/{{testset}}.{{src}}",
        segmenter=f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/segmenter.{{tgt}}.json",
    output:
        units=f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.sub",
        words=f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.tc",
        text=f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.txt",
    params:
        members=member_options,
        beam=DECODING["beam"],
        batch_size=DECODING["batch_size"],
        device=TRAINING["device"],
        label=lambda wildcards: f"{pair_of(wildcards)} {wildcards.system} {wildcards.testset} {wildcards.output}",
    threads: TRAINING["threads"]
    resources:
        gpu=gpus,
    log:
        f"logs/translate/{NAME}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.log",
    benchmark:
        f"benchmarks/translate/{NAME}/{{src}}-{{tgt}}/{{system}}/{{testset}}/{{output}}.tsv"
    shell:
        """
        rarewords translate \
            {params.members:q} \
            --input {input.text:q} \
            --segmenter {input.segmenter:q} \
            --language {wildcards.tgt} \
            --units {output.units:q} \
            --truecased {output.words:q} \
            --text {output.text:q} \
            --beam {params.beam} \
            --batch-size {params.batch_size} \
            --label {params.label:q} \
            --device {params.device} \
            --threads {threads} \
            2>&1 | tee {log:q}
        """


rule choose_best:
    message:
        "Choose the member of {wildcards.system} with the highest BLEU on {wildcards.testset}."
    input:
        scores=[f"{RESULTS}/{{pair}}/{{system}}/{{testset}}/single-{member}.json" for member in EXPERIMENT.members],
    output:
        f"{RESULTS}/{{pair}}/{{system}}/{{testset}}/choice.json",
    params:
        candidates=lambda wildcards, input: [
            f"--candidate={MODELS}/{wildcards.pair}/{wildcards.system}/member{member}={path}"
            for member, path in zip(EXPERIMENT.members, input.scores)
        ],
    log:
        f"logs/choose_best/{NAME}/{{pair}}/{{system}}/{{testset}}.log",
    shell:
        """
        rarewords choose \
            {params.candidates:q} \
            --output {output:q} \
            > {log:q} 2>&1
        """
