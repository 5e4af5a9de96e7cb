"""The contracts page of an import: sentences that are confirmed, changed where they stand, and remembered."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from gpuplanner.app.importing.file_previews import Previewer
from gpuplanner.app.importing.importer import Importer
from gpuplanner.app.importing.into_project import imported_project
from gpuplanner.app.settings import Settings
from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import RATE_FIELD, UNDATED_S, Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.intake import AlternativeReading, Issue, StatedFigure
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.contracts.contract_words import contract_parts, sentence_of
from gpuplanner.files.importing.reconciliation import TOTALS_DISAGREE
from gpuplanner.files.system.resources import resource_path
from gpuplanner.ui.importing import contracts_page
from gpuplanner.ui.importing.contracts_page import sentence_lines, stated_of, with_stated
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.importing.steps import CONTRACTS, FILES, ISSUES, LAST
from gpuplanner.ui.words import numbers
from tests.ui.importing.hands import EMPTY, settings_of, settle

HEAD = "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,notice_days\n"
SHEET = HEAD + "a,atlas,H100,8,2.5,2026-01-01,2027-01-01,90\nb,,H100,16,2.5,2026-01-01,2027-01-01,\n"
NEXT_MONTH = HEAD + "a,atlas,H100,8,2.5,2026-01-01,2027-01-01,90\nb,,H100,24,2.5,2026-01-01,2027-01-01,\n"
JOBS = "job_id,gpus,start,end\n1,8,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z\n"
START_S = 1_767_225_600  # 1 Jan 2026
ORDER = Contract(
    contract_id="a",
    cluster="atlas",
    gpu_model="H100",
    milli_gpus=8_000,
    rate_usd_per_gpu_hour=Decimal("2.5"),
    start_s=START_S,
    end_s=START_S + 31_536_000,
    provider="Vela",
    notice_days=90,
)

OWN = ",".join(f"{name}={name}" for name in HEAD.strip().split(","))
Open = Callable[..., ImportDialog]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_of(tmp_path)


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path, settings: Settings) -> Iterator[Open]:
    importer, previewer = Importer(), Previewer()

    def open_dialog(text: str = SHEET) -> ImportDialog:
        path = tmp_path / "orders.csv"
        path.write_text(text)
        dialog = ImportDialog([str(path)], EMPTY, importer, None, settings=settings, previewer=previewer)
        qtbot.addWidget(dialog)
        dialog.show()
        settle(qtbot, dialog)
        return dialog

    yield open_dialog
    previewer.close()
    importer.close()


def test_contracts_are_confirmed_as_sentences_in_one_click(qtbot: QtBot, opened: Open) -> None:
    dialog = opened()
    assert (dialog.page, dialog.foot.next.text()) == (FILES, "Next: confirm contracts")
    dialog.foot.next.click()
    assert (dialog.page, dialog.foot.next.text()) == (CONTRACTS, "Confirm and import")
    shown = [label.accessibleName() for label in dialog.contracts_page.labels]
    assert shown[0] == (
        "8 × H100, $2.50 per GPU-hour, 1 Jan 2026 – 31 Dec 2026, 90 days' notice, renewal "
        "unknown: ends 31 Dec 2026, cluster atlas, $14,600 per month."
    )
    assert "notice unknown" in shown[1] and "no cluster" in shown[1]
    with qtbot.waitSignal(dialog.taken):
        dialog.foot.next.click()


def test_a_log_alone_has_no_page_of_contracts(opened: Open) -> None:
    dialog = opened(JOBS)
    assert dialog.foot.next.text() == "Import"
    assert not dialog.steps.button(CONTRACTS).isEnabled()
    dialog.open_step(ISSUES)
    dialog.foot.next.click()
    assert dialog.page == LAST
    dialog.foot.back.click()
    assert dialog.page == ISSUES


@pytest.mark.long
def test_a_change_holds_in_the_project_and_in_next_month_s_file_while_that_says_the_same(
    qtbot: QtBot, opened: Open, settings: Settings
) -> None:
    dialog = opened()
    dialog.open_step(CONTRACTS)
    page = dialog.contracts_page
    page.terms_chosen.emit(page.lines[1].row, {"notice_days": 30, "cluster": "granite"})
    page.terms_chosen.emit(page.lines[1].row, {"milli_gpus": 128_000})
    assert page.lines[1].row.milli_gpus == 128_000
    assert str(page.lines[1].note) == "GPUs, notice, cluster as you entered."
    with qtbot.waitSignal(dialog.taken) as taken:
        dialog.foot.next.click()
    request, read, adding = taken.args
    kept = imported_project(EMPTY, request, read, adding=adding).contracts[1]
    assert (kept.gpus, kept.notice_days, kept.cluster) == (128, 30, "granite")
    (_, again) = opened(NEXT_MONTH).reading.answer[1].contracts
    assert (again.gpus, again.notice_days, again.cluster) == (
        24,
        30,
        "granite",
    )  # the file says other GPUs now


def test_what_cannot_be_is_refused_where_it_is_changed(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    dialog = opened()
    refused: list[object] = []
    monkeypatch.setattr("gpuplanner.ui.kit.small_dialogs.show_error", lambda _, error: refused.append(error))
    dialog.contracts_page.terms_chosen.emit(dialog.questions.sentences[0].row, {RATE_FIELD: Decimal(20_000)})
    assert len(refused) == 1 and dialog.reading.answer[1].contracts[0].rate == 2.5


def test_a_part_is_chosen_from_its_readings_or_typed(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = opened()
    dialog.open_step(CONTRACTS)
    page = dialog.contracts_page
    page.labels[0].linkActivated.emit("milli_gpus")
    menu = page.findChildren(QMenu)[-1]
    assert [action.text() for action in menu.actions()] == ["8 nodes of 8: $116,800 per month", "GPUs…"]
    menu.actions()[0].trigger()
    assert page.lines[0].row.milli_gpus == 64_000
    asked: list[str] = []
    monkeypatch.setattr(contracts_page, "ask_text", lambda *said: asked.append(said[1]) or "28 Feb 2027")
    page.labels[0].linkActivated.emit("start_s")
    menu = page.findChildren(QMenu)[-1]
    assert [action.text() for action in menu.actions()] == ["First day…", "Last day…"]
    menu.actions()[1].trigger()
    assert asked == ["Last day"] and "28 Feb 2027" in page.labels[0].accessibleName()


def test_a_last_day_for_what_ran_on_means_that_notice_was_given(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(HEAD + "m,,H100,8,2.5,2026-01-01,,30\n")
    monkeypatch.setattr(contracts_page, "ask_text", lambda *_: "31 Dec 2026")
    (contract,) = dialog.reading.answer[1].contracts
    dialog.contracts_page.type_term(contract, "end_s")
    assert "notice was given" in str(sentence_of(contract_parts(dialog.reading.answer[1].contracts[0])))


def disagreeing(dialog: ImportDialog) -> str:
    """The file of a dialog, as if it stated other totals than were read."""
    (path,) = dialog.reading.intake
    figures = (
        StatedFigure(quantity="gpus", subject="row 2", stated=1, read=8, agrees=False),
        StatedFigure(quantity="gpus", subject="row 3", stated=16, read=16, agrees=True),
    )
    better = AlternativeReading(OWN, worded("“gpus” counts GPUs"), ())
    issue = Issue(TOTALS_DISAGREE, 1, None, worded("the file says 3 GPUs, and 24 were read"))
    file = replace(dialog.reading.intake[path], reconciliation=figures, alternatives=(better,))
    dialog.reading.intake[path] = replace(file, issues=(*file.issues, issue))
    dialog.refresh()
    return path


def test_a_file_that_disagrees_with_its_totals_stops_the_import_with_one_question(
    qtbot: QtBot, opened: Open
) -> None:
    dialog = opened()
    disagreeing(dialog)
    dialog.open_step(CONTRACTS)
    assert dialog.question.isVisible() and not dialog.foot.next.isEnabled()
    assert dialog.standing.refusal == "First answer the question about orders.csv."
    assert [str(line.note) for line in dialog.contracts_page.lines] == [
        "Disagrees with your file.",
        "Agrees with your file. Choose its cluster.",
    ]
    best, kept = dialog.question.buttons.values()
    assert (best.text(), best.property("primary"), kept.property("primary")) == (
        "“gpus” counts GPUs",
        True,
        None,
    )
    best.click()
    settle(qtbot, dialog)
    assert dialog.chosen.file.choice.mapping is not None  # so it is remembered with the columns
    assert not dialog.question.isVisible() and dialog.standing.refusal == ""


def test_a_reading_may_be_kept_against_the_file_s_own_totals(opened: Open) -> None:
    dialog = opened()
    path = disagreeing(dialog)
    dialog.question.buttons[""].click()
    assert dialog.chosen.file.settled == (TOTALS_DISAGREE,)
    assert TOTALS_DISAGREE in [issue.code for issue in dialog.reading.intake[path].issues]
    assert not dialog.question.isVisible() and dialog.standing.refusal == ""


def test_what_was_said_is_kept_by_what_the_file_said_then() -> None:
    said = {"notice_days": ["90", "30"], "end_s": [f"{ORDER.end_s}", ""]}
    assert with_stated(ORDER, said).notice_days == 30 and with_stated(ORDER, said).end_s is None
    assert stated_of(with_stated(ORDER, said), ORDER) == said
    moved = replace(ORDER, notice_days=60)
    assert with_stated(moved, said).notice_days == 60
    assert with_stated(ORDER, {"end_s": [f"{ORDER.end_s}", "5"]}) == ORDER  # it would end before it starts
    assert with_stated(ORDER, {"end_s": [f"{ORDER.end_s}", "soon"], "no_term": ["", "1"]}) == ORDER


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "de",
            "8 × H100, $2,50 je GPU-Stunde, 1 Jan. 2026 – 31 Dez. 2026, 90 Tage Kündigungsfrist, "
            "Verlängerung unbekannt: endet am 31 Dez. 2026, $14.600 je Monat.",
        ),
        (
            "fr",
            "8 × H100, $2,50 par heure GPU, 1 janv. 2026 – 31 déc. 2026, préavis de 90 jours, "
            "renouvellement inconnu : se termine le 31 déc. 2026, $14 600 par mois.",
        ),
    ],
)
def test_a_sentence_is_one_in_every_language(qapp: QApplication, language: str, sentence: str) -> None:
    before, translator = QLocale(), QTranslator()
    assert translator.load(str(resource_path("translations") / f"gpuplanner_{language}.qm"))
    numbers.use_locale(QLocale(language))
    qapp.installTranslator(translator)
    try:
        written = spoken(sentence_of(contract_parts(ORDER)))
    finally:
        qapp.removeTranslator(translator)
        numbers.use_locale(before)
    assert written.replace("\u202f", " ").replace("\xa0", " ") == sentence


QUOTE = (
    "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,max_gpus,lead_time_hours,valid_until\n"
    "q,H100,COMMITTED,12,17.6,48,1008,2026-12-15\n"
)


def test_parts_of_an_offer_are_changed_and_remembered_as_those_of_a_contract(
    qtbot: QtBot, opened: Open, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(QUOTE)
    dialog.open_step(CONTRACTS)
    page = dialog.contracts_page
    (label,) = page.labels
    assert label.accessibleName() == (
        "H100, $17.60 per GPU-hour, 12 months, at most 48 GPUs, delivery in 42 days, valid until 15 Dec 2026."
    )
    label.linkActivated.emit(RATE_FIELD)
    page.findChildren(QMenu)[-1].actions()[0].trigger()  # per machine-hour
    typed = iter(("24", "31 Jan 2027"))
    monkeypatch.setattr(contracts_page, "ask_text", lambda *_: next(typed))
    for term in ("term_months", "valid_until"):
        page.type_term(page.lines[0].row, term)
    assert (
        str(page.lines[0].note) == "Term, rate, valid until as you entered." and page.lines[0].role == "green"
    )
    with qtbot.waitSignal(dialog.taken) as taken:
        dialog.foot.next.click()
    request, read, adding = taken.args
    (kept,) = imported_project(EMPTY, request, read, adding=adding).offers
    assert (kept.rate, kept.term_months, kept.valid_until) == (2.2, 24, "2027-01-31")
    headers = {key for key in settings.stated_terms if key.endswith("q")}
    assert settings.stated_terms[headers.pop()]["term_months"] == ["12", "24"]


def test_what_was_said_of_an_offer_holds_while_its_file_says_the_same() -> None:
    offer = Offer(
        offer_id="q",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=Decimal("17.6"),
        max_gpus=48,
    )
    said = {"term_months": ["12", "24"], RATE_FIELD: ["17.6", "2.2"], "valid_until": ["", "2027-01-31"]}
    after = with_stated(offer, said)
    assert stated_of(after, offer) == said
    assert stated_of(
        with_stated(replace(offer, term_months=36), said), replace(offer, term_months=36)
    ).keys() == {RATE_FIELD, "valid_until"}
    assert with_stated(offer, {"no_term": ["", "1"]}) == offer
    assert with_stated(offer, {"term_months": ["12", "soon"]}) == offer


def test_a_contract_without_a_cluster_is_never_green() -> None:
    """Also where its amounts agree, or the planner changed it; nodes of a list are where the log is."""
    bare = replace(ORDER, cluster="")
    held = (
        bare,
        with_stated(replace(bare, contract_id="b"), {"notice_days": ["90", "30"]}),
        replace(ORDER, contract_id="c"),
    )
    read = SimpleNamespace(contracts=(*held, replace(bare, contract_id="n", start_s=UNDATED_S)), offers=())
    lines = sentence_lines(read, {name: [True] for name in "abcn"}, {})
    assert [line.role for line in lines] == ["amber", "amber", "green", "green"]
    assert str(lines[1].note) == "Notice as you entered. Choose its cluster."
