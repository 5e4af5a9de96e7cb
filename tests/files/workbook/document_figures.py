"""Every figure of Pools, Commitment, Comparison, Audit and Contracts beside the JSON of the same evaluation."""

from gpuplanner.cli.documents.audit import audit_document
from gpuplanner.cli.documents.plan import plan_document
from gpuplanner.domain.figures.clusters import CLUSTER
from tests.files.workbook.book_cells import SheetCells

CENT = 0.01
TINY = 1e-6

POOL_COLUMNS = {
    "GPU-h in the lookback period": "gpu_hours",
    "Mean GPUs": "mean_gpus",
    "p95 GPUs": "p95_gpus",
    "Peak GPUs": "peak_gpus",
    "Growth per month": "growth",
    "Plan, $ per month": "usd_per_month",
}
MONTH_COLUMNS = {
    "Do nothing, $": "do_nothing_usd",
    "Plan as advised, $": "plan_usd",
    "Plan: existing contracts, $": "contracts_usd",
    "As advised: orders, $": "orders_usd",
    "As advised: on demand, $": "use_usd",
}
CLUSTER_COLUMNS = {
    CLUSTER[key].heading(", "): CLUSTER[key].json_name
    for key in (
        "paid_gpu_hours",
        "used_gpu_hours",
        "utilization",
        "training_hours",
        "non_training_hours",
        "non_training_paid_gpu_hours",
        "non_training_used_gpu_hours",
        "non_training_utilization",
        "paid_in_window",
        "allocated_in_window",
        "useful_in_window",
        "allocated_idle_in_window",
        "unallocated_in_window",
        "activity",
        "cost_per_month",
    )
}
CONTRACT_COLUMNS = {
    "Paid, GPU-h in the lookback period": "committed_gpu_hours",
    "Used, GPU-h in the lookback period": "used_gpu_hours",
    "Utilization": "utilization",
    "Break-even utilization": "break_even_utilization",
}


def figures_apart(cells, evaluation):
    """(sheet, what, in the book, in the JSON) of every figure that differs."""
    return apart_from(cells, audit_document(evaluation) | plan_document(evaluation))


def apart_from(cells, document):
    """The same beside a document of the command line."""
    pairs = [
        *_pools(SheetCells(cells["Calc pools"]), document),
        *_layers(SheetCells(cells["Calc orders"]), document),
        *_months(SheetCells(cells["Calc months"]), document),
        *_clusters(SheetCells(cells["Audit"]), document),
        *_contracts(SheetCells(cells["Contract inputs"]), document),
    ]
    assert pairs
    return [pair for pair in pairs if not _alike(pair[2], pair[3])]


def _alike(here, there):
    here = None if here in ("—", None) else here
    if here is None or there is None or isinstance(here, str):
        return here is there or here == there
    return abs(here - there) <= (CENT if abs(there) >= 1 else TINY) + 1e-9 * abs(there)


def _words(model):
    return "unknown" if model is None else model


def _row(sheet, letters, head, wanted):
    """The first row under a heading in which every column has its value; a GPU model is unknown in several words."""
    for row in range(head + 1, head + 400):
        if all(
            str(sheet.cells.get(f"{at}{row}", "")).lower().startswith(str(value).lower())
            for at, value in wanted.items()
        ):
            return row
    raise AssertionError(f"no row {wanted} under {letters}{head}")


def _pools(sheet, document):
    for pool in document["pools"]:
        wanted = {"A": pool["pool"], "B": _words(pool["gpu_model"])}
        for heading, key in POOL_COLUMNS.items():
            letters, head = sheet.column(heading)
            row = _row(sheet, letters, head, wanted)
            yield "Calc pools", f"{wanted} {heading}", sheet.cells.get(f"{letters}{row}"), pool[key]


def _layers(sheet, document):
    """By pool, model and term: a book has a row for every offer that is ordered, the JSON one for each of month 0."""
    _, head = sheet.column("GPUs, peak")
    names = ("Term, months", "GPUs, peak", "Cost, $ per month", "Kind")
    columns = {name: sheet.column(name, head)[0] for name in names}
    found = {}
    row = head + 1
    while sheet.cells.get(f"A{row}"):
        at = {name: sheet.cells.get(f"{letters}{row}") for name, letters in columns.items()}
        term = "existing" if at["Kind"] == 1 else at["Term, months"] if at["Kind"] == 2 else "use"
        key = (sheet.cells[f"A{row}"].lower(), str(sheet.cells[f"B{row}"]), term)
        gpus, usd = found.get(key, (0.0, 0.0))
        money = None if usd is None or at["Cost, $ per month"] == "—" else usd + at["Cost, $ per month"]
        found[key] = (gpus + (at["GPUs, peak"] if at["Kind"] != 3 else 0.0), money)
        row += 1
    for pool in document["pools"]:
        sums = {}
        for layer in pool["layers"]:
            term = "existing" if layer["existing"] else layer["term_months"] or "use"
            gpus, usd = sums.get(term, (0.0, 0.0))
            money = None if usd is None or layer["usd_per_month"] is None else usd + layer["usd_per_month"]
            sums[term] = (gpus + (layer["gpus"] if term != "use" else 0.0), money)
        for term, (gpus, usd) in sums.items():
            model = _words(pool["gpu_model"])
            key = next(
                (
                    each
                    for each in found
                    if each[0] == pool["pool"] and each[1].startswith(model) and each[2] == term
                ),
                None,
            )
            here = found.get(key, (0.0, 0.0))
            yield "Calc orders", f"{pool['pool']} {model} {term} GPUs", here[0], gpus
            yield "Calc orders", f"{pool['pool']} {model} {term} $", "—" if here[1] is None else here[1], usd


def _months(sheet, document):
    for heading, key in MONTH_COLUMNS.items():
        letters, head = sheet.column(heading)
        for number, month in enumerate(document["comparison"]):
            yield (
                "Calc months",
                f"month {number} {heading}",
                sheet.cells.get(f"{letters}{head + 1 + number}"),
                month[key],
            )


def _clusters(sheet, document):
    for cluster in document["clusters"]:
        said = {key: cluster[key] for key in CLUSTER_COLUMNS.values()}
        stranded = {
            CLUSTER["stranded_audit"].heading(", "): cluster["stranded"]["audit_usd_per_month"],
            CLUSTER["stranded_metered"].heading(", "): cluster["stranded"]["metered_usd_per_month"],
        }
        wanted = {heading: said[key] for heading, key in CLUSTER_COLUMNS.items()} | stranded
        for heading, value in wanted.items():
            letters, head = sheet.column(heading)
            row = next(row for row in sheet.rows(A=cluster["cluster"] or "no cluster") if row > head)
            yield "Audit", f"{cluster['cluster']} {heading}", sheet.cells.get(f"{letters}{row}"), value


def _contracts(sheet, document):
    for contract in document["contracts"]:
        for heading, key in CONTRACT_COLUMNS.items():
            letters, head = sheet.column(heading)
            row = next(row for row in sheet.rows(A=contract["contract_id"]) if row > head)
            yield (
                "Contracts",
                f"{contract['contract_id']} {heading}",
                sheet.cells.get(f"{letters}{row}"),
                contract[key],
            )
