"""Work on a long text in several processes, with the results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rarewords.errors import InputError
from rarewords.text.streams import blocks, input_is_idle

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

LINES_A_CHUNK = 2000

Result = TypeVar("Result")


class Chunk(NamedTuple):
    """Some lines of a text; the first line of a text has the number 1."""

    first: int
    lines: list[str]


def map_chunks(
    make_work: Callable[[], Callable[[Chunk], Result]], lines: Iterable[str], workers: int
) -> Iterator[Result]:
    """Cut a text into chunks and yield what the work makes of each, in the order of the text.

    `make_work` is called once in every process. With one worker everything happens in this process. No more than a few
    chunks a worker are read ahead, so a text of any size passes through. An exception in the work is raised here, and
    InputError if a process was killed. The processes end with this one, however it ends.
    """
    found = None if workers == 1 else _pool(workers, make_work)
    if found is None:
        yield from map(make_work(), _chunks(lines))
        return
    from concurrent.futures.process import BrokenProcessPool

    with found as pool:
        pending: deque[Any] = deque()
        try:
            for chunk in _chunks(lines):
                pending.append(pool.submit(_do, chunk))
                while pending and (len(pending) > 3 * workers or input_is_idle()):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        except BrokenProcessPool as error:
            raise InputError(
                "a worker process was killed, perhaps because the memory was full; start again with fewer of them "
                "(--num-workers)."
            ) from error
        except BaseException:  # a signal, too: what has not begun is not waited for
            # The rest is: an interpreter that exits while the pool closes its pipe writes to the closed pipe.
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _pool(workers: int, make_work: Callable[[], Callable[[Chunk], Any]]) -> ProcessPoolExecutor | None:
    """Several processes; None, and a note on standard error, on a system that lets processes share nothing."""
    from concurrent.futures import ProcessPoolExecutor  # slow to import, and rarely needed

    try:
        return ProcessPoolExecutor(workers, initializer=_prepare, initargs=(make_work,))
    except (OSError, ImportError, NotImplementedError) as error:  # semaphores need /dev/shm
        print(
            f"note: one process does the work, since several cannot be started here ({error}); is /dev/shm there?",
            file=sys.stderr,
        )
        return None


def _chunks(lines: Iterable[str]) -> Iterator[Chunk]:
    first = 1
    for chunk in blocks(lines, LINES_A_CHUNK):
        yield Chunk(first, chunk)
        first += len(chunk)


_work: Callable[[Chunk], Any]  # of a worker process


def _prepare(make_work: Callable[[], Callable[[Chunk], Any]]) -> None:
    global _work
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the command line's belongs to the first process
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all processes; the first one ends the others
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _work = make_work()


def _end_with_parent() -> None:
    """Wait for the end of the first process, whatever it was, and end this one: it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(chunk: Chunk) -> Any:
    return _work(chunk)
