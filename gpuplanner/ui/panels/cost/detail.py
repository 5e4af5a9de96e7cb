"""What stands behind one row of the panel Cost, in words and as a table of parts."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.app.questions.costing import Costs
from gpuplanner.domain.audit.cost_result import ClusterVariance, EndpointCost, PeriodCost, Variance
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.evidence.trace_costs import model_subject
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.ui.panels.cost.rows import TOTAL_KEY, cluster_named, model_key, run_key, time_text
from gpuplanner.ui.state.waterfall_steps import Amount
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.localized import sentence
from gpuplanner.ui.words.translation import speak, tr

WORKLOADS, CONTRACTS = "workload", "contract"
PARTS_SHOWN: Final = 200

_MODEL_COLUMNS: Final = (Column("Workload", False), Column("GPU-h in\nthe window"), Column("$ per\nmonth"))
_VOLUME_COLUMNS: Final = (
    Column("Behind the volume", False),
    Column("GPU-h\nper month"),
    Column("$ per\nmonth"),
)
_CONTRACT_COLUMNS: Final = (
    Column("Contract", False),
    Column("Idle GPU-h\nper month"),
    Column("Efficiency, $\nper month"),
    Column("Price, $\nper month"),
)


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
    return {
        "runs": _run,
        "models": _model,
        "endpoints": _endpoint,
        "experiments": _experiment,
        "changes": _change,
    }[view](key, costs)


def _run(key: str, costs: Costs) -> Detail | None:
    run = next((run for run in costs.unit.runs if run_key(run) == key), None)
    if run is None:
        return None
    hours = (run.end_s - run.start_s) // HOUR_S
    rate = None if run.usd is None else run.usd / run.gpu_hours
    lines = (
        tr(
            "{start_s} to {end_s} UTC, {hours}, on {cluster}",
            start_s=time_text(run.start_s),
            end_s=time_text(run.end_s),
            hours=numbers.counted(hours, "hour"),
            cluster=run.cluster,
        ),
        tr(
            "{mean_gpus} GPUs on average, {gpu_hours} GPU-h, {usd}: {rate} per GPU-h",
            mean_gpus=numbers.gpus(run.mean_gpus),
            gpu_hours=numbers.whole(run.gpu_hours),
            usd=numbers.cents(run.usd),
            rate=numbers.cents(rate),
        ),
    )
    return Detail(run.name, lines, (run.key, run.start_s, run.end_s))


def _model(key: str, costs: Costs) -> Detail | None:
    model = next((row for row in costs.unit.models if model_key(row) == key), None)
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
                    figure_id=figure("part_hours", f"{model_subject(model)}\t{part.key}"),
                ),
                Cell(
                    numbers.whole(part.usd_per_month),
                    is_strong=True,
                    figure_id=""
                    if part.usd_per_month is None
                    else figure("part_usd", f"{model_subject(model)}\t{part.key}"),
                ),
            ),
            key=part.key,
        )
        for part in model.parts[:PARTS_SHOWN]
    )
    return Detail(
        model.model or tr("Unknown model"), (said,), parts=(Parts(_MODEL_COLUMNS, rows, WORKLOADS),)
    )


def _endpoint(key: str, costs: Costs) -> Detail | None:
    row = next((row for row in costs.unit.endpoints if row.key == key), None)
    if row is None:
        return None
    premium = row.premium
    if row.busy_usd_per_month is None:
        use = tr("Active and inactive are unknown: the log has no activity of it.")
    else:
        use = tr(
            "Active {busy_usd_per_month}, inactive {idle_usd_per_month}",
            busy_usd_per_month=numbers.dollars(row.busy_usd_per_month),
            idle_usd_per_month=numbers.dollars(row.idle_usd_per_month),
        )
        use += tr(" per month, by its activity")
    if premium.offer_usd_per_gpu_hour is None:
        rate = tr(
            "Paid {usd_per_gpu_hour} per GPU-h at {utilization} utilization; no offer of its term or a "
            "shorter one fits it.",
            usd_per_gpu_hour=numbers.cents(premium.usd_per_gpu_hour),
            utilization=_share(premium.utilization),
        )
    else:
        rate = tr(
            "Paid {usd_per_gpu_hour} per GPU-h at {utilization} utilization; at equal terms the cheapest that fits, "
            "{offer_id}, asks {offer_usd_per_gpu_hour} and would be used {offer_utilization}",
            usd_per_gpu_hour=numbers.cents(premium.usd_per_gpu_hour),
            utilization=_share(premium.utilization),
            offer_id=premium.offer_id,
            offer_usd_per_gpu_hour=numbers.cents(premium.offer_usd_per_gpu_hour),
            offer_utilization=_share(premium.offer_utilization),
        )
    return Detail(row.name, (use, rate, _tokens(row)), (row.key, None, None), endpoint=row)


def _share(utilization: float | None) -> str:
    return numbers.UNKNOWN if utilization is None else numbers.whole_percent(utilization)


def _tokens(row: EndpointCost) -> str:
    tokens = row.tokens
    if tokens is None:
        return tr("No traffic of the window is known: $ per 1M tokens is unknown.")
    return tr(
        "{usd_per_million_tokens} per 1M tokens, {usd_per_million_generated_tokens} per 1M "
        "generated: only of {start_s} to {end_s} UTC, which traffic and window share",
        usd_per_million_tokens=numbers.cents(tokens.usd_per_million_tokens),
        usd_per_million_generated_tokens=numbers.cents(tokens.usd_per_million_generated_tokens),
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
        usd=numbers.cents(row.usd),
        usd_per_job=numbers.cents(row.usd_per_job),
    )
    return Detail(row.name, (when, said), (row.key, None, None))


def _change(key: str, costs: Costs) -> Detail | None:
    cluster = cluster_named(costs, key)
    if cluster is not None:
        return Detail(
            cluster.cluster,
            _change_lines(cluster),
            parts=_change_parts((cluster,)),
            steps=_steps(cluster.before.usd_per_month, cluster, cluster.after.usd_per_month),
        )
    if key != TOTAL_KEY:
        return None
    mix = costs.variance.mix_usd_per_month
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
        steps=_steps(found.before_usd_per_month, found, found.after_usd_per_month),
    )


def _steps(before: float | None, row: ClusterVariance | Variance, after: float | None) -> tuple[Amount, ...]:
    """From the first period to the second, $ per month."""
    return (
        Amount(tr("Before"), "", before, "start"),
        Amount(
            tr("Volume"),
            "",
            row.volume_usd_per_month,
            "step",
            tr("More or fewer GPU-hours used"),
        ),
        Amount(
            tr("Efficiency"),
            "",
            row.efficiency_usd_per_month,
            "step",
            tr("Paid for each GPU-hour used"),
        ),
        Amount(tr("Price"), "", row.price_usd_per_month, "step", tr("$ for each GPU-hour paid")),
        Amount(tr("After"), "", after, "result"),
    )


def _change_lines(row: ClusterVariance) -> tuple[str, ...]:
    def of_period(which: str, cost: PeriodCost) -> str:
        ratio = numbers.UNKNOWN if cost.inefficiency is None else numbers.rate(cost.inefficiency)
        used, rate = cost.used_gpu_hours, cost.usd_per_gpu_hour
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
    volume = sorted(
        ((row.cluster, part) for row in clusters for part in row.workloads),
        key=lambda one: (-abs(one[1].usd_per_month or 0.0), -abs(one[1].gpu_hours_per_month), one[1].key),
    )
    contracts = [part for row in clusters for part in row.contracts]
    rows = tuple(
        Row(
            (
                Cell(part.key, tip=part.key),
                Cell(
                    numbers.change(part.gpu_hours_per_month),
                    figure_id=figure("volume_hours", part.key, cluster),
                ),
                Cell(
                    numbers.change(part.usd_per_month),
                    is_strong=True,
                    figure_id="" if part.usd_per_month is None else figure("volume_usd", part.key, cluster),
                ),
            ),
            key=part.key,
        )
        for cluster, part in volume[:PARTS_SHOWN]
    )
    by_contract = tuple(
        Row(
            (
                Cell(part.contract_id, tip=part.contract_id),
                _part_cell(part.idle_gpu_hours_per_month, part.contract_id, "idle"),
                _part_cell(part.efficiency_usd_per_month, part.contract_id, "efficiency"),
                _part_cell(part.price_usd_per_month, part.contract_id, "price", True),
            ),
            key=part.contract_id,
        )
        for part in contracts
    )
    tables = (Parts(_VOLUME_COLUMNS, rows, WORKLOADS), Parts(_CONTRACT_COLUMNS, by_contract, CONTRACTS))
    return tuple(table for table in tables if table.rows)


def _part_cell(value: float | None, contract_id: str, scope: str, is_strong: bool = False) -> Cell:
    asked = "" if value is None else figure("contract_change", contract_id, scope)
    return Cell(numbers.change(value), is_strong=is_strong, figure_id=asked)
