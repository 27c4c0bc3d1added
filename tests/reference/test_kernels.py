"""The CUDA kernels against the plain form, without a GPU: a C++ compiler takes their text, CPU threads do the work."""

import ctypes
import shutil
import subprocess
import threading

import pytest
import torch

from rarewords.model.kernels import cuda
from rarewords.model.kernels.source import BY_SENTENCE, ELEMENTWISE, SHARED_BYTES, SOURCE

COMPILER = shutil.which("g++") or shutil.which("c++")
# What CUDA has and C++ has not.
EMULATION = """
#include <cmath>
#include <pthread.h>
struct Index { int x; } blockIdx, blockDim;
thread_local Index threadIdx;
pthread_barrier_t barrier;
#define __global__
#define __shared__
#define __syncthreads() pthread_barrier_wait(&barrier)
float shared[1 << 16];
extern "C" void begin_block(int block, int size) {
    blockIdx.x = block; blockDim.x = size; pthread_barrier_init(&barrier, nullptr, size);
}
extern "C" void be_thread(int thread) { threadIdx.x = thread; }
"""
TOGETHER = 96  # threads of a block that wait for each other: three groups of 32
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if COMPILER is None:
        pytest.skip("no C++ compiler here")
    folder = tmp_path_factory.mktemp("kernels")
    text = EMULATION + SOURCE.replace("extern __shared__ float shared[];", "")
    (folder / "kernels.cpp").write_text(text, encoding="utf-8")
    subprocess.run(
        [COMPILER, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-pthread", "-o", "kernels.so", "kernels.cpp"],
        cwd=folder,
        check=True,
    )
    return ctypes.CDLL(str(folder / "kernels.so"))


@pytest.fixture
def emulated(library):
    """A kernel by its name, called as torch calls a compiled one."""

    def kernel_of(name):
        def kernel(grid, block, args, shared_mem=0):
            assert shared_mem < SHARED_BYTES
            given = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, torch.Tensor) else ctypes.c_int(a) for a in args]

            def one_thread(number):
                library.be_thread(number)
                getattr(library, name)(*given)

            for number in range(grid[0]):
                library.begin_block(number, TOGETHER if name in BY_SENTENCE else block[0])
                if name in BY_SENTENCE:
                    threads = [threading.Thread(target=one_thread, args=[thread]) for thread in range(TOGETHER)]
                    for thread in threads:
                        thread.start()
                    for thread in threads:
                        thread.join()
                else:
                    for thread in range(block[0]):
                        one_thread(thread)

        return kernel

    return kernel_of


@pytest.mark.parametrize("name", [*ELEMENTWISE, *BY_SENTENCE])
def test_a_kernel_computes_what_the_plain_form_does(name, emulated):
    cuda.compare(name, emulated(name), CPU)


@pytest.mark.parametrize("name", ["gates", "gate_gradients"])
def test_what_is_to_be_added_may_be_missing_or_not(name, emulated, monkeypatch):
    original = cuda.EXAMPLES[name]

    def other(generator):
        given = original(generator)
        if name == "gates":
            given[3] = None
        else:
            given[5] = torch.randn(2, 3, 5, generator=generator)
        return given

    monkeypatch.setitem(cuda.EXAMPLES, name, other)
    cuda.compare(name, emulated(name), CPU)


def test_tensors_without_an_outer_dimension(emulated, monkeypatch):
    """As the decoder has them; more of them than a block has threads."""
    monkeypatch.setitem(
        cuda.EXAMPLES, "new_state", lambda generator: [torch.randn(7, 50, generator=generator) for _ in range(4)]
    )
    cuda.compare("new_state", emulated("new_state"), CPU)


@pytest.mark.parametrize("name", [*ELEMENTWISE, *BY_SENTENCE])
def test_wrong_numbers_are_noticed(name, emulated):
    def wrong(grid, block, args, shared_mem=0):
        emulated(name)(grid, block, args, shared_mem)
        changed = [a for a in args if isinstance(a, torch.Tensor)][-1]
        changed += 0.01

    with pytest.raises(AssertionError, match=f"the kernel {name} computes wrong numbers"):
        cuda.compare(name, wrong, CPU)


def test_every_kernel_has_an_example_and_an_arrangement():
    assert set(cuda.EXAMPLES) == set(cuda.ARRANGED) == {*ELEMENTWISE, *BY_SENTENCE}
    for name, example in cuda.EXAMPLES.items():
        assert cuda._fits(name, tuple(example(torch.Generator())))


def test_what_kernels_cannot_read_is_left_to_the_plain_form():
    keys, query, score = torch.zeros(2, 7, 4), torch.zeros(2, 4), torch.zeros(4)
    mask, weights = torch.ones(2, 7, dtype=torch.bool), torch.zeros(2, 7)
    assert cuda._fits("attention", (keys, query, score, mask, weights))
    assert not cuda._fits("attention", (keys, query.double(), score, mask, weights))
    assert not cuda._fits("attention", (keys, torch.zeros(4, 2).t(), score, mask, weights))
    assert not cuda._fits("attention", (torch.zeros(2, 400, 4), query, score, mask, weights))  # 53 kB
    assert not cuda._fits("attention", (torch.zeros(7, 2, 4).transpose(0, 1), query, score, mask, weights))
    assert not cuda._fits("attention", (keys, query, score, torch.ones(7, 2, dtype=torch.bool).t(), weights))


def test_without_a_compiler_for_kernels_the_plain_form_is_used(monkeypatch):
    monkeypatch.delattr(torch.cuda, "_compile_kernel", raising=False)  # another torch may have none
    cuda.checked_kernels.cache_clear()
    given = [torch.zeros(2, 3) for _ in range(4)]
    given[0] += 1
    try:
        with pytest.warns(UserWarning, match="the GPU kernels are not used, plain operations are"):
            cuda.implementation("new_state")(*given)
    finally:
        cuda.checked_kernels.cache_clear()
    torch.testing.assert_close(given[0], torch.tanh(torch.ones(2, 3)))
