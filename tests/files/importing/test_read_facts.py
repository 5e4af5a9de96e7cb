"""What was read in one line, by kind of file."""

from pathlib import Path

import pytest

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.read_facts import line_of

OFFERS = "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,as_of\n"
JOBS = "job_id,gpus,start,end,gpu_model\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            OFFERS + "a,A,H100,STANDARD,0,6.88,\nb,B,H100,DYNAMIC,0,2.06,\nc,B,L40S,COMMITTED,36,0.5,\n",
            "3 offers, 2 providers, on demand 1, spot 1, 36 months, H100 $2.06-6.88",
        ),
        (
            OFFERS + "a,A,H100,COMMITTED,1,3,2026-01-01\na,A,H100,COMMITTED,1,4,2025-01-01\n",
            "1 offer, 1 provider, 1 month, H100 $3.00, 1 earlier rate",
        ),
        (OFFERS + "a,,H100,STANDARD,0,,\n", "1 offer, on demand 1"),
        (OFFERS + f"a,,{'X' * 999},STANDARD,0,2,\n", f"1 offer, on demand 1, {'X' * 60} $2.00"),
        (
            JOBS + "1,8,2026-05-24T10:00:00Z,2026-05-24T12:00:00Z,H100\n"
            "2,1,2026-05-24T11:00:00Z,2026-05-26T00:00:00Z,A100\n3,0,2026-05-24T11:00:00Z,2026-05-26T00:00:00Z,\n",
            "2 GPU jobs, 53 GPU-h, 24 May-25 May 2026, peak 9, A100 H100",
        ),
        (
            JOBS + "1,1,2025-12-31T00:00:00Z,2026-01-02T00:00:00Z,\n",
            "1 GPU job, 48 GPU-h, 31 Dec 2025-1 Jan 2026, peak 1, no GPU model",
        ),
        (
            JOBS + "1,1,2026-11-13T00:00:00Z,2026-11-14T00:00:00Z,H100\n",
            "1 GPU job, 24 GPU-h, 13 Nov 2026, peak 1, H100",
        ),
        (JOBS + "1,0,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,\n", ""),
    ],
)
def test_the_facts_of_a_file_in_one_line(tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "file.csv"
    path.write_text(text)
    (file,) = check_file(str(path))
    assert str(line_of(file.kind, file.facts)) == line


def test_a_list_of_nodes_that_does_not_part_its_gpus_by_model_has_a_line() -> None:
    assert str(line_of("nodes", (("nodes", 3), ("gpus", 8)))) == "3 nodes, 8 GPUs"
