"""Terms of the window: glossary, lanes, usage of contracts, names of plans."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.files.system.resources import long_text, rows_of, words_table
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.words import numbers

# --- Terms: one for each concept, the same in tips, in Help and in the guide


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the window with its meaning in one or two sentences; its group is a part of the glossary."""

    group: str
    word: Message
    meaning: Message


TERMS: Final = {
    row["name"]: Term(row["group"], worded(row["term"]), worded(row["meaning"]))
    for row in rows_of("glossary.csv")
}
"""Terms by name, in the order of the glossary."""

GROUPS: Final[dict[str, Message]] = words_table("glossary")
"""Heading of each group of terms."""

UNUSED: Final = titles.IDLE_COST
# end of tips for Today and plans: why a plan without changes differs from today
AGES: Final = " " + worded("Today counts all hours of the log equally; a plan weighs recent hours more.")

_MEANINGS: Final = {term.word.template.casefold(): term.meaning for term in TERMS.values()}


def tip_of(title: Text) -> str:
    """Return the meaning of a title whose first line is a term, in the planner's language; "" for other titles."""
    source = title.template if isinstance(title, Message) else title
    lines = source.casefold().split("\n")
    text = _MEANINGS.get(" ".join(lines)) or _MEANINGS.get(lines[0])
    return "" if text is None else tr(text)


def meaning(*words: Text) -> str:
    """Return words with their meanings, one per line, for tool tips."""
    return "\n".join(f"{spoken(word)}: {tip_of(word)}" for word in words)


def churn_words(values: Assumptions) -> tuple[str, str]:
    """Return the attrition in words, long and short: 1% per month and 1%; by pool if not set."""
    if values.lambda_ is None:
        return tr("by pool"), tr("by pool")
    short = numbers.percent(values.lambda_).replace(".0%", "%")
    return tr("{value} per month", value=short), short


# --- The four columns of the board: three pools and the review queue, in fixed order --------------


class Lane(StrEnum):
    """A column of the board; its value names its colors and its icon."""

    TRAINING = "training"
    INFERENCE = "inference"
    BURST = "burst"
    REVIEW = "review"

    @property
    def title(self) -> str:  # type: ignore[override]  # str has a method of that name; no lane is put in capitals
        """Name in headings, translated."""
        return tr(self.word)

    @property
    def word(self) -> Message:
        """Name in English, for tables made before a language is loaded."""
        return _TITLES[self]

    @property
    def icon(self) -> str:
        """Icon of the lane, in addition to its color."""
        return _ICONS[self]

    @property
    def pool(self) -> Pool | None:
        """Pool that a drop on this column selects; None for Review, which refuses drops."""
        return None if self is Lane.REVIEW else Pool(self.value)


LANES: Final = (Lane.TRAINING, Lane.INFERENCE, Lane.BURST, Lane.REVIEW)

_TITLES: Final = {
    **{Lane(pool.value): title for pool, title in POOL_TITLES.items()},
    Lane.REVIEW: worded("Review"),
}
_ICONS: Final = {Lane.TRAINING: "train", Lane.INFERENCE: "infer", Lane.BURST: "burst", Lane.REVIEW: "review"}
_LANE_OF: Final = {pool: Lane(pool.value) for pool in Pool}


def lane_of(pool: Pool) -> Lane:
    """Return the column of a pool."""
    return _LANE_OF[pool]


# --- Texts without a contract under 40%: all are above, or some or all did not run in the window --

TO_MATCH: Final = long_text("names_to_match")
"""Shown in place of usage figures."""


def why_unknown(audit: Audit) -> Text:
    """Return why usage is unknown; empty if it is known."""
    if audit.asked_contracts:
        return TO_MATCH
    return no_job_of(audit.unlogged) if audit.unlogged else ""


def no_job_of(clusters: Collection[str]) -> Message:
    """Return the reason for clusters that are paid for but in no log."""
    named = joined((cluster or worded("(no name)") for cluster in sorted(clusters)), ", ")
    return worded("No job of {clusters} in any log", clusters=named)


def ran_count(audit: Audit) -> int:
    """Return the number of contracts paid for in the window, including those whose names need matching."""
    return sum(row.paid_gpu_hours > 0 for row in audit.contracts)


def none_under_40(audit: Audit) -> str:
    """Return a short text for a headline without a contract under 40%."""
    if not audit.contracts:
        return tr("No contracts yet")
    if not (ran := ran_count(audit)):
        return tr("None ran in the lookback period")
    if audit.asked_contracts:
        return tr("Match the names first")
    if audit.unlogged:
        return spoken(no_job_of(audit.unlogged))
    return tr("All at 40% or more") if ran == len(audit.contracts) else tr("All that ran: 40% or more")


def none_under_40_sentence(audit: Audit) -> str:
    """Return the text of `none_under_40` as a sentence with the count."""
    count, ran = len(audit.contracts), ran_count(audit)
    if not count:
        return tr("Import contracts to see idle cost.")
    if not ran:
        return tr(long_text("no_contract_overlaps", contracts=numbers.counted(count, "contract")))
    if audit.asked_contracts:
        return tr(
            "Use of {contracts} unknown: names in log and contracts may differ. See Plan, Match names.",
            contracts=numbers.counted(len(audit.unknown_contracts), "contract"),
        )
    if audit.unlogged:
        return spoken(no_job_of(audit.unlogged)) + "."
    if ran < count:
        return tr("{ran} of {count} contracts overlap the log, all at 40% or more.", ran=ran, count=count)
    return tr("All {contracts} are used at 40% or more.", contracts=numbers.counted(count, "contract"))


# --- Short names of plans, unique within a project -----------------------------------------------

LETTERS: Final = 18
"""Longest short name, for the heading of a column of figures."""


def head_name(name: str, among: Collection[str]) -> str:
    """Return the part before the first dot, if no other plan starts with it; otherwise the name.

    among: names of all plans. A saved question starts like the plan it was asked about.

    >>> head_name("Plan A · Separate", ("Plan A · Separate", "Plan B"))
    'Plan A'
    """
    head = name.split(numbers.MIDDOT, 1)[0]
    is_alone = all(other == name or other.split(numbers.MIDDOT, 1)[0] != head for other in among)
    return head if is_alone else name


def short_names(names: Sequence[str], among: Collection[str]) -> tuple[str, ...]:
    """Return short names for columns: the head, otherwise the part after the last dot, shortened; numbers if not
    unique.

    >>> both = ("Plan A · Separate", "Plan A · Separate · growth 5%, longest term 12 months")
    >>> short_names(both, both)
    ('Separate', 'growth 5%, longes…')
    """
    heads = (head_name(name, among) for name in names)
    tails = (head.rsplit(numbers.MIDDOT, 1)[-1] for head in heads)
    cut = tuple(
        tail if len(tail) <= LETTERS else f"{tail[: LETTERS - 1].rstrip(' ,')}\u2026" for tail in tails
    )
    return cut if len(set(cut)) == len(cut) else tuple(map(numbers.whole, range(1, len(names) + 1)))
