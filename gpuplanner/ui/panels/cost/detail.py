"""What stands behind one row of the panel Cost, in words and as a table of parts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from gpuplanner.app.questions.costing import Costs
from gpuplanner.domain.audit.cost_result import ClusterVariance, EndpointCost, PeriodCost, Variance
from gpuplanner.domain.audit.costs.charge_rows import Charge
from gpuplanner.domain.audit.costs.charge_words import ChargeBy
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.figures.costs.business import RETRAINING
from gpuplanner.domain.figures.costs.changes import CELLS, CHANGE
from gpuplanner.domain.reports.changes import CONTRACT_PARTS, PARTS_SHOWN, WORKLOAD_PARTS
from gpuplanner.domain.reports.costs import MODEL_PARTS
from gpuplanner.ui.panels.cost.rows import BUSINESS_VIEW, TOTAL_KEY, cluster_named, time_text
from gpuplanner.ui.state.waterfall_steps import Amount
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, speak, spoken, tr

if TYPE_CHECKING:
    from gpuplanner.charts.plots.waterfall import StepKind

WORKLOADS, CONTRACTS = "workload", "contract"


@dataclass(frozen=True, slots=True)
class Parts:
    """A table of parts; opens says what a row's key is of."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    opens: str


@dataclass(frozen=True, slots=True)
class Detail:
    """What is said of a row. jobs: key, start and end of its job rows; endpoint: to be drawn."""

    title: str
    lines: tuple[str, ...]
    jobs: tuple[str, int | None, int | None] | None = None
    parts: tuple[Parts, ...] = ()
    endpoint: EndpointCost | None = None
    steps: tuple[Amount, ...] = ()  # of a waterfall

    def __post_init__(self) -> None:
        speak(self, "title")


def detail_of(view: str, key: str, costs: Costs) -> Detail | None:
    """What stands behind a row; None where it is not there any more."""
    answers: dict[str, Callable[[str, Costs], Detail | None]] = {
        "runs": _run,
        "models": _model,
        "endpoints": _endpoint,
        "experiments": _experiment,
        "changes": _change,
        "energy": _no_detail,
        "energy_of_workloads": _no_detail,
        "retraining": _retraining,
        BUSINESS_VIEW: _no_detail,
        "energy_of_plan": _no_detail,
        **{f"charges_{by}": partial(_charge, by) for by in ChargeBy},
    }
    return answers[view](key, costs)


def charge_of(by: ChargeBy, key: str | None, costs: Costs) -> Charge | None:
    """The row of who pays that has a key; None where there is none any more."""
    found = costs.charges[by]
    return next((row for row in (*found.rows, found.whole) if row.subject == key), None)


def _charge(by: ChargeBy, key: str, costs: Costs) -> Detail | None:
    row = charge_of(by, key, costs)
    if row is None:
        return None
    said = tr(
        "{gpu_hours} GPU-h in the window: {direct} served, {idle} of idle GPUs, {overflow} overflowed",
        gpu_hours=numbers.whole(row.gpu_hours),
        direct=numbers.dollars(row.direct_in_window),
        idle=numbers.dollars(row.idle_in_window),
        overflow=numbers.dollars(row.overflow_in_window),
    )
    is_workload = by in (ChargeBy.WORKLOAD, ChargeBy.ENDPOINT) and row.name is not None
    jobs = (row.name, None, None) if is_workload and row.name is not None else None
    return Detail(spoken(row.called), (said, *_budget_lines(row)), jobs)


def _budget_lines(row: Charge) -> tuple[str, ...]:
    """What a budget has left over the window; nothing without one."""
    if row.budget_in_window is None:
        return ()
    left = row.left_in_window
    if left is None:
        return (tr("Its budget of the window is {budget}.", budget=numbers.dollars(row.budget_in_window)),)
    words = (
        tr("Its budget of the window is {budget}: {left} are left.", **_budget(row, left))
        if left >= 0
        else tr("Its budget of the window is {budget}: {left} over it.", **_budget(row, -left))
    )
    return (words,)


def _budget(row: Charge, left: float) -> dict[str, str]:
    return {"budget": numbers.dollars(row.budget_in_window), "left": numbers.dollars(left)}


def _no_detail(key: str, costs: Costs) -> Detail | None:
    """Nothing stands behind a row that Why does not say."""
    return None


def _retraining(key: str, costs: Costs) -> Detail | None:
    """The gaps between the starts of a workload's runs, and the way to its jobs."""
    row = next((row for row in costs.retraining if row.key == key), None)
    if row is None:
        return None
    gaps = ", ".join(numbers.one_decimal(gap) for gap in row.gaps_days)
    said = (
        tr("Days from start to start, in their order: {gaps}", gaps=gaps)
        if gaps
        else spoken(RETRAINING["days_between"].unknown)
    )
    return Detail(row.name, (said,), (row.key, None, None))


def _run(key: str, costs: Costs) -> Detail | None:
    run = next((run for run in costs.unit.runs if run.subject == key), None)
    if run is None:
        return None
    lines = (
        tr(
            "{start_s} to {end_s} UTC, {hours}, on {cluster}",
            start_s=time_text(run.start_s),
            end_s=time_text(run.end_s),
            hours=numbers.counted(run.hours, "hour"),
            cluster=run.cluster,
        ),
        tr(
            "{mean_gpus} GPUs on average, {gpu_hours} GPU-h, {usd}: {rate} per GPU-h",
            mean_gpus=numbers.gpus(run.mean_gpus),
            gpu_hours=numbers.whole(run.gpu_hours),
            usd=numbers.cents(run.cost),
            rate=numbers.cents(run.mean_rate),
        ),
    )
    return Detail(run.name, lines, (run.key, run.start_s, run.end_s))


def _model(key: str, costs: Costs) -> Detail | None:
    model = next((row for row in costs.unit.models if row.subject == key), None)
    if model is None:
        return None
    said = {
        "log": tr("The log names it, in its column model."),
        "name": tr("A word in the name of a job says so; a column model in the log would be sure."),
        "unknown": tr("Neither the log nor a name says which model ran."),
    }[model.source]
    rows = tuple(
        Row(
            (
                Cell(part.key, tip=part.key),
                Cell(
                    numbers.whole(part.gpu_hours),
                    figure_id=figure("part_hours", f"{model.subject}\t{part.key}"),
                ),
                Cell(
                    numbers.whole(part.cost_per_month),
                    is_strong=True,
                    figure_id=""
                    if part.cost_per_month is None
                    else figure("part_usd", f"{model.subject}\t{part.key}"),
                ),
            ),
            key=part.key,
        )
        for part in model.parts[:PARTS_SHOWN]
    )
    return Detail(
        model.model or tr("Unknown model"),
        (said,),
        parts=(Parts(table_columns(MODEL_PARTS), rows, WORKLOADS),),
    )


def _endpoint(key: str, costs: Costs) -> Detail | None:
    row = next((row for row in costs.unit.endpoints if row.key == key), None)
    if row is None:
        return None
    premium = row.premium
    if row.active_per_month is None:
        use = tr("Active and inactive are unknown: the log has no activity of it.")
    else:
        use = tr(
            "Active {busy_usd_per_month}, inactive {idle_usd_per_month}",
            busy_usd_per_month=numbers.dollars(row.active_per_month),
            idle_usd_per_month=numbers.dollars(row.inactive_per_month),
        )
        use += tr(" per month, by its activity")
    if premium.offer_rate is None:
        rate = tr(
            "Paid {usd_per_gpu_hour} per GPU-h at {utilization} utilization; no offer of its term or a "
            "shorter one fits it.",
            usd_per_gpu_hour=numbers.cents(premium.paid_rate),
            utilization=_share(premium.paid_utilization),
        )
    else:
        rate = tr(
            "Paid {usd_per_gpu_hour} per GPU-h at {utilization} utilization; at equal terms the cheapest that fits, "
            "{offer_id}, asks {offer_usd_per_gpu_hour} and would be used {offer_utilization}",
            usd_per_gpu_hour=numbers.cents(premium.paid_rate),
            utilization=_share(premium.paid_utilization),
            offer_id=premium.offer_id,
            offer_usd_per_gpu_hour=numbers.cents(premium.offer_rate),
            offer_utilization=_share(premium.offer_utilization),
        )
    return Detail(row.name, (use, rate, _tokens(row)), (row.key, None, None), endpoint=row)


def _share(utilization: float | None) -> str:
    return numbers.UNKNOWN if utilization is None else numbers.whole_percent(utilization)


def _tokens(row: EndpointCost) -> str:
    tokens = row.tokens
    if tokens is None:
        return tr("No traffic of the window is known: $ per 1M tokens is unknown.")
    if tokens.is_assumed:
        return tr(
            "{usd_per_million_tokens} per 1M tokens, {usd_per_million_generated_tokens} per 1M generated, "
            "where every week asks what the week of its sizing does, at the tokens of a request that are assumed",
            usd_per_million_tokens=numbers.cents(tokens.cost_per_million_tokens),
            usd_per_million_generated_tokens=numbers.cents(tokens.cost_per_million_generated_tokens),
        )
    return tr(
        "{usd_per_million_tokens} per 1M tokens, {usd_per_million_generated_tokens} per 1M "
        "generated: only of {start_s} to {end_s} UTC, which traffic and window share",
        usd_per_million_tokens=numbers.cents(tokens.cost_per_million_tokens),
        usd_per_million_generated_tokens=numbers.cents(tokens.cost_per_million_generated_tokens),
        start_s=time_text(tokens.start_s),
        end_s=time_text(tokens.end_s),
    )


def _experiment(key: str, costs: Costs) -> Detail | None:
    row = next((row for row in costs.unit.experiments if row.key == key), None)
    if row is None:
        return None
    when = (
        ""
        if row.start_s is None or row.end_s is None
        else tr("{start_s}, on {cluster}", start_s=numbers.span(row.start_s, row.end_s), cluster=row.cluster)
    )
    said = tr(
        "{jobs}, {gpu_hours} GPU-h, {usd} in the window: {usd_per_job} per job",
        jobs=numbers.counted(row.jobs, "job"),
        gpu_hours=numbers.whole(row.gpu_hours),
        usd=numbers.cents(row.cost_in_window),
        usd_per_job=numbers.cents(row.cost_per_job),
    )
    return Detail(row.name, (when, said), (row.key, None, None))


def _change(key: str, costs: Costs) -> Detail | None:
    cluster = cluster_named(costs, key)
    if cluster is not None:
        return Detail(
            cluster.cluster,
            _change_lines(cluster),
            parts=_change_parts((cluster,)),
            steps=_steps(cluster),
        )
    if key != TOTAL_KEY:
        return None
    mix = costs.variance.mix_per_month
    said = tr("Each total is the sum over clusters.")
    if mix is not None and len(costs.variance.clusters) > 1:
        said += tr(
            " Of the volume, {mix} is work that went to other clusters.", mix=numbers.dollar_change(mix)
        )
    found = costs.variance
    return Detail(
        tr("All clusters"),
        (said,),
        parts=_change_parts(found.clusters),
        steps=_steps(found),
    )


def _steps(row: ClusterVariance | Variance) -> tuple[Amount, ...]:
    """From the first period to the second, $ per month."""
    roles: dict[str, StepKind] = {CELLS[0]: "start", CELLS[-1]: "result"}
    return tuple(
        Amount(
            spoken(CHANGE[key].title),
            "",
            getattr(row, key),
            roles.get(key, "step"),
            spoken(CHANGE[key].glossary),
        )
        for key in CELLS
    )


def _change_lines(row: ClusterVariance) -> tuple[str, ...]:
    def of_period(which: str, cost: PeriodCost) -> str:
        ratio = numbers.UNKNOWN if cost.inefficiency is None else numbers.rate(cost.inefficiency)
        used, rate = cost.used_gpu_hours, cost.rate
        return tr(
            "{which} {used} GPU-h used \u00d7 {ratio} paid per used \u00d7 {rate}",
            which=which,
            used=numbers.whole(used),
            ratio=ratio,
            rate=numbers.cents(rate),
        )

    note = (f"{sentence(row.note)}.",) if row.note else ()
    return (of_period("Before:", row.before), of_period("After:", row.after), *note)


def _change_parts(clusters: tuple[ClusterVariance, ...]) -> tuple[Parts, ...]:
    tables = (
        Parts(table_columns(report), table_rows(report, clusters, are_opened=True), opens)
        for report, opens in ((WORKLOAD_PARTS, WORKLOADS), (CONTRACT_PARTS, CONTRACTS))
    )
    return tuple(table for table in tables if table.rows)
