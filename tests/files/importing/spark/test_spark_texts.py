"""What a log on Spark lacks is said in words before its parts are read."""

from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.log_choices import LogChoice
from gpuplanner.files.importing.spark.spark_log import settled
from gpuplanner.files.importing.spark.spark_part import SettledLog
from gpuplanner.files.tables.column_mapping import parse_mapping


@pytest.mark.parametrize("words", ["gpus=n,start=nowhere,duration=took", None])
def test_a_column_that_is_missing_is_said(tmp_path: Path, words: str | None) -> None:
    at = tmp_path / "head"
    at.write_text("ID,n,begun,took\n1,2,2026-01-05T10:00:00Z,3\n", encoding="utf-8")
    choice = LogChoice(mapping=None if words is None else parse_mapping(words))
    with pytest.raises(PlannerError) as caught:
        settled(SettledLog(path="s3a://logs/jobs.csv", number=0, choice=choice), at, ())
    assert caught.value.code == "missing_column"
    assert caught.value.where.startswith("s3a://logs/jobs.csv") and caught.value.remedy
