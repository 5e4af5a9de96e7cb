"""Class rules and what they change, as rows and sentences, and why of their figures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.demand import rule_preview
from gpuplanner.domain.demand.own_rules import pattern_words
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.writing import WrittenAs
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows, written
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

# --- Why figures of class rules are what they are: what a rule decides, and what the classes come to with it

EFFECT_HOURS, CLASS, RULE = "effect_hours", "rule_class", "rule_decides"
WORKLOADS, HOURS, USD = "workloads", "hours", "usd"
NOW, THEN, CHANGE = "now", "then", "change"
MATCHED, DECIDED, RULE_HOURS, RULE_USD = "matched", "decided", "hours", "usd"

_OF: Final[dict[str, Callable[[rule_preview.ClassAmount], float | None]]] = {
    WORKLOADS: lambda amount: amount.workloads,
    HOURS: lambda amount: amount.gpu_hours_per_month,
    USD: lambda amount: amount.usd_per_month,
}
_OF_EFFECT: Final[dict[str, Callable[[rule_preview.RuleEffect], float | None]]] = {
    WORKLOADS: lambda effect: 1,
    HOURS: lambda effect: effect.gpu_hours_per_month,
    USD: lambda effect: effect.usd_per_month,
}
_OF_RULE: Final[dict[str, Callable[[rule_preview.RuleAmount], float | None]]] = {
    MATCHED: lambda amount: amount.matched,
    DECIDED: lambda amount: amount.workloads,
    RULE_HOURS: lambda amount: amount.gpu_hours_per_month,
    RULE_USD: lambda amount: amount.usd_per_month,
}
_TITLES: Final = {
    WORKLOADS: worded("Workloads"),
    HOURS: worded("GPU-hours per month"),
    USD: worded("$ per month today"),
}
_COLUMNS: Final = {
    WORKLOADS: trace.TraceColumn(worded("Workloads"), "count"),
    HOURS: trace.TraceColumn(worded("GPU-h\nper month"), "gpu_hours"),
    USD: trace.TraceColumn(worded("$ per\nmonth"), "usd"),
}


def class_figure(pool: Pool, kind: str, when: str) -> str:
    """A cell of the table of classes."""
    return trace.figure(CLASS, pool.value, f"{kind}-{when}")


def preview_trace(preview: rule_preview.RulePreview, figure_id: str) -> trace.Trace:
    """Why a figure of a preview is what it is. Errors: KeyError where it is none of it."""
    kind, scope, subject = trace.parts_of(figure_id)
    if kind == EFFECT_HOURS:
        hours = {effect.key: (effect.name, effect.gpu_hours_per_month) for effect in preview.effects}
        hours |= {row.key: (row.name, row.gpu_hours_per_month) for row in preview.left}
        name, value = hours[subject]
        title, source = tr("GPU-hours of {name}", name=name), tr("its jobs in the lookback period")
        words = tr("GPU-hours per month = GPU-hours in the lookback period ÷ months of 730 h")
        opens = trace.figure(trace.JOBS, subject)
        return trace.read(title, value, "gpu_hours", source, opens=opens, words=words)
    if kind != CLASS:
        raise KeyError(figure_id)
    what, when = scope.split("-")
    return _class_trace(preview, Pool(subject), what, when)


def _class_trace(preview: rule_preview.RulePreview, pool: Pool, kind: str, when: str) -> trace.Trace:
    """Why a class comes to so much now, then, or changes so: the workloads that enter and leave it."""
    now, then = (_written(amounts, kind)[pool] for amounts in (preview.classes_before, preview.classes_after))
    titled = _TITLES[kind]
    title = joined((titled, ", ", pool))
    unit = _COLUMNS[kind].unit
    if when == NOW:
        source = tr("all workloads of this class, as decided now")
        words = tr("{titles} = Σ over the workloads of the class, including review", titles=titled)
        return trace.read(tr("{title}, now", title=title), now, unit, source, words=words)
    rows: list[trace.TraceRow] = []
    for effect in preview.effects:
        if effect.changes_class and pool in (effect.before.pool, effect.after.pool):
            amount, is_new = _OF_EFFECT[kind](effect), effect.after.pool is pool
            if amount is None:
                value = None
            elif is_new:
                value = amount
            else:
                value = -amount
            enters = worded("Becomes: {name}", name=effect.name)
            leaves = worded("No more: {name}", name=effect.name)
            rows.append(trace.TraceRow(enters if is_new else leaves, (value,)))
    whole: trace.Number = None if now is None or then is None else then - now
    if when == THEN:
        rows.insert(0, trace.TraceRow(tr("Now"), (now,), class_figure(pool, kind, NOW)))
        whole = then
    known = [row.values[0] for row in rows]
    if whole is not None and None not in known:
        left = whole - sum(amount for amount in known if isinstance(amount, int | float))
        if abs(left) > 1e-6:
            rows.append(trace.TraceRow(tr("Rounded to add up"), (left,)))
    said = tr("with the rule") if when == THEN else tr("change with the rule")
    words = tr("Change = workloads added to this class − removed")
    if when == THEN:
        words = tr("With the rule = now + added to this class − removed")
    return trace.summed(joined((title, ", ", said)), whole, unit, words, rows, columns=(_COLUMNS[kind],))


def _written(amounts: Mapping[Pool, rule_preview.ClassAmount], kind: str) -> dict[Pool, int | None]:
    """As the table writes them: whole dollars that add up, the others rounded."""
    values = [_OF[kind](amounts[pool]) for pool in POOLS]
    if kind == USD:
        return dict(zip(POOLS, largest_remainder(values), strict=True))
    return {pool: None if value is None else round(value) for pool, value in zip(POOLS, values, strict=True)}


def rule_trace(amount: rule_preview.RuleAmount, figure_id: str) -> trace.Trace:
    """Why a figure of a rule is what it is."""
    kind = trace.parts_of(figure_id)[1]
    decides = tr("matching workloads without a label or earlier rule")
    amounts: dict[str, tuple[Text, WrittenAs, str]] = {
        MATCHED: (tr("Matches"), "count", tr("Workloads that match the rule")),
        DECIDED: (tr("Decides"), "count", tr("Number of {decides}", decides=decides)),
        RULE_HOURS: (titles.GPU_HOURS, "gpu_hours", tr("\u03a3 over {decides}", decides=decides)),
        RULE_USD: (
            tr(titles.COST_TODAY),
            "usd",
            tr("\u03a3 of today's cost over {decides}", decides=decides),
        ),
    }
    title, unit, words = amounts[kind]
    called, value = tr("{title}: rule {rule_id}", title=title, rule_id=amount.rule_id), _OF_RULE[kind](amount)
    return trace.read(called, value, unit, tr("the workloads of this log"), words=words)


# --- Class rules and what they change, as rows of tables and as sentences ------------------------

ROWS_SHOWN: Final = 500
"""Of workloads in a preview, the most expensive; the sentence above counts all."""

CLASS_COLUMNS: Final = (
    Column(title="Class", is_figure=False),
    Column(title="Workloads\nnow", is_figure=True, width=76),
    Column(title="Workloads\nwith the rule", is_figure=True, width=92),
    Column(title="GPU-h per month\nchange", is_figure=True, width=104),
    Column(title="$ per month\nnow", is_figure=True, width=92),
    Column(title="$ per month\nwith the rule", is_figure=True, width=100),
    Column(title="$ per month\nchange", is_figure=True, width=92),
)


def proposal_text(proposal: rule_preview.RuleProposal) -> str:
    """names with “rollout”: 2 others; owner “ann”: 40 others, 12 of them surely another class."""
    rule = proposal.rule
    said = f"“{pattern_words(rule.pattern)}”"
    what = tr("names with {said}", said=said) if rule.field == "name" else f"{rule.field} {said}"
    others = numbers.counted(proposal.others, "other") if proposal.others else tr("no other yet")
    if proposal.against:
        others = tr("{others}, {against} surely another class", others=others, against=proposal.against)
    return tr("{title}: {value}", title=what, value=others)


def effect_sentence(preview: rule_preview.RulePreview) -> str:
    """What would be decided, in one sentence; what is left alone, in another."""
    changed = [effect for effect in preview.effects if effect.changes_class]
    in_review = sum(effect.was_in_review for effect in preview.effects)
    surer = sum(not effect.changes_class and not effect.was_in_review for effect in preview.effects)
    left = len(preview.left)
    if not preview.effects and not left:
        return tr("No match in this log; applies to later logs.")
    parts = [tr("No workload changes class")]
    if changed:
        parts = [numbers.counted(len(changed), "workload changes class", "workloads change class")]
    if in_review:
        written = numbers.whole(in_review)
        leave = by_count(
            in_review, "{in_review} leaves Review", "{in_review} leave Review", in_review=written
        )
        parts.append(leave)
    if surer:
        written = numbers.whole(surer)
        parts.append(by_count(surer, "{surer} gains confidence", "{surer} gain confidence", surer=written))
    if left:
        written = numbers.whole(left)
        parts.append(by_count(left, "{left} stays as it is", "{left} stay as they are", left=written))
    return tr("{changes}. Amounts are today’s.", changes=", ".join(parts))


def effect_rows(preview: rule_preview.RulePreview) -> list[Row]:
    """What changes class, leaves Review, is only made sure, each most expensive first; then what stays, muted."""
    effects = sorted(preview.effects, key=lambda effect: (not effect.changes_class, not effect.was_in_review))
    shown: list[Shown] = [*effects[:ROWS_SHOWN], *preview.left[:ROWS_SHOWN]]
    return filled_rows(EFFECT_COLUMNS, shown, lambda row: row.key)


Shown = rule_preview.RuleEffect | rule_preview.LeftAlone
"""What a rule decides, or what it matches and leaves alone."""


def _role(shown: Shown) -> str:
    return "text" if isinstance(shown, rule_preview.RuleEffect) else "muted"


def _name_cell(shown: Shown) -> Cell:
    is_strong = isinstance(shown, rule_preview.RuleEffect) and shown.changes_class
    return Cell(text=shown.name, role=_role(shown), is_strong=is_strong, tip=shown.key)


def _cluster_cell(shown: Shown) -> Cell:
    cluster = shown.cluster if isinstance(shown, rule_preview.RuleEffect) else shown.key.split("/", 1)[0]
    return Cell(text=cluster, role="muted")


def _now_cell(shown: Shown) -> Cell:
    """A class with how sure it is; a question mark if it was in review."""
    if not isinstance(shown, rule_preview.RuleEffect):
        return pool_cell(shown.pool, role="muted")
    doubt = "?" if shown.was_in_review else ""
    text = f"{lane_of(shown.before.pool).title}{doubt} {numbers.whole_percent(shown.before.confidence)}"
    return pool_cell(shown.before.pool, text, tip="\n".join(map(spoken, shown.before.reasons)))


def _then_cell(shown: Shown) -> Cell:
    """The class that it becomes, or why it stays as it is."""
    if not isinstance(shown, rule_preview.RuleEffect):
        why = spoken(shown.why)
        return Cell(text=tr("stays: {why}", why=why), role="muted", tip=tr("Stays as it is: {why}", why=why))
    title = lane_of(shown.after.pool).title
    text = title if shown.changes_class else tr("{pool}, surely", pool=title)
    tip = "\n".join(map(spoken, shown.after.reasons))
    return pool_cell(shown.after.pool, text, tip=tip, is_strong=shown.changes_class)


def _hours_cell(shown: Shown) -> Cell:
    of = trace.figure(EFFECT_HOURS, shown.key)
    return written(numbers.whole, shown.gpu_hours_per_month, _role(shown), figure_id=of)


def _usd_cell(shown: Shown) -> Cell:
    return usd_cell(shown.usd_per_month, trace.figure("workload_cost", shown.key), _role(shown))


EFFECT_COLUMNS: Final[tuple[Filled[Shown], ...]] = (
    Filled(title="Workload", is_figure=False, cell=_name_cell),
    Filled(title="Cluster", is_figure=False, width=92, cell=_cluster_cell),
    Filled(title="Now", is_figure=False, width=128, cell=_now_cell),
    Filled(title="With the rule", is_figure=False, width=178, is_cut_at_end=True, cell=_then_cell),
    Filled(title="GPU-h\nper month", is_figure=True, width=76, cell=_hours_cell),
    Filled(title="$\nper month", is_figure=True, width=76, cell=_usd_cell),
)


def pool_cell(
    pool: Pool, text: Text = "", role: str = "text", *, tip: str = "", is_strong: bool = False
) -> Cell:
    """A class with its icon. text: where it is more than its name."""
    lane = lane_of(pool)
    return Cell(
        text=text or lane.title, role=role, is_strong=is_strong, icon=lane.icon, icon_role=pool.value, tip=tip
    )


def usd_cell(usd: float | None, figure_id: str, role: str = "text", text: str = "") -> Cell:
    """Whole dollars, or as they are written; unknown ones say why."""
    why = tr("Unknown: a contract or offer has no rate") if usd is None else ""
    return Cell(
        text=text or numbers.whole(usd), role=role, tip=why, figure_id="" if usd is None else figure_id
    )


def class_rows(preview: rule_preview.RulePreview) -> list[Row]:
    """The three classes now and with the rule; the changes add up to nothing, for nothing is gained or lost."""
    before, after = preview.classes_before, preview.classes_after
    usd_now, usd_then = _written(before, USD), _written(after, USD)

    def cells(pool: Pool) -> tuple[Cell, ...]:
        """A class as a row."""
        hours = round(after[pool].gpu_hours_per_month) - round(before[pool].gpu_hours_per_month)
        now, then = usd_now[pool], usd_then[pool]
        change = None if now is None or then is None else then - now
        return (
            pool_cell(pool),
            written(numbers.whole, before[pool].workloads, figure_id=class_figure(pool, WORKLOADS, NOW)),
            written(numbers.whole, after[pool].workloads, figure_id=class_figure(pool, WORKLOADS, THEN)),
            written(numbers.change, hours, figure_id=class_figure(pool, HOURS, CHANGE)),
            usd_cell(now, class_figure(pool, USD, NOW)),
            usd_cell(then, class_figure(pool, USD, THEN)),
            usd_cell(change, class_figure(pool, USD, CHANGE), text=numbers.change(change)),
        )

    return [Row(cells(pool)) for pool in POOLS]


def class_lines(preview: rule_preview.RulePreview) -> list[str]:
    """The classes that change, a line each: Burst: 77 to 79 workloads, +$16,425 a month."""
    before, after = preview.classes_before, preview.classes_after
    usd_now, usd_then = _written(before, USD), _written(after, USD)
    lines = []
    for pool in POOLS:
        now, then = usd_now[pool], usd_then[pool]
        if before[pool] != after[pool]:
            line = tr(
                "{pool}: {workloads} to {workloads_2} workloads, {money} per month.",
                pool=lane_of(pool).title,
                workloads=numbers.whole(before[pool].workloads),
                workloads_2=numbers.whole(after[pool].workloads),
                money=numbers.dollar_change(None if now is None or then is None else then - now),
            )
            lines.append(line)
    return lines


@dataclass(frozen=True, slots=True)
class Ruled:
    """A rule of the list: its place, 0 for a shipped one, and what it decides, where that is known."""

    rule: ClassRule
    place: int
    amount: rule_preview.RuleAmount | None

    @property
    def role(self) -> str:
        """Shipped ones are muted."""
        return "text" if self.place else "muted"


def _rule_cell(row: Ruled) -> Cell:
    rule = row.rule
    tip = tr("{rule_id}: {field}, {pattern}", rule_id=rule.rule_id, field=rule.field, pattern=rule.pattern)
    return Cell(text=rule_preview.matched_words(rule), role=row.role, is_strong=bool(row.place), tip=tip)


def _subtype_cell(row: Ruled) -> Cell:
    return Cell(text=row.rule.subtype or (tr("detected") if row.place else ""), role="muted")


def _amount_cell(row: Ruled, kind: str) -> Cell:
    """What a rule decides; a dash while it is worked out, nothing for shipped rules."""
    if row.amount is None:
        return (
            Cell(text="\u2014", role="muted", tip=tr("Calculating"))
            if row.place
            else Cell(text="", role="muted")
        )
    # A cell of the table of rules
    value, of = _OF_RULE[kind](row.amount), trace.figure(RULE, row.rule.rule_id, kind)
    if kind == RULE_USD:
        return usd_cell(value, of)
    tip = tr("Labels and earlier rules decide the others") if kind == DECIDED else ""
    return written(numbers.whole, value, "muted" if kind == MATCHED else "text", tip=tip, figure_id=of)


RULE_COLUMNS: Final[tuple[Filled[Ruled], ...]] = (
    Filled(
        title="", is_figure=False, width=34, cell=lambda row: Cell(text=str(row.place or ""), role="muted")
    ),
    Filled(title="Rule", is_figure=False, cell=_rule_cell),
    Filled(
        title="Class", is_figure=False, width=104, cell=lambda row: pool_cell(row.rule.pool, role=row.role)
    ),
    Filled(title="Subtype", is_figure=False, width=118, cell=_subtype_cell),
    Filled(title="Matches", is_figure=True, width=64, cell=lambda row: _amount_cell(row, MATCHED)),
    Filled(title="Decides", is_figure=True, width=64, cell=lambda row: _amount_cell(row, DECIDED)),
    Filled(
        title="GPU-h\nper month", is_figure=True, width=84, cell=lambda row: _amount_cell(row, RULE_HOURS)
    ),
    Filled(title="$\nper month", is_figure=True, width=84, cell=lambda row: _amount_cell(row, RULE_USD)),
)


def rule_rows(
    rules: Sequence[ClassRule], amounts: Mapping[str, rule_preview.RuleAmount], *, is_shipped: bool = False
) -> list[Row]:
    """Rules in the order in which they decide; shipped ones muted, without amounts."""
    listed = [
        Ruled(rule, 0 if is_shipped else place, amounts.get(rule.rule_id))
        for place, rule in enumerate(rules, 1)
    ]
    return filled_rows(RULE_COLUMNS, listed, lambda row: row.rule.rule_id if row.place else "")
