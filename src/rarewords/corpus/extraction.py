"""Make a plain text, one segment a line, from a member of an archive.

A member is plain text, an SGM file (its name ends in .sgm or .sgml), or both sides of a corpus on each line with three
bars between them. docs/reproduction/data.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rarewords.corpus.archives import Member, open_member
from rarewords.corpus.disk import require_space
from rarewords.corpus.sgm import read_segments
from rarewords.errors import InputError
from rarewords.text.files import PathLike, atomic_writer, decode_lines

BARS = "|||"
# Share of the lines of a file with columns that may have others. Beyond this it is another kind of file.
MOST_LINES_LEFT_OUT = 0.01


class Extraction:
    """How to make one text; after `run`, what there is to say about it.

    If the member has `columns` (languages, in their order), the text is the column of `language`. A number of lines
    other than `lines` is an error, other than `approximate_lines` a warning.
    """

    def __init__(
        self,
        members: Sequence[str],
        language: str,
        columns: Sequence[str] = (),
        lines: int | None = None,
        approximate_lines: int | None = None,
    ) -> None:
        """Raises InputError if no column has the language."""
        if columns and language not in columns:
            raise InputError(
                f"the columns are {', '.join(columns)}, but the text should be {language}; correct one of them."
            )
        self.members = members
        self.language = language
        self.columns = tuple(columns)
        self.lines = lines
        self.approximate_lines = approximate_lines
        self.warnings: list[str] = []

    def run(self, archive: Path, output: Path) -> int:
        """Write the text and return its lines; raises InputError if it is not as expected, then nothing is written."""
        if output.exists():
            raise InputError(f"{output} already exists and is not replaced; remove it to make it again.")
        with open_member(archive, self.members) as member:
            require_space(output.parent, member.size)
            number = 0
            with atomic_writer(output) as out:
                for line in self._segments(member, f"{archive}, {member.name}"):
                    out.write(line + "\n")
                    number += 1
                self._check_lines(number, output)
        return number

    def _segments(self, member: Member, name: str) -> Iterable[str]:
        lines = decode_lines(member.stream, name)
        if member.name.lower().endswith((".sgm", ".sgml")):
            return read_segments(lines, name)
        return self._column(lines, name) if self.columns else lines

    def _column(self, lines: Iterable[str], name: str) -> Iterator[str]:
        """One column. Lines with another number of columns are left out of every column, so the sides stay aligned."""
        read = left_out = 0
        place = self.columns.index(self.language)
        for line in lines:
            read += 1
            columns = line.split(BARS)
            if len(columns) == len(self.columns):
                yield columns[place].strip(" ")
            else:
                left_out += 1
        if left_out > read * MOST_LINES_LEFT_OUT:
            raise InputError(
                f"{name}: {left_out:,} of {read:,} lines do not have {len(self.columns)} columns with {BARS} between "
                "them; correct `members` or `columns`."
            )
        if left_out:
            self.warnings.append(
                f"{name}: left out {left_out:,} of {read:,} lines, which have another number of columns"
            )

    def _check_lines(self, number: int, output: PathLike) -> None:
        if self.lines is not None and number != self.lines:
            raise InputError(
                f"{output}: {number:,} lines came out of the archive instead of {self.lines:,}; it is not the "
                "published text, or `lines` is wrong in the configuration."
            )
        if self.approximate_lines is not None and number != self.approximate_lines:
            self.warnings.append(
                f"{output}: {number:,} lines; from memory it should be {self.approximate_lines:,} (docs/data.md)"
            )
