"""A long training text is prepared in shards, one job each (`preprocess.shards` of the corpus; not there with 1).

In: raw/train.{lang}. Steps: cut into shards/{shard}/train.{lang} -> tokenise, clean, truecase, segment each -> put
together again where the whole text is needed. Out: clean/train.{lang}, tc/train.{lang}, seg/{system}/train.{lang}.
"""

if SHARDS > 1:

    rule cut_into_shards:
        input:
            source=f"{DATA}/{{src}}-{{tgt}}/raw/train.{{src}}",
            target=f"{DATA}/{{src}}-{{tgt}}/raw/train.{{tgt}}",
        output:
            source=shards(f"{DATA}/{{src}}-{{tgt}}/raw/shards/{{shard}}/train.{{src}}"),
            target=shards(f"{DATA}/{{src}}-{{tgt}}/raw/shards/{{shard}}/train.{{tgt}}"),
        log:
            f"logs/cut_into_shards/{CORPUS}/{{src}}-{{tgt}}.log",
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
            {params.number} \
                {params.source:q} \\
            {params.target:q} \\
            >{log:q} 2>&1
            """

    rule put_shards_together:
        input:
            source=shards(f"{DATA}/{{src}}-{{tgt}}/{{stage}}/shards/{{shard}}/train.{{src}}"),
            target=shards(f"{DATA}/{{src}}-{{tgt}}/{{stage}}/shards/{{shard}}/train.{{tgt}}"),
        output:
            source=f"{DATA}/{{src}}-{{tgt}}/{{stage}}/train.{{src}}",
            target=f"{DATA}/{{src}}-{{tgt}}/{{stage}}/train.{{tgt}}",
        log:
            f"logs/put_shards_together/{CORPUS}/{{src}}-{{tgt}}/{{stage}}.log",
        wildcard_constraints:
            stage=r"clean|tc|seg/[^/]+",
        params:
            source=lambda wildcards, input: [f"--source-part={path}" for path in input.source],
            target=lambda wildcards, input: [f"--target-part={path}" for path in input.target],
        message:
            "Put the shards of {wildcards.stage} together, {wildcards.src}-{wildcards.tgt}."
        shell:
            """
            rarewords corpus import \\
            {params.source:q} \\
            {params.target:q} \\
            --source {output.source:q} \\
            --target {output.target:q} \\
            >{log:q} 2>&1
            """
