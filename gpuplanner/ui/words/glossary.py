"""Words of the house: lanes, what is paid and does nothing, contracts that ran, plans by name."""

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

# --- Terms: one for each concept, the same in tips, in Help and in the guide ----------------------


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
"""Name -> term, in the order of the glossary."""

GROUPS: Final[dict[str, Message]] = words_table("glossary")
"""Group of terms -> heading of its part."""

UNUSED: Final = titles.IDLE_COST
# behind what stands for both: why a plan that changes nothing says something else than today
AGES: Final = worded(" Today: all hours of the log count equally. In a plan recent hours count more.")

_MEANINGS: Final = {term.word.template.casefold(): term.meaning for term in TERMS.values()}


def tip_of(title: Text) -> str:
    """Return the meaning of a title whose first line is a term, in the planner's language; "" for other titles."""
    source = title.template if isinstance(title, Message) else title
    lines = source.casefold().split("\n")
    text = _MEANINGS.get(" ".join(lines)) or _MEANINGS.get(lines[0])
    return "" if text is None else tr(text)


def meaning(*words: Text) -> str:
    """Words with what they mean, a line each: for tool tips."""
    return "\n".join(f"{spoken(word)}: {tip_of(word)}" for word in words)


def churn_words(values: Assumptions) -> tuple[str, str]:
    """How much demand ends, in whole and short: 1% per month and 1%; by pool where nobody set it."""
    if values.lambda_ is None:
        return tr("by pool"), tr("by pool")
    short = numbers.percent(values.lambda_).replace(".0%", "%")
    return tr("{value} per month", value=short), short


# --- The four columns of the board: three pools and the review queue, in their fixed order -------


class Lane(StrEnum):
    """A column of the board; its value names its colours and its icon."""

    TRAINING = "training"
    INFERENCE = "inference"
    BURST = "burst"
    REVIEW = "review"

    @property
    def title(self) -> str:  # type: ignore[override]  # str has a method of that name; no lane is put in capitals
        """The name in headings, in the planner's language."""
        return tr(self.word)

    @property
    def word(self) -> Message:
        """The name in English, for tables that are made before a language is loaded."""
        return _TITLES[self]

    @property
    def icon(self) -> str:
        """The icon that carries the lane beside its colour."""
        return _ICONS[self]

    @property
    def pool(self) -> Pool | None:
        """The pool that a drop on this column chooses; None for the review queue.

        Dropping there is refused: what a workload is, is said and not moved.
        """
        return None if self is Lane.REVIEW else Pool(self.value)


LANES: Final = (Lane.TRAINING, Lane.INFERENCE, Lane.BURST, Lane.REVIEW)

_TITLES: Final = {
    **{Lane(pool.value): title for pool, title in POOL_TITLES.items()},
    Lane.REVIEW: worded("Review"),
}
_ICONS: Final = {Lane.TRAINING: "train", Lane.INFERENCE: "infer", Lane.BURST: "burst", Lane.REVIEW: "review"}
_LANE_OF: Final = {pool: Lane(pool.value) for pool in Pool}


def lane_of(pool: Pool) -> Lane:
    """The column of a pool."""
    return _LANE_OF[pool]


# --- What is said of contracts where none is under 40%: all are above it, some or all never ran in the window

TO_MATCH: Final = long_text("names_to_match")
"""What stands where figures of use would."""


def why_unknown(audit: Audit) -> Text:
    """Why nobody knows how much of what is paid is used; empty where it is known."""
    if audit.asked_contracts:
        return TO_MATCH
    return no_job_of(audit.unlogged) if audit.unlogged else ""


def no_job_of(clusters: Collection[str]) -> Message:
    """Of clusters that are paid for and that no log names."""
    named = joined((cluster or worded("(no name)") for cluster in sorted(clusters)), ", ")
    return worded("No job of {clusters} in any log", clusters=named)


def ran_count(audit: Audit) -> int:
    """How many contracts were paid for in the window, also those whose names are still to be matched with the log's."""
    return sum(row.paid_gpu_hours > 0 for row in audit.contracts)


def none_under_40(audit: Audit) -> str:
    """A few words for a headline."""
    if not audit.contracts:
        return tr("No contracts yet")
    if not (ran := ran_count(audit)):
        return tr("None ran in the lookback period")
    if audit.asked_contracts:
        return tr("Match the names first")
    if audit.unlogged:
        return spoken(no_job_of(audit.unlogged))
    return tr("All at 40% and above") if ran == len(audit.contracts) else tr("All that ran: 40% and above")


def none_under_40_sentence(audit: Audit) -> str:
    """The same as a sentence, with the count."""
    count, ran = len(audit.contracts), ran_count(audit)
    if not count:
        return tr("Import contracts to see idle cost.")
    if not ran:
        return tr(long_text("no_contract_overlaps", contracts=numbers.counted(count, "contract")))
    if audit.asked_contracts:
        return tr(
            "Use of {contracts} unknown: log and contracts may use different names. Plan, Match names.",
            contracts=numbers.counted(len(audit.unknown_contracts), "contract"),
        )
    if audit.unlogged:
        return spoken(no_job_of(audit.unlogged)) + "."
    if ran < count:
        return tr("{ran} of {count} contracts overlap the log, all at 40% or more.", ran=ran, count=count)
    return tr("All {contracts} are used at 40% or more.", contracts=numbers.counted(count, "contract"))


# --- How a plan is called where there is little room, such that no two plans of a project are taken for each other

LETTERS: Final = 18
"""Of a short name, which stands over a column of figures."""


def head_name(name: str, among: Collection[str]) -> str:
    """What stands before the first dot, where no other plan begins with it; else the name as it is.

    among: the names of all plans. A question that was kept begins like the plan that it was asked of.

    >>> head_name("Plan A · Separate", ("Plan A · Separate", "Plan B"))
    'Plan A'
    """
    head = name.split(numbers.MIDDOT, 1)[0]
    is_alone = all(other == name or other.split(numbers.MIDDOT, 1)[0] != head for other in among)
    return head if is_alone else name


def short_names(names: Sequence[str], among: Collection[str]) -> tuple[str, ...]:
    """Names of columns: heads, else what stands after the last dot, cut to the room there is; numbers at the worst.

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
