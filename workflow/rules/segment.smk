"""Segmentation and network vocabularies of every system.

In: tc/counts.{lang}, tc/{split}.{lang}. Steps: fit the segmenters of both sides on the word counts -> build both
vocabularies -> segment the text. Out: seg/{system}/segmenter.{lang}.json, vocabulary.{lang}, {split}.{lang}; with random
segmentations also sampled/train.{lang}, from which vocabulary and training then come.
"""


rule fit_segmentation:
    input:
        source=layout.counts(PAIR, "{src}"),
        target=layout.counts(PAIR, "{tgt}"),
    output:
        source=layout.segmenter(PAIR, "{system}", "{src}"),
        target=layout.segmenter(PAIR, "{system}", "{tgt}"),
    log:
        layout.log("fit_segmentation", "{src}-{tgt}/{system}", of_text=True),
    benchmark:
        layout.benchmark("fit_segmentation", "{src}-{tgt}/{system}", of_text=True)
    resources:
        mem_mb=16000,
        runtime=720,
    params:
        method=lambda wildcards: f"--method={EXPERIMENT.segmentation(wildcards.system, pair_of(wildcards))[0]}",
        settings=lambda wildcards: f"--settings={EXPERIMENT.segmentation(wildcards.system, pair_of(wildcards))[1]}",
    message:
        "Fit the segmentation of {wildcards.system}."
    shell:
        """
        rarewords segment fit \\
        {params.method:q} \\
        {params.settings:q} \\
        --source-language {wildcards.src} \\
        --target-language {wildcards.tgt} \\
        --source-counts {input.source:q} \\
        --target-counts {input.target:q} \\
        --source-segmenter {output.source:q} \\
        --target-segmenter {output.target:q} \\
        >{log:q} 2>&1
        """


rule build_vocabulary:
    input:
        segmenter=layout.segmenter("{pair}", "{system}", "{lang}"),
        units=unit_counts,
    output:
        layout.vocabulary("{pair}", "{system}", "{lang}"),
    log:
        layout.log("build_vocabulary", "{pair}/{system}.{lang}", of_text=True),
    params:
        units=lambda wildcards: "--text" if is_sampled(wildcards.system, wildcards.pair) else "--counts",
        size=lambda wildcards: f"--size={vocabulary_size(wildcards)}",
    message:
        "Take the most frequent units of {wildcards.system}, {wildcards.lang}, as its vocabulary."
    shell:
        """
        rarewords vocabulary build \\
        --segmenter {input.segmenter:q} \\
        {params.units} {input.units:q} \\
        {params.size} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule segment:
    input:
        text=layout.text("tc", "{pair}", "{split}", "{lang}"),
        segmenter=layout.segmenter("{pair}", "{system}", "{lang}"),
        vocabulary=fallback_vocabulary,
    output:
        layout.units("{pair}", "{system}", "{split}", "{lang}"),
    log:
        layout.log("segment", "{pair}/{system}/{split}.{lang}", of_text=True),
    params:
        vocabulary=lambda wildcards, input: [f"--vocabulary={input.vocabulary}"] if input.vocabulary else [],
    message:
        "Segment {input.text} for {wildcards.system}."
    shell:
        """
        rarewords segment apply \\
        --segmenter {input.segmenter:q} \\
        {params.vocabulary:q} \\
        --input {input.text:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule sample_segmentation:
    input:
        text=layout.text("tc", "{pair}", "train", "{lang}"),
        segmenter=layout.segmenter("{pair}", "{system}", "{lang}"),
    output:
        layout.sampled("{pair}", "{system}", "{lang}"),
    log:
        layout.log("sample_segmentation", "{pair}/{system}.{lang}", of_text=True),
    benchmark:
        layout.benchmark("sample_segmentation", "{pair}/{system}.{lang}", of_text=True)
    params:
        strength=lambda wildcards: sampling_strength(wildcards.system, wildcards.pair),
        copies=lambda wildcards: copies(wildcards.system, wildcards.pair),
        seed=f"--seed={EXPERIMENT.config['experiment']['seed']}",
    message:
        "Segment {input.text} at random for {wildcards.system}, once for each pass."
    shell:
        """
        rarewords segment sample \\
        --segmenter {input.segmenter:q} \\
        {params.strength} \\
        {params.copies} \\
        {params.seed} \\
        --input {input.text:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """


rule encode:
    input:
        source=encoded_text("source"),
        target=encoded_text("target"),
        source_vocabulary=layout.vocabulary(PAIR, "{system}", "{src}"),
        target_vocabulary=layout.vocabulary(PAIR, "{system}", "{tgt}"),
    output:
        description=layout.pairs(PAIR, "{system}"),
        arrays=[
            f"{DATA}/{{src}}-{{tgt}}/seg/{{system}}/pairs/{side}.{kind}"
            for side in ("source", "target")
            for kind in ("ids", "offsets", "vocabulary")
        ],
    log:
        layout.log("encode", "{src}-{tgt}/{system}", of_text=True),
    params:
        folder=subpath(output.description, parent=True),
        copies=lambda wildcards: copies(wildcards.system, pair_of(wildcards)),
    message:
        "Turn the training text of {wildcards.system}, {wildcards.src}-{wildcards.tgt}, into integers."
    shell:
        """
        rarewords encode \\
        --source {input.source:q} \\
        --target {input.target:q} \\
        --source-vocabulary {input.source_vocabulary:q} \\
        --target-vocabulary {input.target_vocabulary:q} \\
        {params.copies} \\
        --output {params.folder:q} \\
        >{log:q} 2>&1
        """
