"""Changes made twice: in the exported book of a plan set by hand, and in the app."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluated, hand_layers
from tests.files.workbook.recalculate import names_of

RATE, GPUS = "Rate, $ per GPU-h", "GPUs"
EPOCH, DAY_0 = datetime(1970, 1, 1), datetime(1899, 12, 30)


@dataclass(frozen=True)
class WhatIf:
    """cells: new values by (sheet, coordinate); app: the evaluation of the project with the same change."""

    name: str
    cells: dict
    app: Evaluation


def what_ifs(evaluation, cells):
    """One contract's rate, one offer's rate, one contract's GPUs, one layer's size, each where there is one."""
    project = evaluation.project
    return [
        *(contract_rate(evaluation, cells, row) for row in project.contracts[:1]),
        *(contract_gpus(evaluation, cells, row) for row in project.contracts[-1:]),
        *(offer_rate(evaluation, cells, row) for row in signed_offers(evaluation)[:1]),
        *(offer_rate(evaluation, cells, row) for row in cheapest_on_demand(project)[:1]),
        *layer_sizes(evaluation, cells),
    ]


def controllers_edits(evaluation, book, cells):
    """What a controller types: `what_ifs`, days of a contract, growth, the price fall, what is paid upfront."""
    first = evaluation.project.contracts[0]
    return [
        *what_ifs(evaluation, cells),
        contract_days(evaluation, cells, first, end_s=first.end_s + 2 * MONTH_S),
        contract_days(evaluation, cells, first, end_s=first.end_s - MONTH_S // 2),
        contract_days(evaluation, cells, first, start_s=evaluation.project.window.start_s + DAY_S),
        assumption(evaluation, book, "growth", 0.03),
        assumption(evaluation, book, "delta", 0.02),
        *(offer_upfront(evaluation, cells, row) for row in signed_offers(evaluation)[:1]),
    ]


def by_hand(evaluation, **changes):
    """The app's answer to a changed project, with the layers as they were advised, set by hand.

    What is changed keeps the outlook that was exported: it takes longer than all else, and no book follows it.
    """
    seen = evaluation.outlook if changes else None
    project, layers = evaluation.project, changes.pop("layers", None)
    scenario = replace(project.scenarios[0], hand_layers=layers or hand_layers(evaluation.advice.pools))
    changed = replace(project, scenarios=(scenario,), **changes)
    classifications = tuple(row.classification for row in evaluation.audit.workloads)
    return evaluated(changed, classifications, seen)


def signed_offers(evaluation):
    """Offers of committed layers."""
    taken = {layer.offer_id for pool in evaluation.advice.pools for layer in pool.layers if layer.term_months}
    return [offer for offer in evaluation.project.offers if offer.offer_id in taken]


def cheapest_on_demand(project):
    """The on-demand offer that sets the price of each model with demand."""
    offers = [row for row in project.offers if row.pricing_category == "STANDARD" and row.rate]
    found = {model: [row for row in offers if row.gpu_model == model] for model in project.cube.gpu_models}
    return [min(rows, key=lambda row: row.rate) for rows in found.values() if rows]


def contract_rate(evaluation, cells, row):
    """A contract gets dearer: merit order may change."""
    rate = row.rate_usd_per_gpu_hour + Decimal("1.25")
    cell = SheetCells(cells["Contract inputs"]).under(RATE, A=row.contract_id)
    changed = _with(evaluation.project.contracts, row, rate_usd_per_gpu_hour=rate)
    return WhatIf(
        "contract's rate", {("Contract inputs", cell): float(rate)}, by_hand(evaluation, contracts=changed)
    )


def contract_gpus(evaluation, cells, row):
    """A contract with other GPUs."""
    milli_gpus = row.milli_gpus + 1500
    cell = SheetCells(cells["Contract inputs"]).under("GPUs", A=row.contract_id)
    changed = _with(evaluation.project.contracts, row, milli_gpus=milli_gpus)
    return WhatIf(
        "contract's GPUs",
        {("Contract inputs", cell): milli_gpus / 1000},
        by_hand(evaluation, contracts=changed),
    )


def contract_days(evaluation, cells, row, **moved):
    """A contract that begins or ends on another day; moved: start_s or end_s."""
    headings = {"start_s": "Start (UTC)", "end_s": "End, exclusive (UTC)"}
    typed = {
        (
            "Contract inputs",
            SheetCells(cells["Contract inputs"]).under(headings[key], A=row.contract_id),
        ): day_count(EPOCH + timedelta(seconds=at_s))
        for key, at_s in moved.items()
    }
    changed = _with(evaluation.project.contracts, row, **moved)
    return WhatIf(f"{row.contract_id} {moved}", typed, by_hand(evaluation, contracts=changed))


def offer_rate(evaluation, cells, row):
    """An offer at another rate: another may be the cheapest then."""
    rate = row.rate_usd_per_gpu_hour * Decimal("1.1")
    cell = SheetCells(cells["Offer inputs"]).under(RATE, A=row.offer_id)
    changed = _with(evaluation.project.offers, row, rate_usd_per_gpu_hour=rate)
    return WhatIf(
        f"rate of {row.offer_id}", {("Offer inputs", cell): float(rate)}, by_hand(evaluation, offers=changed)
    )


def offer_upfront(evaluation, cells, row):
    """An offer with $900 a GPU upfront."""
    cell = SheetCells(cells["Offer inputs"]).under("Upfront, $ per GPU", A=row.offer_id)
    changed = _with(evaluation.project.offers, row, upfront_usd=Decimal(900))
    return WhatIf("upfront", {("Offer inputs", cell): 900}, by_hand(evaluation, offers=changed))


def assumption(evaluation, book, name, value):
    """An assumption changed in the book and in the app with its layers set by hand."""
    assumptions = evaluation.project.assumptions.with_values({name: value})
    changes = {names_of(book)[f"assume_{name}"]: value}
    return WhatIf(f"{name} {value}", changes, by_hand(evaluation, assumptions=assumptions))


def list_cells(cells, order, *headings):
    """Coordinates of an order's cells in the list on Calc orders, by heading."""
    sheet = SheetCells(cells["Calc orders"])
    words = "unknown model" if order.gpu_model is None else order.gpu_model
    begins = EPOCH + timedelta(seconds=order.start_s)
    wanted = {"Pool": str(order.pool).capitalize(), "GPU model": words, "Offer": order.offer_id}
    start, head = sheet.column("Start")
    in_columns = {sheet.column(heading, head)[0]: value for heading, value in wanted.items()}
    row = next(
        row
        for row in sheet.rows(**in_columns)
        if row > head and abs(moment_of(sheet.cells[f"{start}{row}"]) - begins) < timedelta(seconds=1)
    )
    return [f"{sheet.column(heading, head)[0]}{row}" for heading in headings]


def moment_of(value):
    """A cell of a day as a moment; days are counted from 30 December 1899."""
    return value if isinstance(value, datetime) else DAY_0 + timedelta(days=value)


def day_count(moment):
    """A moment as a cell has it."""
    return (moment - DAY_0) / timedelta(days=1)


def layer_sizes(evaluation, cells):
    """The first committed layer, two GPUs larger, or two nodes where its offer is sold by the node."""
    layers = hand_layers(evaluation.advice.pools)
    sold_by = {
        (pool.pool, pool.gpu_model, layer.term_months): _unit_gpus(evaluation.project, layer)
        for pool in evaluation.advice.pools
        for layer in pool.layers
    }
    for (pool, model), found in layers.items():
        if found:
            larger = (
                replace(found[0], gpus=found[0].gpus + 2 * sold_by[pool, model, found[0].term_months]),
                *found[1:],
            )
            changed = by_hand(evaluation, layers={**layers, (pool, model): larger})
            of_layer = [
                one
                for one in evaluation.advice.orders
                if (one.pool, one.gpu_model, one.term_months) == (pool, model, found[0].term_months)
            ]
            [cell] = list_cells(cells, of_layer[0], GPUS)
            assert len({one.spans for one in of_layer}) == 1, "what continues the first has its GPUs"
            return [WhatIf("size of a layer", {("Calc orders", cell): larger[0].gpus}, changed)]
    return []


def _unit_gpus(project, layer):
    """GPUs of which the offer of a layer is sold whole."""
    return next((offer.unit_gpus or 1 for offer in project.offers if offer.offer_id == layer.offer_id), 1)


def _with(rows, row, **changes):
    return tuple(replace(each, **changes) if each is row else each for each in rows)
