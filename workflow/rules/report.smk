"""The paper's tables with the paper's rows beside ours, and its figures of unigram F1 by training frequency.

In: {testset}/{best,ensemble}.json of every system. Out, for the first test set: tables/table2.{tsv,md,tex} (en-de),
table3 (en-ru), scores-{pair} (any other pair); with -oov, precision and recall of unseen words;
figures/figure2.{svg,png,tsv} (en-de), figure3 (en-ru), figure-frequency-{pair}. Of the others: tables/{testset}/…
Besides tables/training-{pair}.{tsv,md,tex,json}: what the systems were trained on; claims/{pair}/{testset}.{tsv,md,tex,
json}: the paper's claims, tested.
"""

for target, pair in missing_targets():

    rule:
        name:
            target
        input:
            refuse(target, pair),


for pair in EXPERIMENT.pairs:

    rule:
        name:
            table_name(pair).replace("-", "_")
        input:
            all_tables([pair]),
            training_files([pair]),

    rule:
        name:
            figure_name(pair).replace("-", "_")
        input:
            all_figures([pair]),

    for testset in EXPERIMENT.tests:

        rule:
            name:
                f"write_{table_name(pair)}_{testset}".replace("-", "_")
            input:
                best=table_scores(pair, testset, "best"),
                ensemble=table_scores(pair, testset, "ensemble"),
                source_vocabulary=table_vocabularies(pair, "source"),
                target_vocabulary=table_vocabularies(pair, "target"),
                singles=all_singles(pair, testset),
                choices=table_choices(pair),
                external=external_scores(pair, testset),
                significance=steps.significance(pair, testset),
            output:
                tsv=report(
                    table_file(pair, testset, "tsv"),
                    caption="../report/scores.rst",
                    category="Tables",
                    labels={"item": "scores", "pair": pair, "test set": testset},
                ),
                markdown=table_file(pair, testset, "md"),
                latex=table_file(pair, testset, "tex"),
            log:
                f"logs/table/{NAME}/{pair}/{testset}.log",
            priority: 1
            localrule: True
            params:
                pair=pair,
                testset=testset,
                rows=lambda wildcards, pair=pair, testset=testset: table_rows(pair, testset),
                external=external_rows("external", pair, testset),
                significance=[f"--significance={path}" for path in steps.significance(pair, testset)],
            message:
                f"Put the scores of {pair} on {testset} into a table."
            shell:
                """
                rarewords report table \\
                {params.rows:q} \\
                {params.external:q} \\
                {params.significance:q} \\
                --pair {params.pair} \\
                --test-set {params.testset} \\
                --tsv {output.tsv:q} \\
                --markdown {output.markdown:q} \\
                --latex {output.latex:q} \\
                >{log:q} 2>&1
                """

        rule:
            name:
                f"write_oov_{table_name(pair)}_{testset}".replace("-", "_")
            input:
                external=external_scores(pair, testset),
                ensemble=table_scores(pair, testset, "ensemble"),
            output:
                tsv=report(
                    oov_file(pair, testset, "tsv"),
                    caption="../report/oov.rst",
                    category="Tables",
                    labels={"item": "unseen words", "pair": pair, "test set": testset},
                ),
                markdown=oov_file(pair, testset, "md"),
                latex=oov_file(pair, testset, "tex"),
            log:
                f"logs/oov_table/{NAME}/{pair}/{testset}.log",
            priority: 1
            localrule: True
            params:
                pair=f"--pair={pair}",
                testset=f"--test-set={testset}",
                external=external_rows("row", pair, testset),
                rows=ensemble_rows(pair, testset),
            message:
                f"Put precision and recall of unseen words of {pair} on {testset} into a table."
            shell:
                """
                rarewords report oov-table \\
                {params.external:q} \\
                {params.rows:q} \\
                {params.pair} \\
                {params.testset} \\
                --tsv {output.tsv:q} \\
                --markdown {output.markdown:q} \\
                --latex {output.latex:q} \\
                >{log:q} 2>&1
                """

        rule:
            name:
                f"draw_{figure_name(pair)}_{testset}".replace("-", "_")
            input:
                table_scores(pair, testset, "ensemble"),
            output:
                svg=report(
                    figure_file(pair, testset, "svg"),
                    caption="../report/frequency.rst",
                    category="Figures",
                    labels={"item": "F1 by training frequency", "pair": pair, "test set": testset},
                ),
                png=figure_file(pair, testset, "png"),
                tsv=figure_file(pair, testset, "tsv"),
            log:
                f"logs/frequency_figure/{NAME}/{pair}/{testset}.log",
            priority: 1
            localrule: True
            params:
                pair=f"--pair={pair}",
                testset=f"--test-set={testset}",
                rows=ensemble_rows(pair, testset),
            message:
                f"Draw unigram F1 of {pair} on {testset} by training frequency."
            shell:
                """
                rarewords report frequency-figure \\
                {params.rows:q} \\
                {params.pair} \\
                {params.testset} \\
                --svg {output.svg:q} \\
                --png {output.png:q} \\
                --tsv {output.tsv:q} \\
                >{log:q} 2>&1
                """


rule write_training_table:
    input:
        configuration=CONFIGURATION,
        pairs=lambda wildcards: [
            f"{EXPERIMENT.training_folders(system, wildcards.pair)[0]}/pairs.json"
            for system in EXPERIMENT.trained_in(wildcards.pair)
        ],
        members=lambda wildcards: [
            f"{member}/model.json"
            for system in EXPERIMENT.trained_in(wildcards.pair)
            for member in EXPERIMENT.training_folders(system, wildcards.pair)[2]
        ],
    output:
        tsv=report(
            f"{RESULTS}/tables/training-{{pair}}.tsv",
            caption="../report/training.rst",
            category="Tables",
            labels={"item": "training", "pair": "{pair}", "test set": "training text"},
        ),
        markdown=f"{RESULTS}/tables/training-{{pair}}.md",
        latex=f"{RESULTS}/tables/training-{{pair}}.tex",
        json=f"{RESULTS}/tables/training-{{pair}}.json",
    log:
        f"logs/training_table/{NAME}/{{pair}}.log",
    priority: 1
    localrule: True
    params:
        config=f"{RESULTS}/config.yaml",
        names=lambda w: steps.names_of_systems(w.pair),
        pair=lambda wildcards: f"--pair={wildcards.pair}",
    message:
        "Write down what the systems of {wildcards.pair} were trained on."
    shell:
        """
        rarewords report training \\
        --config {params.config:q} \\
        {params.pair} \\
        --tsv {output.tsv:q} \\
        --markdown {output.markdown:q} \\
        --latex {output.latex:q} \\
        --json {output.json:q} \\
        >{log:q} 2>&1
        """


rule test_claims:
    input:
        configuration=CONFIGURATION,
        scores=lambda w: steps.claim_files(w.pair, w.testset),
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
        config=layout.config,
        names=lambda w: steps.names_of_systems(w.pair),
        settings=steps.claim_settings(),
        pair=lambda w: f"--pair={w.pair}",
        testset=lambda w: f"--test-set={w.testset}",
    message:
        "Test the paper's claims on {wildcards.testset}, {wildcards.pair}."
    shell:
        """
        rarewords report claims \\
        --config {params.config:q} \\
        {params.pair} \\
        {params.testset} \\
        --tsv {output.tsv:q} \\
        --markdown {output.markdown:q} \\
        --latex {output.latex:q} \\
        --json {output.json:q} \\
        >{log:q} 2>&1
        """
