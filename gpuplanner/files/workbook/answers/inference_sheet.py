"""Inference: what was sized for each endpoint, with the model, the GPUs and the requests as yellow inputs."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing, size_endpoint
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.domain.model.weekdays import DAYS
from gpuplanner.domain.reports.sizing import SIZES
from gpuplanner.domain.serving.gpus import ServingGpu, serving_gpus
from gpuplanner.domain.serving.memory import BYTES_BY_PRECISION, kv_bytes_per_token
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.answers.inference_formulas import LOADED, MEMORY, row_formulas
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, copy_of
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import (
    Look,
    beside,
    figure_field,
    maybe,
    report_fields,
    surely,
    write_figures,
)
from gpuplanner.files.workbook.kit.looks import POOL_FILL
from gpuplanner.files.workbook.kit.print_pages import CHART_WIDTH, column_of_chart

SHEET: Final = "Inference"
NO_ENDPOINT: Final = "no endpoint of the log"
CHARTS_AT_MOST: Final = 4
CHART_ROWS: Final = 17
NOON: Final = 12
FEW_HOURS: Final = 24
"""So many hours and fewer are named one by one on the chart."""

ENDPOINT_FIELDS: Final = (
    Field("name", "Endpoint", width=32),
    Field("on", "Sized on", width=22, note="The row that the planner kept, else that of least cost."),
    figure_field(SIZING["gpus_peak"], 9, style="gpus"),
    figure_field(SIZING["gpu_hours_per_month_flat"], 11, "The peak's replicas held all month."),
    figure_field(SIZING["gpu_hours_per_month_autoscaled"], 12, "What a perfect autoscaler holds."),
    figure_field(SIZING["cost_per_month"], 11),
    figure_field(SIZING["peak_provisioning_per_month"], 13),
    figure_field(SIZING["cost_per_million_tokens"], 11),
    Field("model", "Model", width=20),
    Field("parameters", "Parameters", "hours.input", 17),
    Field("active", "Of them active", "hours.input", 17),
    Field("layers", "Layers", "count.input", 11),
    Field("kv_heads", "KV heads", "count.input", 11),
    Field("head_dim", "Head dim", "count.input", 11),
    Field(
        "per_layer",
        "KV values a layer",
        "hours",
        9,
        "2 x KV heads x head dim; latent attention states its own.",
    ),
    Field("kept", "KV bytes a token", "hours", 10),
    Field("experts", "Experts", "count.input", 10, "Of each layer; 0 where there are none."),
    Field("per_token", "Experts a token", "count.input", 10),
    Field("context", "Tokens read a request", "mean.input", 10),
    Field("generated", "Tokens generated a request", "mean.input", 11),
    Field("longest", "Longest request, tokens", "hours.input", 10),
    Field("peak", "Peak, requests/s", "amount", 10),
    Field("requests", "Requests per month", "hours.input", 13),
    Field("tokens", SIZING["tokens_per_month"].title, "hours", 16),
    Field("source", "Requests from", "muted", 24),
    Field("key", "Key", "muted", 34),
)
ROW_FIELDS: Final = (
    Field("name", "Endpoint", width=32),
    *beside(
        report_fields(
            SIZES,
            11,
            {
                "gpu_model": Look(22),
                "precision": Look(9),
                "tensor_parallel": Look(11, style="count.input"),
                "gpus_peak": Look(13, style="gpus"),
                "offer_id": Look(20, "The cheapest that fits and that nobody takes back, by the app."),
                "cost_per_month": Look(17),
                "gpu_hours_per_month_flat": Look(17),
                "rate": Look(
                    10, "On the list, by the GPU-hour; what is paid upfront is spread over the term."
                ),
            },
        ),
        {"tensor_parallel": Field("fits", "Fits, 1 yes 0 no", "count", 12)},
    ),
    Field("memory", "Memory of a GPU, GB", "hours.input", 10),
    Field("bandwidth", "Bandwidth, TB/s", "rate.input", 10),
    Field("tflops", "TFLOP/s", "hours.input", 10),
    Field("bytes", "Bytes a parameter", "rate.input", 11),
    Field("weights", "Weights, GB", "mean", 10),
    figure_field(SIZING["memory_gb"], 10),
    Field("usable", "Usable memory, GB", "mean", 13),
    Field("at_once", "Requests at once", "count", 16),
    Field("read", "Weights read a step, GB", "mean", 24),
    Field("step", "Step, s", "amount", 34),
    Field("prefill", "Prefill, s", "amount", 10),
    Field("mu", "Requests/s a replica", "amount", 10),
    Field("busy", "Busy at the peak", "ratio", 10),
)
ROW_FIGURES: Final = tuple(
    one.key
    for one in SIZING.figures
    if one.formula is not None and one.key in {field.key for field in ROW_FIELDS} - {*MEMORY, *LOADED}
)
HOUR_FIELDS: Final = (
    Field("name", "Endpoint", width=32),
    Field("when", "Hour, UTC", width=22),
    Field("rate", "Requests/s", "amount.input", 9),
    Field("hours", "Hours known", "amount.input", 11),
    Field("flat", "Held flat, GPUs", "gpus", 12),
    Field("scaled", "Autoscaled, GPUs", "gpus", 11),
    Field("mark", "On the chart", "muted", 13),
)


def write_inference(book: Book, inputs: Inputs, named: Named, prices: Prices) -> list[Check]:
    """Write the sheet; what of it is checked against the app: nothing where nothing is sized."""
    tables = read_tables()
    sizings = sized_endpoints(inputs, tables.gpu_models)
    row = book.title(
        SHEET,
        "Inference",
        "GPUs for the models that are served, at the peak of their requests. Yellow cells are inputs; the rest follows "
        "them, the sheet Assumptions and the sheet Prices.",
        "Flat: the peak's replicas held all month. Autoscaled: what a perfect autoscaler holds, hour by hour."
        if sizings
        else "Nothing is sized yet. In the app open the panel Inference, choose the model that an endpoint serves, and "
        "read its requests.",
    )
    if not sizings:
        book.sheets[SHEET].set_column(0, 0, 40)
        return []
    gpus = {gpu.name: gpu for gpu in serving_gpus(tables.gpu_models, inputs.project.offers)}
    return _Writer(book, inputs, named, prices, sizings, gpus).write(row)


def sized_endpoints(inputs: Inputs, gpu_models: Sequence[GpuModel]) -> tuple[EndpointSizing, ...]:
    """What is sized of the project in this plan, by key."""
    project = inputs.project
    offers = project.offers_in(inputs.scenario)
    found = (
        size_endpoint(project, key, inputs.assumptions, offers, gpu_models) for key in sorted(project.serving)
    )
    return tuple(one for one in found if one is not None)


class _Writer:
    """The three tables of the sheet, and what stands where."""

    def __init__(
        self,
        book: Book,
        inputs: Inputs,
        named: Named,
        prices: Prices,
        sizings: tuple[EndpointSizing, ...],
        gpus: dict[str, ServingGpu],
    ) -> None:
        self.book, self.inputs, self.named, self.prices = book, inputs, named, prices
        self.sizings, self.gpus = sizings, gpus
        self.names = {workload.key: workload.name for workload in inputs.project.workloads}
        self.offer_places = {offer.offer_id: place for place, offer in enumerate(prices.listed)}

    def write(self, row: int) -> list[Check]:
        """From the inputs to what follows; tables know where their cells are before they are put. Its checks."""
        book, sizings = self.book, self.sizings
        book.write(SHEET, row, 0, "Endpoints", "section")
        endpoints = self.endpoints = Table(book, SHEET, row + 1, len(sizings), ENDPOINT_FIELDS)
        endpoints.widen()
        chart_row = endpoints.end_row + 1
        charts = min(len(sizings), CHARTS_AT_MOST)
        row = chart_row + CHART_ROWS * ((charts + 1) // 2) + 1
        book.write(SHEET, row, 0, "Every GPU model, precision and number of GPUs a replica", "section")
        count = sum(len(sizing.costs) for sizing in sizings)
        self.rows = Table(book, SHEET, row + 1, count, ROW_FIELDS)
        row = self.rows.end_row + 1
        book.write(
            SHEET, row, 0, "Requests of every hour, and the GPUs of the row above that is sized on", "section"
        )
        count = sum(len(sizing.load.hours) for sizing in sizings)
        self.hours = Table(book, SHEET, row + 1, count, HOUR_FIELDS)
        first_row = first_hour = 0
        for place, sizing in enumerate(sizings):
            last_hour = first_hour + len(sizing.load.hours)
            self._requests(sizing, first_hour)
            self._endpoint(place, sizing, first_hour, last_hour)
            for number, cost in enumerate(sizing.costs):
                self._row(first_row + number, place, sizing, cost, first_hour, last_hour)
            self._drawn(place, sizing, first_row, first_hour)
            if place < charts:
                self._chart(place, first_hour, last_hour, chart_row)
            first_row, first_hour = first_row + len(sizing.costs), last_hour
            book.check()
        book.sheets[SHEET].freeze_panes(0, 1)
        book.sheets[SHEET].print_up_to(self.rows.end_row, self.rows.column_of("rate"))
        return [self._check(place, sizing) for place, sizing in enumerate(sizings)]

    def _check(self, place: int, sizing: EndpointSizing) -> Check:
        """What an endpoint costs a month, as the app has it."""
        drawn = sizing.drawn
        usd = None if drawn is None else drawn.cost_per_month
        here = self.endpoints.cell("cost_per_month", place)
        app = DASH if usd is None else usd
        return Check(
            "Inference as in the app, $ per month", self._called(sizing), app, copy_of(here), CENT, "total"
        )

    def _called(self, sizing: EndpointSizing) -> str:
        """The name of an endpoint as readers know it."""
        return self.names.get(sizing.key, sizing.key) or NO_ENDPOINT

    def _requests(self, sizing: EndpointSizing, first: int) -> None:
        """Writes a row for each hour of an endpoint's load, with the marks of the chart's axis."""
        for number, hour in enumerate(sizing.load.hours):
            place = first + number
            self.hours.put("name", place, self._called(sizing))
            day, of_day = DAYS[hour.week_hour // 24], hour.week_hour % 24
            self.hours.put("when", place, f"{day} {of_day}:00")
            is_few = len(sizing.load.hours) <= FEW_HOURS
            self.hours.put("mark", place, f"{of_day}:00" if is_few else day if of_day == NOON else "")
            self.hours.put("rate", place, hour.requests_per_s)
            self.hours.put("hours", place, hour.seconds / 3600)

    def _endpoint(self, place: int, sizing: EndpointSizing, first: int, last: int) -> None:
        """Writes an endpoint: its model as yellow inputs, and what follows from model and requests."""
        table, model, load = self.endpoints, sizing.model, sizing.load
        table.put("name", place, self._called(sizing))
        table.put("key", place, sizing.key)
        table.put("model", place, model.name)
        table.put("source", place, load.source)
        counts = ("parameters", "active", "layers", "kv_heads", "head_dim")
        cells = {name: table.put(name, place, getattr(model, name)) for name in counts}
        table.put("experts", place, model.experts or 0)
        table.put("per_token", place, model.experts_per_token or 0)
        per_layer = (
            table.put("per_layer", place, cells["kv_heads"] * cells["head_dim"] * 2)
            if model.kv_values_per_layer is None
            else table.put("per_layer", place, model.kv_values_per_layer, "hours.input")
        )
        width = self.named.assumptions["serving_kv_bytes"]
        kept = cells["layers"] * per_layer * width
        assert abs(kept.number - kv_bytes_per_token(model, sizing.terms.kv_bytes)) < 1e-6 * kept.number
        table.put("kept", place, kept)
        peak = Expr(f"MAX({self.hours.range('rate', first, last).text})", load.peak_requests_per_s, True)
        table.put("peak", place, peak)
        self._tokens(place, sizing, first, last)

    def _tokens(self, place: int, sizing: EndpointSizing, first: int, last: int) -> None:
        """Tokens as the requests state them; of a week as the assumptions say."""
        table, load, named = self.endpoints, sizing.load, self.named.assumptions
        if load.are_tokens_known:
            context = table.put("context", place, load.context_tokens)
            generated = table.put("generated", place, load.generated_tokens)
            table.put("longest", place, load.longest_tokens)
            requests = table.put("requests", place, load.requests_per_month)
        else:
            context = table.put("context", place, _as_is(named["serving_context_tokens"]), "mean")
            generated = table.put("generated", place, _as_is(named["serving_generated_tokens"]), "mean")
            table.put("longest", place, context + generated, "hours")
            mean = f"AVERAGE({self.hours.range('rate', first, last).text})"
            monthly = Expr(f"{mean}*hours_per_month*3600", load.requests_per_month)
            requests = table.put("requests", place, monthly, "hours")
        tokens = f"{requests.text}*({context.text}+{generated.text})"
        table.put("tokens", place, Expr(tokens, load.tokens_per_month))

    def _row(
        self, at: int, place: int, sizing: EndpointSizing, cost: ServingCost, first: int, last: int
    ) -> None:
        """Writes one GPU model at one precision for an endpoint: throughput, replicas and GPUs as formulas."""
        table, row = self.rows, cost.row
        gpu = self.gpus[row.gpu_model]
        table.put("name", at, self._called(sizing))
        table.put("gpu_model", at, row.gpu_model)
        table.put("precision", at, row.precision)
        table.put("tensor_parallel", at, row.tensor_parallel)
        for key, value, plain in (
            ("memory", gpu.memory_gb, "hours"),
            ("bandwidth", gpu.bandwidth_tb_per_s, "rate"),
            ("tflops", gpu.tflops, "hours"),
        ):
            table.put(key, at, value, plain if value is None else None)  # what nobody knows is no input
        table.put("bytes", at, BYTES_BY_PRECISION[row.precision])
        named = {name: cell.text for name, cell in self.named.assumptions.items()}
        inputs = {
            field.key: self.endpoints.cell(field.key, place).text
            for field in ENDPOINT_FIELDS[ENDPOINT_FIELDS.index(_PARAMETERS) :]
        }
        ranges = {key: self.hours.range(column, first, last).text for key, column in _RANGES}
        cells = {field.key: table.cell(field.key, at).text for field in ROW_FIELDS}
        formulas = row_formulas(cost, sizing.model, {**named, **inputs, **ranges}, cells)
        for key in (*MEMORY, *LOADED):
            table.put(key, at, formulas[key])
        self._figures(at, place, cost)

    def _figures(self, at: int, place: int, cost: ServingCost) -> None:
        """Writes GPUs, GPU-hours and $ of a row; without a rate all $ are unknown."""
        table, offer = self.rows, cost.offer
        table.put("offer_id", at, DASH if offer is None else offer.offer_id)
        rate = table.put("rate", at, None if offer is None else _as_is(self._rate(offer)))
        operands = {
            "tensor_parallel": surely(table.cell("tensor_parallel", at)),
            "replicas_peak": maybe(table.cell("replicas_peak", at)),
            "month_hours": surely(self.named.hours_per_month),
            "gpu_hours_per_month_autoscaled": maybe(table.cell("gpu_hours_per_month_autoscaled", at)),
            "rate": maybe(rate),
            "tokens_per_month": surely(self.endpoints.cell("tokens", place)),
        }
        missing = write_figures(table, at, SIZING, operands, ROW_FIGURES)
        assert not missing, missing

    def _rate(self, offer: Offer) -> Expr:
        """An offer's rate, as sizing has it: on the list, without steps of prices, payments upfront in it."""
        return self.prices.rate_on_the_list(self.offer_places[offer.offer_id])

    def _drawn(self, place: int, sizing: EndpointSizing, first_row: int, first_hour: int) -> None:
        """The row that an endpoint is sized on, beside its inputs and in every hour."""
        drawn = sizing.drawn
        table, rows = self.endpoints, self.rows
        keys = (
            "gpus_peak",
            "gpu_hours_per_month_flat",
            "gpu_hours_per_month_autoscaled",
            "cost_per_month",
            "peak_provisioning_per_month",
            "cost_per_million_tokens",
        )
        if drawn is None:
            table.put("on", place, "fits nowhere")
            for key in keys:
                table.put(key, place, None)
        else:
            at = first_row + sizing.costs.index(drawn)
            row = drawn.row
            table.put("on", place, f"{row.tensor_parallel} x {row.gpu_model}, {row.precision}")
            for key in keys:
                table.put(key, place, _as_is(rows.cell(key, at)))
        replicas = None if drawn is None else sizing.replicas_by_hour(drawn)
        for number in range(len(sizing.load.hours)):
            hour = first_hour + number
            if drawn is None or replicas is None:
                self.hours.put("flat", hour, None)
                self.hours.put("scaled", hour, None)
                continue
            parallel, mu = rows.cell("tensor_parallel", at).text, rows.cell("mu", at).text
            headroom = self.named.assumptions["headroom"].text
            rate = self.hours.cell("rate", hour).text
            asked = f"ROUNDUP({rate}/({headroom}*{mu})*(1-1E-12),0)*{parallel}"
            self.hours.put("flat", hour, _as_is(rows.cell("gpus_peak", at)))
            held = float(replicas[number] * drawn.row.tensor_parallel)
            self.hours.put("scaled", hour, _product(asked, (mu,), held))

    def _chart(self, place: int, first: int, last: int, row: int) -> None:
        """Flat and autoscaled GPUs over the hours, as an area under a line."""
        hours, book = self.hours, self.book
        when = f"={hours.range('mark', first, last).text}"
        area = book.workbook.add_chart({"type": "area"})
        area.add_series(
            {
                "name": str(titles.AUTOSCALED),
                "categories": when,
                "values": f"={hours.range('scaled', first, last).text}",
                "fill": {"color": POOL_FILL[Pool.INFERENCE]},
            }
        )
        line = book.workbook.add_chart({"type": "line"})
        line.add_series(
            {
                "name": "Held flat",
                "categories": when,
                "values": f"={hours.range('flat', first, last).text}",
                "line": {"color": "#1A1E26", "width": 1.5},
            }
        )
        area.combine(line)
        name = [SHEET, self.endpoints.first_row + place, self.endpoints.column_of("name")]
        area.set_title({"name": name, "name_font": {"size": 12}, "overlay": False})
        area.set_x_axis({"interval_unit": 1, "major_tick_mark": "none", "num_font": {"rotation": 360}})
        grid = {"visible": True, "line": {"color": "#E4E7EC"}}
        area.set_y_axis({"name": "GPUs", "min": 0, "major_gridlines": grid})
        area.set_legend({"position": "bottom"})
        area.set_size({"width": CHART_WIDTH, "height": 336})
        sheet = book.sheets[SHEET]
        sheet.insert_chart(row + CHART_ROWS * (place // 2), column_of_chart(sheet, place), area)


_PARAMETERS: Final = next(field for field in ENDPOINT_FIELDS if field.key == "parameters")
_RANGES: Final = (("rates", "rate"), ("hours", "hours"))


def _as_is(cell: Expr) -> Expr:
    """A formula that shows another cell."""
    return Expr(cell.text, cell.value, is_atom=True)


def _product(text: str, needs: tuple[str, ...], value: float | None) -> Expr:
    """A formula that is the dash while one of its cells is."""
    shown = f'IF(COUNT({",".join(needs)})={len(needs)},{text},"{DASH}")'
    return Expr(shown, DASH if value is None else value, is_atom=True)
