"""Training, and the continuation with fixed embeddings that makes the members of the ensemble (paper, section 4).

In: seg/{system}/pairs/. Steps: one training per cut-off, of which the last saved models are
kept -> each of them continued with the vocabulary-sized tensors fixed. Out: run{run}/saved{k}.safetensors,
member{member}/model.safetensors and model.json.

The folders `checkpoints` are not declared: Snakemake would delete them before a retry, and the work in them is what a
retry continues from. A cluster sends SIGTERM to all processes of a job at once. The shell and `tee` live on (`trap`),
so that the training has the time to write a checkpoint.
"""

NUMBERS = range(1, EXPERIMENT.saved_models + 1)


rule train:
    input:
        pairs=lambda w: steps.training_pairs(pair_of(w), w.system),
        development=development_text,
    output:
        saved=[layout.saved(PAIR, "{system}", "{run}", number) for number in NUMBERS],
    log:
        layout.log("train", "{src}-{tgt}/{system}/run{run}"),
    benchmark:
        layout.benchmark("train", "{src}-{tgt}/{system}/run{run}")
    # Training first: a run that begins last would keep everything else waiting.
    priority: 20
    threads: TRAINING["threads"]
    resources:
        gpu=steps.gpus(),
        device=TRAINING["device"],  # no parameter: on another device it is the same work
        mem_mb=32000,
        runtime=1440,
    params:
        # The settings twice: one by one as Snakemake compares them with those of the last run, and as the command reads
        # them; what takes `input` is not compared.
        **steps.recorded_training_options(),
        settings=lambda w, input: steps.training_options(pair_of(w), w.system, int(w.run)),
        data=subpath(input.pairs, parent=True),
        checkpoints=layout.checkpoints(layout.run(PAIR, "{system}", "{run}")),
        label=lambda w: f"{pair_of(w)} {w.system} run {w.run}",
        saved=[f"--saved={layout.saved(PAIR, '{system}', '{run}', number)}" for number in NUMBERS],
        development=lambda wildcards, input: development_options(input.development),
        capture=["--capture"] if TRAINING["capture"] else [],
    message:
        "Train {wildcards.system} for {wildcards.src}-{wildcards.tgt}, run {wildcards.run}."
    shell:
        """
        trap : TERM
        rarewords train run \\
        --data {params.data:q} \\
        {params.settings:q} \\
        {params.saved:q} \\
        {params.development:q} \\
        --checkpoints {params.checkpoints:q} \\
        --set-aside-changed \\
        --label {params.label:q} \\
        --device={resources.device:q} \\
        {params.capture} \\
        --threads {threads} \\
        2>&1 | (
            trap "" INT TERM
            tee {log:q}
        )
        """


rule finetune_fixed_embeddings:
    input:
        pairs=lambda w: steps.training_pairs(pair_of(w), w.system),
        saved=lambda w: steps.saved_model(pair_of(w), w.system, int(w.member)),
    output:
        model=layout.weights(PAIR, "{system}", "{member}"),
        description=layout.description(PAIR, "{system}", "{member}"),
    log:
        layout.log("finetune_fixed_embeddings", "{src}-{tgt}/{system}/member{member}"),
    benchmark:
        layout.benchmark("finetune_fixed_embeddings", "{src}-{tgt}/{system}/member{member}")
    priority: 10
    threads: TRAINING["threads"]
    resources:
        gpu=steps.gpus(),
        device=TRAINING["device"],  # no parameter: on another device it is the same work
        mem_mb=32000,
        runtime=1440,
    params:
        data=subpath(input.pairs, parent=True),
        member=subpath(output.model, parent=True),
        checkpoints=layout.checkpoints(layout.member(PAIR, "{system}", "{member}")),
        label=lambda w: f"{pair_of(w)} {w.system} member {w.member}",
        saved_updates=lambda w: steps.saved_updates(w.system, int(w.member)),
        saved_seed=lambda w: f"--saved-seed={steps.saved_seed(pair_of(w), w.system, int(w.member))}",
        updates=lambda w: f"--updates={EXPERIMENT.training(w.system, 'fixed_embedding_updates')}",
        capture=["--capture"] if TRAINING["capture"] else [],
    message:
        "Continue {input.saved} with fixed embeddings."
    shell:
        """
        trap : TERM
        rarewords train finetune \\
        --data {params.data:q} \\
        --saved {input.saved:q} \\
        {params.saved_updates} \\
        {params.saved_seed} \\
        {params.updates} \\
        --member {params.member:q} \\
        --checkpoints {params.checkpoints:q} \\
        --set-aside-changed \\
        --label {params.label:q} \\
        --device={resources.device:q} \\
        {params.capture} \\
        --threads {threads} \\
        2>&1 | (
            trap "" INT TERM
            tee {log:q}
        )
        """
