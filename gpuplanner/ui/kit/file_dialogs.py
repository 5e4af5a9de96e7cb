"""File dialogs: each starts where files were chosen last, in whichever of them."""

from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QFileDialog, QWidget


class Folders(Protocol):
    """Who remembers the folder, from one session to the next."""

    last_folder: Path | None


class _OfSession:
    """Remembers it while the window is open."""

    last_folder: Path | None = None


_KEPT: list[Folders] = [_OfSession()]


def keep_folder_in(kept: Folders) -> None:
    """Let the settings remember it."""
    _KEPT[0] = kept


def last_folder() -> Path:
    """Where files were chosen last; at first the user's own folder."""
    return _KEPT[0].last_folder or Path.home()


def open_files(parent: QWidget | None, title: str, kinds: str = "") -> list[str]:
    """Ask for files to read; [] where none is chosen."""
    paths, _ = QFileDialog.getOpenFileNames(parent, title, str(last_folder()), kinds)
    _remember(*paths[:1])
    return paths


def open_file(parent: QWidget | None, title: str, kinds: str = "") -> str:
    """Ask for a file to read; "" where none is chosen."""
    path, _ = QFileDialog.getOpenFileName(parent, title, str(last_folder()), kinds)
    _remember(path)
    return path


def save_file(parent: QWidget | None, title: str, name: str, kinds: str) -> tuple[str, str]:
    """Ask for a file to write; its path, "" where none is chosen, and the kind. name: suggested; a path stays."""
    path, kind = QFileDialog.getSaveFileName(parent, title, str(last_folder() / name), kinds)
    _remember(path)
    return path, kind


def open_folder(parent: QWidget | None, title: str) -> str:
    """Ask for a folder; "" where none is chosen."""
    path = QFileDialog.getExistingDirectory(parent, title, str(last_folder()))
    _KEPT[0].last_folder = Path(path) if path else _KEPT[0].last_folder
    return path


def _remember(path: str = "") -> None:
    if path:
        _KEPT[0].last_folder = Path(path).parent
