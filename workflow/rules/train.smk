"""Training, and the continuation with fixed embeddings that makes the members of the ensemble (paper, section 4).

In: seg/{system}/pairs/. Steps: one training per cut-off, of which the last saved models are
kept -> each of them continued with the vocabulary-sized tensors fixed. Out: run{run}/saved{k}.safetensors,
member{member}/model.safetensors and model.json.

The folders `checkpoints` are not declared: Snakemake would delete them before a retry, and the work in them is what a
retry goes on from. A cluster sends SIGTERM to all processes of a job at once. The shell and `tee` live on (`trap`), so
that the training has the time to write a checkpoint.
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
    # Trainings first: one that begins last would keep the others waiting.
    priority: 20
    threads: TRAINING["threads"]
    resources:
        gpu=gpus,
        device=TRAINING["device"],  # no parameter: on another device it is the same work
        mem_mb=32000,
        runtime=1440,
    params:
        data=subpath(input.pairs, parent=True),
        checkpoints=layout.checkpoints(layout.run(PAIR, "{system}", "{run}")),
        label=lambda w: f"{pair_of(w)} {w.system} run {w.run}",
        saved=[f"--saved={layout.saved(PAIR, '{system}', '{run}', number)}" for number in NUMBERS],
        embedding=lambda w: f"--embedding={EXPERIMENT.network(w.system, 'embedding')}",
        hidden=lambda w: f"--hidden={EXPERIMENT.network(w.system, 'hidden')}",
        deviation=lambda w: f"--deviation={EXPERIMENT.network(w.system, 'init_std')}",
        source_blocks=lambda w: steps.source_blocks(w.system),
        cutoff=lambda w: f"--cutoff={EXPERIMENT.clip_norm(w.system, int(w.run))}",
        batch_size=lambda w: f"--batch-size={EXPERIMENT.training(w.system, 'batch_size')}",
        max_length=lambda w: f"--max-length={EXPERIMENT.training(w.system, 'max_length')}",
        seed=lambda w: f"--seed={EXPERIMENT.seed(pair_of(w), w.system, int(w.run))}",
        loaded_vocabulary=lambda w: steps.loaded_vocabulary(w.system),
        precision=lambda w: f"--precision={EXPERIMENT.training(w.system, 'precision')}",
        updates=lambda w: f"--updates={EXPERIMENT.training(w.system, 'updates')}",
        save_every=lambda w: f"--save-every={EXPERIMENT.training(w.system, 'save_every')}",
        development=development_options,
        early_end=lambda w: steps.early_end(w.system),
        capture=["--capture"] if TRAINING["capture"] else [],
    message:
        "Train {wildcards.system} for {wildcards.src}-{wildcards.tgt}, run {wildcards.run}."
    shell:
        """
        trap : TERM
        rarewords train run \\
        --data {params.data:q} \\
        {params.embedding} \\
        {params.hidden} \\
        {params.deviation} \\
        {params.source_blocks} \\
        {params.cutoff} \\
        {params.batch_size} \\
        {params.max_length} \\
        {params.seed} \\
        {params.loaded_vocabulary} \\
        {params.precision} \\
        {params.updates} \\
        {params.save_every:q} \\
        {params.saved:q} \\
        {params.development:q} \\
        {params.early_end} \\
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
        gpu=gpus,
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
