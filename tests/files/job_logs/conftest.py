"""Writing small logs and reading them back."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.values.lookback_period import WindowRequest

WHOLE_LOG = WindowRequest(whole_log=True)


@pytest.fixture
def read_log(tmp_path: Path) -> Callable[..., ReadResult]:
    """`read_log(text, ...)` writes each text to a file and reads them together, over the whole log unless told."""

    def read(
        *texts: str, window: WindowRequest = WHOLE_LOG, name: str = "jobs", **options: object
    ) -> ReadResult:
        paths = []
        for number, text in enumerate(texts):
            path = tmp_path / f"{name}{number}.csv"
            path.write_bytes(text.encode())
            paths.append(str(path))
        return read_inputs(paths, options=ReadOptions(**options), window_request=window)  # type: ignore[arg-type]

    return read


@pytest.fixture
def job_csv() -> Callable[..., str]:
    """`job_csv((id, gpus, start, end, state), ...)` as our own CSV; shorter rows are padded."""

    def text(*rows: Sequence[object], header: str = "job_id,gpus,start,end,state") -> str:
        width = header.count(",") + 1
        lines = [",".join([*(str(cell) for cell in row), *[""] * (width - len(row))]) for row in rows]
        return "\n".join([header, *lines]) + "\n"

    return text
