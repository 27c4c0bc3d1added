"""SGM as it is found: any case, any attributes, tags over several lines, empty segments."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.corpus.sgm import read_segments
from rarewords.errors import InputError


def segments(text: str) -> list[str]:
    return read_segments(text.split("\n"), "x.sgm")


def test_documents_and_paragraphs_are_ignored_and_the_order_is_kept() -> None:
    text = """<srcset setid="newstest2015" srclang="any">
<doc sysid="ref" docid="b" genre="news" origlang="de">
<h1><seg id="1">Heading</seg></h1>
<p>
<seg id="2">Two</seg> <seg id="3">Three</seg>
</p>
</doc>
<DOC docid="a"><P><SEG ID = 1 >Again one</SEG></P></DOC>
</srcset>"""
    assert segments(text) == ["Heading", "Two", "Three", "Again one"]


def test_empty_segments_stay() -> None:
    assert segments('<seg id="1"></seg>\n<seg id="2"> </seg><seg id="3"/>\n<seg>x</seg>') == ["", "", "", "x"]


def test_entities_are_decoded_once() -> None:
    assert segments("<seg>R&amp;D &amp;lt; &lt;b&gt; &quot;x&apos;s&quot; &#8211; &#x2013;</seg>") == [
        'R&D &lt; <b> "x\'s" – –'
    ]


def test_what_is_no_entity_is_text() -> None:
    raw = "AT&T, R&D; fish & chips &para &nosuch; &copy &#; 3 < 4 <...>"
    assert segments(f"<seg>{raw}</seg>") == [raw]


def test_segments_and_tags_over_several_lines() -> None:
    assert segments('<seg\n id="1"\n>One\n  and a half\r\n</seg\n>\n<seg id="2">\nTwo</seg>') == [
        "One and a half",
        "Two",
    ]


def test_entities_that_mean_a_line_end_do_not_end_the_line() -> None:
    assert segments("<seg>a&#10;b&#13;&#10;c&NewLine;d</seg>") == ["a b c d"]


def test_other_separators_are_ordinary_characters() -> None:
    assert segments("<seg>a\u2028b\x85c\u00a0 \u3000d\u00a0</seg>") == ["a\u2028b\x85c\u00a0 \u3000d\u00a0"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<doc>\n<seg>a\n<seg>b</seg>", "x.sgm, line 2: '<seg>' has no </seg>"),
        ("<seg>a</seg>\n<seg id=2>b\n</doc>", "x.sgm, line 2: '<seg id=2>' has no </seg>"),
        ("<seg>a</seg>\n\n</seg>", "x.sgm, line 3: '</seg>' has no <seg>"),
        ("<doc>text\n</doc>", "x.sgm has no <seg>"),
        ("", "x.sgm has no <seg>"),
    ],
)
def test_what_would_shift_lines_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        segments(text)


@given(st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))))
def test_escaped_text_comes_back(texts: list[str]) -> None:
    """As many segments as were written, with their text (spaces at the ends apart)."""
    written = "\n".join(f'<seg id="{n}">{html.escape(text)}</seg>' for n, text in enumerate(["first", *texts]))
    assert segments(written) == ["first", *(text.strip(" \t") for text in texts)]
