"""Scene Audit: from the bill to stranded spend, as the audit page has it, in the large."""

from dataclasses import replace

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.ui.audit.bridge import NAME, bridge_amounts
from gpuplanner.ui.present import scene_dollars
from gpuplanner.ui.present.figure_row import BigFigure, figure_row, figures_in_words
from gpuplanner.ui.present.large_type import large_chart_colours, roomy
from gpuplanner.ui.present.scene import Content, Seen, label, missing, of_the_window
from gpuplanner.ui.state.headline_figures import stranded_today
from gpuplanner.ui.state.waterfall_steps import steps_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.contracts_that_ran import none_under_40
from gpuplanner.ui.words.translation import tr


def content(seen: Seen) -> Content:
    """What is paid, what of it serves jobs, and what is stranded."""
    shown, foot = seen.view_state, of_the_window(seen.view_state)
    audit = shown.evaluation.audit
    if not shown.evaluation.project.workloads:
        return missing(
            tr("What this quarter cost"),
            tr("No jobs yet."),
            tr("Import a job log to see what ran."),
            foot,
        )
    if not shown.evaluation.project.contracts:
        remedy = tr("Import contracts to see what is paid for, what of it serves jobs, and what is stranded.")
        return missing(tr("What this quarter cost"), tr("No contracts yet."), remedy, foot)
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

    chart = WaterfallPlot(NAME, large_chart_colours(seen.palette))
    amounts = bridge_amounts(audit.bridge)
    labels = scene_dollars.chained([(amount.kind, amount.usd) for amount in amounts])
    steps = steps_of(amounts)
    chart.show_steps([replace(step, label=text) for step, text in zip(steps, labels, strict=True)])
    figures = _figures(seen, audit)
    paid, current = audit.bridge.cost_per_month, audit.spend
    if paid is not None and current is not None and round(current) > round(paid):
        beyond = scene_dollars.amount(round(current) - round(paid))
        foot = tr(
            "{foot} Beside the contracts, {beyond} went to overflow: {words} in all.",
            foot=foot,
            beyond=beyond,
            words=scene_dollars.amount(current),
        )
    body = QWidget()
    body.setObjectName("page")
    layout = QVBoxLayout(body)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(roomy(20))
    layout.addWidget(label(tr("{name}, $ per month", name=NAME), "title"))
    layout.addWidget(chart, 1)
    layout.addWidget(figure_row(figures))
    spoken = tr(
        "{description}. {words}",
        description=chart.accessibleDescription(),
        words=figures_in_words(figures),
    )
    return Content(_title(audit), body, spoken, foot)


def _title(audit: Audit) -> str:
    """What is unused a month of what is paid; by utilization where a rate is unknown."""
    paid, unused = audit.bridge.cost_per_month, audit.unused_per_month
    if paid is not None and unused is not None:
        return tr(
            "{words} of {words_2} per month is unused",
            words=scene_dollars.amount(unused),
            words_2=scene_dollars.amount(paid),
        )
    return tr(
        "{effective_utilization_now} of what is paid for is used",
        effective_utilization_now=numbers.percent(audit.effective_utilization),
    )


def _figures(seen: Seen, audit: Audit) -> list[BigFigure]:
    """The large figures of the audit: utilization, stranded spend, contracts below 40%."""
    audit_usd, metered_usd = stranded_today(seen.view_state)
    flagged = [contract for contract in audit.contracts if contract.below_40_percent]
    worst = min(flagged, key=lambda contract: contract.utilization or 0.0, default=None)
    note = none_under_40(audit)
    if worst is not None:
        note = tr(
            "{contract_id}, {utilization} used",
            contract_id=seen.names.contract(worst.contract_id),
            utilization=numbers.percent(worst.utilization),
        )
    return [
        BigFigure(
            tr(CLUSTER["utilization"].title),
            numbers.percent(audit.effective_utilization),
            note=tr("of GPU-h paid"),
        ),
        BigFigure(
            tr(CLUSTER["stranded_audit"].title),
            scene_dollars.amount(audit_usd),
            note=tr("metered {words}", words=scene_dollars.amount(metered_usd)),
        ),
        BigFigure(
            tr("Contracts under 40%"),
            tr("{flagged} of {contracts}", flagged=len(flagged), contracts=len(audit.contracts)),
            note=note,
        ),
    ]
