"""An import by the real readers in a language that is none: what they say of files and rows came from the translator.

The files are wrong in many ways; see test_translated_window.py for what may be left in plain letters.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import available_timezones

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from docs.list_texts import unlisted
from gpuplanner.app.autosave import Autosave, recoveries
from gpuplanner.app.background import Background
from gpuplanner.app.document import Document
from gpuplanner.app.importing.file_previews import Previewer
from gpuplanner.app.importing.importer import Importer
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain import edits
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.system.resources import rows_of
from gpuplanner.ui.importing.columns_page import FIELD_WORDS
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.importing.issue_words import title_of
from gpuplanner.ui.importing.steps import COLUMNS, FILES, FORMAT, ISSUES, LAST
from gpuplanner.ui.kit.progress_dialog import ProgressDialog
from gpuplanner.ui.kit.small_dialogs import Question, show_error
from tests.ui.pseudo import Pseudo
from tests.ui.sample_world import sample_project
from tests.ui.test_translated_window import WORD, Names, in_english, left, none_is_left

EMPTY = Project(window=Window(0, 24), cube=empty_cube(24), workloads=())
HEADER = "job_id,gpus,start,end,state,user,gpu_model\n"
FILES_OF = {
    "jobs.csv": HEADER
    + "1,8,2026-01-05T10:00:00Z,2026-01-05T12:00:00Z,COMPLETED,ann,H100\n"
    + "2,x,2026-01-05T10:00:00Z,2026-01-05T12:00:00Z,COMPLETED,ann,H100\n"
    + "3,-2,2026-01-05T10:00:00Z,2026-01-05T12:00:00Z,COMPLETED,ann,\n"
    + "4,8,2026-01-05T10:00:00,,COMPLETED,ann,H100\n"
    + "5,8,2026-01-05T13:00:00,2026-01-05T12:00:00,COMPLETED,ann,H100\n"
    + "6,8,2026-01-05T10:00:00,2026-01-05T12:00:00,ODD,ann,H100\n"
    + "7,,2026-01-05T10:00:00,,RUNNING,ann,H100\n"
    + "8,4,2026-01-05T10:00:00,,PENDING,ann,H100\n"
    + "9,4,1975-01-05T10:00:00,1975-01-06T10:00:00,COMPLETED,ann,\n",
    "alike.csv": "gpus,submitted,took\n8,2026-01-05 10:00,3600\n8,2026-01-05 10:00,3600\n0.4,2026-01-06 10:00,90\n",
    "contracts.csv": "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category\n"
    + "c1,atlas,H100,8,2.75,2026-01-01,2027-01-01,COMMITTED\n"
    + "c2,atlas,H100,none,2.75,2026-01-01,2027-01-01,COMMITTED\n"
    + "c3,atlas,H100,8,,sometime,2027-01-01,COMMITTED\n"
    + "c4,atlas,H100,8,,2026-01-01,2027-01-01,WHATEVER\n",
    "bought.csv": "vendor,GPU type,nodes,GPUs per node,price per month,begins,ends\n"
    + "acme,H100,2,8,$14000/mo,1/2/2026,1/2/2027\nacme,A100,1,8,EUR 5000,1/2/2026,1/2/2027\nTotal,,3,,19000,,\n",
    "prices.csv": "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
    + "o1,acme,H100,STANDARD,0,3.10\no2,acme,H100,COMMITTED,,2.00\no3,acme,H100,STANDARD,0,\n",
    "squeue.txt": "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n 1 gpu train ann R 1:00 1 n1\n",
    "words.txt": "nothing of use is in here\nand no table either\n",
    "cut.json": '{"jobs": [{"job_id": 1, "association": {"cluster": "a"}, "tres": {"allocated": [',
    "picture.png": "\x89PNG\r\n",
    "nothing.csv": "",
}


@pytest.fixture
def translator(qapp: QApplication) -> Iterator[Pseudo]:
    made = Pseudo()
    qapp.installTranslator(made)
    yield made
    qapp.removeTranslator(made)


@pytest.fixture
def names() -> Names:
    """Words of the files, of their names, of our own columns and formats, and of codes that are what they are."""
    texts_of = [f"{name} {text}" for name, text in FILES_OF.items()]
    found = {word for text in texts_of for word in WORD.findall(f"{text} {text.replace('_', ' ')}")}
    found |= {word.lower() for word in found}
    found |= {word for code in ISSUE_TEXTS for word in WORD.findall(f"{code} {title_of(code)}")}
    found |= {word for field in FIELD_WORDS for word in WORD.findall(field)}  # as --map takes them
    found |= set(
        WORD.findall(
            "node nodes activity percent queue account cluster name model job id start end duration state user "
            "gpu gpus ISO Windows UTF CSV JSON XLSX FOCUS sacct squeue json Slurm Europe Oslo UTC COMPLETED FAILED "
            "CANCELLED TIMEOUT RUNNING STANDARD DYNAMIC OWNED map COLUMN epoch"
        )
    )
    found |= {row["city"] for row in rows_of("zone_cities.csv")}
    found |= {zone.rpartition("/")[2].replace("_", " ") for zone in available_timezones()}
    return Names(found, re.findall(r"\w+", " ".join(FILES_OF.values())))


@pytest.fixture
def dialog(qtbot: QtBot, translator: Pseudo, tmp_path: Path) -> Iterator[ImportDialog]:
    for name, text in FILES_OF.items():
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    importer, previewer = Importer(), Previewer()
    paths = [str(tmp_path / name) for name in FILES_OF]
    made = ImportDialog(paths, EMPTY, importer, None, previewer=previewer)
    qtbot.addWidget(made)
    made.resize(1400, 900)
    made.show()
    qtbot.waitUntil(lambda: not made.is_working, timeout=120_000)
    yield made
    previewer.close()
    importer.close()


@pytest.mark.long
def test_every_page_of_every_file(dialog: ImportDialog, names: Names, qtbot: QtBot, tmp_path: Path) -> None:
    names = names | WORD.findall(str(tmp_path))
    found = [left(dialog, names)]
    for at in range(len(FILES_OF)):
        dialog.choose_file(at)
        for page in (FILES, FORMAT, COLUMNS, ISSUES, LAST):
            dialog.open_step(page)
            qtbot.waitUntil(lambda: not dialog.is_working, timeout=120_000)
            found.append(left(dialog, names))
    none_is_left("\n".join(sorted({line for text in found for line in text.splitlines()})))


@pytest.mark.long
def test_what_a_reader_asks_for_is_in_the_catalogue(dialog: ImportDialog, translator: Pseudo) -> None:
    for at in range(len(FILES_OF)):
        dialog.choose_file(at)
        dialog.open_step(ISSUES)
    asked = {text for text in translator.asked if WORD.search(re.sub(r"\{[^{}]*\}", "", text))}
    assert unlisted({text for text in asked if "\u27e6" not in text}) == set()


def test_a_refusal_in_an_error_box(
    translator: Pseudo, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown: list[str] = []
    names = Names(WORD.findall(str(tmp_path)), "gpuplan")
    monkeypatch.setattr(
        Question, "exec", lambda box: (box.show(), shown.append(left(box, names)), box.close())
    )
    with pytest.raises(PlannerError) as missing:
        open_project(tmp_path / "no.gpuplan")
    show_error(None, missing.value)
    (tmp_path / "odd.gpuplan").write_bytes(b"no database" * 100)
    with pytest.raises(PlannerError) as odd:
        open_project(tmp_path / "odd.gpuplan")
    assert str(odd.value).startswith(str(tmp_path))  # on the command line in English, as ever
    what = worded("gpus is {gpus}", gpus="0")
    show_error(None, PlannerError("c1", "bad_number", what, worded("correct the count")))
    show_error(None, ValueError("17"))
    assert len(shown) == 3 and "ValueError" in shown.pop()
    none_is_left("\n".join(filter(None, shown)))


class Teller(QObject):
    """Work in a thread that says how far it is."""

    progressed = Signal(float, object)


def test_how_far_long_work_is(translator: Pseudo, qtbot: QtBot) -> None:
    dialog, teller, told = ProgressDialog("7", None), Teller(), []
    qtbot.addWidget(dialog)
    background = Background(told.append, teller.progressed.emit, teller)
    teller.progressed.connect(dialog.show_progress)
    words = worded("{what}, about {seconds} s left", what=worded("Adding up demand"), seconds=3)
    with qtbot.waitSignal(teller.progressed):
        background.start(lambda tell, _: tell(0.5, words), told.append)
    dialog.show()
    assert "3" in dialog.text_label.text()
    none_is_left(left(dialog, Names()))
    background.close()


def test_what_was_saved_or_recovered_is_said_in_the_language_of_now(
    translator: Pseudo, qtbot: QtBot, tmp_path: Path
) -> None:
    project = sample_project()
    plan, key = project.scenarios[0].name, project.workloads[0].key
    label = edits.labels.move_label(project, [key, project.workloads[1].key], Pool.BURST)
    after = edits.workloads.move_workloads(project, plan, [key], Pool.BURST)
    moved = edits.plans.log_decision(project, after, plan, 0, label)
    moved = edits.plans.add_decision(moved, plan, 1, edits.labels.reason_label(label, "x"), "x")
    save_project(moved, tmp_path / "p.gpuplan")
    back = open_project(tmp_path / "p.gpuplan").scenario(plan).decisions
    said = str(label)
    assert [str(one.text) for one in back] == [said, f"Say why: {said[0].lower()}{said[1:]}"]
    assert [in_english(tr(one.text), Names()) for one in back] == [[], []]
    document = Document(project)
    autosave = Autosave(document, tmp_path / "kept")
    document.edit(label, moved)
    assert autosave.write_now()
    autosave.file_lock.unlock()  # as if its process were gone
    (found,) = recoveries(tmp_path / "kept")
    assert found.last_step == label
    assert in_english(tr(found.sentence), Names(found.name)) == []
    autosave.close()
