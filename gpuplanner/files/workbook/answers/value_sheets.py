"""Terms, Hardware, Training, Waiting, Inference, Placement: values of the app alone, with where to change them."""

from collections.abc import Sequence
from typing import Any, Final

from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing, size_endpoint
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.sentences import by_standing, trust_words
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.reports import serving, training
from gpuplanner.domain.reports.plan_layers import HOW_BOUGHT
from gpuplanner.domain.reports.serving_words import sentences_of
from gpuplanner.domain.reports.waiting import POOL_WAITS, SIZES, WINDOWS
from gpuplanner.domain.serving.placement import egress_from_sites, placement_of
from gpuplanner.domain.serving.transit import DETOUR, FIXED_MS, KM_PER_MS_IN_FIBRE, tokens_per_month
from gpuplanner.domain.training.answer import Answer
from gpuplanner.files.system.resources import read_serving_tables, read_tables
from gpuplanner.files.system.training import answers_in
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.figure_cells import Look, looks_of, write_report
from gpuplanner.files.workbook.kit.looks import AMBER, GREEN, POOL_FILL, RED
from gpuplanner.files.workbook.kit.print_pages import CHART_WIDTH, add_series, column_of_chart, put_chart

VALUES: Final = "Values of the app, which no cell of this book moves. "


def write_values(book: Book, inputs: Inputs, waiting: Waiting | None) -> None:
    """Write the six sheets. waiting: None where the log does not say when jobs were submitted."""
    write_terms(book, inputs)
    write_hardware(book, inputs)
    write_training(book, answers_in(inputs.project, inputs.scenario.name, inputs.generated_at_s))
    write_waiting(book, waiting)
    write_inference(book, inputs)
    write_placement(book, inputs)


# ---------------------------------------------------------------- Terms

TERMS: Final = "Terms"


def write_terms(book: Book, inputs: Inputs) -> None:
    """Write the sheet: the mix of each class, then the term that matches each workload."""
    notes = (str(of.note) for of in HOW_BOUGHT.values())
    row = book.title(
        TERMS, f"{VALUES}Change the plan in the app, and export again.", *notes, title="Terms and mix"
    )
    looks = dict.fromkeys(("name", "pool"), Look(32, style="strong"))
    for of in reversed(HOW_BOUGHT.values()):  # the longer one last
        table = write_report(
            book, TERMS, row, of, inputs.evaluation, 14, looks, heading=of.title, is_long=True
        )
        row = table.end_row + 1
    table.widen()


# ---------------------------------------------------------------- Hardware

HARDWARE: Final = "Hardware"


def write_hardware(book: Book, inputs: Inputs) -> None:
    """Write the sheet: each workload beside what it needs, by class, the most expensive first."""
    evaluation = inputs.evaluation
    fits = evaluation.fit
    if fits is None:
        fits = fit_project(evaluation.project, evaluation.audit, read_tables())
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    names = {workload.key: workload.name for workload in evaluation.project.workloads}
    rows = [serving.NamedFit(names[fit.key], usd[fit.key], fit) for fit in fits]
    pools = tuple(Pool)
    rows.sort(
        key=lambda row: (
            pools.index(row.fit.pool),
            row.usd_per_month is None,
            -(row.usd_per_month or 0.0),
            row.fit.key,
        )
    )
    row = book.title(
        HARDWARE,
        "Each workload: its $, its longest run on two networks, then its lights on what it runs on today. Red does not "
        "fit, amber is over-specified, a dash is unknown. Below: other GPU models, and what ran out of memory.",
        f"{VALUES}Change needs in the panel Hardware fit, hardware on Contracts, both in the app, and export again.",
        title="Hardware fit",
    )
    table = write_report(book, HARDWARE, row, serving.FITS, rows, 12, looks_of("fit"), is_long=True)
    table.widen()
    sheet = book.sheets[HARDWARE]
    sheet.freeze_panes(table.first_row, 1)
    book.group_workings(table, "sources")
    for word, color in (("red", RED), ("amber", AMBER), ("green", GREEN)):
        look = book.workbook.add_format({"font_color": color, "bold": True})
        rule = {"type": "cell", "criteria": "==", "value": f'"{word}"', "format": look}
        sheet.conditional_format(*table.area("light", "term_light"), rule)
    row = table.end_row + 1
    about: Any  # the longest one is not printed
    for of, about in (
        (training.SPOT_RUNS, evaluation.outlook),
        (training.OUT_OF_MEMORY, fits),
        (training.OTHER_HARDWARE, fits),
    ):
        if of.rows(about):
            row = write_report(book, HARDWARE, row, of, about, 12, heading=of.title, is_long=True).end_row + 1


# ---------------------------------------------------------------- Training

TRAINING: Final = "Training"


def write_training(book: Book, answers: Sequence[Answer]) -> None:
    """Write the sheet: each run that is stated on every GPU model, what its network costs, what else they train."""
    row = book.title(
        TRAINING,
        f"Whether a run fits, when it is done, and at which $. {VALUES}Change runs in the panel Hardware fit, rates "
        "on Prices, both in the app, and export again.",
        "Hours with P10 and P90 of measured over predicted, from published runs; nothing of these is measured here."
        if answers
        else "No run is stated yet. In the app open the panel Hardware fit, choose a model and say its tokens.",
    )
    sheet = book.sheets[TRAINING]
    if not answers:
        book.print_nothing(TRAINING)
        return
    for answer in answers:
        blocks = (
            (answer.stated.called, training.TRAINING_RUNS, answer.choices),
            (training.NETWORKS.title, training.NETWORKS, answer.networks),
            (training.LARGEST_MODELS.title, training.LARGEST_MODELS, answer.choices),
            (training.CHIPS.title, training.CHIPS, answer.chips),
        )
        for heading, report, about in blocks:
            if about:
                table = write_report(book, TRAINING, row, report, about, 12, looks_of("run"), heading=heading)
                row = table.end_row + 1
            if report is training.TRAINING_RUNS:
                widest = table
                for sentence in (
                    () if answer.best is None else training.sentences_of(answer.best, answer.asked)
                ):
                    book.write(TRAINING, row, 0, book.in_currency(sentence), "muted")
                    row += 1
        book.check()
    widest.widen()
    sheet.freeze_panes(0, 1)
    sheet.print_up_to(row - 1, widest.column_of("offer"))


# ---------------------------------------------------------------- Waiting

WAITING: Final = "Waiting"


def write_waiting(book: Book, waiting: Waiting | None) -> None:
    """Write the sheet: waits by pool and model on the plan, by pool today and as measured, and sizes with their $."""
    row = book.title(
        WAITING,
        f"The jobs of the log run again on the GPUs of the plan. {VALUES}Change the plan or the target in the panel "
        "Waiting of the app, and export again.",
        *(
            (
                "Nothing is known: the log does not say when jobs were submitted, or its rows are not kept here. "
                "Import it again.",
            )
            if waiting is None
            else map(book.in_currency, trust_words(waiting))
        ),
    )
    sheet = book.sheets[WAITING]
    if waiting is None or not waiting.frontier:
        book.print_nothing(WAITING)
        return
    for heading, report, about in (
        ("Replaying the log on the plan's GPUs", POOL_WAITS, waiting.by_model if waiting.is_planned else ()),
        ("Replaying the log on today's GPUs", POOL_WAITS, waiting.today),
        ("As measured in the log", POOL_WAITS, waiting.measured),
        (WINDOWS.title, WINDOWS, waiting.windows),
        *((title, SIZES, points) for title, points in by_standing(waiting.frontier)),
    ):
        if about:
            table = write_report(
                book, WAITING, row, report, about, 12, looks_of("wait"), heading=heading, is_long=True
            )
            row = table.end_row + 1
    table.widen()
    sheet.freeze_panes(0, 1)
    sheet.print_up_to(row - 1, table.column_of("mark"))


# ---------------------------------------------------------------- Inference

INFERENCE: Final = "Inference"
NO_ENDPOINT: Final = "no endpoint of the log"
CHARTS_AT_MOST: Final = 4
CHART_ROWS: Final = 17
HOURS_OF_A_DAY: Final = 24


def write_inference(book: Book, inputs: Inputs) -> None:
    """Write the sheet: the endpoints, each with its sizes below, and the hours of their charts."""
    names = {workload.key: workload.name for workload in inputs.project.workloads}
    rows = [
        serving.NamedSizing(names.get(endpoint.key) or endpoint.key or NO_ENDPOINT, endpoint)
        for endpoint in sized_endpoints(inputs)
    ]
    row = book.title(
        INFERENCE,
        f"GPUs for the models that are served, at the peak of their requests. {VALUES}Change models and requests in "
        "the panel Inference, rates on Prices, both in the app, and export again.",
        "Flat: the peak's replicas held all month. Autoscaled: what a perfect autoscaler holds, hour by hour."
        if rows
        else "Nothing is sized yet. In the app open the panel Inference, choose the model that an endpoint serves, and "
        "read its requests.",
    )
    sheet = book.sheets[INFERENCE]
    if not rows:
        book.print_nothing(INFERENCE)
        return
    endpoints = write_report(
        book,
        INFERENCE,
        row,
        serving.ENDPOINTS,
        rows,
        12,
        looks_of("endpoint"),
        heading=serving.ENDPOINTS.title,
    )
    chart_row = endpoints.end_row + 1
    charts = min(len(rows), CHARTS_AT_MOST)
    row = chart_row + CHART_ROWS * ((charts + 1) // 2) + 1
    for one in rows:
        sizes, row = _write_endpoint(book, row, one)
        book.check()
    sizes.widen()
    last_printed = row - 1
    of_each = [serving.hours_held(one) for one in rows]
    every = [hour for hours in of_each for hour in hours]
    held = write_report(
        book,
        INFERENCE,
        row,
        serving.HOURS_HELD,
        every,
        12,
        looks_of("hour"),
        heading=serving.HOURS_HELD.title,
    )
    first = 0
    for place, hours in enumerate(of_each[:charts]):
        _chart(book, endpoints, held, place, first, first + len(hours), chart_row)
        first += len(hours)
    sheet.freeze_panes(0, 1)
    sheet.print_up_to(last_printed, sizes.column_of("rate"))


def _write_endpoint(book: Book, row: int, one: serving.NamedSizing) -> tuple[Table, int]:
    """What is said of an endpoint, and its tables; the table of its sizes, and the row below all of it."""
    sizing, drawn = one.sizing, one.sizing.drawn
    book.write(INFERENCE, row, 0, one.name, "strong")
    sentences = () if drawn is None else sentences_of(sizing, drawn)
    for place, sentence in enumerate(sentences, start=row + 1):
        book.write(INFERENCE, place, 0, book.in_currency(sentence), "muted")
    by_site = None if drawn is None else sizing.regional(drawn)
    end = row + 1 + len(sentences)
    for report, about, looks in (
        (serving.REGIONS, () if by_site is None else by_site.regions, looks_of("region")),
        (serving.RATIOS, sizing.ratios, looks_of("ratio")),
        (serving.MEASURED, sizing.measured, looks_of("measured")),
    ):
        if about:
            heading = f"{one.name}: {report.title}"
            end = write_report(book, INFERENCE, end + 1, report, about, 12, looks, heading=heading).end_row
    heading = f"{one.name}: every GPU model, precision and number of GPUs per replica"
    sizes = write_report(
        book, INFERENCE, end + 1, serving.SIZES, sizing.every, 12, looks_of("size"), heading=heading
    )
    return sizes, sizes.end_row + 1


def sized_endpoints(inputs: Inputs) -> Sequence[EndpointSizing]:
    """What is sized of the project in this plan, by key."""
    project = inputs.project
    offers, tables = project.offers_in(inputs.scenario), read_serving_tables()
    found = (
        size_endpoint(project, key, inputs.assumptions, offers, tables) for key in sorted(project.serving)
    )
    return [one for one in found if one is not None]


def _chart(book: Book, endpoints: Table, held: Table, place: int, first: int, last: int, row: int) -> None:
    """Flat and autoscaled GPUs over the hours of an endpoint, as an area under a line."""
    when, auto, flat = (held.range(key, first, last) for key in ("hour", "autoscaled", "flat"))
    area = book.workbook.add_chart({"type": "area"})
    add_series(area, str(titles.AUTOSCALED), when, auto, fill={"color": POOL_FILL[Pool.INFERENCE]})
    line = book.workbook.add_chart({"type": "line"})
    add_series(line, str(titles.HELD_FOR_THE_PEAK), when, flat, line={"color": "#1A1E26", "width": 1.5})
    area.combine(line)
    name = [INFERENCE, endpoints.first_row + place, endpoints.column_of("name")]
    between = HOURS_OF_A_DAY if last - first > HOURS_OF_A_DAY else 1
    across = {"interval_unit": between, "major_tick_mark": "none", "num_font": {"rotation": 360}}
    at = row + CHART_ROWS * (place // 2), column_of_chart(book.sheets[INFERENCE], place)
    put_chart(book, INFERENCE, area, name, at, (CHART_WIDTH, 336), across, {"name": "GPUs"})


# ---------------------------------------------------------------- Placement

PLACEMENT: Final = "Placement"
NO_PLACES: Final = (
    "No users and sites are loaded. Import the cities of your users (city, country, latitude, longitude, users) and",
    "the sites that serve them or could (site_id, city, country, latitude, longitude, usd_per_month, current) in the",
    "application, and export this book again.",
)


def write_placement(book: Book, inputs: Inputs) -> None:
    """Write the sheet; without users or sites it says what to import."""
    project = inputs.project
    sheet = book.sheets[PLACEMENT]
    if not project.places.can_be_placed:
        book.title(PLACEMENT, *NO_PLACES)
        sheet.set_column(0, 0, 60)
        return
    placement = placement_of(project.places)
    row = book.title(
        PLACEMENT,
        f"Who is served from where, and how long the way is to the top 80% of users. {VALUES}Change users, sites and "
        "prices in the panel Placement of the app, and export again.",
        f"One way = measured, else km / {KM_PER_MS_IN_FIBRE:g} x {DETOUR:g} + {FIXED_MS:g} ms, over the great circle. "
        f"More than {LONGEST_MS} ms one way is flagged; exactly {LONGEST_MS}.0 is not.",
        *placement.notes,
    )
    sets = write_report(
        book,
        PLACEMENT,
        row,
        serving.SITE_SETS,
        serving.sets_and_cheapest(placement),
        16,
        looks_of("site_set"),
        heading="Sets of sites, over the top 80% of users",
    )
    tokens = tokens_per_month(project.traffic.values())
    egress = egress_from_sites(inputs.assumptions, project.places, tokens)
    facts = (
        ("Share of users in the top cities", placement.today.covered_share, "ratio"),
        ("Egress, $ per month", egress.usd, "rate"),
    )
    for place, (what, value, style) in enumerate(facts, start=sets.end_row + 1):
        book.write(PLACEMENT, place, 0, what, "strong")
        book.write(PLACEMENT, place, 1, value, style)
    book.write(PLACEMENT, sets.end_row + 2, 2, egress.sentence, "muted.indent")
    sites = project.places.sites
    listed = write_report(
        book,
        PLACEMENT,
        sets.end_row + 4,
        serving.SITES,
        sites,
        16,
        looks_of("site"),
        heading=serving.SITES.title,
    )
    cities = write_report(
        book,
        PLACEMENT,
        listed.end_row + 1,
        serving.CITIES,
        placement.today.current.service.legs,
        16,
        looks_of("city"),
        heading="Cities, as they are served today",
        is_long=True,
    )
    cities.widen()
    sheet.freeze_panes(0, 1)
    sheet.print_up_to(cities.end_row, cities.column_of("by"))
    look = book.workbook.add_format({"font_color": AMBER, "bold": True})
    rule = {"type": "cell", "criteria": "==", "value": '"yes"', "format": look}
    sheet.conditional_format(*sets.area("is_over_80", "is_over_80"), rule)
