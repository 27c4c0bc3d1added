"""The Slurm profile against the workflow: a rule that was renamed would silently lose its settings."""

import re
from pathlib import Path

import yaml

from rarewords.report.manifest import GPU_STEPS

ROOT = Path(__file__).parents[2]
PROFILE = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text(encoding="utf-8"))
RULES = {
    name
    for path in (ROOT / "workflow/rules").glob("*.smk")
    for name in re.findall(r"^ *(?:rule|checkpoint) (\w+):", path.read_text(encoding="utf-8"), re.MULTILINE)
}


def asking():
    """The rules that hold a GPU."""
    return {
        name
        for path in (ROOT / "workflow/rules").glob("*.smk")
        for name, body in re.findall(r"^ *rule (\w+):(.*?)(?=^ *rule\b|\Z)", path.read_text(), re.MULTILINE | re.DOTALL)
        if "gpu=steps.gpus()" in body
    }


def test_every_rule_of_the_profile_exists():
    named = {*PROFILE["set-resources"], *PROFILE["preemptible-rules"], *(g.split("=")[0] for g in PROFILE["groups"])}
    assert named >= {"train", "finetune_fixed_embeddings", "translate"}
    assert named - RULES == set()


def test_the_manifest_counts_the_gpu_hours_of_all_that_hold_one():
    assert set(GPU_STEPS) == asking()
    benchmarks = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    assert all(f'layout.benchmark("{step}", "' in benchmarks for step in GPU_STEPS)


def test_what_computes_on_a_gpu_asks_for_one():
    assert {rule for rule, resources in PROFILE["set-resources"].items() if resources.get("gpu") == 1} == asking()


def test_trainings_are_warned_and_submitted_again():
    for rule in PROFILE["preemptible-rules"]:
        # quoted twice, because Snakemake evaluates it
        assert PROFILE["set-resources"][rule]["slurm_extra"] == "'--signal=TERM@300'"
    assert PROFILE["preemptible-retries"] >= 7 * 24 / 4  # a week in slices of four hours
