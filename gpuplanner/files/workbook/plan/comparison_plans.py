"""Comparison, what follows sizes typed into the book: what is left over with nothing signed, and the layers held."""

from functools import partial

from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.reports.plan.plan_layers import PLAN_LAYERS
from gpuplanner.files.workbook.demand.demand_months import MonthsAhead, means_by_month
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.kit.book import Table
from gpuplanner.files.workbook.kit.expressions import Expr, known, scaled, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, text_field
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED, NOTHING, USAGE
from gpuplanner.files.workbook.plan.comparison_inputs import MONTHS, MonthInputs, by_month, copied


class MonthPlans:
    """Tables of mean GPUs and $ by month. main: the sheet's first table, whose `price` column is there."""

    def __init__(
        self, sheet: MonthInputs, main: Table, prices: Prices, hours: HourSheet, pools: Table, layers: Table
    ) -> None:
        self.sheet, self.inputs, self.named = sheet, sheet.inputs, sheet.named
        self.main, self.prices, self.hours, self.pools, self.layers = main, prices, hours, pools, layers

    def left_over(self, months: MonthsAhead) -> Table:
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
        needs = [
            *(self.prices.plan[pair] for pair in self.inputs.pairs),
            *(self.prices.unplanned[pair] for pair in self.inputs.unplanned_pairs),
        ]
        rates = [
            *(self.pools.cell("on_demand", place) for place in range(len(self.inputs.pairs))),
            *(self.prices.on_demand(self.prices.unplanned[pair]) for pair in self.inputs.unplanned_pairs),
        ]
        for place, pair in enumerate(self.inputs.pairs_of_nothing):
            self.sheet.names(table, place, pair)
            rate = table.put("rate", place, copied(rates[place]))
            means_by_month(self.hours, table, place, partial(months.left_over, "all", pair), zero, None)
            for month in MONTHS:
                gpus, price = table.cell(f"m{month}", place), self.main.cell("price", month)
                stepped = self.prices.use_in(needs[place], month)
                usd = known([rate], scaled(gpus * rate * price, stepped) * self.named.hours_per_month)
                is_served = not self.prices.is_refused(needs[place])
                table.put(f"usd{month}", place, when(gpus < NOTHING, 0, usd) if is_served else 0)
        return table

    def held(self, months: MonthsAhead) -> tuple[Table, Table]:
        """Layers held at their sizes: what each costs in each month, and what is paid by the hour beside them."""
        rows = [
            place for place in range(self.layers.size) if self.layers.cell("kind", place).value == COMMITTED
        ]
        models = {offer.offer_id: offer.gpu_model for offer in self.prices.listed}
        signed = self.sheet.table(
            "Layers held: those of Commitment, each renewed when it ends, at the prices of that month",
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
            size = "paid" if self.prices.are_whole(need) else "gpus"
            term, gpus, rate = (
                signed.put(key, place, copied(self.layers.cell(source, row)))
                for key, source in (("term_months", "term_months"), ("gpus", size), ("rate", "rate"))
            )
            fall, offer = self.named.assumptions["delta"], self.layers.cell("offer_id", row)
            for month in MONTHS:
                since = month // int(term.number) * int(term.number)
                price = Expr(
                    f"(1-{fall.text})^(INT({month}/{term.text})*{term.text})", (1 - fall.number) ** since
                )
                stepped = self.prices.steps.when_signed(models.get(str(offer.value)), since)
                usd = known([rate], scaled(gpus * rate * price, stepped) * self.named.hours_per_month)
                signed.put(f"usd{month}", place, when(gpus.equals(0), 0, usd))
        last = [place for place in range(self.layers.size) if self.layers.cell("kind", place).value == USAGE]
        used = self.sheet.table(
            "Layers held: what they leave, mean GPUs paid by the hour",
            len(last),
            (
                text_field(PLAN_LAYERS, "pool"),
                text_field(PLAN_LAYERS, "gpu_model"),
                Field("from", "From GPU", "mean"),
                Field("gpus", "GPUs", "mean"),
                Field("r_flex", "Usage rate, $ per GPU-h", "rate"),
                *by_month("m", "mean", "Busy, "),
                *by_month("usd", "usd", "$, "),
            ),
        )
        for place, row in enumerate(last):
            pair_place = int(self.layers.cell("pool_row", row).number) - 1
            pair = self.inputs.pairs[pair_place]
            self.sheet.names(used, place, pair)
            low = used.put("from", place, copied(self.layers.cell("below", row)))
            is_top = (
                row + 1 == self.layers.size or self.layers.cell("pool_row", row + 1).number != pair_place + 1
            )
            width = None if is_top else copied(self.layers.cell("gpus", row))
            used.put("gpus", place, "and above" if width is None else width)
            rate = used.put("r_flex", place, copied(self.pools.cell("r_flex", pair_place)))
            left = partial(months.left_over, "existing", pair)
            means_by_month(self.hours, used, place, left, low, width)
            for month in MONTHS:
                stepped = self.prices.steps.of_blend([pair], month)
                busy = used.cell(f"m{month}", place)
                used.put(f"usd{month}", place, self._usage(busy, rate, month, stepped))
        return signed, used

    def _usage(self, busy: Expr, rate: Expr, month: int, stepped: Expr | None) -> Expr:
        """$ of what is paid by the hour in a month. stepped: what dated steps make of the rate in it."""
        at_prices = scaled(busy * rate * self.main.cell("price", month), stepped)
        usd = known([rate], at_prices * self.named.hours_per_month)
        return when(busy < NOTHING, 0, usd)
