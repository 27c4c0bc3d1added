"""What a training reports, and the table of all trainings."""

import io
import json

import pytest

from rarewords.errors import InputError
from rarewords.training.metrics import append_report, drop_reports_after, read_reports, seconds_reported
from rarewords.training.progress import Progress
from rarewords.training.status import HEADINGS, status_rows


@pytest.fixture
def file(tmp_path):
    return tmp_path / "run1" / "checkpoints" / "metrics.jsonl"


def test_reports_are_read_back_and_a_line_cut_short_is_left_out(file):
    assert read_reports(file) == []
    for updates in (50, 100):
        append_report(file, {"updates": updates, "note": "\u2028"})
    with open(file, "a", encoding="utf-8") as out:
        out.write('{"updates": 15')
    assert [report["updates"] for report in read_reports(file)] == [50, 100]


def test_reports_beyond_the_resumed_update_are_dropped(file):
    drop_reports_after(file, 10)  # nothing there, nothing to do
    assert not file.exists()
    for updates in (50, 100, 150):
        append_report(file, {"updates": updates})
    with open(file, "a", encoding="utf-8") as out:
        out.write('{"updates"')
    drop_reports_after(file, 100)
    append_report(file, {"updates": 120})
    assert [json.loads(line)["updates"] for line in file.read_text().splitlines()] == [50, 100, 120]


def test_what_is_no_number_is_null(tmp_path, file):
    progress = Progress("x", 0, 9, file, stream=io.StringIO())
    progress.count(1, float("nan"), float("inf"), True)
    progress.report(1, 0, 1, 2.5)
    drop_reports_after(file, 5)

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    (report,) = (json.loads(line, parse_constant=refuse) for line in file.read_text().splitlines())
    assert (report["loss_per_token"], report["gradient_norm"], report["updates"]) == (None, None, 1)
    (row,) = status_rows(tmp_path)
    assert row[3] == "nan"


def test_old_reports_with_nan_are_written_anew_as_null(file):
    file.parent.mkdir(parents=True)
    file.write_text('{"updates": 1, "loss_per_token": NaN}\n')
    drop_reports_after(file, 1)
    assert file.read_text().startswith('{"updates": 1, "loss_per_token": null, "crc32": ')
    assert read_reports(file) == [{"updates": 1, "loss_per_token": None}]


@pytest.mark.parametrize(
    ("first", "start", "expected"),
    [
        (0, 0, "update 25/40 (62%)"),
        (0, 20, "update 25/40 (62%)"),  # goes on from a checkpoint: the share of the whole training
        (20, 20, "update 25/40 (5 of 20, 25%)"),  # a continuation: the share of its own part
    ],
)
def test_the_line_shows_how_much_is_done(file, first, start, expected):
    progress = Progress("x", first, 40, file, stream=io.StringIO())
    progress.start = start
    progress.count(1, 1.0, 1.0, False)
    progress.report(25, 0, 0, 2.5)
    assert progress.stream.getvalue().startswith(f"x: {expected}  epoch 1  ")


def test_a_report_has_the_means_since_the_last_one(file):
    progress = Progress("x", 0, 4, file, stream=io.StringIO())
    for tokens, loss, norm in [(10, 20.0, 1.0), (30, 40.0, 3.0)]:
        progress.count(tokens, loss, norm, norm > 2)
    progress.report(2, 0, 0, 2.5)
    progress.count(5, 1.0, 7.0, True)
    progress.report(3, 1, 1, 2.5)
    progress.report(3, 1, 1, 2.5)  # no update since: no line
    first, second = read_reports(file)
    assert (first["updates"], first["of"], first["epoch"], first["broken"]) == (2, 4, 0, 0)
    assert (first["loss_per_token"], first["gradient_norm"], first["clipped"]) == (1.5, 2.0, 0.5)
    assert (second["updates"], second["loss_per_token"], second["gradient_norm"]) == (3, 0.2, 7.0)
    assert (second["clipped"], second["epoch"], second["broken"]) == (1.0, 1, 1)
    assert first["tokens_per_second"] > 0
    assert 10 < first["peak_memory_mib"] < 100_000


def test_a_reader_that_went_away_does_not_stop_the_training(file):
    class Closed(io.StringIO):
        def write(self, _text):
            raise BrokenPipeError

    progress = Progress("x", 0, 1, file, stream=Closed())
    progress.count(1, 1.0, 1.0, False)
    progress.report(1, 0, 0, 2.5)
    assert len(read_reports(file)) == 1


def test_on_a_terminal_a_live_line_is_rewritten(file):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    progress = Progress("x", 0, 9, file, stream=Terminal())
    progress.line("one", live=True)
    progress.line("two")
    assert progress.stream.getvalue() == "\r\033[Kx: one\r\033[Kx: two\n"


def test_status_has_a_row_for_each_training_from_its_last_report(tmp_path):
    report = {
        "of": 4000,
        "loss_per_token": 3.14159,
        "clipped": 0.25,
        "tokens_per_second": 1234,
        "peak_memory_mib": 2345,
    }
    for folder, updates, epoch in [("bpe/run1", 1500, 0), ("bpe/run2", 4000, 7), ("bpe/member1", 3100, 8)]:
        file = tmp_path / folder / "checkpoints" / "metrics.jsonl"
        measured = (
            {"dev_loss_per_token": 4.5678, "dev_bleu": 7.26} if folder == "bpe/run1" else {}
        )  # once: most reports have none
        append_report(file, {**report, **measured, "updates": 50, "epoch": 0, "time": 0.0})
        append_report(file, {**report, "updates": updates, "epoch": epoch, "time": 1000.0})
    append_report(
        tmp_path / "bpe/run1/checkpoints.old-1/metrics.jsonl", {**report, "updates": 50, "epoch": 0, "time": 0.0}
    )
    assert all(len(row) == len(HEADINGS) for row in status_rows(tmp_path))
    assert status_rows(tmp_path, now=1185.0) == [
        ("bpe/member1", "3,100/4,000", "9", "3.142", "-", "-", "25%", "1,234", "2,345", "3m05s ago"),
        ("bpe/run1", "1,500/4,000", "1", "3.142", "4.568", "7.3", "25%", "1,234", "2,345", "3m05s ago"),
        ("bpe/run2", "4,000/4,000", "8", "3.142", "-", "-", "25%", "1,234", "2,345", "done"),
    ]


def test_status_of_nothing_is_refused(tmp_path):
    with pytest.raises(InputError, match="absent: there is no such folder"):
        status_rows(tmp_path / "absent")
    with pytest.raises(InputError, match="no training run below this folder has reported yet"):
        status_rows(tmp_path)


def test_status_finds_trainings_whose_checkpoint_folder_has_another_name(tmp_path):
    report = {"of": 9, "loss_per_token": 1.0, "clipped": 0, "tokens_per_second": 1, "peak_memory_mib": 1}
    report |= {"updates": 9, "epoch": 0, "time": 0.0}
    for folder in (".", "a/checkpoints", "a/ckpt", "b", "b.old-1", "checkpoints"):
        append_report(tmp_path / folder / "metrics.jsonl", report)
    append_report(tmp_path / "foreign" / "metrics.jsonl", {"updates": 3})
    assert [row[0] for row in status_rows(tmp_path)] == ["a", "a/ckpt", "b", ".", "."]
    assert [row[0] for row in status_rows(tmp_path / "checkpoints")] == ["."]


def test_a_damaged_line_is_no_report(tmp_path):
    path = tmp_path / "metrics.jsonl"
    append_report(path, {"updates": 50, "loss_per_token": 3.25, "seconds": 7.5})
    line = path.read_text()
    assert read_reports(path) == [{"updates": 50, "loss_per_token": 3.25, "seconds": 7.5}]
    assert seconds_reported(path) == 7.5
    for place in range(len(line) - 1):
        damaged = line[:place] + chr(ord(line[place]) ^ 1) + line[place + 1 :]
        path.write_text(damaged)
        # a changed name of the key of the checksum leaves all others as they were
        assert [report["loss_per_token"] for report in read_reports(path)] in ([], [3.25])
    path.write_text('{"updates": 50, "loss_per_token": 3.25}\n')  # of an earlier version
    assert read_reports(path) == [{"updates": 50, "loss_per_token": 3.25}]
    assert seconds_reported(path) == 0.0
