"""Archives of the same structure as those of WMT15, with a few lines in each."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Mapping

# A line separator, a no-break space and an empty line: none of them may change the alignment.
ENGLISH = "A first\u2028line.\n\nThe third\u00a0one.\n"
GERMAN = "Eine erste Zeile.\n\nDie dritte.\n"
RUSSIAN = "Первая строка.\n\nТретья.\n"
HEADLINES = "Берлин ||| Berlin\nМосква ||| Moscow\n"


def tgz(members: Mapping[str, str | bytes], links: Mapping[str, str] | None = None) -> bytes:
    """A .tgz with files (name to content) and symbolic links (name to target)."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members.items():
            data = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for name, target in (links or {}).items():
            member = tarfile.TarInfo(name)
            member.type = tarfile.SYMTYPE
            member.linkname = target
            archive.addfile(member)
    return buffer.getvalue()


def zipped(members: Mapping[str, str], links: Mapping[str, str] | None = None) -> bytes:
    """The same as a zip archive, as it is made on Unix."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        for name, target in (links or {}).items():
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, target)
    return buffer.getvalue()


def sgm(kind: str, language: str, *segments: str) -> str:
    """A test set; attributes and case differ as they do in the real ones."""
    lines = [f'<{kind} setid="newstest" srclang="any" trglang="{language}">', '<doc docid="a" genre="news">', "<p>"]
    for number, segment in enumerate(segments, 1):
        lines.append(f'<seg id="{number}">{segment}</seg>' if number % 2 else f"<SEG ID={number} >{segment}</SEG>")
    return "\n".join([*lines, "</p>", "</doc>", f"</{kind}>", ""])


def wmt15() -> dict[str, bytes]:
    """Archives by their path at the publisher."""
    test = {
        "test/newstest2015-ende-src.en.sgm": sgm("srcset", "en", "Q&amp;A &lt;...&gt;", "", "Three."),
        "test/newstest2015-ende-ref.de.sgm": sgm("refset", "de", "F&amp;A", "", "Drei."),
        "test/newstest2015-enru-src.en.sgm": sgm("srcset", "en", "One.", "Two."),
        "test/newstest2015-enru-ref.ru.sgm": sgm("refset", "ru", "Один.", "Два."),
    }
    return {
        "wmt13/training-parallel-europarl-v7.tgz": tgz(
            {
                "training/europarl-v7.de-en.de": GERMAN,
                "training/europarl-v7.de-en.en": ENGLISH,
                "training/europarl-v7.fr-en.fr": "Une ligne.\n",
            }
        ),
        # In a sub-folder, where the configuration knows none.
        "wmt15/training-parallel-nc-v10.tgz": tgz(
            {
                "training-parallel-nc-v10/news-commentary-v10.de-en.de": GERMAN,
                "training-parallel-nc-v10/news-commentary-v10.de-en.en": ENGLISH,
                "training-parallel-nc-v10/news-commentary-v10.ru-en.ru": RUSSIAN,
                "training-parallel-nc-v10/news-commentary-v10.ru-en.en": ENGLISH,
            }
        ),
        "wmt15/wiki-titles.tgz": tgz({"wiki/ru-en/wiki.ru-en": HEADLINES, "wiki/fi-en/titles.fi-en": "Berliini"}),
        "wmt15/test.tgz": tgz(test),
        "1mcorpus.zip": zipped({"corpus.en_ru.1m.en": "Yes.\nNo.\n", "corpus.en_ru.1m.ru": "Да.\nНет.\n"}),
    }
