"""A long training text is prepared in shards, one job each (`preprocess.shards` of the corpus; not there with 1).

In: raw/train.{lang}. Steps: cut into shards/{shard}/train.{lang} -> tokenise, clean, truecase, segment each -> put
together again where the whole text is needed. Out: clean/train.{lang}, tc/train.{lang}, seg/{system}/train.{lang}.
"""

if SHARDS > 1:

    rule cut_into_shards:
        input:
            source=layout.text("raw", PAIR, "train", "{src}"),
            target=layout.text("raw", PAIR, "train", "{tgt}"),
        output:
            source=steps.in_shards(layout.text("raw", PAIR, "shards/{shard}/train", "{src}")),
            target=steps.in_shards(layout.text("raw", PAIR, "shards/{shard}/train", "{tgt}")),
        log:
            layout.log("cut_into_shards", "{src}-{tgt}", of_text=True),
        params:
            # a setting of its own: what is a function of the outputs is not compared with the last run
            number=f"--shards={SHARDS}",
            source=lambda wildcards, output: [f"--source-shard={path}" for path in output.source],
            target=lambda wildcards, output: [f"--target-shard={path}" for path in output.target],
        message:
            f"Cut the training text of {{wildcards.src}}-{{wildcards.tgt}} into {SHARDS} shards."
        shell:
            """
            rarewords corpus cut \\
            --source {input.source:q} \\
            --target {input.target:q} \\
            {params.number} \\
            {params.source:q} \\
            {params.target:q} \\
            >{log:q} 2>&1
            """

    rule put_shards_together:
        input:
            source=steps.in_shards(layout.text("{stage}", PAIR, "shards/{shard}/train", "{src}")),
            target=steps.in_shards(layout.text("{stage}", PAIR, "shards/{shard}/train", "{tgt}")),
        output:
            source=layout.text("{stage}", PAIR, "train", "{src}"),
            target=layout.text("{stage}", PAIR, "train", "{tgt}"),
        log:
            layout.log("put_shards_together", "{src}-{tgt}/{stage}", of_text=True),
        wildcard_constraints:
            stage=r"(forms/[^/]+/)?(clean|tc)|seg/[^/]+",
        params:
            source=lambda wildcards, input: [f"--source-part={path}" for path in input.source],
            target=lambda wildcards, input: [f"--target-part={path}" for path in input.target],
        message:
            "Concatenate the shards of {wildcards.stage}, {wildcards.src}-{wildcards.tgt}."
        shell:
            """
            rarewords corpus import \\
            {params.source:q} \\
            {params.target:q} \\
            --source {output.source:q} \\
            --target {output.target:q} \\
            >{log:q} 2>&1
            """
