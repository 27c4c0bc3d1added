"""Systems that read the text after other steps than those of the corpus (`preprocess` of a system).

All systems are trained on the same pairs and scored on the same plain text; what differs is the form in which they read
and write it. A form has a name, which is that of its folder below `data/{corpus}/{pair}/forms/`.
"""

from __future__ import annotations

from typing import Any

SWITCHES = ("normalise", "tokenise", "escape", "truecase")

Form = dict[str, Any]  # for each of SWITCHES whether it is done, and under `clean` the steps of clean-up


def corpus_form(preprocess: dict[str, Any]) -> Form:
    """The steps of a corpus, by its `preprocess`."""
    return {"normalise": preprocess["normalise"], "tokenise": True, "escape": True, "truecase": True, "clean": []}


def system_form(preprocess: dict[str, Any], own: Any) -> Form:
    """The steps of a system: those of the corpus, or what its `preprocess` says, `raw` or a map of some steps."""
    if own == "raw":
        return dict.fromkeys(SWITCHES, False) | {"clean": []}
    return corpus_form(preprocess) | (own or {})


def form_name(preprocess: dict[str, Any], own: Any) -> str | None:
    """The name of the form of a system's text; None for that of the corpus."""
    form, usual = system_form(preprocess, own), corpus_form(preprocess)
    if form == usual:
        return None
    if not any(form.values()):
        return "raw"
    clean = [f"clean-{step.replace('_', '-')}" for step in sorted(form["clean"])]
    changed = [name if form[name] else f"no-{name}" for name in SWITCHES if form[name] != usual[name]]
    return "-".join([*clean, *changed])
