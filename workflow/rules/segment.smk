"""Segmentation and network vocabularies of every system.

In: tc/counts.{lang}, tc/{split}.{lang}, or those of another form (rules/forms.smk). Steps: fit the segmenters of both sides on the word counts -> build both
vocabularies -> segment the text. Out: seg/{system}/segmenter.{lang}.json, vocabulary.{lang}, {split}.{lang}; with random
segmentations also sampled/train.{lang}, from which vocabulary and training then come.
"""


rule fit_segmentation:
    input:
        source=lambda w: steps.word_counts(pair_of(w), w.system, w.src),
        target=lambda w: steps.word_counts(pair_of(w), w.system, w.tgt),
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
        method=lambda w: f"--method={EXPERIMENT.segmentation(w.system, pair_of(w))[0]}",
        settings=lambda w: f"--settings={EXPERIMENT.segmentation(w.system, pair_of(w))[1]}",
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
        units=lambda w: steps.counted_units(w.pair, w.system, w.lang),
    output:
        layout.vocabulary("{pair}", "{system}", "{lang}"),
    log:
        layout.log("build_vocabulary", "{pair}/{system}.{lang}", of_text=True),
    params:
        units=lambda w: "--text" if steps.is_sampled(w.system, w.pair) else "--counts",
        size=lambda w: f"--size={steps.vocabulary_size(w.pair, w.system, w.lang)}",
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
        text=lambda w: steps.words(w.pair, w.system, w.split, w.lang),
        segmenter=layout.segmenter("{pair}", "{system}", "{lang}"),
        vocabulary=lambda w: steps.limiting_vocabulary(w.pair, w.system, w.lang),
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
        text=lambda w: steps.words(w.pair, w.system, "train", w.lang),
        segmenter=layout.segmenter("{pair}", "{system}", "{lang}"),
    output:
        layout.sampled("{pair}", "{system}", "{lang}"),
    log:
        layout.log("sample_segmentation", "{pair}/{system}.{lang}", of_text=True),
    benchmark:
        layout.benchmark("sample_segmentation", "{pair}/{system}.{lang}", of_text=True)
    params:
        strength=lambda w: steps.sampling_strength(w.system, w.pair),
        copies=lambda w: steps.copies(w.system, w.pair),
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
        source=lambda w: steps.encoded_text(pair_of(w), w.system, "source"),
        target=lambda w: steps.encoded_text(pair_of(w), w.system, "target"),
        source_vocabulary=layout.vocabulary(PAIR, "{system}", "{src}"),
        target_vocabulary=layout.vocabulary(PAIR, "{system}", "{tgt}"),
    output:
        description=layout.pairs(PAIR, "{system}"),
        arrays=layout.arrays(PAIR, "{system}"),
    log:
        layout.log("encode", "{src}-{tgt}/{system}", of_text=True),
    params:
        folder=subpath(output.description, parent=True),
        copies=lambda w: steps.copies(w.system, pair_of(w)),
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
