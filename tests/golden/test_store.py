"""The store of golden files: one line of reason per file, the latest."""

from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.golden import store

DAY = date(2026, 11, 28)


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """What a maker of one folder makes; empty files and reasons beside it."""
    made: dict[str, str] = {}
    maker = SimpleNamespace(FOLDERS=("demo",), outputs=lambda _: dict(made))
    monkeypatch.setattr(store, "maker", lambda _: maker)
    monkeypatch.setattr(store, "FILES", tmp_path / "files")
    monkeypatch.setattr(store, "REASONS", tmp_path / "REASONS.md")
    store.REASONS.write_text("# Title\n\n")
    return made


def test_a_file_keeps_its_latest_reason_alone(texts: dict[str, str]) -> None:
    texts |= {"a.txt": "1", "b.txt": "1"}
    assert store.accept("first of both", DAY, modules=("m",)) == ["demo/a.txt", "demo/b.txt"]
    texts["b.txt"] = "2"
    assert store.accept("only b changes", DAY, modules=("m",)) == ["demo/b.txt"]
    lines = store.REASONS.read_text().splitlines()
    assert lines == [
        "# Title",
        "",
        "- demo/a.txt: 2026-11-28, first of both",
        "- demo/b.txt: 2026-11-28, only b changes",
    ]


def test_a_file_that_is_gone_has_no_reason(texts: dict[str, str]) -> None:
    texts |= {"a.txt": "1", "b.txt": "1"}
    store.accept("first of both", DAY, modules=("m",))
    del texts["a.txt"]
    store.accept("a is gone", DAY, modules=("m",))
    assert "demo/a.txt" not in store.REASONS.read_text()


@pytest.mark.parametrize("reason", ["too short", "word " * 26])
def test_a_reason_is_one_short_line(texts: dict[str, str], reason: str) -> None:
    texts["a.txt"] = "1"
    with pytest.raises(ValueError, match="--reason"):
        store.accept(reason, DAY, modules=("m",))
    assert not store.FILES.exists()
