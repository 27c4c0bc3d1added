"""Tables 4 and 5, attention, learning curves, the manifest, and the report that holds everything.

In: units, translations and scores of every system, members, reports of the training runs. Out:
tables/table4.{json,tsv,md, tex} (en-de), table5 (en-ru), examples-{pair} (any other pair), of the set that the
configuration names; figures/attention/{pair}/{system}/line{n}.{svg,png}, figures/learning-curves.{svg,png};
manifest.json; report.html.
"""


rule write_examples:
    input:
        configuration=CONFIGURATION,
        files=lambda w: named.examples(w.examples).files(),
    output:
        json=layout.table_at("", "{examples}", "json"),
        tsv=report(
            layout.table_at("", "{examples}", "tsv"),
            caption="../report/examples.rst",
            category="Tables",
            labels=lambda w: {
                "item": "examples",
                "pair": named.examples_tables[w.examples],
                "test set": EXPERIMENT.example_set,
            },
        ),
        markdown=layout.table_at("", "{examples}", "md"),
        latex=layout.table_at("", "{examples}", "tex"),
    log:
        layout.log("examples", "{examples}"),
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        pair=lambda w: f"--pair={named.examples_tables[w.examples]}",
        shown=lambda w: checksum(named.examples(w.examples)),
    message:
        "Choose example translations: {output.tsv}."
    shell:
        """
        rarewords report examples \\
        {params.experiment:q} \\
        {params.pair} \\
        --json {output.json:q} \\
        --tsv {output.tsv:q} \\
        --markdown {output.markdown:q} \\
        --latex {output.latex:q} \\
        >{log:q} 2>&1
        """


rule draw_attention:
    input:
        configuration=CONFIGURATION,
        examples=lambda w: parts.attention(pair_of(w), w.system).examples,
        members=lambda w: steps.member_files(pair_of(w), w.system, EXPERIMENT.members),
        source=lambda w: steps.units_of(pair_of(w), w.system, EXPERIMENT.example_set),
        output=layout.translation(PAIR, "{system}", EXPERIMENT.example_set, "ensemble", "sub"),
    output:
        report(
            directory(layout.attention(PAIR, "{system}")),
            patterns=["line{line}.svg"],
            caption="../report/attention.rst",
            category="Attention",
            labels={"item": "line {line}", "pair": "{src}-{tgt}", "system": "{system}"},
        ),
    log:
        layout.log("draw_attention", "{src}-{tgt}/{system}"),
    benchmark:
        layout.benchmark("draw_attention", "{src}-{tgt}/{system}")
    threads: TRAINING["threads"]
    resources:
        gpu=steps.gpus(),
        device=TRAINING["device"],  # no parameter: on another device it is the same work
        mem_mb=32000,
        runtime=60,
    params:
        experiment=f"--experiment={layout.config}",
        shown=lambda w: checksum(parts.attention(pair_of(w), w.system)),
    message:
        "Draw the attention of {wildcards.system} in the examples of {wildcards.src}-{wildcards.tgt}."
    shell:
        """
        rarewords report attention \\
        {params.experiment:q} \\
        --pair {wildcards.src}-{wildcards.tgt} \\
        --system {wildcards.system} \\
        --folder {output:q} \\
        --device={resources.device:q} \\
        --threads {threads} \\
        >{log:q} 2>&1
        """


rule draw_learning_curves:
    input:
        configuration=CONFIGURATION,
        models=parts.last_saved_models(),
    output:
        svg=report(
            layout.learning_curves("svg"),
            caption="../report/learning_curves.rst",
            category="Figures",
            labels={"item": "learning curves", "pair": "all", "test set": "training text"},
        ),
        png=layout.learning_curves("png"),
    log:
        layout.log("learning_curves", "all"),
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        shown=lambda w: checksum(parts.runs()),
    message:
        "Draw the learning curves."
    shell:
        """
        rarewords report learning-curves \\
        {params.experiment:q} \\
        --svg {output.svg:q} \\
        --png {output.png:q} \\
        >{log:q} 2>&1
        """


rule write_manifest:
    input:
        configuration=CONFIGURATION,
        scores=parts.all_ensembles(),
        table1=[layout.table(table1_name(pair), EXPERIMENT.tests[0], "tsv") for pair in contents.segmented],
        trainings=parts.training_json().values(),
        texts=parts.raw_texts(),
    output:
        layout.manifest,
    log:
        layout.log("manifest", "all"),
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        # The file is written when a run starts and is no output of a rule; its checksum tells that it changed.
        checksum=EXPERIMENT.checksum(),
        # A function of the input, which Snakemake does not compare: a repository may move without a new manifest.
        repository=lambda wildcards, input: ROOT,
    message:
        "Record versions, machine, time of the steps and checksums."
    shell:
        """
        rarewords report manifest \\
        {params.experiment:q} \\
        --repository {params.repository:q} \\
        --benchmarks benchmarks \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule report:
    input:
        configuration=CONFIGURATION,
        files=files_shown(contents.items()),
    output:
        report(
            layout.report,
            caption="../report/report.rst",
            category="Report",
            labels={"item": "report", "pair": "all", "test set": "all"},
        ),
    log:
        layout.log("report", "all"),
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        shown=lambda w: checksum(contents.items()),
    message:
        "Write the report."
    shell:
        """
        rarewords report html \\
        {params.experiment:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """
