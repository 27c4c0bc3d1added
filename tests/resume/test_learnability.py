"""The whole engine learns a task that needs every part of it: reading a word of random letters backwards."""

import random

import pytest

from rarewords.decoding.translator import Translator
from rarewords.machine.device import set_precision
from rarewords.settings import DecodingSettings, TrainingLength, TrainingSettings
from rarewords.training.encoded import encode_pairs
from rarewords.training.session import Machine, finetune, train

LETTERS = "abcdef"


def words(seed, count):
    rng = random.Random(seed)
    return [[rng.choice(LETTERS) for _ in range(rng.randint(2, 5))] for _ in range(count)]


@pytest.fixture(autouse=True)
def _float32_afterwards():
    yield
    set_precision("float32")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("precision", "blocks", "share"),
    [("float32", 0, 0.99), ("bfloat16", 0, 0.99), ("float32", 4, 0.97)],  # with blocks, two letters are one position
)
def test_reversing_is_learnt(tmp_path, precision, blocks, share):
    seen = words(1, 4000)
    files = {
        "source": "".join(" ".join(word) + "\n" for word in seen),
        "target": "".join(" ".join(word[::-1]).upper() + "\n" for word in seen),
        "source_vocabulary": "".join(f"{letter} 1\n" for letter in LETTERS),
        "target_vocabulary": "".join(f"{letter} 1\n" for letter in LETTERS.upper()),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    data = tmp_path / "pairs"
    encode_pairs(*(tmp_path / name for name in files), data)
    settings = TrainingSettings(
        embedding=32, hidden=64, init_std=0.1, clip_norm=20.0, batch_size=40, max_length=10, seed=1,
        precision=precision, source_blocks=blocks,
    )  # fmt: skip
    machine = Machine("cpu", threads=1)
    train(
        data,
        settings,
        TrainingLength(updates=3000, save_every=3000),
        [tmp_path / "saved"],
        tmp_path / "run" / "checkpoints",
        machine,
        "reversal",
    )
    member = tmp_path / "member"
    finetune(data, tmp_path / "saved", 20, member, member / "checkpoints", machine, "reversal")

    unseen = [word for word in words(2, 4000) if word not in seen][:200]
    found = Translator.load([member], "cpu").translate(unseen, DecodingSettings(beam=4), batch_size=50)
    assert len(unseen) == 200
    right = sum(
        written == letter.upper()
        for units, word in zip(found, unseen, strict=True)
        for written, letter in zip(units, reversed(word), strict=False)
    )
    assert right / sum(map(len, unseen)) > share
