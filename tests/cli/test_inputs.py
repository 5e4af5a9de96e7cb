"""Progress is shown where standard error is a terminal, by every command that takes long."""

import io
import sys

import pytest

from tests.some_of import one_in


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


JOBS = "job_id,gpus,start,end\n1,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"


@pytest.mark.parametrize("command", one_in(4, ["check", "reduce", "plan", "export"]))
def test_a_terminal_sees_progress_and_a_pipe_does_not(call, put, monkeypatch, tmp_path, command: str) -> None:
    jobs = put("jobs.csv", JOBS)
    words = [command, jobs] if command == "check" else [command, "--jobs", jobs]
    words += ["--out", str(tmp_path / "plan.xlsx")] if command == "export" else []
    assert call(*words).err == ""
    terminal = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        assert call(*words).status == 0
    assert "%  Reading " in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[2K")  # the line is gone when the answer comes
