"""Former keys: what workloads were called before, by the rule of names of earlier versions."""

import unicodedata
from collections.abc import Collection, Iterable
from typing import Final

from gpuplanner.domain.model import cube
from gpuplanner.domain.model.project import Project
from gpuplanner.files.job_logs.reduce.names import (
    MERGED_DIGITS,
    UNNAMED,
    digits_aside,
    fold_name,
    workload_key,
)
from gpuplanner.lazy_re import lazy_re

_FORMER_DATE: Final = lazy_re(r"\d{4}-\d{2}-\d{2}")
_FORMER_HASH: Final = lazy_re(r"\b[0-9a-f]{7,}\b")
_FORMER_DIGIT: Final = lazy_re(r"\d")
_SEPARATORS: Final = lazy_re(r"[-_. /]+")


def former_name(name: str) -> str:
    """A job's name as it was folded when all digits went: projects from then have keys with it.

    >>> former_name("Llama3_70B-sft.2026-01-05 run 12")
    'llama-b-sft-run'
    """
    folded = unicodedata.normalize("NFKC", name).lower()
    for gone in (_FORMER_DATE, _FORMER_HASH, _FORMER_DIGIT):
        folded = gone.sub("", folded)
    return _SEPARATORS.sub("-", folded).strip().strip("-") or UNNAMED


def keep_decisions(before: Project, after: Project) -> Project:
    """The project after its jobs were read again: workloads that are new to it have what was decided of former keys."""
    were = {workload.key for workload in before.workloads}
    new = [workload for workload in after.workloads if workload.key not in were]
    if not new:
        return after
    from gpuplanner.domain.edits.successors import carry_over, decided_keys

    if not (decided := decided_keys(before)):
        return after  # the keys of thousands of workloads are a tenth of a second
    by_rule = any(map(_is_by_former_rule, before.workloads))
    return carry_over(after, former_keys(new, decided, by_former_rule=by_rule))


def _is_by_former_rule(workload: cube.Workload) -> bool:
    """Whether a workload bears the name that the earlier rule gave it, where today's would give another."""
    name = workload.sample_name
    return former_name(name) == workload.name != fold_name(name)


def former_keys(
    workloads: Iterable[cube.Workload], known: Collection[str], *, by_former_rule: bool = True
) -> dict[str, tuple[str, ...]]:
    """Of workloads whose key is not known: the known keys that their jobs may have had before, those found first first.

    That is the key by the former rule, if keys were made by it; the one with the digits aside, where names were merged
    and are apart now; and those of which this is what they have in common, where they are merged now.
    """
    answer = {}
    for workload in workloads:
        if workload.key in known:
            continue
        label = str(workload.label) if workload.label else None
        before = f"{workload.cluster}/{workload.owner}/"
        found = [
            workload_key(workload.cluster, workload.owner, name, label)
            for name in (
                *((former_name(workload.sample_name or workload.name),) if by_former_rule else ()),
                digits_aside(workload.name),
            )
        ]
        if MERGED_DIGITS in workload.name:
            found += sorted(
                key
                for key in known
                if key.startswith(before) and before + digits_aside(key[len(before) :]) == workload.key
            )
        former = tuple(dict.fromkeys(key for key in found if key in known))
        if former:
            answer[workload.key] = former
    return answer
