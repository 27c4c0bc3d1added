"""The table and the figure of a grid of systems (`grid` in the configuration); without a grid there is nothing to do.

In: {testset}/ensemble.json of every system of the grid, with `decoding.all_members` also single-{k}.json. Out, for the
first test set: tables/ablation-{pair}.{tsv,md,tex}, figures/ablation-{pair}.{svg,png}; of the others: tables/{testset}/…
"""


rule ablation:
    input:
        ablation_files() or refuse_ablation,


for pair in EXPERIMENT.pairs:
    for testset in EXPERIMENT.tests:

        rule:
            name:
                f"write_{ablation_name(pair)}_{testset}".replace("-", "_")
            input:
                ensembles=[score_file(pair, testset, system, "ensemble") for system in grid_systems(pair)],
                singles=[path for system in grid_systems(pair) for path in table_singles(pair, testset, system)],
                vocabularies=[path for system in grid_systems(pair) for path in system_vocabularies(pair, system)],
                significance=steps.significance(pair, testset),
            output:
                tsv=report(
                    ablation_file("tables", pair, testset, "tsv"),
                    caption="../report/ablation.rst",
                    category="Tables",
                    labels={"item": "ablation", "pair": pair, "test set": testset},
                ),
                markdown=ablation_file("tables", pair, testset, "md"),
                latex=ablation_file("tables", pair, testset, "tex"),
                svg=report(
                    ablation_file("figures", pair, testset, "svg"),
                    caption="../report/ablation.rst",
                    category="Figures",
                    labels={"item": "ablation", "pair": pair, "test set": testset},
                ),
                png=ablation_file("figures", pair, testset, "png"),
            log:
                f"logs/ablation/{NAME}/{pair}/{testset}.log",
            localrule: True
            params:
                pair=f"--pair={pair}",
                testset=f"--test-set={testset}",
                rows=ablation_rows(pair, testset),
                significance=[f"--significance={path}" for path in steps.significance(pair, testset)],
            message:
                f"Put the grid of {pair} on {testset} into a table and a figure."
            shell:
                """
                rarewords report ablation \\
                {params.rows:q} \\
                {params.significance:q} \\
                {params.pair} \\
                {params.testset} \\
                --tsv {output.tsv:q} \\
                --markdown {output.markdown:q} \\
                --latex {output.latex:q} \\
                --svg {output.svg:q} \\
                --png {output.png:q} \\
                >{log:q} 2>&1
                """
