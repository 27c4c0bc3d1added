"""The paper's tables with the paper's rows beside ours.

In: {testset}/{best,ensemble}.json of every system. Out: tables/table2.{tsv,md,tex} (en-de), table3 (en-ru),
scores-{pair} (any other pair) of the first test set; tables/{testset}/… of the others.
"""


def table_scores(pair, testset, output):
    return [f"{RESULTS}/{pair}/{system}/{testset}/{output}.json" for system in EXPERIMENT.systems]


def table_vocabularies(pair, side):
    return [f"{DATA}/{pair}/seg/{system}/vocabulary.{language(pair, side)}" for system in EXPERIMENT.systems]


def table_rows(pair):
    def rows(wildcards, input):
        columns = (input.best, input.ensemble, zip(input.source_vocabulary, input.target_vocabulary))
        return [
            "--row=" + EXPERIMENT.table_row(system, pair, best, ensemble, list(vocabulary))
            for system, best, ensemble, vocabulary in zip(EXPERIMENT.systems, *columns)
        ]

    return rows


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
            message:
                f"Put the scores of {pair} on {testset} into a table."
            input:
                best=table_scores(pair, testset, "best"),
                ensemble=table_scores(pair, testset, "ensemble"),
                source_vocabulary=table_vocabularies(pair, "source"),
                target_vocabulary=table_vocabularies(pair, "target"),
            output:
                tsv=table_file(pair, testset, "tsv"),
                markdown=table_file(pair, testset, "md"),
                latex=table_file(pair, testset, "tex"),
            params:
                pair=pair,
                testset=testset,
                rows=table_rows(pair),
            priority: 1
            log:
                f"logs/table/{NAME}/{pair}/{testset}.log",
            shell:
                """
                rarewords report table \
                    {params.rows:q} \
                    --pair {params.pair} \
                    --test-set {params.testset} \
                    --tsv {output.tsv:q} \
                    --markdown {output.markdown:q} \
                    --latex {output.latex:q} \
                    > {log:q} 2>&1
                """
