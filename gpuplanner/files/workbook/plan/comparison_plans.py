"""Comparison, its plans by month: what is left over with nothing signed, the plan as advised, its layers held."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.commitment.result import Bond, BondRun
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.reports.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.demand.demand_months import LaterMonths, MonthDemand, mean_above
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.mapped_models import paid_for
from gpuplanner.files.workbook.inputs.prices_sheet import Prices
from gpuplanner.files.workbook.kit.book import Field, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, known, lift, sum_where, when
from gpuplanner.files.workbook.kit.figure_cells import figure_field, text_field
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED, NOTHING
from gpuplanner.files.workbook.plan.comparison_inputs import MONTHS, MonthInputs, by_month, copied


class MonthPlans:
    """Tables of mean GPUs and $ by month. main: the sheet's first table, whose `price` column is there."""

    def __init__(
        self, sheet: MonthInputs, main: Table, prices: Prices, hours: HourSheet, pools: Table, layers: Table
    ) -> None:
        self.sheet, self.inputs, self.named = sheet, sheet.inputs, sheet.named
        self.main, self.prices, self.hours, self.pools, self.layers = main, prices, hours, pools, layers

    def left_over(self, months: LaterMonths) -> Table:
        """What contracts leave over with nothing signed, and what it costs on demand."""
        table = self.sheet.table(
            "With nothing signed: left over by the contracts, mean GPUs",
            len(self.inputs.pairs_of_nothing),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("rate", "On demand, $ per GPU-h", "rate"),
                *by_month("m", "mean"),
                *by_month("usd", "usd", "$, "),
            ),
        )
        zero = Expr("0", 0.0, True)
        rates = [
            *(self.pools.cell("on_demand", place) for place in range(len(self.inputs.pairs))),
            *(self.prices.on_demand(self.prices.unplanned[pair]) for pair in self.inputs.unplanned_pairs),
        ]
        for place, pair in enumerate(self.inputs.pairs_of_nothing):
            self.sheet.names(table, place, pair)
            rate = table.put("rate", place, copied(rates[place]))
            self._means(table, place, "m", partial(months.left_over, "all", pair), zero, None)
            for month in MONTHS:
                gpus, price = table.cell(f"m{month}", place), self.main.cell("price", month)
                usd = known([rate], gpus * rate * price * self.named.hours_per_month)
                table.put(f"usd{month}", place, when(gpus < NOTHING, 0, usd))
        return table

    def advised(self, months: LaterMonths) -> Table:
        """The app's plan month by month: slices that are bound alike, what they are bound to, what they use."""
        runs = [
            (place, pair, run, plan.slicing)
            for place, pair in enumerate(self.inputs.pairs)
            if (plan := self.inputs.pool_plan(pair)) is not None
            for run in plan.bond_runs
        ]
        table = self.sheet.table(
            "The plan as advised: slices of GPUs, when each is signed, and what it uses until then",
            len(runs),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("words", "Signed"),
                Field("from", "From GPU", "gpus"),
                Field("gpus", "GPUs", "gpus"),
                Field("r_flex", "Usage rate, $ per GPU-h", "rate"),
                *by_month("m", "mean", "Busy, "),
                *by_month("signed", "usd", "Signed $, "),
                *by_month("usage", "usd", "By use $, "),
            ),
        )
        offers = {offer.offer_id: place for place, offer in enumerate(self.prices.listed)}
        signed_above: dict[tuple[int, int, Bond], list[Expr]] = {}  # by row of the plan, month and bond
        for place, (pair_place, pair, run, slicing) in enumerate(runs):
            self.sheet.names(table, place, pair)
            table.put("words", place, _signed_words(run))
            low = table.put("from", place, slicing.below(run.first_slice - 1))
            gpus = table.put("gpus", place, slicing.gpus(run.first_slice, run.last_slice))
            rate = table.put("r_flex", place, copied(self.pools.cell("r_flex", pair_place)))
            self._means(
                table,
                place,
                "m",
                partial(months.left_over, "existing", pair),
                low,
                gpus,
                [bond is not None and bond.share == 1 for bond in run.bonds],
            )
            for month, bond in enumerate(run.bonds):
                above = signed_above.setdefault((pair_place, month, bond), []) if bond is not None else []
                signed, usage = (
                    self._bond(bond, gpus, offers, self.prices.plan[pair], above),
                    Expr("0", 0.0, True),
                )
                above.append(gpus)
                if bond is None or bond.share != 1:
                    busy = table.cell(f"m{month}", place)
                    usage = self._usage(busy, rate, month, 1.0 if bond is None else 1 - bond.share)
                table.put(f"signed{month}", place, signed)
                table.put(f"usage{month}", place, usage)
        return table

    def held(self, months: LaterMonths) -> tuple[Table, Table]:
        """Layers held at their sizes: what each costs in each month, and what lies above them by use."""
        rows = [
            place for place in range(self.layers.size) if self.layers.cell("kind", place).value == COMMITTED
        ]
        signed = self.sheet.table(
            "The plan with its layers held: each renewed when it ends, at the prices of that month",
            len(rows),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                figure_field(LAYER["term_months"]),
                Field("gpus", "GPUs", "mean"),
                figure_field(LAYER["rate"]),
                *by_month("usd", "usd", "$, "),
            ),
        )
        for place, row in enumerate(rows):
            pair = self.inputs.pairs[int(self.layers.cell("pool_row", row).number) - 1]
            self.sheet.names(signed, place, pair)
            need = self.prices.plan[pair]
            size = "paid" if self.prices.needs[need].ratios else "gpus"
            term, gpus, rate = (
                signed.put(key, place, copied(self.layers.cell(source, row)))
                for key, source in (("term_months", "term_months"), ("gpus", size), ("rate", "rate"))
            )
            fall = self.named.assumptions["delta"]
            for month in MONTHS:
                since = month // int(term.number) * int(term.number)
                price = Expr(
                    f"(1-{fall.text})^(INT({month}/{term.text})*{term.text})", (1 - fall.number) ** since
                )
                usd = known([rate], gpus * rate * price * self.named.hours_per_month)
                signed.put(f"usd{month}", place, when(gpus.equals(0), 0, usd))
        used = self.sheet.table(
            "The plan with its layers held: mean GPUs above them, paid by use",
            len(self.inputs.pairs),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("gpus", "GPUs committed", "mean"),
                Field("r_flex", "Usage rate, $ per GPU-h", "rate"),
                *by_month("m", "mean", "Busy, "),
                *by_month("usd", "usd", "$, "),
            ),
        )
        for place, pair in enumerate(self.inputs.pairs):
            self.sheet.names(used, place, pair)
            mine = ((self.layers.range("pool_row"), place + 1), (self.layers.range("kind"), COMMITTED))
            gpus = used.put("gpus", place, sum_where(self.layers.range("gpus"), *mine))
            rate = used.put("r_flex", place, copied(self.pools.cell("r_flex", place)))
            self._means(used, place, "m", partial(months.left_over, "existing", pair), gpus, None)
            for month in MONTHS:
                used.put(f"usd{month}", place, self._usage(used.cell(f"m{month}", place), rate, month))
        return signed, used

    def _means(
        self,
        table: Table,
        place: int,
        key: str,
        left_over: Callable[[int], MonthDemand],
        low: Expr,
        size: Expr | None,
        skipped: Sequence[bool] = (False,) * COMPARED_MONTHS,
    ) -> None:
        """Mean GPUs of each month's left over above `low`; months alike read the first of them."""
        seen: list[tuple[MonthDemand, int]] = []
        for month in MONTHS:
            if skipped[month]:
                table.put(f"{key}{month}", place, "signed", "muted_right")
                continue
            demand = left_over(month)
            first = next((each for known_one, each in seen if known_one.same_as(demand)), None)
            if first is not None:
                table.put(f"{key}{month}", place, copied(table.cell(f"{key}{first}", place)))
                continue
            seen.append((demand, month))
            table.put(f"{key}{month}", place, mean_above(self.hours, demand, low, size))

    def _bond(
        self, bond: Bond | None, gpus: Expr, offers: Mapping[str, int], need: int, above: Sequence[Expr]
    ) -> Expr:
        """$ of one month of slices that are bound; above: GPUs of the rows above that sign the same."""
        if bond is None:
            return Expr("0", 0.0, True)
        if bond.offer_id is None or bond.offer_id not in offers:
            return Expr(f'"{DASH}"', DASH, True)
        rate, worth = self.prices.offer_for(offers[bond.offer_id], need)
        upfront = self.prices.upfront_for(offers[bond.offer_id], need)
        price = rate * self.main.cell("price", bond.since_month) * self.named.hours_per_month
        paid = gpus if worth is None else paid_for(gpus, worth, above)
        usd = paid * (price if bond.share == 1 else price * lift(bond.share))
        return known([rate], usd if upfront is None else usd + paid * upfront * lift(bond.upfront_share))

    def _usage(self, busy: Expr, rate: Expr, month: int, share: float = 1.0) -> Expr:
        """$ of what is paid by use in a month; share: of the month."""
        used = busy if share == 1 else busy * lift(share)
        usd = known([rate], used * rate * self.main.cell("price", month) * self.named.hours_per_month)
        return when(busy < NOTHING, 0, usd)


def _signed_words(run: BondRun) -> str:
    """When slices are signed, in months: `month 0`, `month 0, month 6`, or `by use`."""
    since = dict.fromkeys(bond.since_month for bond in run.bonds if bond is not None)
    return ", ".join(f"month {month}" for month in since) or "by use"
