"""Presenter mode: pages by keys, the brief's own words and figures, hidden names, the pointer, what has room."""

import re
from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.charts.page_painter import page_layout, text_and_tables
from gpuplanner.charts.plots.waterfall import WaterfallPlot
from gpuplanner.domain.brief import sensitivity_pages
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import MonthsChart, Page, TableBlock, TextBlock
from gpuplanner.domain.brief.sensitivity_pages import Sensitivity, price_flip_words, sensitivity_of
from gpuplanner.domain.commitment.plan.comparison import Horizon, horizon_row
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.flows import present_flow
from gpuplanner.ui.flows.present_flow import PresentFlow
from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.present.hidden_names import HiddenNames
from gpuplanner.ui.present.pointer import PointerKind
from gpuplanner.ui.present.presenter import Presenter, is_scene
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.window.main_window import MainWindow
from tests.some_of import one_in
from tests.ui.fake_app import recoloured
from tests.ui.sample_world import evaluation_of, sample_project

PLAN = "Plan A \u00b7 Separate"
KEYS = ["question", "sign", "savings", "year", "today", "stranded", "rates", "plan", "sensitivity"]
SIZES = [((960, 540),), ((1280, 800),), ((1920, 1080),), ((1024, 768),)]


def weighed(shown: ViewState, sensitivity: Sensitivity) -> str:
    """What the page of prices says once somebody worked it out."""
    project = shown.evaluation.project
    delta = project.assumptions_in(project.scenario(shown.evaluation.scenario)).delta
    return str(price_flip_words(sensitivity.flips, delta, signs=True))


def go_to_page(presenter: Presenter, key: str) -> None:
    presenter.go_to(next(at for at, part in enumerate(presenter.parts) if part.key == key))


def view_state_of(project: Project, scenario: str = PLAN, steps: int = 3) -> ViewState:
    return next_view_state(None, evaluation_of(project, scenario, steps))


@pytest.fixture(scope="module")
def shown() -> ViewState:
    return view_state_of(sample_project())


@pytest.fixture(scope="module")
def sensitivity(shown: ViewState) -> Sensitivity:
    """What other prices and other demand would change of it."""
    return sensitivity_of(shown.evaluation)


@pytest.fixture
def presenter(qtbot: QtBot, shown: ViewState) -> Presenter:
    made = Presenter()
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show_state(shown, shown.evaluation.project.window.end_s)
    made.show()
    return made


def move(widget: QWidget, place: QPoint) -> None:
    """The mouse is moved over a widget, whatever window of an earlier test lies there: the event is its own."""
    at = QPointF(place)
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        QPointF(widget.mapToGlobal(place)),
        none,
        none,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)


def press(presenter: QWidget, key: Qt.Key, *, control: bool = False) -> None:
    QTest.keyClick(
        presenter, key, Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    )


def part(presenter: Presenter) -> Page:
    return presenter.parts[presenter.at]


def said(presenter: Presenter) -> str:
    return f"{presenter.accessibleName()} {presenter.accessibleDescription()}"


def blocks(pages: tuple[Page, ...], kind: type) -> list:
    return [block for page in pages for row in page.rows for block in row if isinstance(block, kind)]


@pytest.mark.long
def test_keys_go_through_the_pages_and_stop_at_both_ends(presenter: Presenter) -> None:
    assert list(dict.fromkeys(part.key for part in presenter.parts)) == KEYS
    seen, last = [], len(presenter.parts) - 1
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Space):
        press(presenter, key)
        seen.append(presenter.at)
    assert seen == [1, 2, 3, 4]
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
        press(presenter, key)
    assert presenter.at == 1
    press(presenter, Qt.Key.Key_End)
    press(presenter, Qt.Key.Key_Right)
    assert presenter.at == last and part(presenter).key == KEYS[-1]
    assert presenter.windowTitle().startswith(f"Sensitivity, {last + 1} / {last + 1}")
    press(presenter, Qt.Key.Key_Home)
    press(presenter, Qt.Key.Key_Left)
    assert presenter.at == 0 and part(presenter).key == "question"
    for keys, at in (("12", 11), ("", 11), ("3", 2), ("999", last), ("0", 0)):
        QTest.keyClicks(presenter, keys)
        press(presenter, Qt.Key.Key_Return)
        assert presenter.at == at
    QTest.keyClicks(presenter, "5")
    press(presenter, Qt.Key.Key_Right)  # what is not entered is no number of the next
    press(presenter, Qt.Key.Key_Return)
    assert presenter.at == 1


@pytest.mark.long
def test_the_year_is_a_scene_under_one_handle(presenter: Presenter, shown: ViewState) -> None:
    """By the mouse, and by Shift with the arrows; each month is that of the advice, all other parts stay."""
    assert shown.advice is not None
    go_to_page(presenter, "year")
    at, others = presenter.at, [one for one in presenter.parts if not is_scene(one)]
    assert presenter.year.isVisible() and presenter.year.maximum() == len(shown.advice.comparison) - 1
    for month in range(len(shown.advice.comparison)):
        presenter.year.setValue(month)
        row, scene = shown.advice.comparison[month], part(presenter)
        assert (
            scene.title.startswith(f"Month {month + 1}: " if month else "First month: ")
            and scene.title in presenter.accessibleName()
        )
        assert [one.amount for one in scene.figures[:2]] == [row.plan_usd, row.do_nothing_usd]
        assert [chart.at for chart in blocks((scene,), MonthsChart)] == [month]
    QTest.keyClick(presenter, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert presenter.year.value() == len(shown.advice.comparison) - 2 and presenter.at == at
    assert [one for one in presenter.parts if one is not part(presenter)] == others
    left = presenter.grab().toImage()
    presenter.year.setValue(0)
    assert presenter.grab().toImage() != left
    press(presenter, Qt.Key.Key_Right)  # its months as a table
    assert part(presenter).key == "year" and presenter.at == at + 1 and not presenter.year.isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_F11])
def test_both_keys_leave(presenter: Presenter, qtbot: QtBot, key: Qt.Key) -> None:
    with qtbot.waitSignal(presenter.left):
        press(presenter, key)
    assert not presenter.isVisible()


@pytest.mark.long
def test_what_is_presented_is_what_the_brief_prints(
    presenter: Presenter, shown: ViewState, sensitivity: Sensitivity
) -> None:
    """Word for word and figure for figure, in English and US dollars; also what other prices would change."""
    at_s = shown.evaluation.project.window.end_s
    for known in (None, sensitivity):
        presenter.show_state(shown, at_s, known and {"sensitivity": known, "is_asking": True})
        assert repr(presenter.pages) == repr(
            brief_of(shown.evaluation, at_s, "1", known, known is not None).pages
        )
    assert weighed(shown, sensitivity) in repr(presenter.pages)


def test_savings_of_one_kind_stand_together(presenter: Presenter, shown: ViewState) -> None:
    """Those of twelve months against doing nothing, in the figure of the first page and in the page of savings."""
    assert shown.advice is not None
    year = horizon_row(Horizon.TWELVE_MONTHS, shown.advice, None).saved
    (first, *_) = presenter.pages
    (saved,) = [figure for figure in first.figures if figure.key == "savings_12_months"]
    assert saved.text == f"${year:,.0f}"
    (savings,) = [page for page in presenter.pages if page.key == "savings"]
    (table, *_) = blocks((savings,), TableBlock)
    assert f"{year:,.0f}" in map(str, table.total)


def test_a_count_of_pages_says_while_more_of_them_will_come(presenter: Presenter, shown: ViewState) -> None:
    """What is weighed brings pages: a deck that grows under its speaker says so, one that is whole does not."""
    assert presenter.windowTitle().startswith(f"Decisions, 1 / {len(presenter.parts)}\u2026")
    presenter.show_state(shown, shown.evaluation.project.window.end_s, {})
    assert "\u2026" not in presenter.windowTitle()


@pytest.mark.long
def test_names_and_reading_order_are_there_for_who_does_not_see_a_page(
    presenter: Presenter, shown: ViewState
) -> None:
    presenter.show_state(shown, shown.evaluation.project.window.end_s, {})
    count = len(presenter.parts)
    for at, page in enumerate(presenter.parts):
        presenter.go_to(at)
        assert presenter.accessibleName() == f"Page {at + 1} / {count}, {page.kicker}: {page.title}"
        for figure in page.figures:
            assert f"{figure.title}: {figure.text}" in said(presenter)
        for text in blocks((page,), TextBlock):
            assert all(str(sentence) in said(presenter) for sentence in text.sentences)
        for table in blocks((page,), TableBlock):
            assert all(str(cell) in said(presenter) for row in table.rows for cell in row)


@pytest.mark.long
@pytest.mark.parametrize("size", one_in(2, SIZES))
def test_parts_of_pages_are_the_pages(presenter: Presenter, size: tuple[int, int]) -> None:
    """Every block, row and sentence once and in order, on a screen of any shape; figures on the first part."""
    presenter.resize(*size)
    for page in presenter.pages:
        parts = tuple(one for one in presenter.parts if one.key == page.key and not is_scene(one))
        assert [one.figures for one in parts] == [page.figures, *([()] * (len(parts) - 1))]
        for told in ((page,), parts):
            assert {one.title for one in told} == {page.title}
        for kind, field in ((TextBlock, "sentences"), (TableBlock, "rows")):
            whole, cut = (
                [x for one in blocks(each, kind) for x in getattr(one, field)] for each in ((page,), parts)
            )
            assert whole == cut
        charts = [
            [type(one) for row in each.rows for one in row if not isinstance(one, TextBlock | TableBlock)]
            for each in (page, replace(page, rows=tuple(row for one in parts for row in one.rows)))
        ]
        assert charts[0] == charts[1]


@pytest.mark.long
@pytest.mark.parametrize("size", one_in(2, SIZES))
def test_what_a_part_holds_ends_above_its_foot_and_no_word_is_cut(
    presenter: Presenter, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    presenter.resize(*size)
    places: list[tuple[str, float]] = []
    cut: list[str] = []

    def block(painter: object, place: object, one: object, look: object) -> None:
        places.append((one.title, place.bottom()))  # type: ignore[attr-defined]

    def write(
        painter: object, room: object, text: object, font: object, colour: str, side: object = None
    ) -> None:
        from PySide6.QtGui import QFontMetricsF

        if QFontMetricsF(font).horizontalAdvance(str(text)) > room.width() + 1:  # type: ignore[attr-defined,arg-type]
            cut.append(str(text))

    def words(
        plot: object,
        painter: object,
        place: object,
        text: object,
        font: object,
        *colour: str,
        is_cut: bool = True,
    ) -> None:
        if is_cut:
            write(painter, place, text, font, *colour)

    for module in (text_and_tables, page_layout):
        monkeypatch.setattr(module, "write", write)
    monkeypatch.setattr(WaterfallPlot, "_words", words)
    for at in range(len(presenter.parts)):
        presenter.at = at
        presenter.draw()
    assert cut == []
    monkeypatch.setattr(page_layout, "_block", block)
    margin, over = presenter.look().margin, list[str]()
    for at, shown in enumerate(presenter.parts):
        presenter.at, before = at, len(places)
        presenter.draw()
        least = presenter.room(shown).bottom() - 0.8 * margin - 16
        over += [title for title, bottom in places[before:] if bottom > least]
    assert len(places) > 15 and over == []


@pytest.mark.long
def test_without_contracts_nothing_is_compared_with_today(presenter: Presenter) -> None:
    bare = view_state_of(replace(sample_project(), contracts=()))
    presenter.show_state(bare, bare.evaluation.project.window.end_s)
    go_to_page(presenter, "question")
    assert bare.evaluation.totals is not None and bare.evaluation.totals.today is not None
    assert f"all on demand ${bare.evaluation.totals.today:,.0f}" in said(presenter)
    assert not re.search(r"\b(today|now)\b", str(presenter.pages[0].title).split(": ")[1])


@pytest.mark.long
def test_hidden_names_are_nowhere_and_stay_the_same(presenter: Presenter, shown: ViewState) -> None:
    project = shown.evaluation.project
    names = {workload.name for workload in project.workloads} | {row.contract_id for row in project.contracts}
    before = repr(presenter.pages)
    assert any(name in before for name in names)
    press(presenter, Qt.Key.Key_H)
    hidden = repr(presenter.pages)
    whole = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")
    for at in range(len(presenter.parts)):
        presenter.go_to(at)
        assert not whole.search(said(presenter))
    press(presenter, Qt.Key.Key_H)
    assert repr(presenter.pages) == before
    press(presenter, Qt.Key.Key_H)
    assert repr(presenter.pages) == hidden and "Contract 1" in hidden


def test_names_of_planned_work_vendors_and_files_are_hidden_too() -> None:
    project = sample_project()
    plan = project.scenarios[0]
    work = PlannedWork(name="weekly-eval", pool=Pool.TRAINING, gpu_model="H100", gpus=16, team="evals")
    offer = replace(project.offers[0], provider="Baltic GPU")
    file = FileIntake(
        path="/logs/sacct_pike.txt",
        kind="jobs",
        format="sacct",
        rows_read=1,
        rows_accepted=1,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
    )
    project = replace(
        project,
        scenarios=(replace(plan, planned=(work,)),),
        offers=(offer,),
        intake=(file, replace(file, path="builtin")),
    )
    names = HiddenNames()
    names.is_hiding = True
    for name, said in (("weekly-eval", "Workload 1"), ("evals", "Team 1"), ("Baltic GPU", "Provider 1"),
                       ("sacct_pike.txt", "File 1")):  # fmt: skip
        assert names.in_text(f"{name}, 8 GPUs", project) == f"{said}, 8 GPUs"
    assert names.in_text("", project) == ""


def test_names_in_sentences_are_whole_words() -> None:
    names, project = HiddenNames(), sample_project()
    sentence = "Let borealis; vllm-chat-prod, vllm-chat-prod-2, atlas-like."
    assert names.in_text(sentence, project) == sentence
    names.is_hiding = True
    hidden = sentence.replace("borealis", "Contract 1").replace("vllm-chat-prod,", "Workload 1,")
    assert names.in_text(sentence, project) == hidden
    assert names.in_text("of ml", project) == "of Team 1" and names.in_text("", project) == ""
    apart = names.in_text(worded("ml: {team}, {part}", team="ml", part=worded("atlas")), project)
    assert str(apart) == "ml: Team 1, atlas"  # a name that is a word of the sentence hides none of it


def test_the_pointer_follows_the_mouse_and_goes_round(presenter: Presenter) -> None:
    kinds = []
    for _ in range(3):
        press(presenter, Qt.Key.Key_L)
        kinds.append((presenter.pointer.kind, presenter.pointer.isVisible()))
    assert kinds == [(PointerKind.DOT, True), (PointerKind.SPOTLIGHT, True), (PointerKind.NONE, False)]
    press(presenter, Qt.Key.Key_L)
    assert presenter.pointer.size() == presenter.size()
    move(presenter.pointer, QPoint(300, 200))
    assert presenter.pointer.place == QPoint(300, 200)
    red = presenter.grab().toImage().pixelColor(300, 200)
    assert red == LIGHT.colour("red")


def test_a_spotlight_darkens_all_but_a_circle(presenter: Presenter) -> None:
    before = presenter.grab().toImage()
    presenter.pointer.choose(PointerKind.SPOTLIGHT)
    move(presenter.pointer, QPoint(640, 60))
    assert presenter.pointer.place == QPoint(640, 60)
    after = presenter.grab().toImage()
    assert after.pixelColor(640, 60) == before.pixelColor(640, 60)
    assert after.pixelColor(20, 780).lightness() < before.pixelColor(20, 780).lightness() / 2


@pytest.mark.long
def test_pages_have_the_colours_of_the_window(presenter: Presenter) -> None:
    go_to_page(presenter, "today")
    for palette in (LIGHT, DARK):
        recoloured(presenter, palette)
        image = presenter.grab().toImage()
        found = {
            image.pixelColor(x, y).name()
            for x in range(0, image.width(), 2)
            for y in range(0, image.height(), 2)
        }
        wanted = {
            palette.window,
            palette.text,
            *(palette.colour(pool).name() for pool in ("training", "inference")),
        }
        assert {colour.lower() for colour in wanted} <= found


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "key", "words"),
    [
        ({"contracts": ()}, "stranded", "Stranded cost unknown: contracts and rates are missing"),
        ({"contracts": ()}, "today", "No contracts imported: today's GPU cost is unknown"),
    ],
)
def test_a_page_says_what_is_missing(
    presenter: Presenter, change: dict[str, object], key: str, words: str
) -> None:
    presenter.show_state(view_state_of(replace(sample_project(), **change)), 0)  # type: ignore[arg-type]
    go_to_page(presenter, key)
    assert words in said(presenter)


@pytest.mark.long
def test_today_has_no_plan_to_show_and_the_page_stays(presenter: Presenter, shown: ViewState) -> None:
    at_s = shown.evaluation.project.window.end_s
    before = repr(presenter.pages)
    go_to_page(presenter, "sign")
    presenter.show_state(view_state_of(sample_project(), TODAY), at_s)
    assert part(presenter).key == "sign" and "add a plan" in said(presenter)
    kept = {page.key for page in presenter.pages if "add a plan" not in repr(page)}
    assert kept == {"today", "stranded", "rates"} and [page.key for page in presenter.pages] == KEYS
    presenter.show_state(shown, at_s)
    assert repr(presenter.pages) == before and part(presenter).key == "sign"


@pytest.mark.long
def test_advice_that_settles_appears_by_itself(presenter: Presenter, shown: ViewState, qtbot: QtBot) -> None:
    presenter.show_state(view_state_of(sample_project(), PLAN, 1), 0)
    go_to_page(presenter, "savings")
    qtbot.waitUntil(lambda: "Calculating the advice" in said(presenter))
    presenter.show_state(shown, shown.evaluation.project.window.end_s)
    qtbot.waitUntil(lambda: "Calculating the advice" not in said(presenter))
    assert part(presenter).key == "savings"


@pytest.mark.long
def test_f11_presents_what_the_window_shows_and_follows_it(
    window: MainWindow, sensitivity: Sensitivity, monkeypatch: pytest.MonkeyPatch
) -> None:
    flow = PresentFlow(window.session, window.ways)
    asked: list[object] = []
    monkeypatch.setattr(flow.weighing, "ask", lambda evaluation, _: asked.append(evaluation))
    window.actions_by_id["present"].trigger()
    presenter = flow.presenter
    assert presenter is not None and presenter.isFullScreen() and presenter.screen() is window.screen()
    window.choose_palette(DARK.name)
    go_to_page(presenter, "savings")
    press(presenter, Qt.Key.Key_1, control=True)
    assert window.session.scenario == TODAY and "add a plan" in said(presenter)
    assert part(presenter).key == "savings"
    press(presenter, Qt.Key.Key_2, control=True)
    assert window.session.scenario == PLAN and part(presenter).key == "savings"
    assert "add a plan" not in said(presenter)
    shown = window.session.view_state
    assert shown is not None and asked[-1] is shown.evaluation
    assert weighed(shown, sensitivity) not in repr(presenter.pages)
    flow.weighing.answered.emit({"sensitivity": sensitivity})
    assert weighed(shown, sensitivity) in repr(presenter.pages)
    window.actions_by_id["present"].trigger()
    assert flow.presenter is presenter  # there is one at a time
    press(presenter, Qt.Key.Key_Escape)
    assert flow.presenter is None
    window.show_welcome()
    assert not window.actions_by_id["present"].isEnabled()
    flow.open()
    assert flow.presenter is None  # nothing is shown


@pytest.mark.long
def test_weighing_goes_on_while_the_window_learns_more_and_what_fails_is_said(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fit of hardware comes after the outlook: what was begun with that is not begun again."""
    begun: list[object] = []
    go_on, said = Event(), []

    def weigh(*asked: object) -> object:
        begun.append(asked)
        go_on.wait(20)
        raise ValueError("no weights")

    monkeypatch.setattr(sensitivity_pages, "sensitivity_of", weigh)
    monkeypatch.setattr(present_flow, "show_error", lambda *told: said.append(told))
    window.choose_scenario(PLAN)
    flow = PresentFlow(window.session, window.ways)
    flow.open()
    qtbot.waitUntil(lambda: bool(begun))
    window.session.evaluator.evaluated.emit(window.session.evaluation)
    qtbot.wait(50)
    go_on.set()
    qtbot.waitUntil(lambda: bool(said))
    ((parent, error),) = said
    assert len(begun) == 1 and parent is flow.presenter and str(error) == "no weights"
    parent.close()
