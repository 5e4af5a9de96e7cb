"""Where the savings of a plan come from, step by step, and what separate pools cost and avoid."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.outlook_result import Outlook, SavingsStep
from gpuplanner.domain.commitment.plan.comparison import SavingsBuy, savings_buy
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.words.savings import (
    OTHER_STEPS,
    SAVING_STEPS,
    STEP_MEANINGS,
    STEP_NAMES,
    saved_dollars,
)
from gpuplanner.domain.figures import plan, titles
from gpuplanner.domain.figures.typed import whole, worded_whole
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS
from gpuplanner.lazy_dataclass import dataclass, replace

BAR_SIGNS: Final = 32
"""Width of the longest bar of a terminal."""


FULL, THIN = "\u2588", "\u258f"


NOT_WORKED_OUT: Final = worded("Still being worked out.")
NO_CLUSTERS: Final = worded("No contract states a cluster's GPUs.")
CONTENDED: Final = worded("Hours when a cluster exceeded its contracts, without waiting jobs.")
NO_OFFER: Final = worded("Some inference has no fitting offer or rate.")
_PREMIUMS: Final = (
    (
        "premium",
        worded("Avoids: consolidation premium"),
        worded("Inference cost above the cheapest fitting offers, at equal terms."),
    ),
    ("rate_premium", titles.RATE_PREMIUM, worded("GPU-hours × rate above those offers.")),
    (
        "idle_premium",
        titles.IDLE_PREMIUM,
        worded("Idle cost at the paid rate minus idle cost at those offers."),
    ),
)
"""Lines of what inference pays: key, what they are called, and where they come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryRow:
    """One bar: a step, or what some of them add up to.

    key: one of STEPS, or the figure that it is; saved_per_month: whole dollars that add up, exact: what they are
    rounded from (None: unknown); is_total: a bar that stands on zero; bar: as a terminal draws it. saved_in_year: $ of
    twelve months, of a cut of demand.
    """

    key: str
    called: Text
    note: Text
    saved_per_month: int | None
    exact: float | None
    meaning: Text
    is_total: bool = False
    bar: str = ""
    saved_in_year: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeparationRow:
    """What separate pools cost or avoid. $ a month, or hours of the window; None: unknown, or of the other kind.

    year_usd: $ of twelve months, of what they cost.
    """

    key: str
    called: Text
    separation_per_month: float | None
    hours: int | None
    source: Text
    unknown: Text = ""
    year_usd: float | None = None

    @property
    def is_of_hours(self) -> bool:
        """Whether it is counted in hours."""
        return self.key in ("contention", "interference")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsStory:
    """Where the savings of a plan come from. total: the row under `steps`; offered: what is in no total of them."""

    steps: tuple[StoryRow, ...]
    total: StoryRow
    separation: tuple[SeparationRow, ...]
    buy: SavingsBuy
    offered: tuple[StoryRow, ...] = ()


def savings_story(advice: Advice, outlook: Outlook | None, audit: Audit, has_today: bool) -> SavingsStory:
    """The steps to the savings against doing nothing, those to today less the plan, and separation on both sides.

    outlook: None while it is worked out. has_today: there are contracts; without them what is spent today is all on
    demand. Law: the whole dollars of steps add up to those of the row under them.
    """
    *steps, total = _with_bars(_steps(advice, outlook, has_today))
    offered = (_step(step.step, None, step) for step in (outlook.savings_offered if outlook else ()))
    separation = separation_rows(outlook, audit)
    return SavingsStory(
        steps=tuple(steps),
        total=total,
        separation=separation,
        buy=savings_buy(advice),
        offered=tuple(offered),
    )


def _steps(advice: Advice, outlook: Outlook | None, has_today: bool) -> list[StoryRow]:
    by_name = {step.step: step for step in outlook.savings_steps} if outlook else {}
    nothing, today = advice.totals.savings_vs_do_nothing, advice.totals.savings
    cuts = [name for name in DEMAND_CUTS if name in by_name]
    names = (*SAVING_STEPS, *(name for name in cuts if by_name[name].saved_per_month is not None))
    own = dict(zip(names, saved_dollars(tuple(by_name.values()), names, nothing), strict=True))
    others = saved_dollars(tuple(by_name.values()), OTHER_STEPS, today, nothing)
    return [
        *(_step(name, own.get(name), by_name.get(name)) for name in (*SAVING_STEPS, *cuts)),
        _total(
            "savings_vs_do_nothing",
            plan.PLAN["savings_vs_do_nothing"].title,
            nothing,
            worded("Those above.") if cuts else worded("The three above."),
        ),
        *(_step(name, usd, by_name.get(name)) for name, usd in zip(OTHER_STEPS, others, strict=True)),
        _total("savings", before_words(has_today), today, worded("Savings and the two above.")),
    ]


def before_words(has_today: bool) -> Text:
    """What today less the plan is called; without contracts nobody knows what is paid today."""
    return worded("Today less the plan") if has_today else worded("All on demand less the plan")


def _step(name: str, usd: int | None, step: SavingsStep | None) -> StoryRow:
    """One step; where it is unknown its meaning says why."""
    note = worded("no saving") if name in OTHER_STEPS else ""
    if step is None:
        return StoryRow(
            key=name,
            called=STEP_NAMES[name],
            note=note,
            saved_per_month=None,
            exact=None,
            meaning=NOT_WORKED_OUT,
        )
    exact = step.saved_per_month
    meaning = joined(("\u2014: ", step.unknown)) if exact is None else _meaning(step)
    whole_usd = usd if usd is not None or exact is None else round(exact)
    return StoryRow(
        key=name,
        called=STEP_NAMES[name],
        note=note,
        saved_per_month=whole_usd,
        exact=exact,
        meaning=meaning,
        saved_in_year=step.saved_in_year,
    )


def _meaning(step: SavingsStep) -> Text:
    """What a step is, and what a cut of demand leaves alone."""
    if not step.unmeasured:
        return STEP_MEANINGS[step.step]
    left = worded_whole(
        step.unmeasured,
        "Without {count} service of unknown activity.",
        "Without {count} services of unknown activity.",
    )
    return joined((STEP_MEANINGS[step.step], left), " ")


def _total(key: str, called: Text, usd: float | None, meaning: Text) -> StoryRow:
    return StoryRow(
        key=key,
        called=called,
        note="",
        saved_per_month=None if usd is None else round(usd),
        exact=usd,
        meaning=meaning,
        is_total=True,
    )


def _with_bars(rows: Sequence[StoryRow]) -> list[StoryRow]:
    """With the bars of a terminal: a step begins where the row before it ends; none beside what is unknown."""
    level: int | None = 0
    spans: list[tuple[int, int] | None] = []
    for row in rows:
        start = 0 if row.is_total else level
        level = None if start is None or row.saved_per_month is None else start + row.saved_per_month
        spans.append(None if start is None or level is None else (min(start, level), max(start, level)))
    known = [span for span in spans if span is not None]
    low, high = min((0, *(span[0] for span in known))), max((0, *(span[1] for span in known)))
    scale = BAR_SIGNS / ((high - low) or 1)
    return [
        row if span is None else replace(row, bar=draw_bar(span[0] - low, span[1] - low, scale))
        for row, span in zip(rows, spans, strict=True)
    ]


def draw_bar(begin: int, end: int, scale: float) -> str:
    """Full blocks between two places; what is too small for one is a thin line, nothing is nothing."""
    first = min(int(begin * scale), BAR_SIGNS - 1)
    many = round(end * scale) - first
    if many > 0:
        signs = FULL * many
    elif end > begin:
        signs = THIN
    else:
        signs = ""
    return " " * first + signs


def separation_rows(outlook: Outlook | None, audit: Audit) -> tuple[SeparationRow, ...]:
    """What separate pools cost in the plan, and what of the log they avoid that no $ of the plan holds."""
    has_clusters, premium = bool(audit.contention), audit.premium
    met = sum(len(cluster.shared_training) for cluster in audit.contention.values())
    contended, beside = (
        count if has_clusters else None for count in (audit.contended_hours, audit.interference_hours)
    )
    usd = (premium.usd_per_month, premium.rate_usd_per_month, premium.idle_usd_per_month)
    return (
        SeparationRow(
            key="cost",
            called=worded("Costs: unshared peaks"),
            separation_per_month=outlook.separation.cost_usd() if outlook else None,
            hours=None,
            source=worded("The plan minus the same work in one pool per GPU model."),
            unknown=NOT_WORKED_OUT if outlook is None else worded("A plan rate is missing."),
            year_usd=outlook.separation.cost_usd(COMPARED_MONTHS) if outlook else None,
        ),
        SeparationRow(
            key="contention",
            called=worded("Avoids: contention"),
            separation_per_month=None,
            hours=contended,
            source=CONTENDED,
            unknown=NO_CLUSTERS,
        ),
        SeparationRow(
            key="interference",
            called=worded("Avoids: interference"),
            separation_per_month=None,
            hours=beside,
            source=worded(
                "Of these, with training and inference; {met} training workloads affected.", met=whole(met)
            ),
            unknown=NO_CLUSTERS,
        ),
        *(
            SeparationRow(
                key=key,
                called=called,
                separation_per_month=amount,
                hours=None,
                source=source,
                unknown=NO_OFFER,
            )
            for (key, called, source), amount in zip(_PREMIUMS, usd, strict=True)
        ),
    )
