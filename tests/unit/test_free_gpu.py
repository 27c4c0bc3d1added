"""Which GPU a process takes, by an nvidia-smi that only pretends."""

import os
import subprocess
import sys

import pytest
import torch

from rarewords.machine.device import choose_device
from rarewords.machine.free_gpu import Gpu, keep_one_gpu, visible_gpus

THREE = """\
0, GPU-aaaa-1, 40100, Disabled
1, GPU-bbbb-2, 11, Disabled
2, GPU-bcbc-3, 500, [N/A]
"""
CHOOSE = """
import os, sys
from rarewords.machine.free_gpu import keep_one_gpu
keep_one_gpu()
print(os.environ["CUDA_VISIBLE_DEVICES"], flush=True)
sys.stdin.read()
"""


@pytest.fixture
def nvidia_smi(tmp_path, monkeypatch):
    """Lets nvidia-smi print a text; GPUs that were taken are free again after the test."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    program = tmp_path / "bin" / "nvidia-smi"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")

    def prints(text, code=0):
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{text}END\nexit {code}\n")
        program.chmod(0o755)

    return prints


def chosen():
    """What a new process would see, if this one has not chosen before."""
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    keep_one_gpu()
    return os.environ.get("CUDA_VISIBLE_DEVICES")


def test_the_freest_gpu_first_then_the_others_then_again(nvidia_smi):
    nvidia_smi(THREE)
    freest_first = ["GPU-bbbb-2", "GPU-bcbc-3", "GPU-aaaa-1"]
    assert [chosen() for _ in range(7)] == [*freest_first, *freest_first, "GPU-bbbb-2"]


def test_processes_that_start_together_spread_out(nvidia_smi):
    nvidia_smi("0, GPU-a, 5, Disabled\n1, GPU-b, 5, Disabled\n")
    processes = [
        subprocess.Popen([sys.executable, "-c", CHOOSE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    names = [process.stdout.readline().strip() for process in processes]
    assert sorted(names) == ["GPU-a", "GPU-a", "GPU-b", "GPU-b"]
    processes[names.index("GPU-b")].communicate()  # one ends: its place is the next one's
    assert chosen() == "GPU-b"
    for process in processes:
        process.communicate() if process.returncode is None else None


@pytest.mark.parametrize(
    ("visible", "gpus"),
    [
        (None, ["GPU-aaaa-1", "GPU-bbbb-2", "GPU-bcbc-3"]),
        ("0, 2", ["0", "2"]),
        ("GPU-bc,GPU-a", ["GPU-bc", "GPU-a"]),
        ("1", ["1"]),
        ("", []),
        ("GPU-b,0", []),  # the first one could be either
        ("0,7", []),
        ("MIG-1,MIG-2", []),
    ],
)
def test_only_visible_gpus_count_and_keep_the_name_that_the_user_gave(nvidia_smi, visible, gpus):
    nvidia_smi(THREE)
    assert [gpu.name for gpu in visible_gpus(visible)] == gpus


def test_the_choice_stays_within_what_the_user_allows(nvidia_smi, monkeypatch):
    nvidia_smi(THREE)
    assert visible_gpus("0,2") == [Gpu("0", "GPU-aaaa-1", 40100), Gpu("2", "GPU-bcbc-3", 500)]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,2")
    keep_one_gpu()
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "2"
    keep_one_gpu()
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "2"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0, GPU-a, 5, Disabled\n", 0),
        ("0, GPU-a, 5, Disabled\n1, GPU-b, 5, Enabled\n", 0),
        ("0, GPU-a, [N/A], Disabled\n1, GPU-b, 5, Disabled\n", 0),
        ("NVIDIA-SMI has failed because it couldn't communicate with the driver.\n", 9),
        ("No devices were found\n", 0),
    ],
    ids=["one", "divided", "unknown memory", "failed", "none"],
)
def test_nothing_is_touched_where_there_is_nothing_to_choose(nvidia_smi, text, code):
    nvidia_smi(text, code)
    assert chosen() is None


def test_without_a_place_for_locks_the_memory_decides(nvidia_smi, tmp_path):
    nvidia_smi(THREE)
    (tmp_path / f"rarewords-gpus-{os.getuid()}").write_text("in the way")
    assert [chosen(), chosen()] == ["GPU-bbbb-2", "GPU-bbbb-2"]


def test_a_device_by_its_number_or_the_cpu_asks_nobody(nvidia_smi):
    nvidia_smi(THREE)
    assert choose_device("cpu") == torch.device("cpu")
    assert "CUDA_VISIBLE_DEVICES" not in os.environ


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a real GPU here")
def test_auto_chooses_before_it_looks_for_a_gpu(nvidia_smi):
    nvidia_smi(THREE)
    assert choose_device("auto") == torch.device("cpu")
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "GPU-bbbb-2"
