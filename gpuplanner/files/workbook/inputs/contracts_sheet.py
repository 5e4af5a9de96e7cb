"""Contracts: what exists, with yellow GPUs, rates and dates; merit order, use and money as formulas; the timeline."""

from typing import Final

from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.titles import COMMITTED
from gpuplanner.domain.figures.typed import plan_month
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.model.book.billed_part import BilledPart
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.dollars import IN_DOLLARS
from gpuplanner.domain.model.book.extras import EXTRA_MONEY
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.reports.clusters import CONTRACTS
from gpuplanner.files.workbook.inputs import sheet_inputs
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import (
    EXTRA_FIELDS,
    Prices,
    has_extras,
    stated_fields,
    with_extras,
    yes_or_no,
)
from gpuplanner.files.workbook.inputs.workloads_sheet import Dates
from gpuplanner.files.workbook.kit import figure_cells
from gpuplanner.files.workbook.kit.book import Book, Content, Table
from gpuplanner.files.workbook.kit.cells import day_number, written_date
from gpuplanner.files.workbook.kit.charts import GRID, add_stacked, put_chart
from gpuplanner.files.workbook.kit.checks import (
    COUNTED_FLAG,
    put_flags,
    take_dates,
    take_numbers,
    where_counted,
)
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    UNKNOWN,
    Expr,
    Operands,
    Range,
    added,
    by_row,
    call,
    formula,
    highest,
    known,
    lift,
    sum_where,
    when,
)
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import CALC_CONTRACTS, CONTRACT_INPUTS
from gpuplanner.lazy_dataclass import dataclass

RUNS_ON = 1e9
"""Hours from the window's start that stand for "no end"."""

OF_USE: Final = figure_cells.figure_fields(CONTRACTS, looks=figure_cells.looks_of("contract"))
"""What a contract was paid and used for, and the figures that follow from it."""

FIELDS = (
    *figure_cells.fields_of(
        "contracts",
        Field(key="rate", heading=LAYER["rate"].heading(", "), style="rate.input", width=10),
        Field(key="term", heading=LAYER["term_months"].heading(", "), style="count.fixed", width=8),
    ),
    *OF_USE,
    *figure_cells.fields_of(
        "contracts.month0",
        COUNTED_FLAG,
        Field(key="committed", heading=COMMITTED, style="count", width=10).noted(
            "1: paid whatever we do; 0: on demand, planned afresh."
        ),
        of=CLUSTER,
    ),
)

IN_FORCE: Final = Field(
    key="runs_on", heading="End without new commitments, h of the lookback period", style="until", width=13
).noted("A contract that renews then continues.")
BOUND: Final = Field(
    key="bound_h", heading="Bound until, h of the lookback period", style="number", width=13
).noted("The first possible end: a contract that renews commits until then.")
AS_HELD: Final = figure_cells.fields_of("contracts.as_held")
"""Only where the plan ends a contract sooner or one is take-or-pay: today's lock-in counts it as used, to its end."""
AS_SIGNED: Final = figure_cells.fields_of("contracts.signed")
"""Only where the plan counts with another end than a contract states, as it renews: an import reads the stated one."""
OF_DOLLARS: Final = figure_cells.fields_of("contracts.dollars")
"""Only where a row is a part of a commitment in dollars: an import reads the commitment, once."""
OF_BILLS: Final = figure_cells.fields_of("contracts.billed")
"""Only where a bill states what contracts cost in the lookback period."""
OF_EXTRAS: Final = (
    Field(key="egress", heading="Egress, $ per GB", style="rate.input", width=10),
    *EXTRA_FIELDS[:-1],
)
"""Only where a contract costs something beside its rate."""
OF_PAYING: Final = figure_cells.fields_of("contracts.of_paying")
"""Only where a contract is take-or-pay or prepaid."""
OF_MONTHS: Final = (
    *(
        Field(
            key=f"{which}_paid{month}",
            heading=f"Paid share of capacity, {plan_month(month)}{how}",
            style="ratio",
            width=9,
        )
        for which, how in zip(sheet_inputs.WHICH, ("", ", no new commitments"), strict=True)
        for month in range(COMPARED_MONTHS)
    ),
    Field(key="used0", heading="Used share of capacity, first month", style="ratio", width=9),
    Field(key="idle0", heading="Idle, $ per month, first month", style="usd", width=12),
)
"""Only where a contract is take-or-pay: by what the demand of each month uses of it, as the app has it."""
OF_TERMS: Final = {field.key: field for field in figure_cells.fields_of("contracts.of_terms")}
"""What most contracts do not state: each only where one does; a contract's attribute -> its column."""
WATCH: Final = Watch(title="Contracts", named_by=("contract_id",), values=True, number="number")
IDLE = "non_training_unallocated_in_window"
UNRATED = 1e99
"""Stands for an unknown rate in merit order."""
POOL_NUMBER = {None: 0, Pool.TRAINING: 1, Pool.INFERENCE: 2, Pool.BURST: 3}


@dataclass(frozen=True, slots=True)
class Contracts:
    """The sheet's cells. running: GPUs that run in each part of the twelve months by cluster, model and pin, at
    `place_of`. one_by_one: those of each contract, where not everybody may serve.
    """

    table: Table
    running: Table
    place_of: dict[sheet_inputs.CapacityKey, int]
    one_by_one: Table | None

    def gpus(self, which: str, key: sheet_inputs.CapacityKey, part: int) -> Expr | None:
        """GPUs of a cluster and model pinned to a pool, or free (None); which: existing (committed) or all. None where
        there are none."""
        place = self.place_of.get(key)
        return None if place is None else self.running.cell(f"{which}{part}", place)

    def gpus_of_one(self, which: str, place: int, part: int) -> Expr:
        """The same of one contract."""
        assert self.one_by_one is not None  # else every contract serves every row
        return self.one_by_one.cell(f"{which}{part}", place)


def write_contracts(named: Named, dates: Dates) -> Contracts:
    """Write the inputs, the merit order and month 0; what depends on the hours comes with `write_use`."""
    book, inputs = named.book, named.inputs
    row = book.title(
        CONTRACT_INPUTS,
        "Yellow cells are inputs: all figures follow the GPUs, rates and dates. Change grey cells in the app.",
        "The contract with the lowest rate serves first (merit rank). Advice, order dates and the split of jobs of "
        "unknown model come from the app.",
    )
    ends_sooner = any({_bound_s(c), c.end_s} != {inputs.held_ends[c.contract_id]} for c in inputs.contracts)
    runs_on = any(
        one.end_s != other.end_s for one, other in zip(inputs.contracts, inputs.in_force, strict=True)
    )
    has_more = has_extras(inputs.contracts)
    pays = any(one.take_or_pay_percent is not None for one in inputs.contracts)
    fields = (
        *FIELDS,
        *(OF_EXTRAS if has_more else ()),
        *(OF_PAYING if pays or any(one.prepaid_rate != 0 for one in inputs.contracts) else ()),
        *(OF_MONTHS if pays else ()),
        *stated_fields(OF_TERMS, inputs.contracts, has_extras=has_more),
        *(OF_DOLLARS if any(row.is_dollars for row in inputs.contracts) else ()),
        *(OF_BILLS if inputs.billed_rates else ()),
        *(AS_SIGNED if _signed_ends(inputs) else ()),
        *(AS_HELD if ends_sooner or pays else ()),
        *((IN_FORCE,) if runs_on else ()),
        *((BOUND,) if any(_bound_s(c) != c.end_s for c in inputs.contracts) else ()),
    )
    table = Table(
        book=book,
        sheet=CONTRACT_INPUTS,
        row=row,
        size=len(inputs.contracts),
        fields=fields,
        name="ContractList",
        watch=WATCH,
    )
    table.widen()
    book.group_workings(table, "number")
    book.sheets[CONTRACT_INPUTS].freeze_panes(table.first_row, 1)
    for place, contract in enumerate(inputs.contracts):
        _inputs_of(table, place, contract, named)
    put_flags(book, table)
    for place in range(table.size):
        _dates(table, place, named)
    for place, contract in enumerate(inputs.contracts):
        _month0(table, place, contract, named)
    for place in range(table.size):
        table.put("merit", place, _merit(table, place, inputs.contracts[place]))
    take_numbers(table, "gpus")
    take_numbers(table, "rate", or_unknown=True)
    for field in OF_EXTRAS if has_more else ():
        take_numbers(table, field.key, or_unknown=True)
    take_dates(table, "start")
    take_dates(table, "end", or_unknown=True)
    running = _running(table, named, dates)
    one_by_one = _one_by_one(table, running, named, dates) if inputs.scenario.only else None
    places = {key: place for place, key in enumerate(sheet_inputs.capacity_keys(inputs))}
    return Contracts(table, running, places, one_by_one)


def _bound_s(contract: Contract) -> int | None:
    """Until when a contract binds in the plan: to its end or, where it runs on by renewing, to its first end."""
    is_part = contract.is_dollars and contract.bound_until_s is not None  # its span may end before
    return contract.bound_until_s if is_part or contract.end_s is None else contract.end_s


def _signed_ends(inputs: sheet_inputs.Inputs) -> dict[str, int | None]:
    """The ends that contracts state, epoch seconds, by id; empty where the plan counts with all of them."""
    stated = {contract.contract_id: contract.end_s for contract in inputs.project.contracts}
    signed = {
        row.contract_id: stated.get(row.whole_id if row.is_dollars else row.contract_id, row.end_s)
        for row in inputs.contracts
    }
    return signed if any(signed[row.contract_id] != row.end_s for row in inputs.contracts) else {}


def _by_part(inputs: sheet_inputs.Inputs) -> list[Field]:
    """A column for each part of a month, of commitments and of all rows."""
    return [
        Field(key=f"{which}{part}", heading=f"{words}, {sheet_inputs.part_words(inputs, part)}", style="gpus")
        for which, words in (("existing", COMMITTED), ("all", "Any"))
        for part in range(len(inputs.parts))
    ]


def to_key(contracts: Table, which: str) -> str:
    """The column of when contracts end: without new commitments (all) some run on that end in the plan."""
    return IN_FORCE.key if which == "all" and contracts.has(IN_FORCE.key) else "to_h"


def _runs(contracts: Table, named: Named, dates: Dates, which: str, part: int) -> Range:
    """1 for each contract that runs through a part, of those that are committed or of all; as an array."""
    begin, end = (named.plan_begins_h + edge for edge in dates.edges[part])
    edges: Operands = {
        "from_h": contracts.range("from_h"),
        "begin": begin,
        "to_h": contracts.range(to_key(contracts, which)),
        "end": end,
    }
    runs = by_row("({from_h}<={begin})*({to_h}>={end})", **edges)
    if which == "all":
        return runs
    return by_row("{runs}*({committed}=1)", runs=runs, committed=contracts.range("committed"))


def _running(contracts: Table, named: Named, dates: Dates) -> Table:
    """GPUs that run through each part of the months, by cluster, model and pin: every hour reads them here."""
    book, inputs = named.book, named.inputs
    keys = sheet_inputs.capacity_keys(inputs)
    row = book.title(
        CALC_CONTRACTS,
        "GPUs of the contracts in each part of a month, from Contract inputs. Demand and months read them here.",
    )
    whose = (
        Field(key="cluster", heading="Cluster"),
        Field(key="gpu_model", heading="GPU model"),
        Field(key="serves", heading="Serves"),
    )
    watch, fields = Watch(title="GPUs that run in parts of months", values=True), (*whose, *_by_part(inputs))
    title = "GPUs that run through each part of the months"
    table = Table(
        book=book, sheet=CALC_CONTRACTS, row=row, size=len(keys), fields=fields, watch=watch, section=title
    )
    for place, (cluster, model, pool) in enumerate(keys):
        table.fill(
            place, cluster=sheet_inputs.cluster_words(cluster), gpu_model=sheet_inputs.model_words(model)
        )
        table.put("serves", place, "every pool" if pool is None else f"{sheet_inputs.pool_words(pool)} only")
        for which in sheet_inputs.WHICH:
            for part in range(len(inputs.parts)):
                gpus = formula(
                    "SUMPRODUCT({gpus},({clusters}={cluster})*({models}={model})*({pools}={pool})*{runs})",
                    gpus=contracts.range("gpus_used"),
                    clusters=contracts.range("cluster_no"),
                    cluster=inputs.clusters.index(cluster) + 1,
                    models=contracts.range("model_no"),
                    model=inputs.models.index(model) + 1,
                    pools=contracts.range("pool_no"),
                    pool=POOL_NUMBER[pool],
                    runs=_runs(contracts, named, dates, which, part),
                )
                table.put(f"{which}{part}", place, gpus)
    return table


def _one_by_one(contracts: Table, beside: Table, named: Named, dates: Dates) -> Table:
    """The same of each contract, beside their sums."""
    inputs = named.inputs
    fields = (Field(key="contract_id", heading="Contract"), *_by_part(inputs))
    watch = Watch(title="GPUs that run in parts of months, by contract", values=True)
    column = len(beside.fields) + 1
    table = Table(
        book=named.book,
        sheet=CALC_CONTRACTS,
        row=beside.first_row - 1,
        size=contracts.size,
        fields=fields,
        column=column,
        watch=watch,
    )
    for place, contract in enumerate(inputs.contracts):
        table.put("contract_id", place, contract.contract_id)
        gpus, begins = (contracts.cell(key, place) for key in ("gpus_used", "from_h"))
        for part, of_part in enumerate(dates.edges):
            edges = dict(
                zip(("first", "last"), (named.plan_begins_h + edge for edge in of_part), strict=True)
            )
            for which in sheet_inputs.WHICH:
                given: Operands = {**edges, "begins": begins, "gpus": gpus}
                given["ends"] = contracts.cell(to_key(contracts, which), place)
                runs = formula("IF(AND({begins}<={first},{ends}>={last}),{gpus},0)", **given)
                mine = runs if which == "all" else runs * contracts.cell("committed", place)
                table.put(f"{which}{part}", place, mine)
    return table


def _inputs_of(table: Table, place: int, contract: Contract, named: Named) -> None:
    """Writes what a contract states and what the advice says of it; no rate stands as the words quote needed."""
    row = named.inputs.verdicts.get(contract.contract_id)
    cells: dict[str, Content] = {
        "contract_id": contract.contract_id,
        "provider": contract.provider,
        "cluster": sheet_inputs.cluster_words(contract.cluster),
        "gpu_model": sheet_inputs.model_words(contract.gpu_model),
        "category": None if contract.pricing_category is None else str(contract.pricing_category),
        "pool": None if contract.pool is None else sheet_inputs.pool_words(contract.pool),
        "gpus": contract.gpus,
        "rate": named.counted(contract, contract.quoted_rate, "quote needed"),
        "start": day_number(contract.start_s),
        "end": None if contract.end_s is None else day_number(contract.end_s),
        "term": contract.term_months,
        "notice": contract.notice_written if contract.is_notice_unknown else contract.notice_days,
        "verdict": None if row is None else row.advice,
        "verdict_gpus": None if row is None else row.following_gpus,
        "verdict_term": None if row is None else row.following_term_months,
        "order_by": None if row is None or row.decide_by_s is None else written_date(row.decide_by_s),
        "number": place + 1,
        "cluster_no": named.inputs.clusters.index(contract.cluster) + 1,
        "model_no": named.inputs.models.index(contract.gpu_model) + 1,
        "pool_no": -1 if contract.is_shared else POOL_NUMBER[contract.pool],
        "committed": 1 if contract.is_committed else 0,
    }
    if contract.is_dollars:
        cells |= _whole(contract, named)
    if isinstance(contract, BilledPart):
        cells["rate"] = "unknown" if contract.rate is None else contract.rate
    if contract.contract_id in named.inputs.billed_rates:
        rate = named.inputs.billed_rates[contract.contract_id]
        table.put("billed_rate", place, DASH if rate is None else rate)
    if table.has(AS_SIGNED[0].key):
        signed_s = _signed_ends(named.inputs)[contract.contract_id]
        table.put("end_at_export", place, cells["end"])
        table.put("end_signed", place, None if signed_s is None else day_number(signed_s))
    locked, styles = named.inputs.locked_cells(contract), {field.key: field.style for field in FIELDS}
    for of in filter(table.has, OF_TERMS):
        table.put(of, place, _stated(contract, of, named))
    for key, content in cells.items():
        style = styles[key].replace(".input", ".fixed") if key in locked else None
        table.put(key, place, content, style)
    end, days = table.cell("end", place), table.cell("notice", place)
    last = when(call("ISNUMBER", end), formula("INT({end}-{days}-1/86400)", end=end, days=days), DASH)
    table.put("notice_by", place, last if contract.notice else None)


def _stated(contract: Contract, term: str, named: Named) -> Content:
    """The term of a contract, an attribute, as its cell has it."""
    stated = getattr(contract, term)
    if term in EXTRA_MONEY:
        return named.counted(contract, stated)
    if isinstance(stated, bool):
        return yes_or_no(stated)
    return stated if stated is None or not term.endswith("_s") else day_number(stated)


def _whole(part: Contract, named: Named) -> dict[str, Content]:
    """The commitment in dollars of which a row is a part; of one that is an order of the plan its name alone."""
    contracts = {contract.contract_id: contract for contract in named.inputs.project.contracts}
    whole = contracts.get(part.whole_id)
    if whole is None:
        return {"part_of": part.whole_id}
    return {
        "part_of": part.whole_id,
        "models_of_dollars": (whole.gpu_model or "").removeprefix(IN_DOLLARS),
        "commitment_usd_per_hour": named.counted(whole, whole.commitment_usd_per_hour),
        "discount_percent": whole.discount_percent,
    }


def _dates(table: Table, place: int, named: Named) -> None:
    """Writes begin and end in hours from the window's start; without an end a number beyond all windows.

    What is no day is told as such, and counts as none: as a row that is not counted it never begins.
    """
    for key, day in (("from_h", "start"), ("to_h", "end")):
        given: Operands = {"day": table.cell(day, place), "start": named.window_start, "never": RUNS_ON}
        hours = formula("IF(ISNUMBER({day}),ROUND(({day}-{start})*86400,0)/3600,{never})", **given)
        table.put(key, place, where_counted(table, place, hours, RUNS_ON) if key == "from_h" else hours)


def _month0(table: Table, place: int, contract: Contract, named: Named) -> None:
    """Writes what a contract does in month 0: its rate, its merit, hours that it runs, its cost."""
    inputs = named.inputs
    gpus = table.put("gpus_used", place, call("N", table.cell("gpus", place)))
    counted = typed = table.cell("rate", place)
    if table.has("paid_share"):
        share = table.put("paid_share", place, contract.paid_share)
        prepaid = table.put(
            "prepaid_rate", place, DASH if contract.prepaid_rate is None else contract.prepaid_rate
        )
        given: Operands = {"rate": call("N", typed), "share": share, "prepaid": prepaid, "none": DASH}
        counted = formula(
            "IF(ISTEXT({prepaid}),{none},IF({rate}+{prepaid}>0,{rate}+{prepaid},{none}))", **given
        )
    if table.has(OF_EXTRAS[0].key):
        for key in ("storage", "network", "staff"):
            table.put(key, place, named.counted(contract, getattr(contract, f"{key}_usd_per_gpu_month")))
        table.put("egress", place, named.counted(contract, contract.egress_usd_per_gb))
        table.put("support", place, contract.support_percent)
        sent = named.assumptions["egress_gb_per_gpu_hour"]
        counted = with_extras(table, place, counted, sent, named.hours_per_month)
    full, is_paid = counted, call("N", typed) > 0
    if table.has("paid_share"):
        counted = formula("(N({counted})+{rate}*({share}-1))", counted=counted, **given)
        is_paid = counted > 0
    if isinstance(contract, BilledPart):
        counted = full = typed
        is_paid = call("ISNUMBER", typed)
    rate = table.put("rate_used", place, when(is_paid, counted, DASH))
    table.put("merit_rate", place, when(call("ISNUMBER", rate), full, UNRATED))
    if table.has("paid_share"):
        full = table.put("full_rate", place, known([rate], full))
        idle = table.put("idle_share", place, contract.idle_share)
        table.put("idle_rate", place, known([rate], rate + call("N", typed) * (idle - share)))
    begins, ends = table.cell("from_h", place), table.cell("to_h", place)
    from_h = named.plan_begins_h
    hours = table.put("hours0", place, hours_in(begins, ends, from_h, from_h + named.hours_per_month))
    existing = table.put("existing", place, hours * table.cell("committed", place))
    paid0 = _rates_of_months(table, place, contract, named, rate)
    usd0 = known([rate], gpus * paid0["existing"] * existing)
    month0 = table.put("month0", place, when(existing.equals(0), 0, usd0))
    if table.has("idle0"):
        used0 = table.put("used0", place, contract.paid_in(0).used_share)
        table.put("idle0", place, known([month0], month0 - gpus * existing * used0 * call("N", full)))
    if table.has(IN_FORCE.key):
        runs_on = inputs.in_force[place].end_s is None and contract.end_s is not None
        is_bought = inputs.in_force[place].end_s == contract.start_s + 1  # by the plan alone
        last_hour: Content = ends
        if runs_on:
            last_hour = RUNS_ON
        elif is_bought:
            last_hour = begins
        last = table.put(IN_FORCE.key, place, last_hour)
        in_force = hours_in(begins, last, from_h, from_h + named.hours_per_month)
    else:
        in_force = hours
    usd0 = known([rate], gpus * paid0["all"] * in_force)
    table.put("nothing", place, when(in_force.equals(0), 0, usd0))
    _lock_in(table, place, contract, named, month0, known([rate], gpus * rate))


def _lock_in(
    table: Table, place: int, contract: Contract, named: Named, month0: Expr, usd_per_hour: Expr
) -> None:
    """Writes for how long a contract binds, and its $ × months; usd_per_hour: of all that it holds."""
    inputs, from_h = named.inputs, named.plan_begins_h
    begins, ends = table.cell("from_h", place), table.cell("to_h", place)
    of_notice = call("N", table.cell("notice", place)) * 24 / named.hours_per_month
    bound_s, without_end = _bound_s(contract), of_notice
    if bound_s is not None and bound_s != contract.end_s:
        ends = table.put(BOUND.key, place, (bound_s - inputs.project.window.start_s) / HOUR_S)
        without_end = (ends - from_h) / named.hours_per_month
    left = when(
        call("ISNUMBER", table.cell("end", place)), (ends - from_h) / named.hours_per_month, without_end
    )
    months = table.put("months_left", place, left)
    table.put("lock", place, known([month0], month0 * months))
    if table.has("later_h"):
        held_s = inputs.held_ends[contract.contract_id]
        is_stopped = held_s is None and bound_s is not None  # today it has no end
        later_s = 0 if is_stopped else (held_s or 0) - (bound_s or 0)
        later = table.put("later_h", place, later_s / HOUR_S)
        ends = lift(RUNS_ON) if is_stopped else formula("({ends}+{later})", ends=ends, later=later)
        hours = hours_in(begins, ends, from_h, from_h + named.hours_per_month) * table.cell(
            "committed", place
        )
        usd = table.put("held0", place, known([usd_per_hour], usd_per_hour * hours))
        left = of_notice if is_stopped else months + later / named.hours_per_month
        table.put("held_lock", place, known([usd], usd * left))


def _rates_of_months(
    table: Table, place: int, contract: Contract, named: Named, rate: Expr
) -> dict[str, Expr]:
    """Writes what each month pays for a contract; its rate of month 0 in the plan and without new commitments."""
    if not table.has(OF_MONTHS[0].key):
        return dict.fromkeys(sheet_inputs.WHICH, rate)
    found = {}
    for which, one in zip(sheet_inputs.WHICH, (contract, named.inputs.in_force[place]), strict=True):
        for month in reversed(range(COMPARED_MONTHS)):
            share = table.put(f"{which}_paid{month}", place, one.paid_in(month).paid_share)
        given: Operands = {"rate": rate, "typed": table.cell("rate", place), "share": share}
        given["paid"] = table.cell("paid_share", place)
        found[which] = formula("({rate}+N({typed})*({share}-{paid}))", **given)
    return found


def hours_in(begins: Expr, ends: Expr, first: Expr, last: Expr) -> Expr:
    """Hours of a span in which something runs that begins and ends at some hours."""
    given: Operands = {"begins": begins, "first": first, "ends": ends, "last": last}
    return formula("MAX(0,MIN({ends},{last})-MAX({begins},{first}))", **given)


BEFORE_ALL, AFTER_ALL = 0, 1_000_000
"""Merit ranks of billed use: it serves before contracts, or what they leave over."""


def _merit(table: Table, place: int, contract: Contract) -> Content:
    """1 + how many contracts come before: committed first, then the lower rate (unknown last), then the list."""
    if isinstance(contract, BilledPart):
        return AFTER_ALL if contract.is_beyond else BEFORE_ALL
    keys = ("committed", "merit_rate", "number")
    given: Operands = {key: table.range(key) for key in keys}
    given |= {f"own_{key}": table.cell(key, place) for key in keys}
    return formula(
        "1+SUMPRODUCT(ISNUMBER({number})*(({committed}>{own_committed})+({committed}={own_committed})"
        "*(({merit_rate}<{own_merit_rate})+({merit_rate}={own_merit_rate})*({number}<{own_number}))))",
        **given,
    )


def rate_cell(contracts: Table, key: str, place: int) -> Expr:
    """One of a contract's three rates, by the keys of CONTRACT; where all is paid, used or not, they are one."""
    return contracts.cell(key if key != "rate" and contracts.has(key) else "rate_used", place)


def write_use(contracts: Contracts, prices: Prices, hours: HourSheet) -> None:
    """What each contract was paid and used for, over the columns of the Demand sheet."""
    inputs, named = hours.inputs, hours.named
    table = contracts.table
    for place, contract in enumerate(inputs.contracts):
        capacity_column = hours.column(("capacity", place))
        served = hours.those(("served", place), ("served_unknown", place))
        training = hours.column(("training", contract.cluster))
        rates = {key: figure_cells.maybe(rate_cell(table, key, place)) for key in contract.rates}
        if contract.contract_id in inputs.billed_rates:
            rates = dict.fromkeys(rates, figure_cells.maybe(table.cell("billed_rate", place)))
        paid_for, used_of = capacity_column.range.sum(), added([column.range.sum() for column in served])
        paid = table.put("paid_gpu_hours", place, where_counted(table, place, paid_for))
        used = table.put("used_gpu_hours", place, where_counted(table, place, used_of))
        on_demand = prices.on_demand(prices.today[Row(inputs.contract_pool(contract), contract.gpu_model)])
        row: figure_cells.Cells = {
            "gpus": table.cell("gpus_used", place),
            "paid_gpu_hours": paid,
            "on_demand_rate": figure_cells.maybe(on_demand),
            **rates,
            "months": named.window_months,
        }
        # somebody has said what it serves
        is_known = contract.contract_id not in inputs.audit.unknown_contracts
        if is_known:
            row["used_gpu_hours"] = used
        if contract.is_committed:
            row["committed_rate"] = rates["rate"]
        left_out = figure_cells.write_figures(table, place, CONTRACT, row, [field.key for field in OF_USE])
        for key in left_out - {"used_gpu_hours"}:
            table.put(key, place, UNKNOWN)  # as the rest of its column: a formula
        idle = (training.range, 0)
        paid_for = sum_where(capacity_column.range, idle)
        used_of = added([sum_where(column.range, idle) for column in served])
        idle_paid = table.put("non_training_paid_gpu_hours", place, where_counted(table, place, paid_for))
        idle_used = table.put("non_training_used_gpu_hours", place, where_counted(table, place, used_of))
        in_them: figure_cells.Cells = {"paid_gpu_hours": idle_paid, "used_gpu_hours": idle_used}
        unused = figure_cells.live(CONTRACT, "unused_in_window", in_them | rates)
        table.put(IDLE, place, unused if is_known else DASH)


ROWS_AT_MOST: Final = 40

TIMELINE_FIELDS: Final = figure_cells.fields_of("contracts.timeline")


def write_timeline(book: Book, named: Named, contracts: Contracts) -> None:
    """A table of days by formulas, and the chart over it; the first contracts where there are many."""
    table = contracts.table
    size = min(table.size, ROWS_AT_MOST)
    if not size:
        return
    row = book.sheets[CALC_CONTRACTS].free_row
    more = "" if size == table.size else f": the first {size} of {table.size}"
    days = Table(
        book=book, sheet=CALC_CONTRACTS, row=row, size=size, fields=TIMELINE_FIELDS, section=f"Timeline{more}"
    )
    begin = named.window_start
    end = formula("({begin}+{hours}/24)", begin=begin, hours=named.window_hours)
    last = formula(
        "({begin}+{from_h}/24+{months}*{hours}/24)",
        begin=begin,
        from_h=named.plan_begins_h,
        months=named.fixed["timeline_months"],
        hours=named.hours_per_month,
    )
    for place in range(size):
        name, model, starts, ends = (
            table.cell(key, place) for key in ("contract_id", "gpu_model", "start", "end")
        )
        gpus = table.cell("gpus", place)
        days.fill(place, name=name, what=formula('{gpus}&" "&{model}', gpus=gpus, model=model))
        from_begin = formula("MIN(MAX(N({starts}),{begin}),{last})", starts=starts, begin=begin, last=last)
        until = formula("MIN(IF(ISNUMBER({ends}),{ends},{last}),{last})", ends=ends, last=last)
        shown = days.put("from", place, from_begin)
        split = formula("MAX({shown},MIN({until},{end}))", shown=shown, until=until, end=end)
        days.fill(place, in_window=split - shown, after=highest(0, until - split))
    _chart(book, days, begin.number, row + 2, size)


def _chart(book: Book, days: Table, begin: float, row: int, size: int) -> None:
    """Adds the chart of bars by contract; the first part of each is unseen and only moves the rest."""
    chart = book.workbook.add_chart({"type": "bar", "subtype": "stacked"})
    inside, after = ("in_window", "In the window", "#7381B1"), ("after", "After it", "#4B45C6")
    add_stacked(chart, days, "name", (("from", "Before", None), inside, after), 35)
    title, high = "Contracts over time: light in the window, dark after it", max(220, 90 + 24 * size)
    dates = {"num_format": "mmm yyyy", "min": int(begin), "major_unit": 183, **GRID}
    names = {"reverse": True, "min": None, "major_gridlines": None}
    put_chart(book, CALC_CONTRACTS, chart, title, (row, 6), (700, high), dates, names, {"none": True})
