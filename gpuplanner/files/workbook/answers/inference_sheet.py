"""Inference: the endpoints with their sizes, and the hours of their charts."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.fit.sized_endpoints import size_endpoint
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports import serving
from gpuplanner.domain.reports.serving_words import sentences_of
from gpuplanner.files.system.resources import read_serving_tables
from gpuplanner.files.workbook.answers.values_note import VALUES
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.charts import CHART_WIDTH, add_series, column_of_chart, put_chart
from gpuplanner.files.workbook.kit.figure_cells import looks_of, write_report
from gpuplanner.files.workbook.kit.looks import POOL_FILL
from gpuplanner.files.workbook.kit.sheets import STUDIES

NO_ENDPOINT: Final = "no endpoint of the log"
CHARTS_AT_MOST: Final = 4
CHART_ROWS: Final = 17
HOURS_OF_A_DAY: Final = 24


def write_inference(book: Book, rows: Sequence[serving.NamedSizing]) -> None:
    """Write the endpoints, each with its sizes below, and the hours of their charts."""
    row = book.title(
        STUDIES,
        f"GPUs of the served models at the peak of their requests. {VALUES}Change models and requests in the panel "
        "Inference of the app and export again.",
        "Flat: the replicas of the peak in all hours. Autoscaled: the replicas of a perfect autoscaler by hour.",
        title="Inference",
    )
    endpoints = write_report(
        book, STUDIES, row, serving.ENDPOINTS, rows, 12, looks_of("endpoint"), heading=serving.ENDPOINTS.title
    )
    chart_row = endpoints.end_row + 1
    charts = min(len(rows), CHARTS_AT_MOST)
    row = chart_row + CHART_ROWS * ((charts + 1) // 2) + 1
    for one in rows:
        sizes, row = _write_endpoint(book, row, one)
        book.check()
    sizes.widen()
    of_each = [serving.hours_held(one) for one in rows]
    every = [hour for hours in of_each for hour in hours]
    held = write_report(
        book, STUDIES, row, serving.HOURS_HELD, every, 12, looks_of("hour"), heading=serving.HOURS_HELD.title
    )
    first = 0
    for place, hours in enumerate(of_each[:charts]):
        _chart(book, endpoints, held, place, first, first + len(hours), chart_row)
        first += len(hours)


def _write_endpoint(book: Book, row: int, one: serving.NamedSizing) -> tuple[Table, int]:
    """What is said of an endpoint, and its tables; the table of its sizes, and the row below all of it."""
    sizing, drawn = one.sizing, one.sizing.drawn
    book.write(STUDIES, row, 0, one.name, "strong")
    sentences = () if drawn is None else sentences_of(sizing, drawn)
    for place, sentence in enumerate(sentences, start=row + 1):
        book.write(STUDIES, place, 0, book.in_currency(sentence), "muted")
    by_site = None if drawn is None else sizing.regional(drawn)
    end = row + 1 + len(sentences)
    for report, about, looks in (
        (serving.REGIONS, () if by_site is None else by_site.regions, looks_of("region")),
        (serving.RATIOS, sizing.ratios, looks_of("ratio")),
        (serving.MEASURED, sizing.measured, looks_of("measured")),
    ):
        if about:
            heading = f"{one.name}: {report.title}"
            end = write_report(book, STUDIES, end + 1, report, about, 12, looks, heading=heading).end_row
    heading = f"{one.name}: every GPU model, precision and number of GPUs per replica"
    sizes = write_report(
        book, STUDIES, end + 1, serving.SIZES, sizing.every, 12, looks_of("size"), heading=heading
    )
    return sizes, sizes.end_row + 1


def sized_endpoints(inputs: Inputs) -> Sequence[serving.NamedSizing]:
    """Return the sized endpoints of the project in this plan, in the order of their keys."""
    project = inputs.project
    offers, tables = project.offers_in(inputs.scenario), read_serving_tables()
    names = {workload.key: workload.name for workload in project.workloads}
    sizings = (
        size_endpoint(project, key, inputs.assumptions, offers, tables) for key in sorted(project.serving)
    )
    return [
        serving.NamedSizing(names.get(sizing.key) or sizing.key or NO_ENDPOINT, sizing)
        for sizing in sizings
        if sizing is not None
    ]


def _chart(book: Book, endpoints: Table, held: Table, place: int, first: int, last: int, row: int) -> None:
    """Flat and autoscaled GPUs over the hours of an endpoint, as an area under a line."""
    when, auto, flat = (held.range(key, first, last) for key in ("hour", "autoscaled", "flat"))
    area = book.workbook.add_chart({"type": "area"})
    add_series(area, str(titles.AUTOSCALED), when, auto, fill={"color": POOL_FILL[Pool.INFERENCE]})
    line = book.workbook.add_chart({"type": "line"})
    add_series(line, str(titles.HELD_FOR_THE_PEAK), when, flat, line={"color": "#1A1E26", "width": 1.5})
    area.combine(line)
    name = [STUDIES, endpoints.first_row + place, endpoints.column_of("name")]
    between = HOURS_OF_A_DAY if last - first > HOURS_OF_A_DAY else 1
    across = {"interval_unit": between, "major_tick_mark": "none", "num_font": {"rotation": 360}}
    corner = row + CHART_ROWS * (place // 2), column_of_chart(book.sheets[STUDIES], place)
    put_chart(book, STUDIES, area, name, corner, (CHART_WIDTH, 336), across, {"name": "GPUs"})
