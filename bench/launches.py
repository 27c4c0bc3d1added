"""How many kernels an update launches on a GPU, and how often the host waits for the device; needs no GPU.

    python bench/launches.py [--words 25] [--embedding 620 --hidden 1000]

The update runs on torch's meta device, which computes no numbers, in the form that a GPU runs; what asks for a number
there fails. Each operation counts as one launch, see `rarewords.machine.launches`. Sentences have so many words and EOS
on both sides.
"""

from __future__ import annotations

import argparse
from collections import Counter

import torch
from measure import table

from rarewords.machine.launches import LaunchCounter
from rarewords.model.rnnsearch import loss
from rarewords.model.size import NetworkSize
from rarewords.training.adadelta import Adadelta
from rarewords.training.batches import Batch

META = torch.device("meta")


def sides(words: int, sentences: int) -> Batch:
    """A minibatch of equally long sentences."""
    shape = (words + 1, sentences)
    ids, mask = torch.zeros(shape, dtype=torch.long, device=META), torch.ones(shape, dtype=torch.bool, device=META)
    return Batch(ids, mask, ids, mask, (words + 1) * sentences)


def counted_parts(size: NetworkSize, batch: Batch) -> dict[str, LaunchCounter]:
    """What the parts of an update launch."""
    parameters = {name: torch.empty(shape, device=META) for name, shape in size.shapes().items()}
    for value in parameters.values():
        value.requires_grad_()
    optimiser = Adadelta(parameters, 1.0)
    parts = {name: LaunchCounter() for name in ("forward", "backward", "Adadelta")}
    with parts["forward"]:
        value = loss(parameters, batch.source, batch.source_mask, batch.target, batch.target_mask)
    with parts["backward"]:
        value.backward()
    with parts["Adadelta"]:
        optimiser.step()
    return parts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=25, help="of each sentence, on both sides")
    parser.add_argument("--batch-size", type=int, default=80)
    parser.add_argument("--embedding", type=int, default=620)
    parser.add_argument("--hidden", type=int, default=1000)
    parser.add_argument("--vocabulary", type=int, default=30_000, help="units of each side")
    parser.add_argument("--source-blocks", type=int, default=0)
    parser.add_argument("--operations", action="store_true", help="print how often each operation is launched, too")
    arguments = parser.parse_args()
    units = arguments.vocabulary
    size = NetworkSize(units, units, arguments.embedding, arguments.hidden, arguments.source_blocks)
    parts = counted_parts(size, sides(arguments.words, arguments.batch_size))
    launches = [sum(part.launches.values()) for part in parts.values()]
    waits = [sum(part.waits.values()) for part in parts.values()]
    rows = zip([*parts, "update"], [*launches, sum(launches)], [*waits, sum(waits)], strict=True)
    print(table(["part", "launches", "waits of the host"], list(rows)))
    if arguments.operations:
        total = sum((part.launches for part in parts.values()), Counter[str]())
        counts = [(name, *(part.launches[name] for part in parts.values())) for name, _ in total.most_common()]
        print("\n" + table(["operation", *parts], counts))


if __name__ == "__main__":
    main()
