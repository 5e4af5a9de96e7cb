"""The sections under the layers: what each says, that it follows the hand, and that nobody looks for flips unseen."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, Largest
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.panels.duration.sections import (
    CHEAPEST,
    FLIPS,
    ORDERS,
    PATHS,
    SCREEN,
    VALUE,
    WHY,
    DurationSections,
    coming_words,
)
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.fake_app import recoloured


@pytest.fixture
def sections(window: MainWindow) -> Iterator[DurationSections]:
    """Those of one row; open afterwards are those that were open before."""
    window.docks.duration.choose(Pool.TRAINING, "H100")
    made = window.docks.duration.sections
    opened = [fold.is_open for fold in made.folds.values()]
    yield made
    for fold, was_open in zip(made.folds.values(), opened, strict=True):
        fold.head.setChecked(was_open)


@pytest.fixture
def new_sections(new_window: MainWindow) -> DurationSections:
    """Of a window for which nobody looked for flips yet."""
    new_window.docks.duration.choose(Pool.TRAINING, "H100")
    return new_window.docks.duration.sections


def open_fold(sections: DurationSections, title: str) -> None:
    sections.folds[title].head.setChecked(True)
    QApplication.processEvents()


def test_every_layer_is_said_in_words(sections: DurationSections) -> None:
    said = sections.texts[WHY].text()
    assert "Commit" in said and "for 36 months at $2.00" in said and "cheaper above 61.6%" in said


def test_the_words_follow_the_hand(window: MainWindow, sections: DurationSections) -> None:
    before, panel = sections.texts[WHY].text(), window.docks.duration
    level = panel.table.spins[36].value()
    panel.sections.show_row(panel.levels.try_out(36, level + 2), window.session.view_state, is_trial=True)
    assert sections.texts[WHY].text() != before
    assert f"Commit {level + 2} H100" in sections.texts[WHY].text()


def test_the_screening_curve_has_a_line_for_each_term_and_one_by_use(sections: DurationSections) -> None:
    open_fold(sections, SCREEN)
    lines = sections.screening.plot.lines
    assert [line.name for line in lines] == ["On demand", "36 months", "12 months", "3 months"]
    for line in lines[1:]:
        assert line.usd(line.crossing) == pytest.approx(lines[0].usd(line.crossing))
    table = sections.tables[SCREEN]
    assert [table.row_at(at).cells[4].text for at in range(3)] == ["61.6%", "52.0%", "51.2%"]
    assert "Cheapest" in sections.screening.plot.tip_at(80, 0)
    recoloured(sections, DARK)
    assert sections.screening.plot.isVisible()
    recoloured(sections, LIGHT)


@pytest.mark.long
def test_flips_are_asked_for_once_and_only_where_they_are_seen(
    new_sections: DurationSections, new_window: MainWindow, qtbot: QtBot
) -> None:
    asked: list[object] = []
    new_sections.flips_asked.connect(asked.append)
    new_sections.draw()
    assert not asked
    open_fold(new_sections, FLIPS)
    assert len(asked) == 1 and "Calculating" in new_sections.texts[FLIPS].text()
    new_window.docks.duration.choose(Pool.BURST, "H100")
    new_window.docks.duration.choose(Pool.TRAINING, "H100")
    assert len(asked) == 1
    with qtbot.waitSignal(new_sections.flips_left):
        new_window.docks.raise_panel("demand")
        QApplication.processEvents()


@pytest.mark.long
def test_flips_of_the_row_come_nearest_first(new_sections: DurationSections) -> None:
    open_fold(new_sections, FLIPS)
    near = FlipPoint(
        assumption="lambda",
        pool=Pool.TRAINING,
        gpu_model="H100",
        value=0.01,
        at=0.015,
        today=Largest(36, 9.0),
        there=Largest(12, 8.0),
    )
    far = FlipPoint(
        assumption="delta",
        pool=Pool.TRAINING,
        gpu_model="H100",
        value=0.02,
        at=0.031,
        today=Largest(36, 9.0),
        there=Largest(3, 7.0),
    )
    other = FlipPoint(
        assumption="delta",
        pool=Pool.BURST,
        gpu_model="H100",
        value=0.02,
        at=0.021,
        today=Largest(12, 9.0),
        there=Largest(3, 7.0),
    )
    new_sections.show_flips((far, near, other))
    said = new_sections.texts[FLIPS].text()
    assert "attrition" in said[: said.index("1.5%")] and "2.1%" not in said
    assert "price decline" in said[said.index("1.5%") : said.index("3.1%")]
    new_sections.show_flips(())
    assert "No usual growth" in new_sections.texts[FLIPS].text()


def test_the_four_paths_of_prices_have_a_row_each_and_the_cheapest_way_a_mark(
    sections: DurationSections, window: MainWindow
) -> None:
    open_fold(sections, PATHS)
    shown = window.session.view_state
    assert shown is not None and shown.outlook is not None
    table, paths = sections.tables[PATHS], shown.outlook.price_paths
    rows = [table.row_at(at) for at in range(table.model().rowCount())]
    assert [row.key for row in rows] == ["fall", "cut", "flat", "rise", ""] and rows[-1].is_total
    for row, one in zip(rows, paths, strict=False):
        usd = [one.shorter_only_usd, one.advice_usd, one.longer_only_usd]
        assert [cell.text.removeprefix(CHEAPEST) for cell in row.cells[1:]] == [
            f"{round(each or 0):,}" for each in usd
        ]
        marked = [cell.text.startswith(CHEAPEST) for cell in row.cells[1:]]
        assert marked == [cell.is_strong for cell in row.cells[1:]]
        assert marked == [round(each or 0) == round(min(filter(None, usd))) for each in usd] or not any(
            marked
        )
    said = sections.texts[PATHS].text()
    assert "60 months" in said and "{" not in said
    worst = max(one.regret_usd or 0.0 for one in paths)
    assert rows[-1].cells[2].text == f"{round(worst):,}"


def test_value_of_layers_adds_up(sections: DurationSections) -> None:
    open_fold(sections, VALUE)
    table = sections.tables[VALUE]
    if table.model().rowCount():
        last = table.row_at(table.model().rowCount() - 1)
        assert last.is_total


def test_orders_of_the_row_come_soonest_first(sections: DurationSections, window: MainWindow) -> None:
    open_fold(sections, ORDERS)
    table = sections.tables[ORDERS]
    assert [table.row_at(at).cells[0].text for at in range(table.model().rowCount())] == [
        "64, 12 months",
        "12, 36 months",
    ]
    assert table.row_at(1).cells[4].text == "contract ends"
    window.docks.duration.choose(Pool.BURST, "H100")
    assert "No orders" in sections.texts[ORDERS].text() and table.isHidden()


def test_a_term_that_has_no_gpus_yet_says_how_many_come_and_when(window: MainWindow) -> None:
    shown = window.session.view_state
    assert shown is not None and shown.advice is not None
    plan = next(one for one in shown.advice.pools if one.gpu_model == "H100")
    order = shown.advice.orders[0]
    here = {"pool": plan.pool, "gpu_model": plan.gpu_model, "reason": "growth", "row": 0}
    there = next(layer.term_months for layer in plan.layers if layer.is_new and layer.gpus)
    orders = [
        replace(order, term_months=60, start_s=20 * 365 * 86_400, gpus=16.0, **here),
        replace(order, term_months=60, start_s=20 * 365 * 86_400, gpus=8.0, **here),
        replace(order, term_months=60, start_s=21 * 365 * 86_400, gpus=4.0, **here),
        replace(order, term_months=there, start_s=21 * 365 * 86_400, gpus=4.0, **here),
        replace(order, **{**here, "pool": "another"}, term_months=48),
    ]
    assert coming_words(plan, orders) == {60: "24 GPUs from 27 Dec 1989"}
    assert coming_words(plan, ()) == {}
