"""Placement says what the app says, as values."""

import pytest

from gpuplanner.domain.serving.placement import current_placement, placement_of
from gpuplanner.domain.serving.transit import egress_of
from gpuplanner.files.workbook.write import write_workbook
from tests.domain.serving.small_places import city, site, world
from tests.files.workbook.answers.crafted_books import PLACES, placed_with
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.recalculate import cells_of, formulas_of


def shown(value):
    return "—" if value is None else value if isinstance(value, str) else pytest.approx(value)


def test_the_sets_of_sites_are_those_of_the_app(placed):
    sheet, placement = SheetCells(cells_of(placed[1])["Studies"]), placement_of(PLACES)
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
    sheet = SheetCells(cells_of(placed[1])["Studies"])
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
    sheet = SheetCells(cells_of(book)["Studies"])
    share = sheet.cells[f"B{sheet.rows(A='Share of users in the top cities')[0]}"]
    assert share == pytest.approx(current_placement(PLACES).covered_share)
    egress = egress_of(evaluation.project.assumptions)
    row = sheet.rows(A="Egress, $ per month")[0]
    assert (sheet.cells[f"B{row}"], egress.usd) == (4_500, 4_500)
    assert sheet.cells[f"C{row}"] == str(egress.sentence)


def test_a_site_without_a_price_has_a_dash(placed):
    sheet = SheetCells(cells_of(placed[1])["Studies"])
    letters, head = sheet.column("Cost, $ per month", sheet.column("Site")[1])
    rows = [next(row for row in sheet.rows(A=name) if row > head) for name in ("eu", "in", "us")]
    assert [sheet.cells[f"{letters}{row}"] for row in rows] == [2500, "—", 1000.25]


def test_names_from_files_are_never_formulas(placed):
    places = {cell for cell, value in cells_of(placed[1])["Studies"].items() if value == "=1+1"}
    assert places and not places & formulas_of(placed[1])["Studies"].keys()


@pytest.mark.long
def test_a_mean_of_exactly_80_is_not_over(tmp_path):
    """Of two ways that are not."""
    said = []
    for name, ms in (("at", "80.1"), ("over", "80.1001")):
        ways = [("A", "s", "79.9"), ("B", "s", ms)]
        cities = [city("A", 50, longitude=1), city("B", 50, longitude=2)]
        book = tmp_path / f"{name}.xlsx"
        write_workbook(placed_with(world(cities, [site("s", is_current=True)], ways)), book, 0)
        sheet = SheetCells(cells_of(book)["Studies"])
        said.append(sheet.cells[sheet.under("Over 80 ms one way", A="Today")])
    assert said == ["no", "yes"]
