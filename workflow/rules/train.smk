"""Training, and the continuation with fixed embeddings that makes the members of the ensemble (paper, section 4).

In: seg/{system}/train.{lang} and vocabularies. Steps: one training per cut-off, of which the last saved models are
kept -> each of them continued with the vocabulary-sized tensors fixed. Out: run{run}/saved{k}.safetensors,
member{member}/model.safetensors and model.json.

The folders `checkpoints` are not declared: Snakemake would delete them before a retry, and the work in them is what a
retry goes on from.
"""

SEGMENTED = f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}"
SYSTEM = f"{MODELS}/{{src}}-{{tgt}}/{{system}}"


rule train:
    input:
        source=f"{SEGMENTED}/train.{{src}}",
        target=f"{SEGMENTED}/train.{{tgt}}",
        source_vocabulary=f"{SEGMENTED}/vocabulary.{{src}}",
        target_vocabulary=f"{SEGMENTED}/vocabulary.{{tgt}}",
    output:
        saved=[f"{SYSTEM}/run{{run}}/saved{k + 1}.safetensors" for k in range(EXPERIMENT.saved_models)],
    log:
        f"logs/train/{NAME}/{{src}}-{{tgt}}/{{system}}/run{{run}}.log",
    benchmark:
        f"benchmarks/train/{NAME}/{{src}}-{{tgt}}/{{system}}/run{{run}}.tsv"
    threads: TRAINING["threads"]
    resources:
        gpu=gpus,
    params:
        checkpoints=f"{SYSTEM}/run{{run}}/checkpoints",
        label=lambda wildcards: f"{pair_of(wildcards)} {wildcards.system} run {wildcards.run}",
        saved=lambda wildcards, output: [f"--saved={path}" for path in output.saved],
        embedding=NETWORK["embedding"],
        hidden=NETWORK["hidden"],
        deviation=NETWORK["deviation"],
        cutoff=lambda wildcards: EXPERIMENT.cutoff(int(wildcards.run)),
        batch_size=TRAINING["batch_size"],
        max_length=TRAINING["max_length"],
        seed=lambda wildcards: EXPERIMENT.seed(pair_of(wildcards), wildcards.system, int(wildcards.run)),
        updates=TRAINING["updates"],
        save_every=TRAINING["save_every"],
        device=TRAINING["device"],
    message:
        "Train {wildcards.system}, run {wildcards.run}, for {params.updates} updates."
    shell:
        """
        rarewords train run \
            --source {input.source:q} \
            --target {input.target:q} \
            --source-vocabulary {input.source_vocabulary:q} \
            --target-vocabulary {input.target_vocabulary:q} \
            --embedding {params.embedding} \
            --hidden {params.hidden} \
            --deviation {params.deviation} \
            --cutoff {params.cutoff} \
            --batch-size {params.batch_size} \
            --max-length {params.max_length} \
            --seed {params.seed} \
            --updates {params.updates} \
            --save-every {params.save_every} \
            {params.saved:q} \
            --checkpoints {params.checkpoints:q} \
            --set-aside-changed \
            --label {params.label:q} \
            --device {params.device} \
            --threads {threads} \
            2>&1 | tee {log:q}
        """


rule finetune_fixed_embeddings:
    input:
        source=f"{SEGMENTED}/train.{{src}}",
        target=f"{SEGMENTED}/train.{{tgt}}",
        source_vocabulary=f"{SEGMENTED}/vocabulary.{{src}}",
        target_vocabulary=f"{SEGMENTED}/vocabulary.{{tgt}}",
        saved=saved_model,
    output:
        model=f"{SYSTEM}/member{{member}}/model.safetensors",
        description=f"{SYSTEM}/member{{member}}/model.json",
    log:
        f"logs/finetune_fixed_embeddings/{NAME}/{{src}}-{{tgt}}/{{system}}/member{{member}}.log",
    benchmark:
        f"benchmarks/finetune_fixed_embeddings/{NAME}/{{src}}-{{tgt}}/{{system}}/member{{member}}.tsv"
    threads: TRAINING["threads"]
    resources:
        gpu=gpus,
    params:
        member=subpath(output.model, parent=True),
        checkpoints=f"{SYSTEM}/member{{member}}/checkpoints",
        label=lambda wildcards: f"{pair_of(wildcards)} {wildcards.system} member {wildcards.member}",
        updates=TRAINING["fixed_embedding_updates"],
        device=TRAINING["device"],
    message:
        "Continue {input.saved} for {params.updates} updates with fixed embeddings."
    shell:
        """
        rarewords train finetune \
            --source {input.source:q} \
            --target {input.target:q} \
            --source-vocabulary {input.source_vocabulary:q} \
            --target-vocabulary {input.target_vocabulary:q} \
            --saved {input.saved:q} \
            --updates {params.updates} \
            --member {params.member:q} \
            --checkpoints {params.checkpoints:q} \
            --set-aside-changed \
            --label {params.label:q} \
            --device {params.device} \
            --threads {threads} \
            2>&1 | tee {log:q}
        """
