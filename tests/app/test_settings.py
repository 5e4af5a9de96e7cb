"""Settings: what is remembered comes back in the next session; what is damaged reads as nothing."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from gpuplanner.app.settings import RECENT_FILES_KEPT, Settings, user_settings


def session(folder: Path) -> Settings:
    return Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))


def test_nothing_is_remembered_at_first(tmp_path: Path) -> None:
    fresh = session(tmp_path)
    assert (fresh.recent_files, fresh.theme, fresh.last_folder) == ((), "system", None)
    assert fresh.geometry.isEmpty()
    assert fresh.mapping("a,b") is None


def test_numbers_that_no_screen_has_read_as_nothing(tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    store.setValue("text_size", "9" * 5000)
    store.setValue("window_size", f"{'9' * 5000}x800")
    assert Settings(store).text_size == 100
    assert Settings(store).window_size is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_the_users_settings_are_read_by_their_owner_alone(tmp_path: Path) -> None:
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "new"))
    user_settings().theme = "dark"
    (path,) = (tmp_path / "new").rglob("*.ini")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("count", [1, 2, RECENT_FILES_KEPT + 3])
def test_recent_files_are_newest_first_and_each_once(tmp_path: Path, count: int) -> None:
    for number in [*range(count), 0]:
        session(tmp_path).remember_file(Path(f"{number}, å.gpuplan"))
    names = [path.name for path in session(tmp_path).recent_files]
    expected = [0, *reversed(range(1, count))][:RECENT_FILES_KEPT]
    assert names == [f"{number}, å.gpuplan" for number in expected]


def test_everything_comes_back_in_the_next_session(tmp_path: Path) -> None:
    first = session(tmp_path)
    first.theme = "dark"
    first.last_folder = Path("logs")
    first.geometry = QByteArray(b"\x00\xff")
    first.window_size = 1280, 800
    first.remember_mapping("a/b,c", "gpus=a,start=b:epoch_s")
    second = session(tmp_path)
    assert (second.theme, second.last_folder) == ("dark", Path("logs"))
    assert second.geometry == QByteArray(b"\x00\xff")
    assert second.window_size == (1280, 800)
    assert second.mapping("a/b,c") == "gpus=a,start=b:epoch_s"
    assert second.mapping("a/b,d") is None


def test_changed_terms_of_contracts_come_back_and_damaged_ones_read_as_none(tmp_path: Path) -> None:
    first = session(tmp_path)
    assert first.stated_terms == {}
    first.stated_terms = {"head a": {"notice_days": ["90", "30"]}}
    assert session(tmp_path).stated_terms == {"head a": {"notice_days": ["90", "30"]}}
    for text in ("{", "[1]", "[" * 100_000):
        first.keep("stated_terms", text)
        assert first.stated_terms == {}


def test_damaged_values_read_as_nothing(tmp_path: Path) -> None:
    text = "[General]\ntheme=loud\nrecent_files=5\nlast_folder=a, b\n[layout]\ngeometry=5\n"
    (tmp_path / "settings.ini").write_text(text, encoding="utf-8")
    damaged = session(tmp_path)
    assert (damaged.theme, damaged.last_folder) == ("system", None)
    assert damaged.geometry.isEmpty()
    assert isinstance(damaged.recent_files, tuple)


def test_an_unknown_theme_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="use one of"):
        session(tmp_path).theme = "loud"
