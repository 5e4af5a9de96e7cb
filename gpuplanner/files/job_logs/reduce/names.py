"""Names: which jobs are one workload, names that are one, and what workloads were called before."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.edits import carry_over, decided_keys
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.project import Project
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.system.resources import read_counting_words

# --- Names: which jobs are one workload (docs/formulas.md, Values and windows) -------------------

_NOT_IN_A_WORD: Final = r"(?![^\W_])"
_ISO_DATE: Final = r"(?<!\d)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?!\d)"
_ISO_TIME: Final = (
    r"(?:t[0-9]{2}(?:[:.-]?[0-9]{2}){0,2}| [0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,][0-9]+)?(?:z|[+-][0-9]{2}:?[0-9]{2})?(?!\.\d)" + _NOT_IN_A_WORD
)
_ISO_WITHOUT_SIGNS: Final = r"(?<!\d)[0-9]{8}t[0-9]{4}(?:[0-9]{2})?z?" + _NOT_IN_A_WORD
_UUID: Final = r"(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])"
_HASH: Final = r"(?<![^\W_])(?=[a-f]*[0-9])[0-9a-f]{7,}" + _NOT_IN_A_WORD
_GONE: Final = re.compile(rf"{_ISO_DATE}(?:{_ISO_TIME})?|{_ISO_WITHOUT_SIGNS}|{_UUID}|{_HASH}")
"""What tells one run of a workload from the next: when it began, and its ids."""

_DOT_BETWEEN_TOKENS: Final = re.compile(r"(?<!\d)\.|\.(?!\d)")
_NUMBERED: Final = re.compile(r"(\D*)\d[\d.]*")
"""A token of letters, or of none, and then digits; a dot in it stands between two of them."""

_NUMBER_SIGN: Final = re.compile(r"#\d[\d.]*$")
"""`train#12`: no name ends like this: keys of parts of a divided workload do (domain/model/plan_inputs.py)."""

_DIGITS: Final = re.compile(r"[0-9]+")
MERGED_DIGITS: Final = "#"
"""Stands for the digits in the name of what names that are alike but for digits have in common."""

_COUNTING: Final = frozenset(read_counting_words())
UNNAMED: Final = "unnamed"


def fold_name(name: str) -> str:
    """The part of a job's name that stays when it runs again.

    >>> fold_name("Llama3_70B-sft.2026-01-05 run 12"), fold_name("qwen2.5/seed7"), fold_name("2026-01-05.3")
    ('llama3-70b-sft-run', 'qwen2.5-seed', 'unnamed')
    """
    folded = name.lower() if name.isascii() else unicodedata.normalize("NFKC", name).lower()
    text = _GONE.sub("", folded).replace("_", "-").replace("/", "-").replace(" ", "-")
    if "." in text:
        text = _DOT_BETWEEN_TOKENS.sub("-", text)
    return "-".join(filter(None, map(_kept, text.split("-")))) or UNNAMED


def _kept(token: str) -> str:
    """What a token says of the workload: nothing where it is a number, only the word where it counts."""
    if token.isalpha():
        return token
    token = _NUMBER_SIGN.sub("#", token)
    numbered = _NUMBERED.fullmatch(token)
    if numbered is None or (numbered[1] and numbered[1] not in _COUNTING):
        return token
    return numbered[1]


def digits_aside(folded_name: str) -> str:
    """What names that are alike but for digits have in common.

    >>> digits_aside("grid-a12-b0.5"), digits_aside("grid-a7-b0.25")
    ('grid-a#-b#.#', 'grid-a#-b#.#')
    """
    return _DIGITS.sub(MERGED_DIGITS, folded_name)


def workload_key(cluster: str, owner: str, folded_name: str, label: str | None) -> str:
    """`cluster/owner/name[/label]`.

    label: the one that a log states for a workload; None or empty for none.

    >>> workload_key("atlas", "nlp", "sft", None), workload_key("atlas", "nlp", "sft", "eval")
    ('atlas/nlp/sft', 'atlas/nlp/sft/eval')
    """
    return "/".join((cluster, owner, folded_name, *((label,) if label else ())))


# --- Merged names: names of one owner on one cluster that are alike but for digits, and are too many to tell apart

NAMES_MERGED: Final = "names_merged"
ALIKE_AT_MOST: Final = 20
"""So many names that are alike but for digits are still workloads of their own."""

_NAMES_SAID: Final = 5
_MERGED_SAID: Final = 3


@dataclass(frozen=True, slots=True, order=True)
class Merged:
    """Folded names that are one workload, sorted; name: what they have in common, with # for digits."""

    cluster: str
    owner: str
    name: str
    names: tuple[str, ...]

    @property
    def text(self) -> Message:
        """What was merged, with the first of the names."""
        first = ", ".join(self.names[:_NAMES_SAID])
        return worded(
            "{name} of {owner} on {cluster} ({count} names: {first} ...)",
            name=self.name,
            owner=self.owner or worded("nobody"),
            cluster=self.cluster or worded("no cluster"),
            count=whole(len(self.names)),
            first=first,
        )


def merged_names(names: Iterable[tuple[str, str, str]]) -> tuple[Merged, ...]:
    """What is to be one workload of these (cluster, owner, folded name), sorted.

    Laws: the order and repeats do not matter; an owner's names are merged whatever names others have.
    """
    alike: dict[tuple[str, str, str], set[str]] = {}
    for cluster, owner, name in names:
        aside = digits_aside(name)
        if aside != name:
            alike.setdefault((cluster, owner, aside), set()).add(name)
    return tuple(
        sorted(Merged(*of, tuple(sorted(same))) for of, same in alike.items() if len(same) > ALIKE_AT_MOST)
    )


def names_merged_issue(merged: Sequence[Merged], count: int, first_row: int | None) -> Issue:
    """The issue of a file of which so many rows are of merged names: the largest are said."""
    by_size = sorted(merged, key=lambda one: (-len(one.names), one))
    said = joined([one.text for one in by_size[:_MERGED_SAID]], "; ")
    more = len(by_size) - _MERGED_SAID
    groups = worded("{said}; and {more} more", said=said, more=whole(more)) if more > 0 else said
    what, remedy = ISSUE_TEXTS[NAMES_MERGED]
    return Issue(NAMES_MERGED, count, first_row, joined((joined((what, groups), ": "), remedy), "; "))


# --- Former keys: what workloads were called before, by the rule of names of earlier versions, or merged, or apart

_FORMER_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_FORMER_HASH: Final = re.compile(r"\b[0-9a-f]{7,}\b")
_FORMER_DIGIT: Final = re.compile(r"\d")
_SEPARATORS: Final = re.compile(r"[-_. /]+")


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
