"""The paper's tables with the paper's rows beside ours, and its figures of unigram F1 by training frequency.

In: {testset}/{best,ensemble}.json of every system. Out, for the first test set: tables/table2.{tsv,md,tex,json} (en-de),
table3 (en-ru), scores-{pair} (any other pair); with -oov, precision and recall of unseen words;
figures/figure2.{svg,png,tsv} (en-de), figure3 (en-ru), figure-frequency-{pair}. Of the others: tables/{testset}/…
Besides tables/training-{pair}.{tsv,md,tex,json}: what the systems were trained on; claims/{pair}/{testset}.{tsv,md,tex,
json}: the paper's claims, tested.

The commands find their inputs by the layout; the rules list them. `shown` is a checksum of the configuration that a
table shows, so that a changed label makes it anew.
"""

REFUSED = {target: refuse(targets.refusal(target, pair)) for target, pair in targets.named_of_the_paper().items()}
for target, files in {**targets.named(), **REFUSED}.items():

    rule:
        name:
            target
        input:
            files,


rule write_table:
    input:
        configuration=CONFIGURATION,
        files=lambda w: named.score_table(w.place, w.table).files(),
    output:
        tsv=report(
            layout.table_at("{place}", "{table}", "tsv"),
            caption="../report/scores.rst",
            category="Tables",
            labels=lambda w: {"item": "scores", "pair": named.tables[w.table], "test set": named.tests[w.place]},
        ),
        markdown=layout.table_at("{place}", "{table}", "md"),
        latex=layout.table_at("{place}", "{table}", "tex"),
        json=layout.table_at("{place}", "{table}", "json"),
        svg=report(
            layout.figure_at("{place}", "{table}", "svg"),
            caption="../report/scores_figure.rst",
            category="Figures",
            labels=lambda w: {"item": "scores", "pair": named.tables[w.table], "test set": named.tests[w.place]},
        ),
        png=layout.figure_at("{place}", "{table}", "png"),
    log:
        layout.log("table", "{place}{table}"),
    priority: 1
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        of=lambda w: [f"--pair={named.tables[w.table]}", f"--test-set={named.tests[w.place]}"],
        shown=lambda w: checksum(named.score_table(w.place, w.table)),
    message:
        "Write the table of scores: {output.tsv}."
    shell:
        """
        rarewords report table \\
        {params.experiment:q} \\
        {params.of:q} \\
        --tsv {output.tsv:q} \\
        --markdown {output.markdown:q} \\
        --latex {output.latex:q} \\
        --json {output.json:q} \\
        --svg {output.svg:q} \\
        --png {output.png:q} \\
        >{log:q} 2>&1
        """


rule write_oov_table:
    input:
        configuration=CONFIGURATION,
        files=lambda w: named.oov_table(w.place, w.oov).files(),
    output:
        tsv=report(
            layout.table_at("{place}", "{oov}", "tsv"),
            caption="../report/oov.rst",
            category="Tables",
            labels=lambda w: {
                "item": "unseen words",
                "pair": named.oov_tables[w.oov],
                "test set": named.tests[w.place],
            },
        ),
        markdown=layout.table_at("{place}", "{oov}", "md"),
        latex=layout.table_at("{place}", "{oov}", "tex"),
        json=layout.table_at("{place}", "{oov}", "json"),
    log:
        layout.log("oov_table", "{place}{oov}"),
    priority: 1
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        of=lambda w: [f"--pair={named.oov_tables[w.oov]}", f"--test-set={named.tests[w.place]}"],
        shown=lambda w: checksum(named.oov_table(w.place, w.oov)),
    message:
        "Write precision and recall of unseen words: {output.tsv}."
    shell:
        """
        rarewords report oov-table \\
        {params.experiment:q} \\
        {params.of:q} \\
        --tsv {output.tsv:q} \\
        --markdown {output.markdown:q} \\
        --latex {output.latex:q} \\
        --json {output.json:q} \\
        >{log:q} 2>&1
        """


rule draw_frequency_figure:
    input:
        configuration=CONFIGURATION,
        files=lambda w: named.frequency_figure(w.place, w.figure).files(),
    output:
        svg=report(
            layout.figure_at("{place}", "{figure}", "svg"),
            caption="../report/frequency.rst",
            category="Figures",
            labels=lambda w: {
                "item": "F1 by training frequency",
                "pair": named.figures[w.figure],
                "test set": named.tests[w.place],
            },
        ),
        png=layout.figure_at("{place}", "{figure}", "png"),
        tsv=layout.figure_at("{place}", "{figure}", "tsv"),
    log:
        layout.log("frequency_figure", "{place}{figure}"),
    priority: 1
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        of=lambda w: [f"--pair={named.figures[w.figure]}", f"--test-set={named.tests[w.place]}"],
        shown=lambda w: checksum(named.frequency_figure(w.place, w.figure)),
    message:
        "Draw unigram F1 by training frequency: {output.svg}."
    shell:
        """
        rarewords report frequency-figure \\
        {params.experiment:q} \\
        {params.of:q} \\
        --svg {output.svg:q} \\
        --png {output.png:q} \\
        --tsv {output.tsv:q} \\
        >{log:q} 2>&1
        """


rule write_training_table:
    input:
        configuration=CONFIGURATION,
        files=lambda w: [path for one in parts.trainings(w.pair) for path in one.files()],
    output:
        tsv=report(
            layout.table_at("", "training-{pair}", "tsv"),
            caption="../report/training.rst",
            category="Tables",
            labels={"item": "training", "pair": "{pair}", "test set": "training text"},
        ),
        markdown=layout.table_at("", "training-{pair}", "md"),
        latex=layout.table_at("", "training-{pair}", "tex"),
        json=layout.table_at("", "training-{pair}", "json"),
    log:
        layout.log("training_table", "{pair}"),
    priority: 1
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        shown=lambda w: checksum(parts.trainings(w.pair)),
    message:
        "Write what the systems of {wildcards.pair} were trained on."
    shell:
        """
        rarewords report training \\
        {params.experiment:q} \\
        --pair {wildcards.pair} \\
        --tsv {output.tsv:q} \\
        --markdown {output.markdown:q} \\
        --latex {output.latex:q} \\
        --json {output.json:q} \\
        >{log:q} 2>&1
        """


rule test_claims:
    input:
        configuration=CONFIGURATION,
        files=lambda w: steps.claim_files(w.pair, w.testset),
    output:
        tsv=report(
            layout.claims("{pair}", "{testset}", "tsv"),
            caption="../report/claims.rst",
            category="Tables",
            labels={"item": "claims", "pair": "{pair}", "test set": "{testset}"},
        ),
        markdown=layout.claims("{pair}", "{testset}", "md"),
        latex=layout.claims("{pair}", "{testset}", "tex"),
        json=layout.claims("{pair}", "{testset}", "json"),
    log:
        layout.log("test_claims", "{pair}/{testset}"),
    priority: 1
    params:
        experiment=f"--experiment={layout.config}",
        shown=lambda w: checksum(parts.claims(w.pair)),
    message:
        "Test the paper's claims on {wildcards.testset}, {wildcards.pair}."
    shell:
        """
        rarewords report claims \\
        {params.experiment:q} \\
        --pair {wildcards.pair} \\
        --test-set {wildcards.testset} \\
        --tsv {output.tsv:q} \\
        --markdown {output.markdown:q} \\
        --latex {output.latex:q} \\
        --json {output.json:q} \\
        >{log:q} 2>&1
        """
