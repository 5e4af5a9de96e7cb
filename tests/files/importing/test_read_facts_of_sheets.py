"""The line that says what was read: contracts and nodes."""

from pathlib import Path

import pytest

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.read_facts import line_of


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # 64 x 2 x 730 + 8 x 1 x 730
        (
            "contract_id,gpus,rate_usd_per_gpu_hour,start\na,64,2,2026-01-01\nb,8,1,2026-01-01\n",
            "2 contracts, 72 GPUs, $99,280 per month while all run",
        ),
        (
            "contract_id,gpus,rate_usd_per_gpu_hour,start\na,64,2,2026-01-01\nb,8,,2026-01-01\n",
            "2 contracts, 72 GPUs, at least $93,440 per month while all run, 1 without a rate",
        ),
        ("NODELIST GRES\ngn[01-02] gpu:h100:8\ngn03 gpu:a100:4\n", "3 nodes, 20 GPUs, a100 4, h100 16"),
    ],
)
def test_one_line_says_what_a_file_holds(tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "sheet.txt"
    path.write_text(text, encoding="utf-8")
    (file,) = check_file(str(path))
    assert str(line_of(file.kind, file.facts)) == line
