"""Hardware, Inference and Placement say what the app says, as values; what moved them alone is grey and locked."""

from dataclasses import replace
from decimal import Decimal
from math import isclose

import openpyxl
import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.fit.endpoint_sizing import size_endpoint
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, Traffic, WeekRates, places_of
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.reports.plan_layers import MIX, TERM_MATCH
from gpuplanner.domain.reports.serving_words import advice, weighed
from gpuplanner.domain.serving.placement import current_placement, placement_of
from gpuplanner.domain.serving.speed import PRECISIONS
from gpuplanner.domain.serving.transit import egress_of
from gpuplanner.files.system.resources import read_serving_tables, read_tables
from gpuplanner.files.workbook.kit.expressions import DASH
from gpuplanner.files.workbook.kit.print_pages import PRINTED_ROWS
from gpuplanner.files.workbook.write import write_workbook
from tests.domain.serving.small_places import city, site, world
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of, formulas_of, names_of
from tests.files.workbook.test_recalculated import differences, light_of
from tests.files.workbook.watched_cells import watched_book, without_rule
from tests.oracle.crafted import daily
from tests.oracle.projects import Case

# ---------------------------------------------------------------- Hardware

WORDS = {Light.RED: "red", Light.AMBER: "amber", Light.GREEN: "green", None: "—"}
ROWS = {
    "memory": "Memory",
    "model_memory": "Memory",
    "interconnect": "Network",
    "training_grade": "Network",
    "bare_metal": "Bare metal",
    "own_cluster": "Own cluster",
    "term": "Term",
}


def crafted_fits():
    """Every light of every row somewhere: three clusters of other hardware, needs known, unknown and set."""
    hours = 48
    case = Case(hours, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    case.workload("fast", "sft", "training", daily(hours, 2, 4), max_nodes=4, longest_job_s=36_000)
    case.workload("fast", "eval", "burst", daily(hours, 0, 1))
    case.workload("slow", "pretrain", "training", daily(hours, 2, 6), max_nodes=2, longest_job_s=72_000)
    case.workload("slow", "chat", "inference", daily(hours, 2, 4), max_nodes=1)
    case.workload("slow", "vllm-30b", "inference", daily(hours, 2, 4), max_nodes=1)
    case.workload("slow", "vllm-70b", "inference", daily(hours, 2, 4), max_nodes=1)
    case.workload("bare", "tune", "training", daily(hours, 1, 2), max_nodes=None)
    case.workload("none", "sweep", "burst", daily(hours, 1, 1))
    case.contract(
        "f", "fast", 8, 2.5, ends=5.0, interconnect="infiniband", bare_metal=True, gpu_memory_gb=141.0
    )
    case.contract(
        "s", "slow", 4, 2.5, ends=5.0, interconnect="ethernet", bare_metal=False, gpu_memory_gb=79.0
    )
    case.contract("b", "bare", 8, 2.5, term_months=12)
    case.offers_of("H100", 6.88, {12: 2.75})
    project = case.project
    sized = tuple(replace(one, max_milli_gpus=1000, sample_name=one.name) for one in project.workloads)
    project = replace(project, workloads=sized)
    keys = {workload.name: workload.key for workload in project.workloads}
    project = edits.workloads.set_need(
        project, [keys["vllm-30b"]], "kv_cache_gb", 11.1
    )  # 71.1 of 79 GB: exactly 90%
    project = edits.workloads.set_need(project, [keys["tune"]], "own_cluster", False)
    evaluation = evaluated(project, case.classifications)
    return replace(evaluation, fit=fit_project(project, evaluation.audit, read_tables()))


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    evaluation, book = crafted_fits(), tmp_path_factory.mktemp("hardware") / "hardware.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def of_workload(book, key):
    """What the sheet says of a workload, by heading."""
    sheet = SheetCells(cells_of(book)["Hardware"])
    letters, head = sheet.column("Key")
    (row,) = (row for row in sheet.rows(**{letters: key}) if row > head)
    headings = {
        at[: -len(str(head))]: value
        for at, value in sheet.cells.items()
        if at[-len(str(head)) :] == str(head)
    }
    return {value: sheet.cells.get(f"{at}{row}") for at, value in headings.items() if at.isalpha()}


def lights_of(book, evaluation):
    """The lights of each workload as the book says them, by key and heading."""
    found = {}
    for fit in evaluation.fit:
        said = of_workload(book, fit.key)
        found |= {
            (fit.key, heading): said[heading] for heading in ("Light", *(ROWS[row.need] for row in fit.rows))
        }
    return found


def lights_of_app(evaluation):
    found = {(fit.key, "Light"): WORDS[fit.light] for fit in evaluation.fit}
    for fit in evaluation.fit:
        found |= {(fit.key, ROWS[row.need]): WORDS[row.light] for row in fit.rows}
    return found


def test_terms_and_the_mix_are_those_of_the_app_on_a_sheet_of_their_own(fitted):
    evaluation, book = fitted
    sheet = SheetCells(cells_of(book)["Terms"])
    letters, head = sheet.column("Matching term")
    for row in TERM_MATCH.rows(evaluation):
        at = next(at for at in sheet.rows(A=row.name) if at > head)
        months = row.matching_term_months
        term = DASH if months is None else term_words(months) if months else "On demand"
        assert sheet.cells[f"{letters}{at}"] == str(term)
    found = [sheet.cells[f"{sheet.column('Today, $ per month')[0]}{at}"] for at in sheet.rows(A="Training")]
    assert found == [pytest.approx(row.usd_now) for row in MIX.rows(evaluation) if row.pool == "training"]


def test_the_crafted_book_has_every_light(fitted):
    assert {row.light for fit in fitted[0].fit for row in fit.rows} == set(WORDS)


def test_the_lights_of_the_book_are_those_of_the_app(fitted):
    assert lights_of(fitted[1], fitted[0]) == lights_of_app(fitted[0])


@pytest.mark.long
def test_a_book_of_an_evaluation_without_fit_says_the_same(fitted, tmp_path):
    write_workbook(replace(fitted[0], fit=None), tmp_path / "other.xlsx", 0)
    assert lights_of(tmp_path / "other.xlsx", fitted[0]) == lights_of_app(fitted[0])


def test_the_run_on_both_networks_is_that_of_the_app(fitted):
    costs = {fit.key: fit.network for fit in fitted[0].fit if fit.network is not None}
    assert len(costs) == 2
    for key, cost in costs.items():
        said = of_workload(fitted[1], key)
        for heading, value in (
            ("On InfiniBand, h", cost.infiniband.run_hours),
            ("Over Ethernet, h", cost.ethernet.run_hours),
            ("On InfiniBand, $", cost.infiniband.run_usd),
            ("Over Ethernet, $", cost.ethernet.run_usd),
        ):
            assert said[heading] == pytest.approx(value)


def test_dollars_and_hours_come_before_the_lights_and_their_reasons_with_both_numbers(fitted):
    keys = {fit.key.rsplit("/", 1)[1]: fit.key for fit in fitted[0].fit}
    said = of_workload(fitted[1], keys["pretrain"])
    headings = [*said]
    assert headings.index("Today, $ per month") < headings.index("Over Ethernet, h") < headings.index("Light")
    assert "79 GB" in said["Why"] and "80 GB" in said["Why"]
    assert "from the name: 30b" in of_workload(fitted[1], keys["vllm-30b"])["Needs from"]


# ---------------------------------------------------------------- Inference

DENSE = ServedModel(name="dense", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128)
MIXED = ServedModel(
    name="mixed",
    parameters=47_000_000_000,
    layers=32,
    kv_heads=8,
    head_dim=128,
    active_parameters=13_000_000_000,
    experts=8,
    experts_per_token=2,
    kv_values_per_layer=700,
)
WEEK = WeekRates(tuple(float(3 + 40 * (hour % 24 > 8)) * (hour != 5) for hour in range(168)), "week.csv")
HOUR_S = 1_767_225_600
REQUESTS = Traffic(
    start_s=HOUR_S + 1800,
    end_s=HOUR_S + 7200,
    hours=((HOUR_S, 900_000, 30_000), (HOUR_S + 3600, 2_000_000, 90_000)),
    source="requests.csv",
    requests=((600, 40, 4000), (1500, 90, 9000)),
)
OWN = MeasuredPoint(
    model="dense",
    gpu_model="A100",
    tensor_parallel=1,
    precision="BF16",
    concurrency=64,
    input_tokens=1000,
    output_tokens=250,
    tokens_per_s=2_345.0,
    source="own.json",
)
STATED = {"serving_api_usd_in": 0.5, "serving_api_usd_out": 2.0}
COLUMNS = {
    "Memory, GB": lambda cost: cost.row.memory_gb,
    "Fits": lambda cost: "yes" if cost.row.fits else "no",
    "Requests at once": lambda cost: cost.row.concurrency,
    "Requests/s per replica": lambda cost: cost.row.requests_per_s,
    "Replicas": lambda cost: cost.row.replicas_peak,
    "GPUs, peak": lambda cost: cost.gpus_peak,
    "First token, at peak, ms": lambda cost: "unstable" if cost.row.is_unstable else cost.row.ttft_ms,
    "Time per token, replica full, ms": lambda cost: cost.row.tpot_ms,
    "Flat, GPU-h per month": lambda cost: cost.gpu_hours_per_month_flat,
    "Autoscaled, GPU-h per month": lambda cost: cost.row.gpu_hours_per_month_autoscaled,
    "Sized for peak, GPU-h per month": lambda cost: cost.peak_provisioning_gpu_hours,
    "Flat, $ per month": lambda cost: cost.cost_per_month,
    "Sized for peak, $ per month": lambda cost: cost.peak_provisioning_per_month,
    "$ per 1M tokens": lambda cost: cost.cost_per_million_tokens,
    "Measured over predicted, P10": lambda cost: cost.row.low,
    "Measured over predicted, P90": lambda cost: cost.row.high,
}


def crafted_endpoints(sized=True):
    """Two endpoints: a week of rates with assumed tokens, and a list of requests; one more without a model."""
    hours = 48
    case = Case(hours, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    for name in ("chat", "code", "embed"):
        case.workload("atlas", name, "inference", daily(hours, 2, 4))
    case.contract("a", "atlas", 8, 2.5, ends=5.0)
    case.offers_of("H100", 6.88, {12: 2.75})
    case.offers_of("A100", 2.9, {})
    project = case.project
    keys = {workload.name: workload.key for workload in project.workloads}
    cheap = Offer(
        offer_id="small-h100",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("0.5"),
        gpu_memory_gb=40.0,
    )
    project = replace(project, offers=tuple(sorted((*project.offers, cheap), key=lambda one: one.offer_id)))
    if sized:
        project = edits.inputs.set_served_model(project, keys["chat"], DENSE)
        project = edits.inputs.set_week(project, keys["chat"], WEEK)
        project = edits.inputs.set_traffic(project, keys["code"], REQUESTS)
        project = edits.inputs.set_served_model(project, keys["code"], MIXED)
        project = edits.inputs.set_sized_row(project, keys["code"], "A100", "INT8", 2)
        project = edits.inputs.set_week(project, keys["embed"], WEEK)
        project = edits.inputs.set_measured(project, keys["chat"], (OWN,))
        for name, value in STATED.items():
            project = edits.plans.set_assumption(project, None, name, value)
    return evaluated(project, case.classifications)


@pytest.fixture(scope="module")
def sized(tmp_path_factory):
    evaluation, book = crafted_endpoints(), tmp_path_factory.mktemp("inference") / "inference.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def sizings_of(evaluation):
    project = evaluation.project
    terms = project.assumptions_in(project.scenarios[0])
    models = read_serving_tables()
    found = (size_endpoint(project, key, terms, project.offers, models) for key in sorted(project.serving))
    return {one.key.rsplit("/", 1)[1]: one for one in found if one is not None}


def rows_of(book):
    """(endpoint, GPU model, precision, GPUs per replica) -> {heading: value} of the lists of sizes."""
    by_row = {}
    for at, value in cells_of(book)["Inference"].items():
        letters = "".join(filter(str.isalpha, at))
        by_row.setdefault(int(at[len(letters) :]), {})[letters] = value
    found, name, head = {}, "", {}
    for number in sorted(by_row):
        row = by_row[number]
        name = str(row["A"]).partition(":")[0] if "every GPU model" in str(row.get("A")) else name
        head = row if "GPUs per replica" in row.values() else head
        if row.get("B") in PRECISIONS:
            key = (name, row["A"], row["B"], int(row["C"]))
            found[key] = {head[letters]: value for letters, value in row.items()}
    return found


def test_the_rows_of_the_book_are_those_of_the_app(sized):
    sizings = sizings_of(sized[0])
    assert set(sizings) == {"chat", "code"}
    assert {cost.row.fits for cost in sizings["code"].costs} == {True, False}
    rows = rows_of(sized[1])
    assert len(rows) == sum(len(sizing.costs) for sizing in sizings.values())
    for name, sizing in sizings.items():
        for cost in sizing.costs:
            found = rows[(name, *cost.row.row_id)]
            for heading, value_of in COLUMNS.items():
                value = value_of(cost)
                wanted = "—" if value is None else value
                if not isinstance(wanted, str):
                    wanted = pytest.approx(wanted, rel=1e-6, abs=1e-9)
                assert found[heading] == wanted, (name, cost.row.row_id, heading)


def test_the_endpoints_stand_on_top_with_the_row_they_are_sized_on(sized):
    values = list(cells_of(sized[1])["Inference"].values())
    assert "2 \u00d7 A100, INT8" in values
    best = sizings_of(sized[0])["chat"].best.row
    assert f"{best.tensor_parallel} \u00d7 {best.gpu_model}, BF16" in values


def test_what_the_panel_says_is_in_the_book(sized):
    values, chat = list(cells_of(sized[1])["Inference"].values()), sizings_of(sized[0])["chat"]
    for sentence in (*advice(chat, chat.drawn), *weighed(chat, chat.drawn)):
        assert str(sentence) in values
    assert any("$0.50" in str(value) and "$2.00" in str(value) for value in values)
    low, high = chat.drawn.row.low, chat.drawn.row.high
    assert any(f" {low:.2f} to {high:.2f} times" in str(value) for value in values)
    assert SheetCells(cells_of(sized[1])["Inference"]).column("Rate terms")
    assert chat.ratios and {"own.json", 2_345.0, *(one.gpu_model for one in chat.ratios)} <= set(values)
    for one in chat.ratios:
        assert any(isinstance(value, float) and isclose(value, one.ratio, abs_tol=1e-3) for value in values)


def test_every_hour_of_requests_has_the_gpus_that_are_held_in_it(sized):
    sheet = SheetCells(cells_of(sized[1])["Inference"])
    (letters, head), (flat, _) = sheet.column("Autoscaled, GPUs"), sheet.column("Sized for peak, GPUs")
    rows = [row for row in sheet.rows(A="chat") if row > head]
    chat = sizings_of(sized[0])["chat"]
    each = chat.best.row.tensor_parallel
    said = [sheet.cells[f"{letters}{row}"] for row in rows]
    assert said == [each * count for count in chat.replicas_by_hour(chat.best)]
    assert len(said) == 168 and max(said) == chat.best.gpus_peak - each * chat.best.row.replicas_spare
    assert chat.best.gpus_peak == sheet.cells[f"{flat}{rows[0]}"]


@pytest.mark.long
def test_a_book_of_nothing_sized_says_what_to_do(tmp_path):
    write_workbook(crafted_endpoints(sized=False), tmp_path / "none.xlsx", 0)
    cells = cells_of(tmp_path / "none.xlsx")["Inference"]
    assert "Nothing is sized" in cells["A3"] and "panel Inference" in cells["A3"]
    assert len(cells) == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "words"),
    [("headroom", "Inference"), ("step_seconds_ethernet", "Hardware"), ("egress_usd_per_gb", "Placement")],
)
def test_what_only_these_sheets_followed_is_grey_and_locked(sized, name, words):
    sheet, at = names_of(sized[1])[f"assume_{name}"]
    grey = {cell.coordinate: cell for cell in watched_book(sized[1]).fixed[sheet]}
    assert grey[at].protection.locked
    assert f"on {words}: " in cells_of(sized[1])[sheet][f"E{at[1:]}"]


def test_paper_ends_above_the_list_of_every_model_and_precision(sized):
    """What is longer than a page or two and not the first list of its sheet is read on a screen."""
    sheet = openpyxl.load_workbook(sized[1])["Inference"]
    last = int(str(sheet.print_area).rpartition("$")[2])
    heads = [row for row in range(1, sheet.max_row) if sheet.cell(row, 1).value == "GPU model"]
    lengths = [_length(sheet, row) for row in heads]
    assert max(lengths) > PRINTED_ROWS >= lengths[0]
    assert last < heads[lengths.index(max(lengths))] - 1


def _length(sheet, head):
    """How many rows a list has below its headings."""
    return next(row for row in range(head + 1, sheet.max_row + 2) if not sheet.cell(row, 1).value) - head - 1


# ---------------------------------------------------------------- Placement

CITIES = (
    city("Berlin", 500, "DE", 52.5, 13.4),
    city("Delhi", "300.5", "IN", 28.6, 77.2),
    city("New York", 300, "US", 40.7, -74.0),
    city("Apia", 40, "WS", -13.8, -171.8),
    city("Suva", 30, "FJ", -18.1, 178.4),
    city("=1+1", 0, "US", 0.0, 0.0),
)
SITES = (
    site("eu", "DE", 50.1, 8.7, 2500, is_current=True),
    site("in", "IN", 19.1, 72.9, None),
    site("us", "US", 39.0, -77.5, "1000.25", is_current=True),
)
PLACES = world(
    CITIES, SITES, [("New York", "us", "110.5"), ("Delhi", "us", 60)], [("WS", ["US"]), ("FJ", [])]
)


def placed_with(places, **assumptions):
    case = Case(48, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    case.workload("c", "chat", "inference", daily(48, 1, 2))
    case.contract("k", "c", 2, 2.5, ends=5.0)
    case.offers_of("H100", 6.88, {12: 2.75})
    project = replace(case.project, places=places)
    project = replace(project, assumptions=replace(project.assumptions, **assumptions))
    return evaluated(project, case.classifications)


@pytest.fixture(scope="module")
def placed(tmp_path_factory):
    book = tmp_path_factory.mktemp("placement") / "placement.xlsx"
    evaluation = placed_with(PLACES, media_gb_per_month=50_000, egress_usd_per_gb=0.09)
    write_workbook(evaluation, book, 0)
    return evaluation, book


def shown(value):
    return "—" if value is None else value if isinstance(value, str) else pytest.approx(value)


def test_the_sets_of_sites_are_those_of_the_app(placed):
    sheet, placement = SheetCells(cells_of(placed[1])["Placement"]), placement_of(PLACES)
    sets = {"Today": placement.today.current} | {f"Best {len(one.sites)}": one for one in placement.proposed}
    assert len(sets) > 2
    for name, one in sets.items():
        mean = one.mean_one_way_ms
        is_over = None if mean is None else "yes" if one.service.is_over_80 else "no"
        for heading, value in (
            ("Mean one way, ms", mean),
            ("Round trip, ms", one.round_trip_ms),
            ("Over 80 ms one way", is_over),
            ("Cost, $ per month", one.usd_per_month),
            ("Which sites", ", ".join(one.sites)),
        ):
            assert sheet.cells[sheet.under(heading, A=name)] == shown(value), (name, heading)


def test_the_cities_are_served_as_in_the_app(placed):
    sheet = SheetCells(cells_of(placed[1])["Placement"])
    _, head = sheet.column("Users")
    headings = ("In the top 80%", "Served from", "One way, ms", "Round trip, ms")
    columns = [sheet.column(heading, head)[0] for heading in headings]
    legs = current_placement(PLACES).current.service.legs
    assert {leg.site_id for leg in legs} == {"eu", "us", None}
    for leg in legs:
        row = next(row for row in sheet.rows(A=leg.city.city) if row > head)
        served = leg.site_id or "no site may serve it"
        wanted = ["yes" if leg.is_top else "no", served, shown(leg.one_way_ms), shown(leg.round_trip_ms)]
        assert [sheet.cells[f"{letters}{row}"] for letters in columns] == wanted


def test_share_and_egress_are_those_of_the_app(placed):
    evaluation, book = placed
    sheet = SheetCells(cells_of(book)["Placement"])
    share = sheet.cells[f"B{sheet.rows(A='Share of users in the top cities')[0]}"]
    assert share == pytest.approx(current_placement(PLACES).covered_share)
    egress = egress_of(evaluation.project.assumptions)
    row = sheet.rows(A="Egress, $ per month")[0]
    assert (sheet.cells[f"B{row}"], egress.usd) == (4_500, 4_500)
    assert sheet.cells[f"C{row}"] == str(egress.sentence)


def test_a_site_without_a_price_has_a_dash(placed):
    sheet = SheetCells(cells_of(placed[1])["Placement"])
    letters, head = sheet.column("Cost, $ per month", sheet.column("Site")[1])
    rows = [next(row for row in sheet.rows(A=name) if row > head) for name in ("eu", "in", "us")]
    assert [sheet.cells[f"{letters}{row}"] for row in rows] == [2500, "—", 1000.25]


def test_names_from_files_are_never_formulas(placed):
    places = {cell for cell, value in cells_of(placed[1])["Placement"].items() if value == "=1+1"}
    assert places and not places & formulas_of(placed[1])["Placement"].keys()


@pytest.mark.long
def test_a_mean_of_exactly_80_is_not_over(tmp_path):
    """Of two ways that are not."""
    said = []
    for name, ms in (("at", "80.1"), ("over", "80.1001")):
        ways = [("A", "s", "79.9"), ("B", "s", ms)]
        cities = [city("A", 50, longitude=1), city("B", 50, longitude=2)]
        book = tmp_path / f"{name}.xlsx"
        write_workbook(placed_with(world(cities, [site("s", is_current=True)], ways)), book, 0)
        sheet = SheetCells(cells_of(book)["Placement"])
        said.append(sheet.cells[sheet.under("Over 80 ms one way", A="Today")])
    assert said == ["no", "yes"]


def test_without_users_and_sites_it_says_what_to_import(tmp_path):
    write_workbook(placed_with(places_of()), tmp_path / "none.xlsx", 0)
    texts = " ".join(map(str, cells_of(tmp_path / "none.xlsx")["Placement"].values()))
    assert "No users and sites" in texts and "#" not in texts


# ---------------------------------------------------------------- all three


@pytest.fixture(params=["Hardware", "Inference", "Placement"])
def book_of(request):
    """A sheet and a book in which it has much to say."""
    made = {"Hardware": "fitted", "Inference": "sized", "Placement": "placed"}[request.param]
    return request.param, request.getfixturevalue(made)[1]


@pytest.mark.long
def test_the_sheet_has_values_alone_and_says_where_to_change_them(book_of):
    sheet, book = book_of
    assert len(cells_of(book)[sheet]) > 50
    assert not formulas_of(book)[sheet]
    assert sheet not in watched_book(book).inputs
    said = " ".join(str(cells_of(book)[sheet].get(f"A{row}")) for row in (2, 3))
    assert "in the panel" in said and "export again" in said


@pytest.mark.long
def test_every_yellow_input_says_what_it_takes(book_of):
    assert without_rule(book_of[1]) == []


@pytest.mark.long
def test_the_book_recalculates_to_the_same(fitted, sized, placed, need_tool, tmp_path):
    books = [made[1] for made in (fitted, sized, placed)]
    for book, again in zip(
        books, Recalculator(need_tool("soffice"), tmp_path).recalculated(*books), strict=True
    ):
        assert differences(cells_of(book), cells_of(again)) == []
        assert light_of(again) == "green"
