import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.log_choices import AS_RECOGNISED, NONE_GIVEN, LogChoice, ReadOptions
from gpuplanner.files.tables.column_mapping import parse_mapping

WORDS = "gpus=n,start=s,end=e"


def test_what_was_said_of_one_log_wins_over_what_was_said_of_all() -> None:
    own = LogChoice(format="sacct", timezone="Asia/Tokyo", is_open_ended=True)
    options = ReadOptions(mapping=WORDS, timezone="UTC", drops_alike=True, choices={"one.csv": own})
    assert options.of("one.csv") == LogChoice(
        format="sacct", mapping=None, timezone="Asia/Tokyo", drops_alike=True, is_open_ended=True
    )
    assert options.of("two.csv") == LogChoice(
        format=None, mapping=parse_mapping(WORDS), timezone="UTC", drops_alike=True, is_open_ended=False
    )
    assert options.of("two.csv") == options.of_all


def test_nothing_said_leaves_all_to_what_is_recognised() -> None:
    assert AS_RECOGNISED.of("any.csv") == NONE_GIVEN
    with pytest.raises(PlannerError, match="usage"):
        assert ReadOptions(mapping="no mapping").of_all


LOGS = {
    "july.csv": "job_id,gpus,start,end\na,4,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z\n",
    "august.txt": "JobID|State|Start|End|AllocTRES\n1|COMPLETED|2026-08-01T00:00:00|2026-08-01T10:00:00|gres/gpu=2\n",
    "contracts.csv": "contract_id,gpu_model,gpus,rate_usd_per_gpu_hour,start\nc,H100,8,2.5,2026-01-01\n",
}


@pytest.mark.long
@pytest.mark.parametrize("name", ["logs.zip", "logs.tar.gz"])
def test_each_log_of_an_archive_states_its_own_facts(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith("zip"):
        with zipfile.ZipFile(path, "w") as packed:
            for member, text in LOGS.items():
                packed.writestr(member, text)
    else:
        with tarfile.open(path, "w:gz") as packed:
            for member, text in LOGS.items():
                info = tarfile.TarInfo(member)
                info.size = len(text)
                packed.addfile(info, io.BytesIO(text.encode()))
    facts = {Path(file.path).name: dict(file.facts) for file in check_file(str(path))}
    told = {log: (facts[log]["gpu_hours"], facts[log]["peak_gpus"]) for log in ("july.csv", "august.txt")}
    assert told == {"july.csv": (40, 4), "august.txt": (20, 2)}
    assert facts["august.txt"]["first_start"] == "2026-08-01T00:00:00Z"
    assert facts["contracts.csv"]["gpus"] == 8
