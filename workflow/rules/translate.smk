"""Translation: every member on the development set; the best of them and the ensemble of all on the test sets.

With `decoding.all_members` every member translates the test sets, too, and the best one's translation is a copy.

The best member is chosen by the system's own BLEU there, so that of a system with replaced words may be another one.

In: members, seg/{system}/{testset}.{source language}, with candidate lists also lexicon.tsv. Out:
{testset}/{single-k,best,ensemble}.{sub,tc,txt}, that is, units, words, and plain text. A system that shares the models
of another one has the other's translations with unknown words replaced.
"""


rule translate:
    input:
        members=lambda w: steps.member_files(pair_of(w), w.system, steps.translating(w.output)),
        choice=lambda w: steps.choice(pair_of(w), w.system, w.output),
        text=lambda w: steps.units_of(pair_of(w), w.system, w.testset),
        segmenter=lambda w: steps.target_segmenter(pair_of(w), w.system),
        lexicon=lambda w: steps.candidate_lexicon(pair_of(w), w.system),
        truecaser=lambda w: steps.words_truecaser(pair_of(w)),
    output:
        units=layout.translation(PAIR, "{system}", "{testset}", "{output}", "sub"),
        words=layout.translation(PAIR, "{system}", "{testset}", "{output}", "tc"),
        text=layout.translation(PAIR, "{system}", "{testset}", "{output}", "txt"),
    log:
        layout.log("translate", "{src}-{tgt}/{system}/{testset}/{output}"),
    benchmark:
        layout.benchmark("translate", "{src}-{tgt}/{system}/{testset}/{output}")
    wildcard_constraints:
        system=one_of(searching(EXPERIMENT)),
    threads: TRAINING["threads"]
    resources:
        gpu=steps.gpus(),
        device=TRAINING["device"],  # no parameter: on another device it is the same work
        mem_mb=32000,
        runtime=240,
    params:
        members=lambda wildcards, input: member_options(input.choice, input.members),
        beam=lambda w: f"--beam={EXPERIMENT.decoding(w.system, 'beam')}",
        search=lambda w: steps.search_options(w.system),
        batch_size=f"--batch-size={DECODING['batch_size']}",
        candidates=lambda w: steps.candidate_options(w.system),
        lexicon=lambda wildcards, input: lexicon_options(input.lexicon),
        form=lambda w: steps.written_form(w.system),
        precision=lambda w: f"--precision={EXPERIMENT.training(w.system, 'precision')}",
        label=lambda w: f"{pair_of(w)} {w.system} {w.testset} {w.output}",
    message:
        "Translate {wildcards.testset} with {wildcards.system}: {wildcards.output}."
    shell:
        """
        rarewords translate-units \\
        {params.members:q} \\
        --input {input.text:q} \\
        --segmenter {input.segmenter:q} \\
        --language {wildcards.tgt} \\
        --units {output.units:q} \\
        --truecased {output.words:q} \\
        --text {output.text:q} \\
        {params.form} \\
        --words-truecaser {input.truecaser:q} \\
        {params.beam} \\
        {params.search} \\
        {params.batch_size} \\
        {params.candidates:q} \\
        {params.lexicon:q} \\
        --label {params.label:q} \\
        --device={resources.device:q} \\
        {params.precision} \\
        --threads {threads} \\
        2>&1 | tee -i {log:q}
        """


rule replace_unknown_words:
    input:
        members=lambda w: steps.member_files(pair_of(w), w.system, steps.translating(w.output)),
        choice=lambda w: steps.choice(pair_of(w), w.system, w.output),
        text=lambda w: steps.units_of(pair_of(w), w.system, w.testset),
        translation=lambda w: steps.untouched_translation(pair_of(w), w.system, w.testset, w.output),
        segmenter=lambda w: steps.target_segmenter(pair_of(w), w.system),
        lexicon=lambda w: steps.dictionary(pair_of(w), w.system),
        truecaser=lambda w: steps.words_truecaser(pair_of(w)),
    output:
        units=layout.translation(PAIR, "{system}", "{testset}", "{output}", "sub"),
        words=layout.translation(PAIR, "{system}", "{testset}", "{output}", "tc"),
        text=layout.translation(PAIR, "{system}", "{testset}", "{output}", "txt"),
    log:
        layout.log("replace_unknown_words", "{src}-{tgt}/{system}/{testset}/{output}"),
    benchmark:
        layout.benchmark("replace_unknown_words", "{src}-{tgt}/{system}/{testset}/{output}")
    wildcard_constraints:
        system=one_of(replacing(EXPERIMENT)),
    threads: TRAINING["threads"]
    resources:
        gpu=steps.gpus(),
        device=TRAINING["device"],  # no parameter: on another device it is the same work
        mem_mb=32000,
        runtime=240,
    params:
        members=lambda wildcards, input: member_options(input.choice, input.members),
        lexicon=lambda wildcards, input: lexicon_options(input.lexicon),
        form=lambda w: steps.written_form(w.system),
        heuristic=lambda w: f"--heuristic={EXPERIMENT.unknown_words(w.system)}",
        batch_size=f"--batch-size={DECODING['batch_size']}",
    message:
        "Replace unknown words in {input.translation} for {wildcards.system}."
    shell:
        """
        rarewords replace-unknown \\
        {params.members:q} \\
        --input {input.text:q} \\
        --translation {input.translation:q} \\
        {params.lexicon:q} \\
        {params.heuristic} \\
        --segmenter {input.segmenter:q} \\
        --language {wildcards.tgt} \\
        --units {output.units:q} \\
        --truecased {output.words:q} \\
        --text {output.text:q} \\
        {params.form} \\
        --words-truecaser {input.truecaser:q} \\
        {params.batch_size} \\
        --device={resources.device:q} \\
        --threads {threads} \\
        >{log:q} 2>&1
        """


if DECODING["all_members"]:

    ruleorder: copy_best > translate
    ruleorder: copy_best > replace_unknown_words

    rule copy_best:
        input:
            choice=lambda w: steps.choice_of_member(pair_of(w), w.system),
            outputs=steps.member_outputs(PAIR, "{system}", "{testset}"),
        output:
            units=layout.translation(PAIR, "{system}", "{testset}", "best", "sub"),
            words=layout.translation(PAIR, "{system}", "{testset}", "best", "tc"),
            text=layout.translation(PAIR, "{system}", "{testset}", "best", "txt"),
        log:
            layout.log("copy_best", "{src}-{tgt}/{system}/{testset}"),
        localrule: True
        params:
            candidates=lambda w: steps.candidates_to_copy(pair_of(w), w.system, w.testset),
            output=layout.output(PAIR, "{system}", "{testset}", "best"),
        message:
            "Take the best member's translation of {wildcards.testset} by {wildcards.system}."
        shell:
            """
            rarewords copy-chosen \\
            --choice {input.choice:q} \\
            {params.candidates:q} \\
            --output {params.output:q} \\
            >{log:q} 2>&1
            """


rule select_best_member:
    input:
        scores=steps.member_scores("{pair}", "{system}", "{testset}"),
    output:
        layout.choice("{pair}", "{system}", "{testset}"),
    log:
        layout.log("select_best_member", "{pair}/{system}/{testset}"),
    localrule: True
    params:
        candidates=lambda w, input: steps.candidates_to_choose(w.pair, w.system, input.scores),
    message:
        "Choose the member of {wildcards.system} with the highest BLEU on {wildcards.testset}."
    shell:
        """
        rarewords choose \\
        {params.candidates:q} \\
        --output {output:q} \\
        >{log:q} 2>&1
        """
