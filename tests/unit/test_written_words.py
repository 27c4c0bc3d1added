"""Translations as they are written: one token for an unknown word, and words that a user's own score counts alike."""

from __future__ import annotations

from pathlib import Path

from rarewords.cli import translations
from rarewords.evaluation.scoring import UnigramInputs, score_files
from rarewords.segmentation.registry import create
from rarewords.text.truecasing import train_truecaser
from rarewords.vocabulary import Vocabulary

# units of a network; the quotation mark and the dots would be tokenised in another way than it wrote them
UNITS = ["das <unk> ist &quot; alt . ..", "<unk> <unk> , Haus@@ <unk> !", "", "ein . . 3 ."]
REFERENCE = 'Das Haus ist "alt" ...\nUNK Haus!\nja\nEin. 3.\n'
FORM = {"raw": False, "no_escape": False, "no_truecase": False, "words_normalise": True, "words_aggressive": False}


def test_unigram_f1_of_the_text_is_that_of_the_words(tmp_path: Path) -> None:
    counts = {"das": 9, "ist": 8, "Haus": 3, "alt": 2, ".": 2}
    train_truecaser(["x das Haus ist alt ."]).save(tmp_path / "truecaser")
    (tmp_path / "counts").write_text("".join(f"{word} {count}\n" for word, count in counts.items()), encoding="utf-8")
    (tmp_path / "reference").write_text(REFERENCE, encoding="utf-8")
    segmenter = create("bpe", {"merges": 1}, [counts], ["de"])[0]
    outputs = [str(tmp_path / name) for name in ("units", "words", "text")]
    form = FORM | {"words_truecaser": str(tmp_path / "truecaser")}
    found = [line.split() for line in UNITS]
    with translations.opened(segmenter, Vocabulary(counts), "de", *outputs, form) as write:
        write(found[:1])
        write(found[1:])
    units, words, text = (Path(path).read_text(encoding="utf-8").splitlines() for path in outputs)
    assert units == UNITS
    assert text[1] == "UNK UNK, HausUNK!"
    assert words[1] == "UNK UNK , HausUNK !"
    assert "<unk>" not in "".join(words + text)
    settings = {"train_counts": tmp_path / "counts", "rare_rank": 2}
    # the words of the reference, from the same steps
    reference = ["das Haus ist &quot; alt &quot; ...", "UNK Haus !", "ja", "ein . 3 ."]
    words_only = (None, str(tmp_path / "reference words"), None)
    with translations.opened(segmenter, Vocabulary(counts), "de", *words_only, form) as write:
        write([line.split() for line in reference])
    by_hand = UnigramInputs(truecase_model=tmp_path / "truecaser", language="de", **settings)
    of_words = UnigramInputs(
        tokenised_hypothesis=outputs[1], tokenised_reference=tmp_path / "reference words", **settings
    )
    scores = [score_files(outputs[2], tmp_path / "reference", inputs) for inputs in (by_hand, of_words)]
    assert scores[0]["unigram_f1"] == scores[1]["unigram_f1"]
    # rare in the reference are Haus, alt, Haus and the last full stop; of these alt is right
    rare = scores[0]["unigram_f1"]["classes"]["rare"]
    assert (rare["matches"], rare["n"]) == (1, 4)
