"""The tables and sentences of the panel Inference: sized rows, other precisions beside, what is held."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.commitment.result import IdleExisting
from gpuplanner.domain.evidence.serving import HELD_NAMES
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.serving import BY_HOUR, FLAT, LEAK, NEEDED
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.message import Text, lowered, worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import MeasuredPoint
from gpuplanner.domain.reports.serving import PRECISION_SIZES, RATIOS, REGIONS, SIZES, offer_terms
from gpuplanner.domain.serving.calibration import PRECISIONS
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.ratios import SpeedRatio
from gpuplanner.domain.serving.replicas import ServingTerms
from gpuplanner.domain.serving.sizing import SizedRow
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.tables.report_table import table_columns
from gpuplanner.ui.words import numbers

TIMES: Final = "\u00d7"
FIT_WORDS: Final = {
    True: ("tick", "green", worded("Fits")),
    False: ("octagon", "red", worded("Does not fit")),
    None: ("", "muted", worded("Unknown")),
}

SIZE_COLUMNS: Final = table_columns(SIZES)
PRECISION_COLUMNS: Final = table_columns(PRECISION_SIZES)
REGION_COLUMNS: Final = table_columns(REGIONS)
RATIO_COLUMNS: Final = table_columns(RATIOS)
HELD_COLUMNS: Final = (
    Column(title="Rates per GPU-h", is_figure=False, is_cut_at_end=True),
    Column(title="GPU-h\nper month"),
    Column(title="$ per\nmonth"),
)


def replica_words(row: SizedRow) -> str:
    """4 x H100, with a true times sign."""
    return f"{row.tensor_parallel} {TIMES} {row.gpu_model}"


def sorted_costs(costs: Sequence[ServingCost], precision: str) -> list[ServingCost]:
    """The rows of one precision: those that fit by $ a month, then by GPUs; then the others by name."""

    def order(cost: ServingCost) -> tuple[bool, bool, bool, float, int, str, int]:
        row, usd = cost.row, cost.cost_per_month
        known = cost.gpus_peak is not None
        gpus = cost.gpus_peak or 0
        return (not row.fits, not known, usd is None, usd or 0.0, gpus, row.gpu_model, row.tensor_parallel)

    return sorted((cost for cost in costs if cost.row.precision == precision), key=order)


def size_rows_of(costs: Sequence[ServingCost]) -> list[Row]:
    """One row a GPU model and number of GPUs."""
    return [Row(_size_cells(cost), key=cost.row.key) for cost in costs]


def _size_cells(cost: ServingCost) -> tuple[Cell, ...]:
    row = cost.row
    icon, role, word = FIT_WORDS[row.fits]
    usable = ""
    if row.usable_gb is not None:
        usable = tr("{usable_gb} GB usable", usable_gb=numbers.one_decimal(row.usable_gb))
    said = sentence(row.why) if row.why else ""
    fits = tr("{title}: {value}", title=word, value=usable) if usable else word
    tip = "\n".join(str(part) for part in (fits, said) if part)
    called = replica_words(row)
    called = tr("{called} (assumed)", called=called) if row.is_assumed else called
    first = Cell(text=called, is_strong=bool(row.fits), icon=icon, icon_role=role, tip=tip)
    of = cost.row.key
    if not row.fits:
        return (
            first,
            Cell(text=spoken(lowered(word)), role="muted", tip=tip),
            *(_unknown(said) for _ in range(3)),
        )
    tip, figure_id = _replica_tip(row), figure("size_gpus", of)
    gpus = written(numbers.whole, cost.gpus_peak, is_strong=True, tip=tip, figure_id=figure_id)
    return (first, gpus, _first_token(row, of), _token_time(row, of), _usd_cell(cost))


def _token_time(row: SizedRow, of: str) -> Cell:
    """Between two tokens; red where a target is missed."""
    if row.tpot_ms is None:
        return _unknown(sentence(row.why))
    tip = tr(
        "P95 {tpot_p95_ms} ms; measured {low} to {high} of the predicted speed",
        tpot_p95_ms=numbers.one_decimal(row.tpot_p95_ms),
        low=numbers.significant(row.low or 0.0, 2),
        high=numbers.significant(row.high or 0.0, 2),
    )
    is_missed = row.meets_target is False
    said = f"{sentence(row.why)}\n{tip}" if is_missed else tip
    role = "red" if is_missed else "text"
    return Cell(text=numbers.one_decimal(row.tpot_ms), role=role, tip=said, figure_id=figure("size_tpot", of))


def term_name(months: int) -> Text:
    """By the hour; 12 months."""
    return term_words(months) if months else titles.ON_DEMAND


def _replica_tip(row: SizedRow) -> str:
    if row.requests_per_s is None:
        return spoken(row.why)
    at_once = numbers.whole(row.concurrency)
    return tr(
        "{replicas}, {requests_per_s} requests/s each, {at_once} in parallel",
        replicas=numbers.counted(row.replicas_peak or 0, "replica"),
        requests_per_s=numbers.significant(row.requests_per_s, 3),
        at_once=at_once,
    )


def _first_token(row: SizedRow, of: str) -> Cell:
    if row.is_unstable:
        return Cell(text="unstable", role="red", tip=sentence(row.why))
    if row.ttft_ms is None:
        return _unknown(sentence(row.why))
    wait, prefill = numbers.one_decimal(row.wait_ms), numbers.one_decimal(row.prefill_ms)
    parts = (
        tr("Wait {wait_ms} ms, prefill {prefill_ms} ms", wait_ms=wait, prefill_ms=prefill),
        tr("plus the network round trip, at the peak"),
    )
    return written(numbers.one_decimal, row.ttft_ms, tip=", ".join(parts), figure_id=figure("size_ttft", of))


def _offer_tip(cost: ServingCost) -> str:
    if cost.offer is None:
        return tr("No offer of this GPU model: add prices")
    terms, rate, offer_id = spoken(offer_terms(cost.offer)), numbers.cents(cost.rate), cost.offer.offer_id
    return tr("{offer_id}: {terms}, {rate} per GPU-h", offer_id=offer_id, terms=terms, rate=rate)


def _usd_cell(cost: ServingCost) -> Cell:
    asks = figure("size_usd", cost.row.key, FLAT)
    return written(numbers.whole, cost.cost_per_month, tip=_offer_tip(cost), figure_id=asks)


def _unknown(tip: str) -> Cell:
    return Cell(text=numbers.UNKNOWN, role="muted", tip=tip)


def precision_rows(sizing: EndpointSizing, drawn: ServingCost) -> list[Row]:
    """The drawn row in every precision."""
    rows = []
    for precision in PRECISIONS:
        if (cost := sizing.row(drawn.row.gpu_model, precision, drawn.row.tensor_parallel)) is None:
            continue
        row = cost.row
        icon, role, word = FIT_WORDS[row.fits]
        per_million, of = cost.cost_per_million_tokens, cost.row.key
        rows.append(
            Row(
                (
                    Cell(text=precision, icon=icon, icon_role=role, tip=sentence(row.why) or word),
                    written(numbers.one_decimal, row.memory_gb, figure_id=figure("size_memory", of)),
                    written(numbers.whole, cost.gpus_peak, figure_id=figure("size_gpus", of)),
                    _usd_cell(cost),
                    Cell(
                        text=numbers.UNKNOWN if per_million is None else numbers.rate(per_million),
                        figure_id=figure("size_million", of),
                    ),
                ),
                key=row.key,
            )
        )
    return rows


def held_rows(cost: ServingCost) -> list[Row]:
    """Flat, what an autoscaler needs, and the difference: they add up at one rate."""
    flat, scaled = cost.gpu_hours_per_month_flat, cost.row.gpu_hours_per_month_autoscaled
    rows = [
        _held(cost, FLAT, _at_rate(HELD_NAMES[FLAT], cost.offer), flat, cost.cost_per_month),
        _held(cost, NEEDED, HELD_NAMES[NEEDED], scaled, cost.needed_per_month),
    ]
    leak = cost.peak_provisioning_gpu_hours
    leak_usd = cost.peak_provisioning_per_month
    rows.append(_held(cost, LEAK, HELD_NAMES[LEAK], leak, leak_usd, is_total=True))
    if cost.on_demand is not None and scaled is not None:
        words = _at_rate(titles.AUTOSCALED, cost.on_demand)
        rows.append(_held(cost, BY_HOUR, words, scaled, cost.autoscaled_per_month, role="muted"))
    return rows


def _at_rate(name: Text, offer: Offer | None) -> str:
    """`Fixed size at $2.90, 36 months, there in 720 h`; the name alone without an offer."""
    if offer is None:
        return spoken(name)
    rate, terms = numbers.cents(offer.spread_rate), spoken(offer_terms(offer))
    return tr("{what} at {rate}, {terms}", what=name, rate=rate, terms=terms)


def _held(
    cost: ServingCost,
    way: str,
    words: Text,
    hours: float | None,
    usd: float | None,
    *,
    is_total: bool = False,
    role: str = "text",
) -> Row:
    of = cost.row.key
    of_hours = figure("size_hours", of, NEEDED if way == BY_HOUR else way)
    cells = (
        Cell(text=words, role=role, tip=words),
        written(numbers.whole, hours, role, figure_id=of_hours),
        written(numbers.whole, usd, role, figure_id=figure("size_usd", of, way)),
    )
    return Row(cells, is_total=is_total)


# ---------------------------------------------------------------- sentences


def headline_words(cost: ServingCost) -> str:
    """What to hold, at what cost, and how much of it is for the peak."""
    row = cost.row
    if cost.gpus_peak is None:
        why = spoken(row.why) or "does not fit"
        return tr("{row}, {precision}: {why}.", row=replica_words(row), precision=row.precision, why=why)
    replicas = numbers.counted(row.replicas_peak or 0, "replica")
    what = tr(
        "{gpus_peak} \u00d7 {gpu_model} in {replicas}, {precision}",
        gpus_peak=numbers.whole(cost.gpus_peak),
        gpu_model=row.gpu_model,
        replicas=replicas,
        precision=row.precision,
    )
    leak, hours = cost.peak_provisioning_per_month, cost.peak_provisioning_gpu_hours
    if cost.cost_per_month is None:
        said = tr(
            "{what}: {gpu_hours_per_month_flat} GPU-h per month",
            what=what,
            gpu_hours_per_month_flat=numbers.whole(cost.gpu_hours_per_month_flat),
        )
        return tr(
            long_text("sized_without_offers", said=said, hours=numbers.whole(hours), gpu_model=row.gpu_model)
        )
    return tr(
        "{what}: {usd_per_month} per month {terms}, of which {leak} is sized for peak.",
        what=what,
        terms=spoken(offer_terms(cost.offer)) if cost.offer else "",
        usd_per_month=numbers.dollars(cost.cost_per_month),
        leak=numbers.dollars(leak),
    )


def today_words(gpus: float | None, usd: float | None) -> str:
    """What the endpoint holds in the log; nothing where it is none of the log."""
    if gpus is None:
        return ""
    gpus_words, usd_words = numbers.one_decimal(gpus), numbers.dollars(usd)
    return tr("In the log: {gpus} GPUs on average, {usd} per month.", gpus=gpus_words, usd=usd_words)


def idle_words(idle: Sequence[IdleExisting]) -> str:
    """GPUs that are paid for and stand idle: they serve what is planned on their cluster before any is rented."""
    held = ", ".join(f"{numbers.gpus(row.gpus)} {row.gpu_model}" for row in idle if row.gpus >= 1)
    if not held:
        return ""
    return tr("Idle contract GPUs; they serve planned work on their cluster first: {held}.", held=held)


def ratios_title(ratio: SpeedRatio) -> str:
    """In place of 8.0 H100: BF16, 70 ms a token."""
    return tr(
        "Instead of {gpus} {against}: {precision}, {ms} ms per token",
        gpus=numbers.one_decimal(ratio.gpus),
        against=ratio.against,
        precision=ratio.precision,
        ms=numbers.one_decimal(ratio.tpot_ms),
    )


def measured_words(measured: Sequence[MeasuredPoint]) -> str:
    """How much was measured, and in which files."""
    if not measured:
        return tr("None: the formula is used")
    sources = ", ".join({one.source: 0 for one in measured})
    return tr("{runs} of {sources}", runs=numbers.counted(len(measured), "run"), sources=sources)


def load_words(load: Load) -> str:
    """The traffic in one line."""
    name = load.source or tr("typed traffic")
    rate = numbers.significant(load.peak_requests_per_s, 3)
    peak = tr("peak {peak_requests_per_s} requests/s", peak_requests_per_s=rate)
    read, generated = numbers.whole(load.context_tokens), numbers.whole(load.generated_tokens)
    tokens = tr("{read} tokens read and {generated} generated per request", read=read, generated=generated)
    tokens = numbers.MIDDOT + (tokens if load.are_tokens_known else tr("{called} (assumed)", called=tokens))
    hours = sum(hour.seconds for hour in load.hours) / 3600
    short = ""
    if hours < 168:
        short = tr("{hours} h of requests represent the month", hours=numbers.one_decimal(hours))
        short = numbers.MIDDOT + short
    return f"{name}{numbers.MIDDOT}{peak}{tokens if load.tokens_per_request else ''}{short}"


def terms_words(terms: ServingTerms) -> str:
    """The assumptions behind every figure."""
    return tr(
        "Assumed: {headroom} of a replica in use, {usable_memory} of memory usable, "
        "{concurrency} to {concurrency_most} parallel requests, {way_ms} ms network round trip.",
        headroom=numbers.whole_percent(terms.headroom),
        usable_memory=numbers.whole_percent(terms.usable_memory),
        concurrency=numbers.whole(terms.concurrency),
        concurrency_most=numbers.whole(terms.concurrency_most),
        way_ms=numbers.one_decimal(terms.way_ms),
    )
