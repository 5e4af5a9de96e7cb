"""Panels that lack something say what, with a button for what to do, and are themselves again once it is there."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from gpuplanner.domain.model.project import Project
from gpuplanner.ui.flows.project_flow import new_project
from gpuplanner.ui.frame.panel_docks import PANELS
from gpuplanner.ui.frame.welcome import WALKS
from gpuplanner.ui.window.empty_panels import TITLES, EmptyPanels
from gpuplanner.ui.window.main_window import MainWindow
from tests.some_of import one_in

NEEDS = [(kind.about.name, need) for kind in PANELS for need in kind.about.needs]


def covers(window: MainWindow, panel: str) -> list[QWidget]:
    """What covers a panel now."""
    found = getattr(window.docks, panel).children()
    return [
        one
        for one in found
        if isinstance(one, QWidget) and one.objectName() == "panel" and not one.isHidden() and is_cover(one)
    ]


def is_cover(widget: QWidget) -> bool:
    return any(widget.accessibleName().startswith(str(title)) for title, _ in TITLES.values())


def without(project: Project, lacks: str) -> Project:
    if lacks == "workloads":
        return replace(new_project(0), contracts=project.contracts, offers=project.offers)
    return replace(project, **{lacks: ()})  # type: ignore[arg-type]


def test_each_row_covers_its_panel_offers_what_to_do_and_goes(window: MainWindow) -> None:
    empty, project = (
        EmptyPanels(window.session, window.docks.all_panels(), window.actions_by_id),
        window.session.document.project,
    )
    asked: list[str] = []
    window.session.asks.import_asked.connect(lambda: asked.append("import"))
    window.session.asks.demo_asked.connect(lambda: asked.append("demo"))
    window.session.asks.public_prices_asked.connect(lambda: asked.append("public prices"))
    for panel_name, need in NEEDS:
        window.docks.raise_panel(panel_name)  # behind a tab it would be laid out only when it is seen
        empty.show_project(project)
        assert not covers(window, panel_name)
        empty.show_project(without(project, need.field))
        (cover,) = covers(window, panel_name)
        panel = cover.parentWidget()
        title, button = TITLES[need.field]
        assert [label.text() for label in cover.findChildren(QLabel)] == [str(title), str(need.sentence)]
        buttons = {one.text(): one for one in cover.findChildren(QPushButton)}
        assert list(buttons) == [
            str(button),
            "Open the demo" if need.field == "workloads" else "Use public prices",
        ]
        assert all(one.isEnabled() and one.toolTip() for one in buttons.values())
        others = [
            one
            for one in panel.children()
            if isinstance(one, QWidget) and one is not cover and not is_cover(one)
        ]
        assert others and not any(one.isEnabled() for one in others)  # no key comes to what is covered
        late = QWidget(panel)  # as a chart that is made when the panel is seen
        late.show()
        late.ensurePolished()
        panel.resize(panel.width() + 40, panel.height() + 20)
        assert panel.children().index(cover) > panel.children().index(late) and cover.size() == panel.size()
        late.deleteLater()
        asked.clear()
        for one in buttons.values():
            one.click()
        assert asked == ["import", "demo" if need.field == "workloads" else "public prices"]
        empty.show_project(project)
        assert not covers(window, panel_name) and all(one.isEnabled() for one in others)


@pytest.mark.parametrize("at", one_in(2, range(len(WALKS))))
def test_the_welcome_page_opens_its_walks(
    window: MainWindow, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, str]] = []

    class Told:
        def __init__(self, parent: QWidget, title: str, text: str, answers: tuple[str, ...]) -> None:
            told.append((title, text))

        def exec(self) -> None:
            pass

        deleteLater = exec  # noqa: N815

    monkeypatch.setattr("gpuplanner.ui.kit.small_dialogs.Question", Told)
    window.welcome.walks[at].click()
    assert told == [(WALKS[at].title, WALKS[at].text)] and told[0][1].startswith("1. ")
