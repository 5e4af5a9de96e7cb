"""Pools, the charts of layers: what contracts leave over, busiest hours first, over the layers that the plan buys."""

from math import ceil
from typing import Final

import numpy as np

from gpuplanner.domain.figures import titles
from gpuplanner.files.workbook.demand.pools_sheet import CURVE_STEPS, SHEET, Pools
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, PairKey, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import Expr, call
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.looks import POOL_FILL
from gpuplanner.files.workbook.kit.print_pages import CHART_WIDTH, column_of_chart
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment

CHARTS_AT_MOST: Final = 6
CHART_ROWS: Final = 17
SHADES: Final = ("#526094", "#7381B1", "#98A3C7", "#BCC4DC", "#D8DDEB", "#E9ECF4")
"""Of layers from the bottom up: what is bought for longest is darkest."""


def write_layer_charts(
    book: Book, inputs: Inputs, hours: HourSheet, pools: Pools, commitment: Commitment
) -> None:
    """A chart for each pool and model that buys layers, the most expensive first, and its table of formulas below."""
    layers = commitment.layers
    bought: dict[PairKey, list[int]] = {}
    for place in range(layers.size):
        if layers.cell("kind", place).value == COMMITTED and layers.cell("gpus", place).number > 0:
            bought.setdefault(inputs.pairs[int(layers.cell("pool_row", place).number) - 1], []).append(place)
    most_expensive = sorted(bought, key=lambda pair: -_usd(pools, inputs, pair))[:CHARTS_AT_MOST]
    if not most_expensive:
        return
    row = pools.end_row + 1
    book.write(SHEET, row, 0, "Layers under what existing contracts leave over", "section")
    first_data_row = row + 1 + CHART_ROWS * ceil(len(most_expensive) / 2)
    fields = [Field("share", "Share of hours", "ratio")]
    for number, pair in enumerate(most_expensive):
        name = f"{pool_words(pair[0])} {model_words(pair[1])}"
        fields.append(Field(f"over{number}", f"{name}: left over by contracts, and layers", "mean"))
        fields += [
            Field(f"layer{place}", f"{name}: {layers.cell('layer', place).value}, GPUs", "mean")
            for place in bought[pair]
        ]
    table = Table(book, SHEET, first_data_row, CURVE_STEPS + 1, fields)
    for step in range(CURVE_STEPS + 1):
        share = table.put("share", step, step / CURVE_STEPS)
        for number, pair in enumerate(most_expensive):
            column = hours.column(("over", *pair))
            rank = max(1, ceil(round(share.number * inputs.hours, 6)))
            value = float(np.sort(column.values)[inputs.hours - rank])
            place_text = f"MAX(1,ROUNDUP(ROUND({share.text}*ROWS({column.range.text}),6),0))"
            table.put(f"over{number}", step, call("LARGE", value, column.range, place_text))
            for place in bought[pair]:
                gpus = layers.cell("gpus", place)
                table.put(f"layer{place}", step, Expr(gpus.text, gpus.value, True))
    for number, pair in enumerate(most_expensive):
        _chart(book, table, layers, pair, number, bought[pair], row + 1 + CHART_ROWS * (number // 2))


def _usd(pools: Pools, inputs: Inputs, pair: PairKey) -> float:
    """What a pool and model cost a month; 0 where that is unknown, for the order of the charts alone."""
    usd = pools.table.cell("usd", inputs.pairs.index(pair))
    return usd.number if usd.is_known else 0.0


def _chart(
    book: Book, table: Table, layers: Table, pair: PairKey, number: int, places: list[int], row: int
) -> None:
    """Adds the chart of one pool and model: its layers as areas, what contracts leave over as a line."""
    areas = book.workbook.add_chart({"type": "area", "subtype": "stacked"})
    shares = f"={table.range('share').area}"
    for order, place in enumerate(places):
        areas.add_series(
            {
                "name": str(layers.cell("layer", place).value),
                "categories": shares,
                "values": f"={table.range(f'layer{place}').area}",
                "fill": {"color": SHADES[min(order, len(SHADES) - 1)]},
            }
        )
    line = book.workbook.add_chart({"type": "line"})
    line.add_series(
        {
            "name": "Left over by contracts",
            "categories": shares,
            "values": f"={table.range(f'over{number}').area}",
            "line": {"color": POOL_FILL[pair[0]], "width": 2.25},
        }
    )
    areas.combine(line)
    areas.set_title(
        {
            "name": [
                SHEET,
                table.first_row - 1,
                table.column_of(f"over{number}"),
            ],  # a log's text is read, not said
            "name_font": {"size": 12},
            "overlay": False,
        }
    )
    areas.set_x_axis(
        {
            "name": "Share of hours, busiest first",
            "num_format": "0%",
            "interval_unit": 10,
            "interval_tick": 10,
            "position_axis": "on_tick",
        }
    )
    areas.set_y_axis(
        {
            "name": str(titles.MEAN_GPUS),
            "min": 0,
            "major_gridlines": {"visible": True, "line": {"color": "#E4E7EC"}},
        }
    )
    areas.set_legend({"position": "bottom"})
    areas.set_size({"width": CHART_WIDTH, "height": 336})
    sheet = book.sheets[SHEET]
    sheet.insert_chart(row, column_of_chart(sheet, number), areas)
