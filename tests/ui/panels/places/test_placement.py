"""Placement: sets of sites are chosen and drawn, cities hang together with the map, egress is one edit each."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.places import NO_PLACES, MeasuredTransit, Places, ResidencyRule, places_of
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.kit.palettes import DARK
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.panels.places.placement import PlacementPanel
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.window.language_choice import locale_of
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.numbers import way_ms
from tests.domain.serving.small_places import city, site, world
from tests.ui.fake_app import recoloured
from tests.ui.sample_world import evaluation_of, sample_project

CITIES = (
    city("Berlin", 500, "DE", 52.5, 13.4),
    city("New York", 300, "US", 40.7, -74.0),
    city("Delhi", 200, "IN", 28.6, 77.2),
)
SITES = (
    site("us", "US", 39.0, -77.5, 1000, is_current=True),
    site("eu", "DE", 50.1, 8.7, 2500),
    site("in", "IN", 19.1, 72.9, None),
)
PLACES = world(CITIES, SITES, [("Berlin", "us", 150)])


def shown_with(places: Places, scenario: str = ""):
    project = replace(sample_project(), places=places)
    return next_view_state(None, evaluation_of(project, scenario or project.scenarios[0].name))


@pytest.fixture
def panel(qtbot: QtBot) -> PlacementPanel:
    made = PlacementPanel()
    qtbot.addWidget(made)
    made.resize(560, 900)
    made.show()
    with qtbot.waitSignal(made.placer.answered):
        made.show_state(shown_with(PLACES))
    yield made
    made.placer.close()


def texts(table) -> list[list[str]]:
    return [[cell.text for cell in table.row_at(row).cells] for row in range(table.model().rowCount())]


def test_the_headline_is_that_of_today_and_flags_what_is_over_80(panel: PlacementPanel) -> None:
    assert panel.headline.text().endswith("Over\u00a080\u00a0ms.")
    mean = panel.placement.today.current.mean_one_way_ms
    assert all(f"{way_ms(ms)} ms" in panel.headline.text() for ms in (mean, 2 * mean))
    assert "2 of 3" in panel.covered.text() and "80.0%" in panel.covered.text()


def test_every_set_is_listed_with_its_ways_and_price(panel: PlacementPanel) -> None:
    listed = texts(panel.sets)
    assert [row[0] for row in listed] == ["Today", "Best 1", "Best 2", "Best 3"]
    assert listed[0][1] == "us" and listed[0][4] == "1,000"
    assert listed[2][1] == "eu, us" and listed[2][4] == "3,500"
    assert listed[3][4] == "\u2014"
    assert panel.sets.row_at(0).key == "today"


def test_notes_have_the_digits_of_the_planner(panel: PlacementPanel) -> None:
    before = QLocale()
    numbers.use_locale(locale_of("german"))
    notes = (worded("{n} sites", n=whole(1234.0)), worded("measured"))
    panel.show_placement(replace(panel.placement, notes=notes))
    numbers.use_locale(before)
    assert panel.notes.text() == "1.234 sites\nmeasured"


def test_a_chosen_set_is_drawn_and_said_against_today(panel: PlacementPanel) -> None:
    panel.sets.selectRow([one.key for one in panel.list_sets()].index("best:2"))
    assert panel.shown_set.text() == "Best 2: eu, us"
    assert panel.change.text().startswith("Adds eu. +$2,500 ")
    assert [item.is_used for item in panel.map.sites] == [True, False, True]
    assert texts(panel.cities)[0][:3] == ["Berlin", "500", "eu"]
    panel.sets.selectRow([one.key for one in panel.list_sets()].index("today"))
    assert panel.change.text() and "$" not in panel.change.text()
    assert texts(panel.cities)[0] == ["Berlin", "500", "us", "150.0", "300.0", "measured"]


def test_the_keyboard_comes_to_the_map_between_its_buttons_and_the_tables(panel: PlacementPanel) -> None:
    assert panel.zooms[-1].nextInFocusChain() is panel.map
    order, widget = [], panel.map
    while widget is not panel.cities:
        widget = widget.nextInFocusChain()
        order.append(widget)
    assert panel.sets in order


def test_table_and_map_choose_the_same_city(panel: PlacementPanel) -> None:
    panel.cities.selectRow(2)
    assert panel.map.chosen.startswith("Delhi|")
    panel.map.choose_city(panel.map.cities[1])
    assert panel.cities.currentIndex().row() == 1


def test_a_narrow_panel_leaves_out_how_a_way_is_known(panel: PlacementPanel, qtbot: QtBot) -> None:
    assert len(panel.cities.columns) == 6
    panel.resize(400, 900)
    QApplication.processEvents()
    assert len(panel.cities.columns) == 5
    assert all(len(row) == 5 for row in texts(panel.cities))


def test_the_cheapest_within_80_ms_is_said(panel: PlacementPanel) -> None:
    within = panel.placement.cheapest_within
    assert panel.cheapest.text().startswith(f"Cheapest within 80 ms: {', '.join(within.sites)}, $")


def test_residency_that_leaves_users_out_is_said_where_the_way_would_be(
    qtbot: QtBot, panel: PlacementPanel
) -> None:
    places = places_of(PLACES.cities, PLACES.sites, (), (ResidencyRule("DE", ("DE",)),))
    with qtbot.waitSignal(panel.placer.answered):
        panel.show_state(shown_with(places))
    assert "unknown" in panel.headline.text() and "DE" in panel.notes.text()
    assert texts(panel.cities)[0][2] == "no site may"
    assert panel.map.cities[0].site is None


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (NO_PLACES, "Import users' cities"),
        (world(CITIES, ()), "No sites yet"),
        (world((), SITES), "No users yet"),
    ],
)
def test_without_users_or_sites_it_says_what_to_import(
    qtbot: QtBot, panel: PlacementPanel, places: Places, words: str
) -> None:
    panel.show_state(shown_with(places))
    assert panel.empty.text().startswith(words) and panel.importer.isVisible()
    assert not panel.map.isVisible() and not panel.sets.isVisible()
    with qtbot.waitSignal(panel.import_asked):
        panel.importer.click()
    with qtbot.waitSignal(panel.placer.answered):
        panel.show_state(shown_with(PLACES))
    assert panel.map.isVisible() and not panel.importer.isVisible()


def test_what_is_typed_of_egress_is_told_once(panel: PlacementPanel, qtbot: QtBot) -> None:
    told = []
    panel.assumption_set.connect(lambda name, text: told.append((name, text)))
    panel.amounts.media.setFocus()
    qtbot.keyClicks(panel.amounts.media, "5000")
    qtbot.keyClick(panel.amounts.media, "\r")
    panel.amounts.media.editingFinished.emit()
    assert told == [("media_gb_per_month", "5000")]


def test_in_a_low_panel_the_map_leaves_its_room_to_the_rows(panel: PlacementPanel) -> None:
    panel.resize(400, 220)
    QApplication.processEvents()
    assert panel.sets.isVisible() and panel.no_map.isVisible()
    assert not (panel.map.isVisible() or panel.legend.isVisible() or panel.zooms[0].isVisible())
    first = panel.sets.visualRect(panel.sets.model().index(0, 0))
    assert panel.sets.viewport().mapTo(panel, first.bottomLeft()).y() < panel.height()
    panel.resize(560, 900)
    QApplication.processEvents()
    assert panel.map.isVisible() and panel.legend.isVisible() and not panel.no_map.isVisible()


def test_other_colours_reach_the_map(panel: PlacementPanel) -> None:
    recoloured(panel, DARK)
    assert panel.map.colours.sea == DARK.raised and panel.legend.colours.sea == DARK.raised


def test_egress_in_the_window_is_one_undo_step_and_refusals_are_said(window: MainWindow) -> None:
    panel = window.docks.placement
    panel.assumption_set.emit("media_gb_per_month", "1000")
    assert window.session.document.project.assumptions.media_gb_per_month == 1000
    assert "1,000 GB per month" in window.session.document.undo_stack.undoText()
    panel.assumption_set.emit("egress_usd_per_gb", "much")
    assert "not a number" in panel.refusal.text()
    window.session.document.undo_stack.undo()
    assert window.session.document.project.assumptions.media_gb_per_month is None


def test_the_headline_of_today_has_transit_where_users_and_sites_are_loaded(window: MainWindow) -> None:
    with_places, without = shown_with(PLACES, TODAY), shown_with(NO_PLACES, TODAY)
    (figure,) = [one for one in figures_of(with_places) if one.figure_id == "transit"]
    mean = 0.625 * 150 + 0.375 * figure_mean_of_new_york()
    assert figure.plan == way_ms(mean)
    assert all(one in figure.second[0] for one in ("80%", "150.0", way_ms(2 * mean)))
    assert figure.icon == ("triangle" if mean > 80 else "")
    assert all(one.figure_id != "transit" for one in figures_of(without))
    window.headline.more.click()
    window.headline.show_figures(figures_of(with_places))
    assert sum(button.isVisibleTo(window.headline) for button in window.headline.buttons) == 7
    window.headline.show_figures(figures_of(without))
    assert sum(button.isVisibleTo(window.headline) for button in window.headline.buttons) == 6


def figure_mean_of_new_york() -> float:
    from gpuplanner.domain.serving.transit import haversine_km, one_way_ms

    return float(one_way_ms(haversine_km(40.7, -74.0, 39.0, -77.5)))


def test_a_measured_way_is_in_the_tip(panel: PlacementPanel) -> None:
    places = places_of(
        PLACES.cities, PLACES.sites, (MeasuredTransit("Delhi", "us", PLACES.cities[0].users),), ()
    )
    assert places.measured
    assert "measured" in panel.cities.row_at(0).cells[0].tip
    assert "by distance" in panel.cities.row_at(1).cells[0].tip


def test_of_very_many_cities_the_map_draws_the_largest_and_says_so(
    panel: PlacementPanel, qtbot: QtBot
) -> None:
    many = [city(f"C{at}", 1000 - at, "US", at % 60, at % 170) for at in range(600)]
    with qtbot.waitSignal(panel.placer.answered):
        panel.show_state(shown_with(world(many, SITES)))
    assert len(panel.map.cities) == 500 and panel.cities.model().rowCount() == 600
    assert " 500 " in panel.covered.text()
    panel.cities.selectRow(599)
    assert panel.map.cities[-1].key != panel.map.chosen
    assert not panel.map.grab().isNull()


def test_until_the_thread_answers_one_sentence_stands_alone(qtbot: QtBot) -> None:
    panel = PlacementPanel()
    qtbot.addWidget(panel)
    panel.resize(560, 900)
    panel.show()
    with qtbot.waitSignal(panel.placer.answered):
        panel.show_state(shown_with(PLACES))
        body = panel.scroll_area.widget()
        parts = (one for one in body.findChildren(QWidget) if not isinstance(one, TwoColumns))
        seen = [one for one in parts if one.isVisibleTo(body)]
        assert len(seen) == 1 and seen[0].text()
    assert not panel.empty.isVisible() and panel.map.isVisible()
    assert panel.headline.text()
    panel.placer.close()


def test_of_many_sites_a_set_says_what_no_set_of_as_many_is_under(
    panel: PlacementPanel, qtbot: QtBot
) -> None:
    assert "No set of this size" not in panel.sets.row_at(1).cells[2].tip
    many = [site(f"s{at:02}", "US", at, 9 * at, is_current=at == 0) for at in range(18)]
    with qtbot.waitSignal(panel.placer.answered):
        panel.show_state(shown_with(world([city(f"C{at}", 9, "US", at, 9 * at) for at in range(9)], many)))
    assert any("No set of this size under " in cell.tip for cell in panel.sets.row_at(1).cells)


def test_lines_to_measure_are_copied_where_a_site_has_a_host(qtbot: QtBot, panel: PlacementPanel) -> None:
    assert not panel.measure.isVisibleTo(panel)
    sites = (replace(SITES[0], host="us.example.com"), *SITES[1:])
    with qtbot.waitSignal(panel.placer.answered):
        panel.show_state(shown_with(places_of(CITIES, sites)))
    assert panel.measure.isVisibleTo(panel)
    panel.measure.click()
    lines = QApplication.clipboard().text().splitlines()
    assert lines[1:4] == ["# FROM='Berlin;DE'", "# FROM='New York;US'", "# FROM='Delhi;IN'"]
    assert lines[4:] == [
        """printf 'latency;%s;%s;%s\\n' "$FROM" 'us' "$(ping -qc10 us.example.com|tail -n1)">>latency.txt"""
    ]
