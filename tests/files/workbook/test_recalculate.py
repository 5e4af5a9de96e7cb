"""LibreOffice at hand: what tests do when it does not answer."""

import os
import signal

import openpyxl
import pytest

from tests.files.workbook import recalculate


@pytest.mark.long
def test_a_program_that_does_not_answer_is_ended_and_another_is_asked(need_tool, tmp_path, monkeypatch):
    monkeypatch.setattr(recalculate, "PATIENCE_S", (2, 120, 600))
    workbook = openpyxl.Workbook()
    workbook.active.append(["=1+1"])
    workbook.save(tmp_path / "sum.xlsx")
    soffice = need_tool("soffice")
    _, stopped = recalculate.at_hand(soffice)
    os.killpg(stopped.pid, signal.SIGSTOP)
    [again] = recalculate.Recalculator(soffice, tmp_path).recalculated(tmp_path / "sum.xlsx")
    assert recalculate.cells_of(again)["Sheet"]["A1"] == 2
    assert stopped.poll() is not None
    assert recalculate.at_hand(soffice)[1] is not stopped
