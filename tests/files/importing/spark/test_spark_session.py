"""What --engine spark says where a part of it is missing."""

import importlib.util
import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.spark.spark_session import check_parts, open_spark


def _java(folder: Path, version: str) -> dict[str, str]:
    java = folder / "java"
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2024-01-16' >&2\n", encoding="utf-8")
    java.chmod(0o755)
    return {"PATH": str(folder)}


@pytest.fixture
def with_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec("json")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: found)


def test_a_missing_extra_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(PlannerError) as caught:
        check_parts({})
    assert caught.value.code == "missing_part"
    assert "pip install 'gpuplanner[spark]'" in str(caught.value.remedy)


@pytest.mark.usefixtures("with_pyspark")
def test_missing_java_is_said_with_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(PlannerError) as caught:
        check_parts({"PATH": str(tmp_path)})
    assert caught.value.code == "missing_part"
    assert "Java 17" in str(caught.value.remedy)


@pytest.mark.usefixtures("with_pyspark")
@pytest.mark.parametrize(("version", "number"), [("11.0.2", "11"), ("1.8.0_292", "8")])
def test_an_old_java_is_said_with_its_number(tmp_path: Path, version: str, number: str) -> None:
    with pytest.raises(PlannerError) as caught:
        check_parts(_java(tmp_path, version))
    assert f"is Java {number}" in str(caught.value.what)


@pytest.mark.usefixtures("with_pyspark")
def test_a_new_java_will_do(tmp_path: Path) -> None:
    check_parts(_java(tmp_path, "17.0.15"))
    check_parts(_java(tmp_path, "21"))


@pytest.mark.usefixtures("with_pyspark")
def test_a_session_that_has_gone_hides_no_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = MagicMock()
    session.stop.side_effect = RuntimeError("does not exist in the JVM")
    builder = session.builder.config.return_value
    builder.config.return_value, builder.getOrCreate.return_value = builder, session
    monkeypatch.setitem(sys.modules, "pyspark", MagicMock())
    monkeypatch.setitem(sys.modules, "pyspark.sql", MagicMock(SparkSession=session))
    monkeypatch.setenv("PATH", _java(tmp_path, "21")["PATH"])
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(KeyboardInterrupt), open_spark():
        raise KeyboardInterrupt
    session.stop.assert_called_once_with()
