"""ISO 9:1995 both ways, and joint byte pair encoding across alphabets."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.segmentation.bpe.joint_iso9 import JointIso9BpeSegmenter, with_cyrillic
from rarewords.segmentation.iso9 import CYRILLIC_OF, LATIN_OF, cyrillic_image, to_cyrillic, to_latin

SMALL = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
# The table of ISO 9:1995, written out letter by letter.
TABLE = "аa бb вv гg дd еe ёë жž зz иi йj кk лl мm нn оo пp рr сs тt уu фf хh цc чč шš щŝ ъʺ ыy ьʹ эè юû яâ"


def test_table():
    expected = dict(zip(TABLE[::3], TABLE[1::3], strict=True))
    assert "".join(expected) == SMALL
    assert {letter: to_latin(letter) for letter in SMALL} == expected
    capitals = {letter.upper(): latin.upper() for letter, latin in expected.items() if letter not in "ъь"}
    assert {letter: to_latin(letter) for letter in capitals} == capitals


def test_each_letter_is_one_symbol_and_the_table_is_one_to_one():
    assert set(LATIN_OF) == set(SMALL + SMALL.upper())
    assert len(CYRILLIC_OF) == len(LATIN_OF) == 66
    assert all(len(latin) == 1 and unicodedata.normalize("NFC", latin) == latin for latin in CYRILLIC_OF)


@pytest.mark.parametrize(
    ("russian", "latin"),
    [
        ("Клаустрофобия", "Klaustrofobiâ"),
        ("Мирзаева", "Mirzaeva"),
        ("подъезд", "podʺezd"),
        ("мать", "matʹ"),
        ("ЩЁГОЛЬ", "ŜËGOLʼ"),
        ("ОБЪЁМ", "OBˮËM"),
        ("кое-кто2", "koe-kto2"),
    ],
)
def test_examples(russian, latin):
    assert to_latin(russian) == latin
    assert to_cyrillic(latin) == russian


def test_decomposed_letters_are_composed_first():
    assert to_latin("и\u0306") == "j"
    assert to_latin("е\u0308лка") == "ëlka"


@pytest.mark.parametrize("word", ["Microsoft", "e\u0301te\u0301", "日本", "1995", "@-@", "café"])
def test_words_without_russian_letters_stay(word):
    assert to_latin(word) == word


@given(st.text(SMALL + SMALL.upper() + "-0123456789.,«»…'", min_size=1))
def test_the_way_back_is_exact_for_russian_words(word):
    latin = to_latin(word)
    assert to_cyrillic(latin) == word
    assert cyrillic_image(latin) == word
    assert len(latin) == len(word)


@pytest.mark.parametrize(
    ("text", "image"),
    [("kto-", "кто-"), ("2", "2"), ("", ""), ("w", None), ("aq", None), ("ö", None), ("X", None), ("ß", None)],
)
def test_cyrillic_image(text, image):
    assert cyrillic_image(text) == image


def test_merges_keep_their_rank_in_both_alphabets():
    merges = [("w", "a"), ("t", "a</w>"), ("1", "9"), ("t", "</w>"), ("ma", "tʹ</w>")]
    assert with_cyrillic(merges) == [
        ("w", "a"),
        ("t", "a</w>"),
        ("т", "а</w>"),
        ("1", "9"),
        ("t", "</w>"),
        ("т", "</w>"),
        ("ma", "tʹ</w>"),
        ("ма", "ть</w>"),
    ]


ENGLISH = {"Mirzaeva": 3, "window": 9, "Windows": 2, "says": 4}
RUSSIAN = {"Мирзаева": 3, "Windows": 2, "говорит": 4, "мать": 2}


def fit(merges):
    english, russian = JointIso9BpeSegmenter.fit({"merges": merges}, [ENGLISH, RUSSIAN], ["en", "ru"])
    return english, russian


@pytest.mark.parametrize("merges", range(0, 60, 3))
def test_names_are_cut_alike_in_both_alphabets(merges):
    english, russian = fit(merges)
    for name in ("Мирзаева", "Мирза", "заев"):
        latin = [to_latin(unit) for unit in russian.segment_word(name)]
        assert latin == english.segment_word(to_latin(name)) == russian.segment_word(to_latin(name))


def test_counts_of_both_alphabets_add_up():
    # No pair of `ab` occurs often enough in one alphabet alone.
    english, russian = JointIso9BpeSegmenter.fit({"merges": 1}, [{"ab": 1, "xy": 1}, {"аб": 1}], ["en", "ru"])
    assert english.merges == [("a", "b</w>")]
    assert russian.merges == [("a", "b</w>"), ("а", "б</w>")]
    assert russian.segment(["аб", "ab"]) == ["аб", "ab"]


def test_russian_words_with_one_latin_image_add_up():
    _, russian = JointIso9BpeSegmenter.fit({"merges": 1}, [{}, {"ab": 1, "аб": 1}], ["en", "ru"])
    assert russian.merges == [("a", "b</w>"), ("а", "б</w>")]


def test_latin_words_in_russian_text_are_cut_as_in_english():
    english, russian = fit(60)
    assert russian.segment_word("Windows") == english.segment_word("Windows") == ["Windows"]


def test_the_english_side_has_no_cyrillic_merges():
    english, _ = fit(60)
    assert english.segment_word("мать") == ["м@@", "а@@", "т@@", "ь"]


def test_russian_may_be_the_source_side():
    russian, english = JointIso9BpeSegmenter.fit({"merges": 60}, [RUSSIAN, ENGLISH], ["ru", "en"])
    assert [english.merges, russian.merges] == [side.merges for side in fit(60)]


@pytest.mark.parametrize("languages", [["en", "de"], ["ru", "ru"]])
def test_exactly_one_side_is_russian(languages):
    with pytest.raises(InputError, match=r"exactly one language.*use bpe-joint"):
        JointIso9BpeSegmenter.fit({"merges": 1}, [ENGLISH, RUSSIAN], languages)
    with pytest.raises(InputError, match=r"exactly one language.*use bpe-joint"):
        JointIso9BpeSegmenter.check_languages(languages)


def test_the_summary_counts_learned_merges():
    english, russian = fit(10)
    images = len(russian.merges) - 10
    assert english.summary() == "10 merges"
    assert images > 0
    assert russian.summary() == f"10 merges; {images} of them in Cyrillic letters, too"
    loaded = JointIso9BpeSegmenter.from_json(russian.to_json())
    assert loaded.summary() == russian.summary()
    assert fit(500)[1].summary().startswith(fit(500)[0].summary() + "; ")


def test_the_summary_counts_merges_learned_in_cyrillic_letters_once():
    # English text may have Cyrillic words; their merges look like the image of the merge before.
    english, russian = JointIso9BpeSegmenter.fit({"merges": 9}, [{"аб": 2}, {"аб": 3}], ["en", "ru"])
    assert russian.merges == [("a", "b</w>"), ("а", "б</w>"), ("а", "б</w>")]
    assert english.summary().startswith("2 of 9 merges")
    assert russian.summary() == english.summary() + "; 1 of them in Cyrillic letters, too"
