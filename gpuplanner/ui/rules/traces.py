"""Why figures of class rules are what they are: what a rule decides, and what the classes come to with it."""

from collections.abc import Callable, Mapping
from typing import Final

from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, figure, parts_of
from gpuplanner.domain.audit.evidence.trace_forms import Number, read, summed
from gpuplanner.domain.demand.rule_preview import ClassAmount, RuleAmount, RuleEffect, RulePreview
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.ui.words.translation import tr

EFFECT_HOURS, CLASS, RULE = "effect_hours", "rule_class", "rule_decides"
WORKLOADS, HOURS, USD = "workloads", "hours", "usd"
NOW, THEN, CHANGE = "now", "then", "change"
MATCHED, DECIDED, RULE_HOURS, RULE_USD = "matched", "decided", "hours", "usd"

_OF: Final[dict[str, Callable[[ClassAmount], float | None]]] = {
    WORKLOADS: lambda amount: amount.workloads,
    HOURS: lambda amount: amount.gpu_hours_per_month,
    USD: lambda amount: amount.usd_per_month,
}
_OF_EFFECT: Final[dict[str, Callable[[RuleEffect], float | None]]] = {
    WORKLOADS: lambda effect: 1,
    HOURS: lambda effect: effect.gpu_hours_per_month,
    USD: lambda effect: effect.usd_per_month,
}
_TITLES: Final = {
    WORKLOADS: worded("Workloads"),
    HOURS: worded("GPU-hours per month"),
    USD: worded("$ per month today"),
}
_COLUMNS: Final = {
    WORKLOADS: TraceColumn(worded("Workloads"), "count"),
    HOURS: TraceColumn(worded("GPU-h\nper month"), "gpu_hours"),
    USD: TraceColumn(worded("$ per\nmonth"), "usd"),
}


def class_figure(pool: Pool, what: str, when: str) -> str:
    """A cell of the table of classes."""
    return figure(CLASS, pool.value, f"{what}-{when}")


def rule_figure(rule_id: str, what: str) -> str:
    """A cell of the table of rules."""
    return figure(RULE, rule_id, what)


def preview_trace(preview: RulePreview, figure_id: str) -> Trace:
    """Why a figure of a preview is what it is. Errors: KeyError where it is none of it."""
    kind, scope, subject = parts_of(figure_id)
    if kind == EFFECT_HOURS:
        hours = {one.key: (one.name, one.gpu_hours_per_month) for one in preview.effects}
        hours |= {one.key: (one.name, one.gpu_hours_per_month) for one in preview.left}
        name, value = hours[subject]
        source = tr("its jobs in the window")
        words = tr("GPU-hours per month = GPU-hours of its jobs in the window \u00f7 months of 730 h")
        opens = figure(JOBS, subject)
        return read(
            figure_id,
            tr("GPU-hours of {name}", name=name),
            value,
            "gpu_hours",
            source,
            opens=opens,
            words=words,
        )
    if kind != CLASS:
        raise KeyError(figure_id)
    what, when = scope.split("-")
    return _class_trace(preview, figure_id, Pool(subject), what, when)


def _class_trace(preview: RulePreview, figure_id: str, pool: Pool, what: str, when: str) -> Trace:
    """Why a class comes to so much now, then, or changes so: the workloads that enter and leave it."""
    now, then = (_written(amounts, what)[pool] for amounts in (preview.classes_before, preview.classes_after))
    title = joined((_TITLES[what], ", ", pool))
    unit = _COLUMNS[what].unit
    if when == NOW:
        source = tr("all workloads of this class, as they are decided now")
        words = tr(
            "{titles} = \u03a3 over the workloads of the class, those in review too", titles=_TITLES[what]
        )
        return read(figure_id, tr("{title}, now", title=title), now, unit, source, words=words)
    rows: list[TraceRow] = []
    for one in preview.effects:
        if one.changes_class and pool in (one.before.pool, one.after.pool):
            amount, is_new = _OF_EFFECT[what](one), one.after.pool is pool
            value = None if amount is None else amount if is_new else -amount
            name = (
                worded("Becomes: {name}", name=one.name)
                if is_new
                else worded("No more: {name}", name=one.name)
            )
            rows.append(TraceRow(name, (value,)))
    whole: Number = None if now is None or then is None else then - now
    if when == THEN:
        rows.insert(0, TraceRow(tr("Now"), (now,), class_figure(pool, what, NOW)))
        whole = then
    known = [row.values[0] for row in rows]
    if whole is not None and None not in known:
        left = whole - sum(amount for amount in known if isinstance(amount, int | float))
        if abs(left) > 1e-6:
            rows.append(TraceRow(tr("Rounded, so that the classes add up"), (left,)))
    said = tr("with the rule") if when == THEN else tr("change with the rule")
    words = (
        tr("With the rule = now + what becomes of this class \u2212 what is of it no more")
        if when == THEN
        else tr("Change = what becomes of this class \u2212 what is of it no more")
    )
    return summed(figure_id, joined((title, ", ", said)), whole, unit, words, rows, columns=(_COLUMNS[what],))


def _written(amounts: Mapping[Pool, ClassAmount], what: str) -> dict[Pool, int | None]:
    """As the table writes them: whole dollars that add up, the others rounded."""
    values = [_OF[what](amounts[pool]) for pool in POOLS]
    if what == USD:
        return dict(zip(POOLS, largest_remainder(values), strict=True))
    return {pool: None if value is None else round(value) for pool, value in zip(POOLS, values, strict=True)}


def rule_trace(amount: RuleAmount, figure_id: str) -> Trace:
    """Why a figure of a rule is what it is."""
    what = parts_of(figure_id)[1]
    decides = tr("the workloads that it decides: it matches them, and no label and no rule above it is first")
    amounts: dict[str, tuple[Text, Number, WrittenAs, str]] = {
        MATCHED: (
            tr("Matches"),
            amount.matched,
            "count",
            tr("Workloads whose field has the words of the rule"),
        ),
        DECIDED: (
            tr("Decides"),
            amount.workloads,
            "count",
            tr("Number of {decides}", decides=decides),
        ),
        RULE_HOURS: (
            titles.GPU_HOURS,
            amount.gpu_hours_per_month,
            "gpu_hours",
            tr("\u03a3 over {decides}", decides=decides),
        ),
        RULE_USD: (
            tr(titles.COST_TODAY),
            amount.usd_per_month,
            "usd",
            tr("\u03a3 of today's cost over {decides}", decides=decides),
        ),
    }
    title, value, unit, words = amounts[what]
    source = tr("the workloads of this log")
    return read(
        figure_id,
        tr("{title}: rule {rule_id}", title=title, rule_id=amount.rule_id),
        value,
        unit,
        source,
        words=words,
    )
