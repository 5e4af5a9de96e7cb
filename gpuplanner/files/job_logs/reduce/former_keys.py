"""Former keys: what workloads were called before, by the rule of names of earlier versions, or merged, or apart."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Final

from gpuplanner.domain.edits import carry_over, decided_keys
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.project import Project
from gpuplanner.files.job_logs.judging.names import (
    MERGED_DIGITS,
    UNNAMED,
    digits_aside,
    fold_name,
    workload_key,
)

_ISO_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_HASH: Final = re.compile(r"\b[0-9a-f]{7,}\b")
_DIGITS: Final = re.compile(r"\d")
_SEPARATORS: Final = re.compile(r"[-_. /]+")


def former_name(name: str) -> str:
    """A job's name as it was folded when all digits went: projects from then have keys with it.

    >>> former_name("Llama3_70B-sft.2026-01-05 run 12")
    'llama-b-sft-run'
    """
    folded = unicodedata.normalize("NFKC", name).lower()
    for gone in (_ISO_DATE, _HASH, _DIGITS):
        folded = gone.sub("", folded)
    return _SEPARATORS.sub("-", folded).strip().strip("-") or UNNAMED


def keep_decisions(before: Project, after: Project) -> Project:
    """The project after its jobs were read again: workloads that are new to it have what was decided of former keys."""
    were = {workload.key for workload in before.workloads}
    new = [workload for workload in after.workloads if workload.key not in were]
    if not new:
        return after
    by_rule = any(map(_is_by_former_rule, before.workloads))
    return carry_over(after, former_keys(new, decided_keys(before), by_former_rule=by_rule))


def _is_by_former_rule(workload: Workload) -> bool:
    """Whether a workload bears the name that the earlier rule gave it, where today's would give another."""
    name = workload.sample_name
    return former_name(name) == workload.name != fold_name(name)


def former_keys(
    workloads: Iterable[Workload], known: Collection[str], *, by_former_rule: bool = True
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
