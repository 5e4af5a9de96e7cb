"""Class rules and what they change, as rows of tables and as sentences."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.rule_pattern import pattern_words
from gpuplanner.domain.demand.rule_preview import ClassAmount, RuleAmount, RuleEffect, RulePreview
from gpuplanner.domain.demand.rule_proposals import RuleProposal, matched_words
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.ui.rules.traces import (
    CHANGE,
    DECIDED,
    EFFECT_HOURS,
    HOURS,
    MATCHED,
    NOW,
    RULE_HOURS,
    RULE_USD,
    THEN,
    USD,
    WORKLOADS,
    class_figure,
    rule_figure,
)
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import by_count, spoken, tr

ROWS_SHOWN: Final = 500
"""Of workloads in a preview, the most expensive; the sentence above counts all."""

EFFECT_COLUMNS: Final = (
    Column("Workload", False),
    Column("Cluster", False, 92),
    Column("Now", False, 128),
    Column("With the rule", False, 178, is_cut_at_end=True),
    Column("GPU-h\nper month", True, 76),
    Column("$\nper month", True, 76),
)
CLASS_COLUMNS: Final = (
    Column("Class", False),
    Column("Workloads\nnow", True, 76),
    Column("Workloads\nwith the rule", True, 92),
    Column("GPU-h per month\nchange", True, 104),
    Column("$ per month\nnow", True, 92),
    Column("$ per month\nwith the rule", True, 100),
    Column("$ per month\nchange", True, 92),
)
RULE_COLUMNS: Final = (
    Column("", False, 34),
    Column("Rule", False),
    Column("Class", False, 104),
    Column("Subtype", False, 118),
    Column("Matches", True, 64),
    Column("Decides", True, 64),
    Column("GPU-h\nper month", True, 84),
    Column("$\nper month", True, 84),
)


def proposal_text(proposal: RuleProposal) -> str:
    """names with “rollout”: 2 others; owner “ann”: 40 others, 12 of them surely another class."""
    rule = proposal.rule
    said = f"“{pattern_words(rule.pattern)}”"
    what = tr("names with {said}", said=said) if rule.field == "name" else f"{rule.field} {said}"
    others = numbers.counted(proposal.others, "other") if proposal.others else tr("no other yet")
    return tr("{what}: {others}", what=what, others=others) + (
        tr(", {against} surely another class", against=proposal.against) if proposal.against else ""
    )


def effect_sentence(preview: RulePreview) -> str:
    """What would be decided, in one sentence; what is left alone, in another."""
    changed = [one for one in preview.effects if one.changes_class]
    in_review = sum(one.was_in_review for one in preview.effects)
    surer = sum(not one.changes_class and not one.was_in_review for one in preview.effects)
    parts = [
        tr(
            "{workload_changess} class",
            workload_changess=numbers.counted(len(changed), "workload changes", "workloads change"),
        )
        if changed
        else tr("No workload changes class"),
        by_count(
            in_review,
            "{in_review} leaves Review",
            "{in_review} leave Review",
            in_review=numbers.whole(in_review),
        )
        if in_review
        else "",
        by_count(surer, "{surer} is only made sure", "{surer} are only made sure", surer=numbers.whole(surer))
        if surer
        else "",
        by_count(
            len(preview.left),
            "{left} stays as it is",
            "{left} stay as they are",
            left=numbers.whole(len(preview.left)),
        )
        if preview.left
        else "",
    ]
    if not preview.effects and not preview.left:
        return tr("It matches no workload of this log. It will hold for logs imported later.")
    return ", ".join(part for part in parts if part) + tr(". Money is today\u2019s.")


def effect_rows(preview: RulePreview) -> list[Row]:
    """What changes class, leaves Review, is only made sure, each most expensive first; then what stays, muted."""
    rows = [
        Row(
            (
                Cell(one.name, is_strong=one.changes_class, tip=one.key),
                Cell(one.cluster, "muted"),
                _class_cell(one.before, one.was_in_review),
                Cell(
                    lane_of(one.after.pool).title
                    if one.changes_class
                    else tr("{pool}, surely", pool=lane_of(one.after.pool).title),
                    is_strong=one.changes_class,
                    icon=lane_of(one.after.pool).icon,
                    icon_role=one.after.pool.value,
                    tip="\n".join(map(spoken, one.after.reasons)),
                ),
                Cell(numbers.whole(one.gpu_hours_per_month), figure_id=figure(EFFECT_HOURS, one.key)),
                Cell(
                    numbers.whole(one.usd_per_month),
                    tip=_unknown(one.usd_per_month),
                    figure_id=_cost_of(one.key, one.usd_per_month),
                ),
            ),
            key=one.key,
        )
        for one in sorted(preview.effects, key=_matters_least)[:ROWS_SHOWN]
    ]
    rows += [
        Row(
            (
                Cell(one.name, "muted", tip=one.key),
                Cell(one.key.split("/", 1)[0], "muted"),
                Cell(lane_of(one.pool).title, "muted", icon=lane_of(one.pool).icon, icon_role=one.pool.value),
                Cell(
                    tr("stays: {why}", why=spoken(one.why)),
                    "muted",
                    tip=tr("Stays as it is: {why}", why=spoken(one.why)),
                ),
                Cell(
                    numbers.whole(one.gpu_hours_per_month), "muted", figure_id=figure(EFFECT_HOURS, one.key)
                ),
                Cell(
                    numbers.whole(one.usd_per_month),
                    "muted",
                    tip=_unknown(one.usd_per_month),
                    figure_id=_cost_of(one.key, one.usd_per_month),
                ),
            ),
            key=one.key,
        )
        for one in preview.left[:ROWS_SHOWN]
    ]
    return rows


def class_rows(preview: RulePreview) -> list[Row]:
    """The three classes now and with the rule; the changes add up to nothing, for nothing is gained or lost."""
    before, after = preview.classes_before, preview.classes_after
    usd_now, usd_then = _whole_usd(before), _whole_usd(after)
    rows = []
    for pool in POOLS:
        hours = round(after[pool].gpu_hours_per_month) - round(before[pool].gpu_hours_per_month)
        now, then = usd_now[pool], usd_then[pool]
        rows.append(
            Row(
                (
                    Cell(lane_of(pool).title, icon=lane_of(pool).icon, icon_role=pool.value),
                    Cell(numbers.whole(before[pool].workloads), figure_id=class_figure(pool, WORKLOADS, NOW)),
                    Cell(numbers.whole(after[pool].workloads), figure_id=class_figure(pool, WORKLOADS, THEN)),
                    Cell(numbers.change(hours), figure_id=class_figure(pool, HOURS, CHANGE)),
                    *(
                        Cell(
                            text,
                            tip=_unknown(usd),
                            figure_id="" if usd is None else class_figure(pool, USD, when),
                        )
                        for text, usd, when in (
                            (numbers.whole(now), now, NOW),
                            (numbers.whole(then), then, THEN),
                            (_change(now, then), None if now is None else then, CHANGE),
                        )
                    ),
                )
            )
        )
    return rows


def class_lines(preview: RulePreview) -> list[str]:
    """The classes that change, a line each: Burst: 77 to 79 workloads, +$16,425 a month."""
    before, after = preview.classes_before, preview.classes_after
    usd_now, usd_then = _whole_usd(before), _whole_usd(after)
    lines = []
    for pool in POOLS:
        now, then = usd_now[pool], usd_then[pool]
        if before[pool] != after[pool]:
            money = numbers.dollar_change(None if now is None or then is None else then - now)
            lines.append(
                tr(
                    "{pool}: {workloads} to {workloads_2} workloads, {money} per month.",
                    pool=lane_of(pool).title,
                    workloads=numbers.whole(before[pool].workloads),
                    workloads_2=numbers.whole(after[pool].workloads),
                    money=money,
                )
            )
    return lines


def rule_rows(
    rules: Sequence[ClassRule], amounts: Mapping[str, RuleAmount], *, is_shipped: bool = False
) -> list[Row]:
    """Rules in the order in which they decide; shipped ones muted, without amounts."""
    role = "muted" if is_shipped else "text"
    rows = []
    for place, rule in enumerate(rules, 1):
        amount = amounts.get(rule.rule_id)
        rows.append(
            Row(
                (
                    Cell("" if is_shipped else str(place), "muted"),
                    Cell(
                        matched_words(rule),
                        role,
                        is_strong=not is_shipped,
                        tip=tr(
                            "{rule_id}: {field}, {pattern}",
                            rule_id=rule.rule_id,
                            field=rule.field,
                            pattern=rule.pattern,
                        ),
                    ),
                    Cell(
                        lane_of(rule.pool).title,
                        role,
                        icon=lane_of(rule.pool).icon,
                        icon_role=rule.pool.value,
                    ),
                    Cell(rule.subtype or ("" if is_shipped else tr("worked out")), "muted"),
                    *_amount_cells(amount, is_shipped=is_shipped),
                ),
                key="" if is_shipped else rule.rule_id,
            )
        )
    return rows


def _amount_cells(amount: RuleAmount | None, *, is_shipped: bool) -> tuple[Cell, ...]:
    """What a rule decides, in four cells; dashes while it is worked out, nothing for shipped rules."""
    if amount is None:
        text, tip = ("", "") if is_shipped else ("\u2014", tr("Being worked out"))
        return tuple(Cell(text, "muted", tip=tip) for _ in range(4))
    return (
        Cell(numbers.whole(amount.matched), "muted", figure_id=rule_figure(amount.rule_id, MATCHED)),
        Cell(
            numbers.whole(amount.workloads),
            tip=tr("Labels and rules above it decide the others"),
            figure_id=rule_figure(amount.rule_id, DECIDED),
        ),
        Cell(numbers.whole(amount.gpu_hours_per_month), figure_id=rule_figure(amount.rule_id, RULE_HOURS)),
        Cell(
            numbers.whole(amount.usd_per_month),
            tip=_unknown(amount.usd_per_month),
            figure_id="" if amount.usd_per_month is None else rule_figure(amount.rule_id, RULE_USD),
        ),
    )


def _cost_of(key: str, usd: float | None) -> str:
    """What a workload costs today, as the audit answers for it."""
    return "" if usd is None else figure("workload_cost", key)


def _matters_least(effect: RuleEffect) -> tuple[bool, bool]:
    """Sorts effects: changes of class first, then what leaves review."""
    return (not effect.changes_class, not effect.was_in_review)


def _class_cell(found: Classification, was_in_review: bool) -> Cell:
    """A class with how sure it is; a question mark if it was in review."""
    sure = numbers.whole_percent(found.confidence)
    text = f"{lane_of(found.pool).title}{'?' if was_in_review else ''} {sure}"
    return Cell(
        text,
        icon=lane_of(found.pool).icon,
        icon_role=found.pool.value,
        tip="\n".join(map(spoken, found.reasons)),
    )


def _whole_usd(amounts: Mapping[Pool, ClassAmount]) -> dict[Pool, int | None]:
    """Whole dollars that add up to the whole dollars of all."""
    shown = largest_remainder([amounts[pool].usd_per_month for pool in POOLS])
    return dict(zip(POOLS, shown, strict=True))


def _change(now: int | None, then: int | None) -> str:
    """The change from now to then; a dash if either is unknown."""
    return numbers.change(None if now is None or then is None else then - now)


def _unknown(usd: float | None) -> str:
    """Why dollars are unknown; empty if they are known."""
    return tr("Unknown: a contract or an offer that it needs has no rate") if usd is None else ""
