"""The paper's tables with the paper's rows beside ours.

In: {testset}/{best,ensemble}.json of every system. Out: tables/table2.{tsv,md,tex} (en-de), table3 (en-ru),
scores-{pair} (any other pair) of the first test set; tables/{testset}/… of the others.
"""

for pair in EXPERIMENT.pairs:

    rule:
        name:
            table_name(pair).replace("-", "_")
        input:
            all_tables([pair]),

    for testset in EXPERIMENT.tests:

        rule:
            name:
                f"write_{table_name(pair)}_{testset}".replace("-", "_")
            input:
                best=table_scores(pair, testset, "best"),
                ensemble=table_scores(pair, testset, "ensemble"),
                source_vocabulary=table_vocabularies(pair, "source"),
                target_vocabulary=table_vocabularies(pair, "target"),
            output:
                tsv=table_file(pair, testset, "tsv"),
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
            message:
                f"Put the scores of {pair} on {testset} into a table."
            shell:
                """
                rarewords report table \\
                {params.rows:q} \\
                --pair {params.pair} \\
                --test-set {params.testset} \\
                --tsv {output.tsv:q} \\
                --markdown {output.markdown:q} \\
                --latex {output.latex:q} \\
                >{log:q} 2>&1
                """
