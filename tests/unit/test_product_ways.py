"""The choice between torch's ways to multiply float32 matrices: exact first, then fast, and the same every time."""

import errno
import os

import pytest
import torch

from rarewords.errors import InputError
from rarewords.machine import product_ways as module
from rarewords.machine.product_ways import BLAS, ONEDNN, SETTING, is_exact, use_fastest_exact_way, way_in_use


@pytest.fixture(autouse=True)
def _own_record(monkeypatch, tmp_path):
    before = way_in_use()
    monkeypatch.delenv(SETTING, raising=False)
    monkeypatch.setattr(module, "_record", lambda: tmp_path / "products")
    yield
    module.use_way(before)


def rounded_to_bfloat16(left, right):
    return (left.bfloat16() @ right.bfloat16()).float()


def test_rounded_factors_are_no_float32():
    error = max(module._error(rounded_to_bfloat16, left, right) for _, left, right in module._products())
    assert error > 100 * module.LARGEST_ERROR


def test_the_blas_is_exact():
    assert is_exact(BLAS)


def test_shapes_and_layouts_are_those_of_the_network():
    layouts = {(left.is_contiguous(), right.is_contiguous()) for _, left, right in module._products()}
    assert layouts == {(True, True), (False, True), (True, False)}


@pytest.mark.parametrize(
    ("exact", "seconds", "expected"),
    [(True, 0.5, ONEDNN), (True, 0.95, BLAS), (True, 2.0, BLAS), (False, 0.1, BLAS)],
)
def test_the_fastest_of_the_exact_ways_is_taken(monkeypatch, exact, seconds, expected):
    monkeypatch.setattr(module, "is_exact", lambda way: way == BLAS or exact)
    monkeypatch.setattr(module, "way_times", lambda way: seconds if way == ONEDNN else 1.0)
    assert use_fastest_exact_way() == expected == way_in_use()


def test_a_choice_is_kept(monkeypatch):
    monkeypatch.setattr(module, "is_exact", lambda way: True)
    monkeypatch.setattr(module, "way_times", lambda way: 0.1 if way == ONEDNN else 1.0)
    assert use_fastest_exact_way() == ONEDNN
    monkeypatch.setattr(module, "way_times", lambda way: pytest.fail("measured again"))
    assert use_fastest_exact_way() == ONEDNN == module.known_way()


def test_of_two_processes_the_first_one_decides(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "is_exact", lambda way: True)

    def another_process_is_faster(way):
        (tmp_path / "products").write_text(f"{BLAS}\n")
        return 0.1 if way == ONEDNN else 1.0

    monkeypatch.setattr(module, "way_times", another_process_is_faster)
    assert use_fastest_exact_way() == BLAS
    assert [path.name for path in tmp_path.iterdir()] == ["products"]


@pytest.mark.parametrize("content", ["abacus\n", ""])
def test_a_damaged_record_is_measured_again_and_written_anew(monkeypatch, tmp_path, content):
    (tmp_path / "products").write_text(content)
    monkeypatch.setattr(module, "is_exact", lambda way: way == BLAS)
    assert use_fastest_exact_way() == BLAS == module.known_way()


@pytest.mark.parametrize("reason", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_choice_is_kept_where_there_are_no_hard_links(monkeypatch, tmp_path, reason):
    def unsupported(*_):
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(module.os, "link", unsupported)
    test_a_choice_is_kept(monkeypatch)
    assert [path.name for path in tmp_path.iterdir()] == ["products"]
    (tmp_path / "products").unlink()
    test_of_two_processes_the_first_one_decides(monkeypatch, tmp_path)


def test_either_can_be_forced(monkeypatch):
    monkeypatch.setattr(module, "is_exact", lambda way: True)
    for way in (ONEDNN, BLAS):
        monkeypatch.setenv(SETTING, way)
        assert use_fastest_exact_way() == way == way_in_use()


def test_what_rounds_is_refused(monkeypatch):
    monkeypatch.setattr(module, "is_exact", lambda way: way == BLAS)
    monkeypatch.setenv(SETTING, ONEDNN)
    with pytest.raises(InputError, match="RAREWORDS_PRODUCTS: onednn does not multiply float32 exactly"):
        use_fastest_exact_way()


def test_another_name_is_refused(monkeypatch):
    monkeypatch.setenv(SETTING, "fast")
    with pytest.raises(InputError, match="RAREWORDS_PRODUCTS: 'fast' is unknown; give auto, blas, onednn"):
        use_fastest_exact_way()


def test_trying_a_way_changes_nothing():
    before = torch.backends.mkldnn.matmul.fp32_precision
    is_exact(ONEDNN), module.way_times(ONEDNN)
    assert torch.backends.mkldnn.matmul.fp32_precision == before
