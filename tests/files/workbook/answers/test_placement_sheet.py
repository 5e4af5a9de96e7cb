"""The Placement sheet: its ways, mean and prices are the app's after a recalculation, and follow what is changed."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.model.places import MeasuredTransit, places_of
from gpuplanner.domain.serving.egress import egress_of
from gpuplanner.domain.serving.placement import columns_of, current_placement, placement_of, site_set
from gpuplanner.files.workbook.write import write_workbook
from tests.domain.serving.places_by_hand import city, site, world
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of, names_of
from tests.files.workbook.watched_cells import without_rule
from tests.oracle.crafted import daily
from tests.oracle.projects import Case

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


def evaluation_with(places, **assumptions):
    case = Case(48, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    case.workload("c", "chat", "inference", daily(48, 1, 2))
    case.contract("k", "c", 2, 2.5, ends=5.0)
    case.offers_of("H100", 6.88, {12: 2.75})
    project = replace(case.project, places=places)
    project = replace(project, assumptions=replace(project.assumptions, **assumptions))
    return evaluated(project, case.classifications)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    book = tmp_path_factory.mktemp("placement") / "placement.xlsx"
    evaluation = evaluation_with(PLACES, media_gb_per_month=50_000, egress_usd_per_gb=0.09)
    write_workbook(evaluation, book, 0)
    return evaluation, book


def said(cells):
    return SheetCells(cells["Placement"])


def figures_of(cells):
    """What the sheet says: results today and tried, and each city."""
    sheet = said(cells)
    results = {
        (what, side): sheet.cells[f"{sheet.column(heading)[0]}{sheet.rows(A=what)[0]}"]
        for what in ("Mean one way, ms", "Round trip, ms", "Over 80 ms one way", "Cost, $ per month")
        for side, heading in (("today", "Today"), ("tried", "Tried"))
    }
    results["share"] = sheet.cells[f"B{sheet.rows(A='Share of users in these cities')[0]}"]
    results["egress"] = sheet.cells[f"B{sheet.rows(A='Egress with media, $ per month')[0]}"]
    _, head = sheet.column("Users")
    for one in CITIES:
        row = next(row for row in sheet.rows(A=one.city) if row > head)
        results[one.city] = tuple(sheet.cells.get(f"{letters}{row}") for letters in "FGHJ")
    return results


def figures_of_app(places, tried, egress_usd):
    """The same from the domain; unknown is the dash."""

    def shown(value):
        return "—" if value is None else pytest.approx(value)

    today = current_placement(places)
    sides = {"today": today.current, "tried": site_set(today.table, columns_of(today.table, tried))}
    results = {}
    for side, one in sides.items():
        mean = one.mean_one_way_ms
        results |= {
            ("Mean one way, ms", side): shown(mean),
            ("Round trip, ms", side): shown(one.round_trip_ms),
            ("Over 80 ms one way", side): "—" if mean is None else "yes" if one.service.is_over_80 else "no",
            ("Cost, $ per month", side): shown(one.usd_per_month),
        }
    results["share"] = shown(today.covered_share)
    results["egress"] = shown(egress_usd)
    for leg, then in zip(sides["today"].service.legs, sides["tried"].service.legs, strict=True):
        results[leg.city.city] = (
            "yes" if leg.is_top else "no",
            leg.site_id or "—",
            shown(leg.one_way_ms),
            shown(then.one_way_ms),
        )
    return results


def tried_first(places):
    """Sites that the book begins with: the cheapest that reach all users in time, else the best of what there is."""
    placement = placement_of(places)
    return (placement.cheapest_within or placement.proposed[0]).sites


def test_the_sheet_says_what_the_app_says(made):
    evaluation, book = made
    tried = tried_first(PLACES)
    egress = egress_of(evaluation.project.assumptions).usd
    assert figures_of(cells_of(book)) == figures_of_app(PLACES, tried, egress)


def test_names_from_files_are_never_formulas(made):
    places = {cell for cell, value in cells_of(made[1])["Placement"].items() if value == "=1+1"}
    assert places and not places & formulas_of(made[1])["Placement"].keys()


@pytest.mark.long
def test_the_book_recalculates_to_the_same_and_follows_every_change(made, need_tool, tmp_path):
    _, book = made
    tried, egress = tried_first(PLACES), 4_500.0
    sheet, names = said(cells_of(book)), names_of(book)

    def cell(heading, name, below="Users"):
        letters, head = sheet.column(heading, sheet.column(below)[1])
        return ("Placement", f"{letters}{next(row for row in sheet.rows(A=name) if row > head)}")

    def flag(name, heading):
        return cell(heading, name, "Site")

    from_berlin_to_eu = ("Placement", f"P{cell('Users', 'Berlin')[1][1:]}")
    cities, sites = PLACES.cities, PLACES.sites
    changed = {"Apia": {"users": Decimal(5000)}, "Delhi": {"latitude": -33.9}}
    grown = tuple(replace(one, **changed.get(one.city, {})) for one in cities)
    priced = tuple(replace(one, usd_per_month=Decimal(10)) if one.site_id == "us" else one for one in sites)
    in_use = tuple(replace(one, is_current=one.site_id != "us") for one in sites)
    slow = MeasuredTransit("Berlin", "eu", Decimal("95.5"))
    names_of_sites = ("eu", "in", "us")
    wanted = [
        ({}, PLACES, tried, egress),
        (
            {
                cell("Users", "Apia"): 5000,
                cell("Latitude", "Delhi"): -33.9,
                flag("us", "Cost, $ per month"): 10,
                names["assume_egress_usd_per_gb"]: 0.12,
                **{flag(name, "Tried"): "yes" for name in names_of_sites},
            },
            places_of(grown, priced, PLACES.measured, PLACES.residency),
            names_of_sites,
            6_000.0,
        ),
        (
            {
                flag("in", "In use today"): "yes",
                flag("us", "In use today"): "no",
                from_berlin_to_eu: 95.5,
                names["assume_tokens_per_month"]: 1e9,
                **{flag(name, "Tried"): "no" for name in names_of_sites},
            },
            places_of(cities, in_use, (*PLACES.measured, slow), PLACES.residency),
            (),
            4_500.45,
        ),
    ]
    books = [changed_copy(book, tmp_path / f"c{at}.xlsx", change) for at, (change, *_) in enumerate(wanted)]
    edges = books_at_80_and_over(tmp_path)
    *again, at_80, over_80 = Recalculator(need_tool("soffice"), tmp_path).recalculated(*books, *edges)
    assert [flag_of(each) for each in (*edges, at_80, over_80)] == ["no", "yes", "no", "yes"]
    for found, (change, places, some, usd) in zip(again, wanted, strict=True):
        assert figures_of(cells_of(found)) == figures_of_app(places, some, usd), change


def books_at_80_and_over(folder):
    """A mean of exactly 80.0 ms from two ways that are not, and one a hair over it."""
    books = []
    for name, ms in (("at", "80.1"), ("over", "80.1001")):
        ways = [("A", "s", "79.9"), ("B", "s", ms)]
        cities = [city("A", 50, longitude=1), city("B", 50, longitude=2)]
        books.append(folder / f"{name}.xlsx")
        write_workbook(evaluation_with(world(cities, [site("s", is_current=True)], ways)), books[-1], 0)
    return books


def flag_of(book):
    sheet = said(cells_of(book))
    return sheet.cells[f"B{sheet.rows(A='Over 80 ms one way')[0]}"]


def test_without_users_and_sites_it_says_what_to_import(tmp_path):
    write_workbook(evaluation_with(places_of()), tmp_path / "none.xlsx", 0)
    texts = " ".join(map(str, cells_of(tmp_path / "none.xlsx")["Placement"].values()))
    assert "No users and sites are loaded" in texts and "#" not in texts


def test_many_cities_are_cut_where_the_top_80_percent_ends_and_the_rest_is_counted(tmp_path, monkeypatch):
    from gpuplanner.files.workbook.answers import placement_sheet

    monkeypatch.setattr(placement_sheet, "MOST_CITIES", 3)
    evaluation = evaluation_with(PLACES)
    write_workbook(evaluation, tmp_path / "cut.xlsx", 0)
    sheet = said(cells_of(tmp_path / "cut.xlsx"))
    assert not sheet.rows(A="Suva")
    row = sheet.rows(A="Users in cities that are not listed")[0]
    assert sheet.cells[f"C{row}"] == 70
    share = sheet.cells[f"B{sheet.rows(A='Share of users in these cities')[0]}"]
    assert share == pytest.approx(current_placement(PLACES).covered_share)


def test_every_yellow_input_says_what_it_takes(made):
    assert without_rule(made[1]) == []
