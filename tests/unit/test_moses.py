"""Punctuation normalisation, tokenisation and detokenisation: the behaviour of the scripts of 2015."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarewords.text.moses import (
    _DOTS_AND_PERHAPS_QUOTE,
    _DOTS_BEFORE_QUOTE,
    _quote_before_dots,
    detokenise,
    normalise_punctuation,
    tokenise,
)

NBSP = "\u00a0"
LANGUAGES = ["en", "de", "ru", "fr", "cs", "fi", "zh", "ja", "xx"]
PIECES = [
    *["a", "B", "ß", "Ж", "汉", "1", "½", "😀", "\u0301", "\u00ad", "\u200b", "\ufeff"],
    *[" ", "  ", NBSP, "\t", "\u2028", "\u0085", "\x1f", "\x00", "\r", "\x0b"],
    *[
        ".",
        "..",
        ",",
        "'",
        "''",
        '"',
        "`",
        "-",
        "|",
        "[",
        "]",
        "(",
        ")",
        "%",
        ":",
        ";",
        "„",
        "“",
        "’",
        "‘",
        "«",
        "»",
        "—",
    ],
    *["@@", "@-@", "<unk>", "</s>", "&", "&lt;", "U.S.", "li", "DOTMULTI"],
]


def ascii_letters(text: str) -> list[str]:
    return [character for character in text if character.isascii() and character.isalpha()]


any_text = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # Outputs of tokenizer.perl -a -l en as of May 2015.
        ("It's the 1990's; don't!", "It &apos;s the 1990 &apos;s ; don &apos;t !"),
        ("a|b [c] <d> & e", "a &#124; b &#91; c &#93; &lt; d &gt; &amp; e"),
        ("He paid $5,300.50 … ok...", "He paid $ 5,300.50 … ok ..."),
        ("a well-known 3-D film", "a well @-@ known 3 @-@ D film"),
        ("- minus -5 -", "- minus -5 -"),
    ],
)
def test_aggressive_english(line: str, expected: str) -> None:
    assert tokenise(line, "en", aggressive=True) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # Where the scripts of 2015 differ from those of today: nothing is special about the end of the line.
        ("He lives in the U.S.", "He lives in the U.S."),
        ("Yours, Prof.", "Yours , Prof."),
        ("in 1990,", "in 1990,"),
        ("He said 'Yes.'", "He said &apos; Yes.&apos;"),
        # Commas stay inside numbers.
        ("in Paris,1,000 a,b,", "in Paris , 1,000 a , b ,"),
        # Full stops: abbreviations, before numbers only, before a small letter, any other word.
        ("Mr. Smith", "Mr. Smith"),
        ("No. 5", "No. 5"),
        ("No. Never.", "No . Never ."),
        ("approx. five", "approx. five"),
        ("approx. Five", "approx . Five"),
        ("ok....Then", "ok .... Then"),
        (". .", ". ."),
        ("about 1,000.50.", "about 1,000.50 ."),
        # No aggressive hyphens by default.
        ("a well-known film", "a well-known film"),
        ("dogs' 'n' cats", "dogs &apos; &apos; n &apos; cats"),
        ('say "yes" (or no)', "say &quot; yes &quot; ( or no )"),
        ("50%/60% #1 a_b", "50 % / 60 % # 1 a _ b"),
        ("<unk> low@@ </s>", "&lt; unk &gt; low @ @ &lt; / s &gt;"),
    ],
)
def test_english(line: str, expected: str) -> None:
    assert tokenise(line, "en") == expected


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        ("de", "Peters' Auto, geht's?", "Peters &apos; Auto , geht &apos; s ?"),
        ("de", "z.B. Dr. Müller am 3. Oktober.", "z.B. Dr. Müller am 3. Oktober ."),
        ("de", "„Ja“, sagte er…", "„ Ja “ , sagte er …"),
        ("ru", "см. Том 5, А. С. Пушкин.", "см. Том 5 , А. С. Пушкин ."),
        ("ru", "объём об'явления — 5 %", "объём об &apos; явления — 5 %"),
        ("fr", "l'heure d'été", "l&apos; heure d&apos; été"),
    ],
)
def test_other_languages(language: str, line: str, expected: str) -> None:
    assert tokenise(line, language) == expected


def test_all_white_space_becomes_a_space_and_control_characters_go() -> None:
    assert tokenise(f" a\tb\u2028c{NBSP}d\u0085e\x0bf\r", "en") == "a b c d e f"
    assert tokenise("a\x00b\x1fc", "en") == "abc"
    assert tokenise(f" \t{NBSP}\u2028", "en") == tokenise("", "en") == ""


def test_decomposed_letters_are_composed_first() -> None:
    assert tokenise("cafe\u0301 Mu\u0308ll", "de") == "café Müll"
    # A soft hyphen stands alone as in Perl; a mark that has no composed form belongs to its letter.
    assert tokenise("x\u0301y a\u00adb", "de") == "x\u0301y a \u00ad b"


def test_marks_and_joiners_belong_to_their_letter_or_symbol() -> None:
    assert tokenise("Михаи́л чита́ет.", "ru") == "Михаи́л чита́ет ."
    assert tokenise("می‌خواهم", "fa") == "می‌خواهم"
    assert tokenise("क्षि, ร้าน ខ្មែរ မြန်မာ Ẹ̀kọ́", "hi") == "क्षि , ร้าน ខ្មែរ မြန်မာ Ẹ̀kọ́"
    assert tokenise("a👩‍👩‍👧b 👍🏽! ☝️ 1️⃣ 🇩🇪🇫🇷", "en") == "a 👩‍👩‍👧 b 👍🏽 ! ☝️ 1️⃣ 🇩🇪 🇫🇷"
    assert tokenise("x\u0331's l'x\u0331", "en") == "x\u0331 &apos;s l &apos;x\u0331"
    assert tokenise("(\u200fשלום\u200f).\u200f", "he") == "( \u200fשלום\u200f ) . \u200f"


def test_letters_of_every_script_stay_together() -> None:
    assert tokenise("汉字かな 한국어 हिन्दी עברית", "en") == "汉字かな 한국어 हिन्दी עברית"
    assert tokenise("a😀b", "en") == "a 😀 b"


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        # Quotation marks and commas: inside in English, outside elsewhere.
        ("en", "“Yes”, he said", '"Yes," he said'),
        ("de", "„Ja,“ sagte er", '"Ja", sagte er'),
        ("ru", "«Да,» сказал он", '"Да", сказал он'),
        ("cs", "„Ano,“ řekl", '"Ano," řekl'),
        # The script works with the line end in place: the dot moves there too, except in English.
        ("de", "Er sagte: „Ende.“", 'Er sagte: "Ende".'),
        ("en", "He said: “The end.”", 'He said: "The end."'),
        # Single quotation marks: an apostrophe between ASCII letters, else a double one.
        ("en", "‘don’t’", '"don\'t"'),
        ("ru", "об’явление", 'об"явление'),
        ("en", "‚a‘ `b´", "\"a\" 'b'"),
        ("de", "''so''", '" so "'),
        # Guillemets and no-break spaces.
        ("fr", f"il dit «{NBSP}oui{NBSP}»{NBSP}!", 'il dit "oui" !'),
        ("en", f"1{NBSP}000", "1.000"),
        ("de", f"1{NBSP}000", "1,000"),
        ("ru", f"1{NBSP}000", "1.000"),
        ("de", f"5{NBSP}% und 20{NBSP}ºC, nº{NBSP}3", "5% und 20 ºC, nº 3"),
        # Dashes, ellipsis, spaces.
        ("en", "a – b—c… d", "a - b - c... d"),
        ("en", "a( b )c : d ;  5 % (e) !", "a (b) c: d; 5% (e)!"),
        ("en", "  a\r", "a"),
        # Digits are ASCII digits.
        ("en", "5 % ٣ %", "5% ٣ %"),
    ],
)
def test_normalise_punctuation(language: str, line: str, expected: str) -> None:
    assert normalise_punctuation(line, language) == expected


@pytest.mark.parametrize(
    ("language", "tokens", "expected"),
    [
        ("en", "It &apos;s 5 % &quot; ok &quot; , yes .", 'It\'s 5% "ok", yes.'),
        ("de", "&quot; Ja &quot; ( nein ) , sagte &apos; er &apos; !", "\"Ja\" (nein), sagte 'er'!"),
        ("en", "well @-@ known &#124; &#91; a &#93; &lt; b &gt; $ 5", "well-known | [a] < b > $5"),
        ("en", "&amp;lt; &amp;amp;", "&lt; &amp;"),
        ("cs", "J&apos; - li", "J' - li"),
        ("en", "", ""),
    ],
)
def test_detokenise(language: str, tokens: str, expected: str) -> None:
    assert detokenise(tokens, language) == expected
    assert detokenise(tokens.split(" "), language) == expected


@pytest.mark.parametrize("language", LANGUAGES)
@given(line=any_text)
@settings(deadline=None, max_examples=60)
def test_tokenise_any_text(language: str, line: str) -> None:
    for aggressive in (False, True):
        tokens = tokenise(line, language, aggressive)
        assert tokens.split() == tokens.split(" ") or tokens == ""
        assert not set(tokens) & set("|<>'\"[]")
        assert ascii_letters(detokenise(tokens, language)) == ascii_letters(unicodedata.normalize("NFC", line))


@pytest.mark.parametrize("language", LANGUAGES)
@given(line=any_text.map(lambda text: text.replace("\n", " ")))
@settings(deadline=None, max_examples=60)
def test_any_line_stays_one_line(language: str, line: str) -> None:
    assert "\n" not in normalise_punctuation(line, language)
    assert "\n" not in detokenise(line, language)
    assert detokenise(line, language) == detokenise(line.split(" "), language)


@given(st.lists(st.from_regex(r"[a-z]{1,8}|[1-9][0-9]{0,3}", fullmatch=True), min_size=1))
@settings(deadline=None)
def test_plain_words_pass_unchanged(words: list[str]) -> None:
    line = " ".join(words)
    for language in ("en", "de", "ru"):
        assert normalise_punctuation(line, language) == tokenise(line, language) == detokenise(line, language) == line


def test_the_language_of_one_call_does_not_leak_into_another() -> None:
    line = "don't (see „No“, 5)"
    alone = tokenise(line, "en"), normalise_punctuation(line, "en")
    tokenise(line, "de"), normalise_punctuation(line, "ru")
    assert (tokenise(line, "en"), normalise_punctuation(line, "en")) == alone
    assert tokenise(line, "de") != alone[0]


LONG_RUNS = [
    *[
        ".",
        ". ",
        ",",
        "'",
        '"',
        "' ",
        '." ',
        '.")',
        "- ",
        " ",
        "(",
        ") ",
        "1.",
        "a.b ",
        "A. ",
        "\u0301",
        "\u200d",
        "👩\u200d",
    ],
    *["a'", "1,", "a-", "&", "@-@ ", "http :", "http : / / ", ": / ", "” ", "’ ", "‘ ", "« ", "’", "_", "🇩", "a\u0301"],
]


@pytest.mark.parametrize("run", LONG_RUNS)
def test_every_line_takes_linear_time(run: str) -> None:
    """Each of these took minutes if a step read the rest of the line for each of its characters."""
    line = run * (60_000 // len(run))
    for language in ("de", "en"):
        tokens = tokenise(normalise_punctuation(line, language), language)
        detokenise(tokens, language)
        detokenise(line, language)


@given(st.lists(st.sampled_from(['"', ".", "<", " ", "a"])).map("".join))
@settings(deadline=None, max_examples=300)
def test_the_linear_rule_for_dots_before_a_quotation_mark_is_the_old_one(line: str) -> None:
    new = re.compile(_DOTS_AND_PERHAPS_QUOTE, re.ASCII).sub(_quote_before_dots, line)
    assert new == re.compile(_DOTS_BEFORE_QUOTE, re.ASCII).sub(r'"\g<1>\g<2>', line)
