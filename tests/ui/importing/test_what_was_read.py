"""What each file of an import holds, in the line of `check`; its first row as it is read; what a table leaves open."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from gpuplanner.app.importing import import_request, into_project, loaded_logs
from gpuplanner.app.importing.file_previews import Previewer
from gpuplanner.app.importing.importer import Importer
from gpuplanner.files.activity.activity_intake import OneNode
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import COUNTED_TWICE, import_contracts
from gpuplanner.files.importing.read_facts import line_of
from gpuplanner.files.importing.table_preview import preview_table
from gpuplanner.files.tables.column_mapping import MAPPED_FIELDS
from gpuplanner.files.tables.fields import FIELD_NAMES, HOLDS, JOB_HOLDS, UNITS
from gpuplanner.ui.importing.columns_page import FIELD_WORDS, WITHOUT_UNIT, unit_words
from gpuplanner.ui.importing.import_dialog import SIZE_PX, ImportDialog
from gpuplanner.ui.importing.import_state import twice_words
from gpuplanner.ui.importing.open_questions import PARTITIONS, SERVED, twice_question
from gpuplanner.ui.importing.steps import FILES, FORMAT
from gpuplanner.ui.kit.dialogs import FRAME_PX
from tests.files.contracts.test_focus_commitments import COMMITMENT
from tests.ui.importing.hands import EMPTY, choose, settings_of, settle

LOG = (
    "job_id,gpu_model,gpus,start,end\n"
    "1,H100,8,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z\n"
    "2,A100,4,2026-09-01T00:00:00Z,2026-09-01T10:00:00Z\n"
)
"""Longer than the window that is taken in unasked."""
OFFERS = (
    "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
    "o1,Vela,H100,COMMITTED,12,2.1\n"
)
SHEET = (
    "PO #,Vendor,Cluster,GPU,GPUs,Rate per GPU-hour,Start,End,Notice\n"
    "PO-1,Vela,atlas,H100,8,$17.71,2026-01-01,2026-12-30,3\n"
    "PO-2,Orrin,atlas,H100,4,,2026-02-15,2027-02-10,2\n"
)

Open = Callable[..., ImportDialog]


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Iterator[Open]:
    importer, previewer = Importer(), Previewer()
    (tmp_path / "rows").mkdir()

    def open_dialog(*others: str, **texts: str) -> ImportDialog:
        paths = [tmp_path / f"{name}.csv" for name in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_text(text)
        kept = {"settings": settings_of(tmp_path), "previewer": previewer}
        dialog = ImportDialog([*others, *map(str, paths)], EMPTY, importer, tmp_path / "rows", **kept)
        qtbot.addWidget(dialog)
        dialog.show()
        settle(qtbot, dialog)
        return dialog

    yield open_dialog
    previewer.close()
    importer.close()


def said(dialog: ImportDialog) -> list[str]:
    return [label.text() for label in dialog.files_page.findChildren(QLabel) if label.isVisible()]


def facts(dialog: ImportDialog) -> dict[str, object]:
    """What the table says below each file, by its name."""
    table = dialog.files_page.table
    rows = [table.row_at(at) for at in range(table.model().rowCount())]
    return {str(row.cells[0].text): row.note for row in rows}


@pytest.mark.long
def test_each_file_has_the_line_that_check_prints_of_all_of_it(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    dialog = opened(jobs=LOG, prices=OFFERS, contracts=SHEET)
    wanted = dict[str, str]()
    for name in ("jobs", "prices", "contracts"):
        (checked,) = check_file(str(tmp_path / f"{name}.csv"))
        wanted[f"{name}.csv"] = str(line_of(checked.kind, checked.facts))
    assert wanted["jobs.csv"].startswith("2 GPU jobs, 120 GPU-h, 1 Jan-1 Sep 2026")
    assert "1 without a rate" in wanted["contracts.csv"]
    wanted["jobs.csv"] += "; 40.0 GPU-hours in the lookback period"
    qtbot.waitUntil(lambda: facts(dialog) == wanted)


@pytest.mark.long
def test_each_of_several_logs_is_told_by_itself(qtbot: QtBot, opened: Open) -> None:
    dialog = opened(one=LOG, two=LOG.replace("\n1,", "\n3,").replace("\n2,", "\n4,"))
    line = "2 GPU jobs, 120 GPU-h, 1 Jan-1 Sep 2026, peak 8, A100 H100; 40.0 GPU-hours in the lookback period"
    qtbot.waitUntil(lambda: facts(dialog) == {"one.csv": line, "two.csv": line})


@pytest.mark.long
def test_the_lookback_period_is_chosen_on_the_first_page(qtbot: QtBot, opened: Open) -> None:
    dialog = opened(jobs=LOG)
    told, choice = dialog.files_page.left_out, dialog.files_page.window_choice
    qtbot.waitUntil(lambda: told.text() == "Leaves out 80.0 of 120 GPU-hours.")
    choice.box.setCurrentIndex(choice.box.findText("Whole log"))
    settle(qtbot, dialog)
    assert dialog.reading.answer is not None and dialog.reading.answer[1].jobs.count == 2
    qtbot.waitUntil(lambda: told.text() == "Leaves out no GPU-hours.")


def test_a_sheet_that_is_left_out_can_be_opened_and_taken_in(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    book = openpyxl.Workbook()
    for title, text in (
        ("Orders", SHEET),
        ("Old orders", SHEET.replace("PO-", "OLD-")),
        ("Notes", "a,b\n1,2\n"),
    ):
        sheet = book.create_sheet(title)
        for line in text.splitlines():
            sheet.append(line.split(","))
    del book["Sheet"]
    book.save(tmp_path / "book.xlsx")
    dialog = opened(str(tmp_path / "book.xlsx"))
    before = contracts_read(dialog)
    dialog.files_page.sheets.click()
    settle(qtbot, dialog)
    assert [file.name for file in dialog.chosen.all] == ["book.xlsx", "Old orders", "Notes"]
    assert [file.kind for file in dialog.chosen.all] == ["contracts", "contracts", ""]
    assert len(contracts_read(dialog)) == 2 * len(before) and not dialog.files_page.sheets.isVisible()


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            SHEET,
            (
                "8 × H100, $17.71 per GPU-hour, 1 Jan 2026 – 30 Dec 2026, 92 days' notice, "
                "renewal unknown: ends 30 Dec 2026, $103,426 per month."
            ),
        ),
        (OFFERS, "Vela, H100, $2.10 per GPU-hour, 12 months."),
        (LOG, "8 GPUs \u00b7 1 Jan 2026 00:00:00 UTC to 1 Jan 2026 10:00:00 UTC"),
    ],
    ids=["contracts", "prices", "jobs"],
)
def test_the_first_row_stands_as_it_is_read(opened: Open, text: str, first: str) -> None:
    assert any(label.endswith(f"\nFirst row: {first}") for label in said(opened(file=text)))


def contracts_read(dialog: ImportDialog) -> list[tuple[int, int]]:
    """Last days since 1970, exclusive, and days of notice."""
    assert dialog.reading.answer is not None
    rows = dialog.reading.answer[1].contracts
    return [(row.end_s // 86_400, row.notice_days) for row in rows]


@pytest.mark.long
def test_ends_and_notices_are_asked_once_a_file_with_the_reading_in_force_chosen(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    dialog, path = opened(contracts=SHEET), str(tmp_path / "contracts.csv")
    boxes = dialog.files_page.units.boxes
    assert {key: box.currentData() for key, box in boxes.items()} == {
        (path, "end"): "last_day",
        (path, "notice_days"): "months",
    }
    assert not dialog.standing.refusal  # what is proposed may be taken in as it is
    (end, days), (other_end, other_days) = contracts_read(dialog)
    assert (days, other_days) == (92, 62)
    choose(qtbot, dialog, boxes[path, "end"], "exclusive")
    assert [row[0] for row in contracts_read(dialog)] == [end - 1, other_end - 1]
    choose(qtbot, dialog, dialog.files_page.units.boxes[path, "notice_days"], "days")
    assert contracts_read(dialog) == [(end - 1, 3), (other_end - 1, 2)]
    chosen = {key[1]: box.currentData() for key, box in dialog.files_page.units.boxes.items()}
    assert chosen == {"end": "exclusive", "notice_days": "days"}
    choose(qtbot, dialog, dialog.files_page.units.boxes[path, "end"], "last_day")
    assert [row[0] for row in contracts_read(dialog)] == [end, other_end]
    assert not any(issue.code == "undecided" for issue in dialog.reading.answer[1].intake[0].issues)


@pytest.mark.long
def test_leads_of_a_price_list_that_name_no_unit_are_asked(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    text = "Provider,GPU model,$/GPU-hr,Lead time\nVela,H100,2.40,4\nOrrin,H100,2.20,2\n"
    dialog, key = opened(prices=text), (str(tmp_path / "prices.csv"), "lead_time_hours")

    def leads() -> list[float]:
        assert dialog.reading.answer is not None
        return sorted(one.lead_time_hours for one in dialog.reading.answer[1].offers)

    assert leads() == [336, 672]
    boxes = dialog.files_page.units.boxes
    assert [*boxes] == [key] and boxes[key].currentData() == "weeks" and not dialog.standing.refusal
    choose(qtbot, dialog, boxes[key], "days")
    assert leads() == [48, 96] and dialog.files_page.units.boxes[key].currentData() == "days"


@pytest.mark.long
def test_rows_fields_and_the_file_looked_at_stay_while_files_are_read_again(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    dialog = opened(offers=OFFERS, more=UNNAMED.replace("PO-", "QO-"), contracts=UNNAMED, jobs=TWO_CLUSTERS)
    paths = [str(tmp_path / f"{name}.csv") for name in ("more", "contracts")]
    assert [*facts(dialog)] == [
        "more.csv",
        "contracts.csv",
        "offers.csv",
        "jobs.csv",
    ]  # what is open comes first
    boxes, file = dict(dialog.files_page.units.boxes), dialog.chosen.file
    line = boxes[paths[0], SERVED].lineEdit()
    line.setFocus()
    line.setText("fr")
    choose(qtbot, dialog, boxes[paths[1], SERVED], "saga")
    assert dict(dialog.files_page.units.boxes) == boxes and line.text() == "fr"
    assert dialog.chosen.file == file and [*facts(dialog)][:2] == ["more.csv", "contracts.csv"]
    line.setText("fram")
    line.editingFinished.emit()
    settle(qtbot, dialog)
    assert [dialog.chosen.of(path).choice.mapping.columns[SERVED] for path in paths] == ["=fram", "=saga"]
    assert dialog.files_page.table.row_at(0).cells[4].icon_role == "green"


@pytest.mark.long
def test_a_unit_that_makes_the_log_too_long_says_the_next_smaller_wherever_it_is_clicked(
    qtbot: QtBot, opened: Open
) -> None:
    dialog = opened(
        table="job,gpus,begin,duration_h\n1,8,2026-01-01T00:00:00Z,600000\n2,8,2026-01-02T00:00:00Z,5\n"
    )
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(dialog.files_page.columns, left)
    settle(qtbot, dialog)
    box = dialog.columns_page.units["duration"]
    told = "in hours the log exceeds 20 years; perhaps minutes"
    seen = []
    pause = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(0)  # a list that has just opened takes no click as long as that
    for unit in ("min", "h", "min", "s"):
        qtbot.mouseClick(box, left)
        qtbot.waitUntil(box.view().isVisible)
        qtbot.wait(1)
        place = box.view().visualRect(box.model().index(box.findData(unit), 0)).center()
        qtbot.mouseClick(box.view().viewport(), left, pos=place)
        settle(qtbot, dialog)
        seen.append((box.currentData(), told in dialog.columns_page.note.text().lower()))
    QApplication.setDoubleClickInterval(pause)
    assert seen == [("min", True), ("h", True), ("min", True), ("s", False)]
    assert dialog.reading.answer is not None
    (read,) = dialog.reading.answer[1].intake
    assert not [one for one in read.issues if one.code == "undecided"]


@pytest.mark.long
def test_a_log_of_one_node_asks_which_and_its_model_and_is_read_so_again_when_another_joins_it(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    use = "time,index,percent\n2026-01-01T05:00:00Z,0,90\n2026-01-01T05:00:00Z,1,70\n"
    jobs = (
        "JobID|JobName|User|Account|State|Start|End|AllocTRES|NodeList\n"
        "1|a|u|acc|COMPLETED|2026-01-01T00:00:00Z|2026-01-01T10:00:00Z|gres/gpu=2|n1\n"
    )
    dialog, path = opened(jobs=jobs, use=use), str(tmp_path / "use.csv")

    def found() -> tuple[float | None, tuple[str, ...]]:
        assert dialog.reading.answer is not None
        read = dialog.reading.answer[1]
        return read.workloads[0].activity, read.cube.gpu_models

    assert found() == (None, ()) and not dialog.standing.refusal
    for field, typed in (("name", "n1"), ("gpu_model", "H100")):
        line = dialog.files_page.units.boxes[path, field].lineEdit()
        assert line is not None and not line.text()
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
        qtbot.keyClicks(line, typed)
        qtbot.keyClick(line, Qt.Key.Key_Tab)
        settle(qtbot, dialog)
    assert found() == (pytest.approx(0.8), ("H100",))
    boxes = dialog.files_page.units.boxes
    assert [boxes[path, field].currentText() for field in ("name", "gpu_model")] == ["n1", "H100"]
    request, read = dialog.reading.answer or (None, None)
    assert request is not None
    project = into_project.imported_project(EMPTY, request, read)
    again = loaded_logs.with_loaded_logs(
        import_request.ImportRequest(job_paths=(str(tmp_path / "more.csv"),)), project
    )
    assert dict(again.choices)[path].node == OneNode("n1", "H100")


def test_what_a_table_says_is_not_asked(opened: Open) -> None:
    told = SHEET.replace(",End,Notice", ",Last day,Notice (months)")
    assert opened(contracts=told).files_page.units.isHidden()


NODES = "NODELIST GRES\ng[1-2] gpu:h100:8\nq1 gpu:zx9000:4\n"


@pytest.mark.long
def test_a_list_of_nodes_is_told_by_its_models_and_one_of_no_table_is_asked_about(
    qtbot: QtBot, opened: Open
) -> None:
    dialog = opened(nodes=NODES, jobs=LOG)
    assert facts(dialog)["nodes.csv"] == "3 nodes, 20 GPUs, h100 16, zx9000 4"  # and no dates
    boxes = dialog.files_page.units.boxes
    assert [*boxes][:1] == [("model", "zx9000")] and boxes["model", "zx9000"].currentData() == "zx9000"
    choose(qtbot, dialog, boxes["model", "zx9000"], "H200")
    assert (
        dialog.files_page.units.boxes["model", "zx9000"].currentData() == "H200"
    )  # and may be said otherwise
    assert dialog.reading.answer is not None
    assert [one.text for one in dialog.reading.answer[1].same] == ["model:zx9000=H200"]


@pytest.mark.long
def test_a_cluster_of_the_log_that_no_contract_serves_is_asked_about(qtbot: QtBot, opened: Open) -> None:
    log = (
        LOG.replace("job_id,", "job_id,cluster,", 1).replace("\n1,", "\n1,saga,").replace("\n2,", "\n2,saga,")
    )
    dialog = opened(jobs=log, contracts=SHEET)
    box = dialog.files_page.units.boxes["cluster", "saga"]
    assert box.currentData() == "saga"
    choose(qtbot, dialog, box, "atlas")
    assert dialog.reading.answer is not None
    assert {one.cluster for one in dialog.reading.answer[1].workloads} == {"atlas"}
    assert box.currentData() == "atlas"  # and may be said otherwise


@pytest.mark.long
@pytest.mark.parametrize("cluster", ["", "fox"])
def test_contracts_of_partitions_are_read_as_such_and_may_be_clusters_of_their_own(
    qtbot: QtBot, opened: Open, cluster: str
) -> None:
    """The log names `cluster`, and its partitions are what contracts name as clusters."""
    log = LOG.replace("job_id,", "job_id,cluster,queue,", 1)
    log = (
        log.replace("\n1,", f"\n1,{cluster},Atlas,")
        .replace("\n2,", f"\n2,{cluster},cpu,")
        .replace("-09-", "-01-")
    )
    dialog = opened(jobs=log, contracts=SHEET)
    assert dialog.reading.answer is not None
    assert [one.text for one in dialog.reading.answer[1].same] == [f"cluster:{cluster}/Atlas=atlas"]
    assert {one.cluster for one in dialog.reading.answer[1].workloads} == {"atlas", cluster}
    assert any(" atlas, " in one for one in said(dialog))
    key = (dialog.chosen.all[0].path, SERVED)
    assert (key in dialog.files_page.units.boxes) == (not cluster)
    for name in ("saga", "") if not cluster else ():  # and the rest may be said to be on one
        line = dialog.files_page.units.boxes[key].lineEdit()
        assert line is not None
        line.setText(name)
        line.editingFinished.emit()
        settle(qtbot, dialog)
        assert {one.cluster for one in dialog.reading.answer[1].workloads} == {"atlas", name}
    choose(qtbot, dialog, dialog.files_page.units.boxes["", PARTITIONS], "")
    assert {one.cluster for one in dialog.reading.answer[1].workloads} == {cluster}
    choose(qtbot, dialog, dialog.files_page.units.boxes["", PARTITIONS], PARTITIONS)
    assert {one.cluster for one in dialog.reading.answer[1].workloads} == {"atlas", cluster}


@pytest.mark.long
def test_rows_open_at_both_ends_are_kept_by_a_second_tick(qtbot: QtBot, opened: Open) -> None:
    dialog = opened(jobs=f"{LOG}3,H100,1,,2026-02-01T00:00:00Z\n4,H100,1,,\n")
    kept = []
    for tick in (None, dialog.report.open_ended, dialog.report.open_at_both):
        if tick is not None:
            assert tick.isVisible()
            tick.click()
            settle(qtbot, dialog)
        assert dialog.reading.answer is not None
        kept.append(dialog.reading.answer[1].accepted_jobs)
    assert kept == [2, 3, 4]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "vendor,gpu,comment\nVela,H100,a\nOrrin,H100,b\n",
            "Closest match: prices, because of provider, GPU model, remarks. Missing: price",
        ),
        ("employee,wage\nann,5\n", "As a table of jobs it has no column for gpus"),
    ],
)
def test_what_fits_nothing_is_told_what_it_is_nearest_to_and_what_that_needs(
    opened: Open, text: str, told: str
) -> None:
    assert any(told in words for words in said(opened(table=text)))


@pytest.mark.parametrize("kind", ["jobs", *FIELD_NAMES])
def test_every_field_has_words_and_says_what_it_holds(tmp_path: Path, kind: str) -> None:
    names = FIELD_NAMES.get(kind, tuple(MAPPED_FIELDS))
    assert {*names} <= FIELD_WORDS.keys()
    holds = {**JOB_HOLDS, **HOLDS} if kind != "jobs" else JOB_HOLDS
    texts = {name for name in names if unit_words("", name) == "Text"}
    assert not [name for name in texts if holds[name] in (*WITHOUT_UNIT, *UNITS) and kind != "jobs"]
    if kind != "jobs":
        path = tmp_path / "table.csv"
        path.write_text(f"{','.join(names)}\n{','.join('1' for _ in names)}\n")
        fields = preview_table(str(path), kind).fields
        assert {one.field for one in fields if one.column} >= {"gpu_model", "rate_usd_per_gpu_hour"}
        assert not [one.field for one in fields if one.column and one.units and one.unit not in one.units]


def test_the_dialog_takes_the_room_of_the_screen_and_keeps_the_size_it_is_given(
    qtbot: QtBot, tmp_path: Path
) -> None:
    settings = settings_of(tmp_path)

    def opened_size(*given: int) -> tuple[int, ...]:
        dialog = ImportDialog([str(tmp_path / "no.csv")], EMPTY, Importer(), None, settings=settings)
        qtbot.addWidget(dialog)
        first = dialog.size().toTuple()
        if given:
            dialog.resize(*given)
        dialog.done(0)
        return first

    room = QApplication.primaryScreen().availableGeometry()
    first = opened_size()
    assert first == (min(SIZE_PX[0], room.width() - FRAME_PX), min(SIZE_PX[1], room.height() - FRAME_PX))
    assert opened_size(700, 500) == first  # nobody had chosen another
    assert opened_size() == (700, 500)


def test_nodes_added_to_contracts_of_the_same_gpus_are_told(tmp_path: Path) -> None:
    """Either way round; files that take the place of what is loaded count alone."""
    texts = {
        "nodes.txt": "NODELIST GRES\ng[1-2] gpu:h100:8\n",
        "register.csv": "contract_id,gpu_model,gpus,start\na,H100,24,2026-01-01\n",
    }
    read = {}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        read[name] = import_contracts([str(tmp_path / name)])
    for own, other in (tuple(texts), tuple(texts)[::-1]):
        there = replace(EMPTY, contracts=read[other].contracts, intake=read[other].intake)
        words = str(twice_words(read[own], there))
        assert "16 H100" in words and " 24 " in words
        assert not twice_words(read[own], None) and not twice_words(read[own], EMPTY)
        assert not twice_words(read[other], there)  # what is read again, or is alike, is no second kind


@pytest.mark.long
def test_nodes_beside_contracts_of_the_same_gpus_have_no_green_tick(opened: Open) -> None:
    """What counts GPUs twice is seen in the list of files, without a click on one."""
    register = "contract_id,gpu_model,gpus,start\na,H100,24,2026-01-01\n"
    dialog = opened(nodes="NODELIST GRES\ng[1-2] gpu:h100:8\n", register=register)
    nodes, contracts = (dialog.files_page.table.row_at(at).cells[4] for at in (0, 1))
    assert (nodes.text, nodes.icon_role) == ("GPUs counted twice", "amber")
    assert "16 H100" in nodes.tip and " 24 " in nodes.tip
    assert (contracts.text, contracts.icon_role) == ("read", "green")


def test_prices_with_a_cell_to_decide_have_no_green_tick(opened: Open) -> None:
    heads = "vendor,gpu,term_months,usd_per_gpu_hour,remarks"
    dialog = opened(quote=f"{heads}\nVela,H100,12,2.45,subject to availability\n")
    cell = dialog.files_page.table.row_at(0).cells[4]
    assert (cell.text, cell.icon_role) == ("to be decided", "amber") and "subject to" in cell.tip


def test_columns_that_are_not_read_are_named_beside_what_is(opened: Open) -> None:
    """Each file is told without a click on it; of many columns the first."""
    dialog = opened(a=SHEET, b=OFFERS.replace(",rate", ",Colour,rate").replace(",12,", ",12,red,"))
    assert facts(dialog)["b.csv"].endswith("1 column not read: \u201cColour\u201d")


NODES_TWICE = "NODELIST GRES\ng[1-{nodes}] gpu:h100:8\n"
REGISTER = "contract_id,gpu_model,gpus,start\na,H100,24,2026-01-01\n"


@pytest.mark.long
@pytest.mark.parametrize("nodes", [2, 4])
def test_nodes_that_contracts_have_are_left_out_until_they_are_said_to_be_others(
    qtbot: QtBot, opened: Open, tmp_path: Path, nodes: int
) -> None:
    """Beside a log: 16 or 32 of the contracts' model; either answer is one click, and is not proposed away."""
    dialog = opened(jobs=LOG, nodes=NODES_TWICE.format(nodes=nodes), register=REGISTER)
    box = dialog.files_page.units.boxes[str(tmp_path / "nodes.csv"), COUNTED_TWICE]
    assert twice_question("nodes.csv", "contracts").sentence in said(dialog)
    assert box.currentData() == "" and gpus_of_contracts(dialog) == [24]
    choose(qtbot, dialog, box, "contracts")
    assert gpus_of_contracts(dialog) == [24, 8 * nodes]
    box = dialog.files_page.units.boxes[str(tmp_path / "nodes.csv"), COUNTED_TWICE]
    assert box.currentData() == "contracts"
    choose(qtbot, dialog, box, "")
    assert gpus_of_contracts(dialog) == [24]


@pytest.mark.long
def test_nodes_of_contracts_that_had_not_begun_count_and_are_asked_about(
    opened: Open, tmp_path: Path
) -> None:
    later = REGISTER.replace("2026-01-01", "2026-12-01")
    dialog = opened(jobs=LOG, nodes=NODES_TWICE.format(nodes=2), register=later)
    box = dialog.files_page.units.boxes[str(tmp_path / "nodes.csv"), COUNTED_TWICE]
    assert box.currentData() == "contracts" and sorted(gpus_of_contracts(dialog)) == [16, 24]


UNNAMED = SHEET.replace("Cluster,", "").replace("atlas,", "")
ON_SAGA = (
    LOG.replace("job_id,", "job_id,cluster,", 1).replace("\n1,", "\n1,saga,").replace("\n2,", "\n2,saga,")
)


def clusters_of_contracts(dialog: ImportDialog) -> set[str]:
    assert dialog.reading.answer is not None
    return {one.cluster for one in dialog.reading.answer[1].contracts}


def gpus_of_contracts(dialog: ImportDialog) -> list[float]:
    assert dialog.reading.answer is not None
    return [one.gpus for one in dialog.reading.answer[1].contracts]


@pytest.mark.long
def test_contracts_that_name_no_cluster_ask_which_they_serve(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    """The only cluster of the log is proposed and read with; none of them may be said, and a column says it itself."""
    dialog, key = opened(jobs=ON_SAGA, contracts=UNNAMED), (str(tmp_path / "contracts.csv"), "cluster")
    assert any(" contracts.csv " in one for one in said(dialog))
    assert dialog.files_page.units.boxes[key].currentData() == "saga" and not dialog.standing.refusal
    assert clusters_of_contracts(dialog) == {"saga"}
    before = contracts_read(dialog)
    choose(qtbot, dialog, dialog.files_page.units.boxes[key], "")
    assert clusters_of_contracts(dialog) == {""} and contracts_read(dialog) == before
    assert dialog.files_page.units.boxes[key].currentData() == ""  # what was said is not proposed away


@pytest.mark.long
def test_commitments_of_a_bill_ask_which_cluster_they_serve_beside_what_is_said_of_their_quantity(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    """The only cluster of the log is proposed; none may be said; either answer stays when the other is given."""
    said_of = {**COMMITMENT, "ContractCommitmentFulfillmentInterval": "Hourly"}
    dialog = opened(jobs=ON_SAGA, contracts=f"{','.join(said_of)}\n{','.join(said_of.values())}\n")
    key = (str(tmp_path / "contracts.csv"), "cluster")
    assert clusters_of_contracts(dialog) == {"saga"}
    assert gpus_of_contracts(dialog) == [87_600]
    dialog.chosen.look_at(dialog.chosen.all[1])
    dialog.open_step(FORMAT)
    settle(qtbot, dialog)
    choose(qtbot, dialog, dialog.format_page.quantity, "period")
    assert gpus_of_contracts(dialog) == [10]
    assert clusters_of_contracts(dialog) == {"saga"}
    dialog.open_step(FILES)
    choose(qtbot, dialog, dialog.files_page.units.boxes[key], "")
    assert clusters_of_contracts(dialog) == {""}
    assert gpus_of_contracts(dialog) == [10]


@pytest.mark.long
def test_contracts_that_come_after_the_log_was_read_are_proposed_its_cluster_too(
    qtbot: QtBot, opened: Open
) -> None:
    dialog = opened(contracts="a note, no table\n", jobs=ON_SAGA)
    path = dialog.chosen.all[0].path
    Path(path).write_text(UNNAMED)
    dialog.chosen.say_kind(path, "contracts")
    settle(qtbot, dialog)
    assert dialog.files_page.units.boxes[path, "cluster"].currentData() == "saga"
    assert clusters_of_contracts(dialog) == {"saga"}


TWO_CLUSTERS = ON_SAGA.replace("\n2,saga,", "\n2,fram,").replace("-09-", "-01-")


@pytest.mark.long
def test_of_several_clusters_of_a_log_contracts_are_of_none_until_one_is_chosen(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    dialog, key = opened(jobs=TWO_CLUSTERS, contracts=UNNAMED), (str(tmp_path / "contracts.csv"), "cluster")
    assert clusters_of_contracts(dialog) == {""}
    choose(qtbot, dialog, dialog.files_page.units.boxes[key], "fram")
    assert clusters_of_contracts(dialog) == {"fram"}


@pytest.mark.long
@pytest.mark.parametrize(
    "texts", [{"jobs": LOG, "contracts": UNNAMED}, {"jobs": ON_SAGA, "contracts": SHEET}]
)
def test_contracts_are_not_asked_about_where_the_log_names_none_or_they_do(
    opened: Open, tmp_path: Path, texts: dict[str, str]
) -> None:
    boxes = opened(**texts).files_page.units.boxes
    assert (str(tmp_path / "contracts.csv"), "cluster") not in boxes


def test_a_log_of_use_without_jobs_is_told_where_to_click(opened: Open) -> None:
    dialog = opened(use="time,index,percent\n2026-01-05T10:30:00Z,0,90\n")
    told = [dialog.standing.summary[0], *(str(issue.text()) for issue in dialog.findChildren(QLabel))]
    assert "select both" in told[0] and not any("--" in text for text in told)


@pytest.mark.long
def test_sheets_of_kinds_of_their_own_are_read_beside_their_workbook(opened: Open, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, text in (("Contracts", SHEET), ("List", OFFERS), ("Notes", "to be discussed\n")):
        sheet = book.create_sheet(name)
        for line in text.splitlines():
            sheet.append(line.split(","))
    path = tmp_path / "book.xlsx"
    book.save(path)
    dialog = opened(str(path))
    assert [(one.path, one.kind) for one in dialog.chosen.all] == [
        (str(path), "contracts"),
        (f"{path}/List", "prices"),
    ]
    read = dialog.reading.intake[str(path)]
    (words,) = (str(issue.message) for issue in read.issues if issue.code == "other_sheets")
    assert "not “Notes”;" in words
    assert dialog.reading.intake[f"{path}/List"].rows_accepted == 1
