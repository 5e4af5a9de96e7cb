"""Rates far from the market in an import: asked about before anything is taken in, and answered once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.importing.file_previews import Previewer
from gpuplanner.app.importing.importer import Importer
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.importing.open_questions import RIGHT
from gpuplanner.ui.importing.steps import FORMAT
from tests.files.contracts.test_focus_commitments import COMMITMENT
from tests.ui.importing.hands import EMPTY, choose, settings_of, settle

MONTHLY = "Provider,GPU,Price,Term\nX,H100,1980,12 months\nY,H100,1825,24 months\n"
CONTRACTS = (
    "contract_id,gpu_model,gpus,rate_usd_per_gpu_hour,start,end\nc1,H100,64,160,2026-01-01,2027-01-01\n"
)
CATALOGUE = (
    "InstanceType,AcceleratorName,AcceleratorCount,Price,Region\np5.48xlarge,H100,8,5500.4,us-east-1\n"
)

Open = Callable[[str, str], ImportDialog]


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Iterator[Open]:
    importer, previewer = Importer(), Previewer()
    kept = {"settings": settings_of(tmp_path), "previewer": previewer}

    def open_dialog(name: str, text: str) -> ImportDialog:
        path = tmp_path / name
        path.write_text(text)
        dialog = ImportDialog([str(path)], EMPTY, importer, None, **kept)
        qtbot.addWidget(dialog)
        dialog.show()
        settle(qtbot, dialog)
        return dialog

    yield open_dialog
    previewer.close()
    importer.close()


@pytest.mark.long
def test_nothing_is_taken_in_before_it_is_said_what_a_price_is_for(qtbot: QtBot, opened: Open) -> None:
    dialog = opened("list.csv", MONTHLY)
    question = dialog.question
    assert question.isVisible()
    assert "list.csv" in dialog.standing.refusal
    assert not dialog.foot.next.isEnabled()
    assert "gpu_hour" not in question.buttons  # so it was read
    question.buttons["gpu_month"].click()
    settle(qtbot, dialog)
    assert not question.isVisible()
    assert dialog.standing.refusal == ""
    assert sorted(offer.rate or 0 for offer in dialog.reading.answer[1].offers) == [2.5, 2.712329]
    assert dialog.chosen.file.choice.mapping is not None  # and so it is remembered with the columns


@pytest.mark.long
def test_our_own_contracts_may_be_of_all_their_gpus(qtbot: QtBot, opened: Open) -> None:
    dialog = opened("contracts.csv", CONTRACTS)
    dialog.question.buttons["hour"].click()
    settle(qtbot, dialog)
    assert [contract.rate for contract in dialog.reading.answer[1].contracts] == [2.5]
    assert not dialog.question.isVisible()


def test_a_form_of_its_own_can_only_be_called_right(qtbot: QtBot, opened: Open) -> None:
    dialog = opened("vms.csv", CATALOGUE)
    shown = [answer for answer, button in dialog.question.buttons.items() if button.isVisible()]
    assert shown == [RIGHT]
    dialog.question.buttons[RIGHT].click()
    settle(qtbot, dialog)
    assert dialog.standing.refusal == ""
    assert not dialog.question.isVisible()


def test_what_is_near_the_market_is_not_asked_about(opened: Open) -> None:
    dialog = opened("list.csv", "Provider,GPU,Price,Term\nX,H100,2.5,12 months\n")
    assert not dialog.question.isVisible()
    assert dialog.standing.refusal == ""


@pytest.mark.long
def test_the_other_reading_of_a_commitment_s_quantity_is_offered(qtbot: QtBot, opened: Open) -> None:
    hourly = COMMITMENT | {"ContractCommitmentFulfillmentInterval": "Hourly"}
    hourly |= {"ContractCommitmentQuantity": "87600"}
    dialog = opened("commitments.csv", ",".join(hourly) + "\n" + ",".join(hourly.values()) + "\n")
    dialog.question.buttons[RIGHT].click() if dialog.question.isVisible() else None
    dialog.open_step(FORMAT)
    settle(qtbot, dialog)
    box = dialog.format_page.quantity
    assert box.isVisible()
    choose(qtbot, dialog, box, "period")
    assert [contract.gpus for contract in dialog.reading.answer[1].contracts] == [10.0]
