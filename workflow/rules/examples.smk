"""Tables 4 and 5, attention, learning curves, the manifest, and the report that holds everything.

In: units, translations and scores of every system, members, reports of the trainings. Out: tables/table4.{json,tsv,md,
tex} (en-de), table5 (en-ru), examples-{pair} (any other pair), of the set that the configuration names;
figures/attention/{pair}/{system}/line{n}.{svg,png}, figures/learning-curves.{svg,png}; manifest.json; report.html.
"""

for pair in EXPERIMENT.pairs:

    rule:
        name:
            examples_name(pair).replace("-", "_")
        input:
            [example_file(pair, suffix) for suffix in ("json", "tsv", "md", "tex")],

    rule:
        name:
            f"write_{examples_name(pair)}".replace("-", "_")
        input:
            source=f"{DATA}/{pair}/tc/{EXPERIMENT.example_set}.{language(pair, 'source')}",
            reference=f"{DATA}/{pair}/tc/{EXPERIMENT.example_set}.{language(pair, 'target')}",
            source_counts=f"{DATA}/{pair}/tc/counts.{language(pair, 'source')}",
            target_counts=f"{DATA}/{pair}/tc/counts.{language(pair, 'target')}",
            units=[path for files in example_units(pair) for path in files.values()],
        output:
            json=example_file(pair, "json"),
            tsv=report(
                example_file(pair, "tsv"),
                caption="../report/examples.rst",
                category="Tables",
                labels={"item": "examples", "pair": pair, "test set": EXPERIMENT.example_set},
            ),
            markdown=example_file(pair, "md"),
            latex=example_file(pair, "tex"),
        log:
            f"logs/examples/{NAME}/{pair}.log",
        localrule: True
        params:
            pair=f"--pair={pair}",
            testset=f"--test-set={EXPERIMENT.example_set}",
            systems=lambda wildcards, pair=pair: example_systems(pair),
            rare_rank=f"--rare-rank={EXPERIMENT.config['experiment']['rare_rank']}",
            choice=EXPERIMENT.example_options(pair),
        message:
            f"Choose example translations of {pair}."
        shell:
            """
            rarewords report examples \\
            {params.systems:q} \\
            {params.pair} \\
            {params.testset} \\
            --source {input.source:q} \\
            --reference {input.reference:q} \\
            --source-counts {input.source_counts:q} \\
            --target-counts {input.target_counts:q} \\
            {params.rare_rank} \\
            {params.choice:q} \\
            --json {output.json:q} \\
            --tsv {output.tsv:q} \\
            --markdown {output.markdown:q} \\
            --latex {output.latex:q} \\
            >{log:q} 2>&1
            """


rule draw_attention:
    input:
        examples=lambda wildcards: example_file(pair_of(wildcards), "json"),
        members=lambda w: steps.member_files(pair_of(w), w.system, EXPERIMENT.members),
        source=lambda w: steps.units_of(pair_of(w), w.system, EXPERIMENT.example_set),
        output=f"{RESULTS}/{{src}}-{{tgt}}/{{system}}/{EXPERIMENT.example_set}/ensemble.sub",
    output:
        report(
            directory(f"{RESULTS}/figures/attention/{{src}}-{{tgt}}/{{system}}"),
            patterns=["line{line}.svg"],
            caption="../report/attention.rst",
            category="Attention",
            labels={"item": "line {line}", "pair": "{src}-{tgt}", "system": "{system}"},
        ),
    log:
        f"logs/draw_attention/{NAME}/{{src}}-{{tgt}}/{{system}}.log",
    benchmark:
        f"benchmarks/draw_attention/{NAME}/{{src}}-{{tgt}}/{{system}}.tsv"
    threads: TRAINING["threads"]
    resources:
        gpu=gpus,
        mem_mb=32000,
        runtime=60,
    params:
        members=lambda wildcards, input: [
            f"--member={os.path.dirname(path)}" for path in input.members if path.endswith(".json")
        ],
        label=lambda wildcards: f"--label={system_label(wildcards)}",
        device=f"--device={TRAINING['device']}",
    message:
        "Draw what {wildcards.system} attends to in the examples of {wildcards.src}-{wildcards.tgt}."
    shell:
        """
        rarewords report attention \\
        --examples {input.examples:q} \\
        {params.members:q} \\
        --source {input.source:q} \\
        --output {input.output:q} \\
        {params.label:q} \\
        --folder {output:q} \\
        {params.device} \\
        --threads {threads} \\
        >{log:q} 2>&1
        """


rule draw_learning_curves:
    input:
        last_saved_models(),
    output:
        svg=report(
            f"{RESULTS}/figures/learning-curves.svg",
            caption="../report/learning_curves.rst",
            category="Figures",
            labels={"item": "learning curves", "pair": "all", "test set": "training text"},
        ),
        png=f"{RESULTS}/figures/learning-curves.png",
    log:
        f"logs/learning_curves/{NAME}.log",
    localrule: True
    params:
        runs=lambda wildcards: curves(),
    message:
        "Draw the learning curves."
    shell:
        """
        rarewords report learning-curves \\
        {params.runs:q} \\
        --svg {output.svg:q} \\
        --png {output.png:q} \\
        >{log:q} 2>&1
        """


rule write_manifest:
    input:
        configuration=CONFIGURATION,
        scores=all_ensemble_scores(),
        table1=[f"{RESULTS}/tables/{table1_name(pair)}.tsv" for pair in table1_pairs()],
        texts=raw_texts(),
        trainings=[training_file(pair, "json") for pair in EXPERIMENT.pairs],
    output:
        f"{RESULTS}/manifest.json",
    log:
        f"logs/manifest/{NAME}.log",
    localrule: True
    params:
        # The file is written when a run starts and is no output of a rule; its checksum tells that it changed.
        config=f"{RESULTS}/config.yaml",
        checksum=EXPERIMENT.checksum(),
        # A function of the input, which Snakemake does not compare: a repository may move without a new manifest.
        repository=lambda wildcards, input: ROOT,
        scores=lambda wildcards, input: [f"--score={path}" for path in input.scores],
        texts=lambda wildcards, input: [f"--text={path}" for path in input.texts],
        trainings=[f"--training={pair}={training_file(pair, 'json')}" for pair in EXPERIMENT.pairs],
    message:
        "Write down versions, machine, time of the steps and checksums."
    shell:
        """
        rarewords report manifest \\
        --config {params.config:q} \\
        --repository {params.repository:q} \\
        --benchmarks benchmarks \\
        {params.scores:q} \\
        {params.texts:q} \\
        {params.trainings:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule report:
    input:
        report_files(),
    output:
        report(
            f"{RESULTS}/report.html",
            caption="../report/report.rst",
            category="Report",
            labels={"item": "report", "pair": "all", "test set": "all"},
        ),
    log:
        f"logs/report/{NAME}.log",
    localrule: True
    params:
        title=f"--title={NAME}",
        content=lambda wildcards: report_items(),
    message:
        "Put everything into the report."
    shell:
        """
        rarewords report html \\
        {params.content:q} \\
        {params.title} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """
