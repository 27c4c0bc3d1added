"""Sentences of a line in many languages, and time in proportion to the length of any line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarewords.text.sentences import join_sentences, split_sentences


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Trees are green.", "The tree is old.", '"Why?" he asked.', "(He left.)", "3 dogs came!"]),
        ("en", ["Mr. Smith met J. R. Jones in the U.S. on Jan. 5.", "No. 5 is here, i.e. there.", "And then?"]),
        ("en", ["It went on... and on.", "It stopped…", "Then it began..."]),
        ("de", ["Dr. Müller kam z.B. am 3. Oktober.", "„Ja.“", "Er ging (usw.).", "Und?"]),
        ("ru", ["А. С. Пушкин родился.", "«Да!» — сказал он.", "— Нет.", "Он ушёл…"]),
        ("fr", ["Quoi ?", "Oui !", "« Bon. »", "Merci."]),
        ("es", ["¿Qué?", "¡Sí!", "Bien."]),
        ("el", ["Τι είναι;", "Δεν ξέρω· όχι.", "Ναι."]),
        ("ar", ["ما هذا؟", "هذا كتاب.", "نعم!"]),
        ("fa", ["این چیست؟", "کتاب می‌خواهم."]),
        ("ur", ["یہ کتاب ہے۔", "وہ گھر ہے۔"]),
        ("he", ["מה זה?", "זה ספר.", "כן."]),
        ("hi", ["यह घर है।", "क्या?", "हाँ।"]),
        ("ka", ["გამარჯობა.", "როგორ ხარ?", "კარგად."]),
        ("hy", ["Բարև։", "Ինչպե՞ս ես։"]),
        ("am", ["ሰላም።", "እንዴት ነህ፧", "ደህና።"]),
        ("km", ["ខ្ញុំ។", "គាត់។"]),
        ("my", ["ကျွန်တော်။", "သူ။"]),
        ("ko", ["안녕하세요.", "어떻게 지내세요?"]),
    ],
)
def test_sentences_of_a_paragraph(language: str, sentences: list[str]) -> None:
    assert split_sentences(" ".join(sentences), language) == sentences
    assert split_sentences("\u3000" + "  ".join(sentences) + " \t", language) == sentences
    assert join_sentences(sentences, language) == " ".join(sentences)


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("zh", ["你好。", "我是学生！", "你呢？", "“好。”他说。", "圆周率是3．14。"]),
        ("ja", ["はい。", "いいえ！", "そうですか？", "「はい。」と言った。"]),
    ],
)
def test_sentences_without_spaces(language: str, sentences: list[str]) -> None:
    assert split_sentences("".join(sentences), language) == sentences
    assert join_sentences(sentences, language) == "".join(sentences)


def test_what_is_no_end_of_a_sentence() -> None:
    for line in (
        "Visit example.org/a.b?c=1 now",
        "version 1.2.3 is out",
        "? ! ?",
        "iPhone",
        "สวัสดี ครับ",
        "wait... what",
    ):
        assert split_sentences(line, "en") == [line]
    assert split_sentences(" \t\u2028", "en") == []


@given(st.text(alphabet=st.sampled_from('aA1 .?!…。।"»“)՞;\u200f')))
@settings(deadline=None, max_examples=300)
def test_nothing_but_white_space_is_lost(line: str) -> None:
    for language in ("en", "el", "zh"):
        assert "".join("".join(split_sentences(line, language)).split()) == "".join(line.split())
