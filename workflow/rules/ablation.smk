"""The table and the figure of a grid of systems (`grid` in the configuration); without a grid there is nothing to do.

In: {testset}/ensemble.json of every system of the grid, with `decoding.all_members` also single-{k}.json. Out, for the
first test set: tables/ablation-{pair}.{tsv,md,tex,json}, figures/ablation-{pair}.{svg,png}; of the others: tables/{testset}/…
"""


rule ablation:
    input:
        targets.ablations() or refuse(targets.refusal_of_ablation()),


rule write_ablation:
    input:
        configuration=CONFIGURATION,
        files=lambda w: named.ablation(w.place, w.ablation).files(),
    output:
        tsv=report(
            layout.table_at("{place}", "{ablation}", "tsv"),
            caption="../report/ablation.rst",
            category="Tables",
            labels=lambda w: {
                "item": "ablation",
                "pair": named.ablations[w.ablation],
                "test set": named.tests[w.place],
            },
        ),
        markdown=layout.table_at("{place}", "{ablation}", "md"),
        latex=layout.table_at("{place}", "{ablation}", "tex"),
        json=layout.table_at("{place}", "{ablation}", "json"),
        svg=report(
            layout.figure_at("{place}", "{ablation}", "svg"),
            caption="../report/ablation.rst",
            category="Figures",
            labels=lambda w: {
                "item": "ablation",
                "pair": named.ablations[w.ablation],
                "test set": named.tests[w.place],
            },
        ),
        png=layout.figure_at("{place}", "{ablation}", "png"),
    log:
        layout.log("ablation", "{place}{ablation}"),
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        of=lambda w: [f"--pair={named.ablations[w.ablation]}", f"--test-set={named.tests[w.place]}"],
        shown=lambda w: checksum(named.ablation(w.place, w.ablation)),
    message:
        "Write the table and figure of the grid: {output.tsv}, {output.svg}."
    shell:
        """
        rarewords report ablation \\
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
