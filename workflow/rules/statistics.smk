"""Table 1: statistics of each segmentation of the target side of the training text. No training, no GPU.

In: tc/counts.{lang}, tc/{split}.{lang} of the target side. Steps: fit the segmentation on both sides -> statistics ->
table. Out: table1/{row}/segmenter.{lang}.json, statistics.json; tables/table1.{tsv,md,tex,json}, figures/table1.{svg,png}
(en-de), table1-{pair}.* (any other pair).
"""


rule table1:
    input:
        [path for pair in EXPERIMENT.pairs for path in targets.table1(pair)],


use rule fit_segmentation as fit_table1_segmentation with:
    input:
        source=layout.counts(PAIR, "{src}"),
        target=layout.counts(PAIR, "{tgt}"),
    output:
        source=layout.table1_segmenter(PAIR, "{row}", "{src}"),
        target=layout.table1_segmenter(PAIR, "{row}", "{tgt}"),
    log:
        layout.log("fit_table1_segmentation", "{src}-{tgt}/{row}", of_text=True),
    benchmark:
        layout.benchmark("fit_table1_segmentation", "{src}-{tgt}/{row}", of_text=True)
    params:
        method=lambda w: f"--method={EXPERIMENT.table1_segmentation(w.row, pair_of(w))[0]}",
        settings=lambda w: f"--settings={EXPERIMENT.table1_segmentation(w.row, pair_of(w))[1]}",
    message:
        "Fit the segmentation {wildcards.row} of table 1."


rule count_units:
    input:
        segmenter=layout.table1_segmenter(PAIR, "{row}", "{tgt}"),
        counts=layout.counts(PAIR, "{tgt}"),
        source_segmenter=layout.table1_segmenter(PAIR, "{row}", "{src}"),
        source_counts=layout.counts(PAIR, "{src}"),
        texts=[layout.text("tc", PAIR, split, "{tgt}") for split in SETS],
    output:
        layout.table1_statistics(PAIR, "{row}"),
    log:
        layout.log("count_units", "{src}-{tgt}/{row}", of_text=True),
    params:
        texts=lambda wildcards, input: [f"--text={name}={path}" for name, path in zip(SETS, input.texts)],
    message:
        "Count tokens, types and unknown units of {wildcards.row}, {wildcards.src}-{wildcards.tgt}."
    shell:
        """
        rarewords segment statistics \\
        --segmenter {input.segmenter:q} \\
        --counts {input.counts:q} \\
        {params.texts:q} \\
        --other-segmenter {input.source_segmenter:q} \\
        --other-counts {input.source_counts:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule write_table1:
    input:
        configuration=CONFIGURATION,
        files=lambda w: named.table1(w.table1).files(),
    output:
        tsv=report(
            layout.table_at("", "{table1}", "tsv"),
            caption="../report/segmentation.rst",
            category="Tables",
            labels=lambda w: {"item": "segmentations", "pair": named.tables1[w.table1], "test set": "training text"},
        ),
        markdown=layout.table_at("", "{table1}", "md"),
        latex=layout.table_at("", "{table1}", "tex"),
        json=layout.table_at("", "{table1}", "json"),
        svg=report(
            layout.figure_at("", "{table1}", "svg"),
            caption="../report/segmentation.rst",
            category="Figures",
            labels=lambda w: {
                "item": "types against tokens",
                "pair": named.tables1[w.table1],
                "test set": "training text",
            },
        ),
        png=layout.figure_at("", "{table1}", "png"),
    log:
        layout.log("table1", "{table1}"),
    localrule: True
    params:
        experiment=f"--experiment={layout.config}",
        pair=lambda w: f"--pair={named.tables1[w.table1]}",
        shown=lambda w: checksum(named.table1(w.table1)),
    message:
        "Write the statistics of segmentations: {output.tsv}."
    shell:
        """
        rarewords report table1 \\
        {params.experiment:q} \\
        {params.pair} \\
        --tsv {output.tsv:q} \\
        --markdown {output.markdown:q} \\
        --latex {output.latex:q} \\
        --json {output.json:q} \\
        --svg {output.svg:q} \\
        --png {output.png:q} \\
        >{log:q} 2>&1
        """
