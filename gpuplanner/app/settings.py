"""Settings: what the window remembers from one session to the next."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from json import dumps, loads
from pathlib import Path
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QByteArray, QSettings

from gpuplanner.domain.model.gpu_family import Same, SameKind, with_same

RECENT_FILES_KEPT: Final = 10
SAME_KEPT: Final = 500
THEMES: Final = ("system", "light", "dark", "contrast")
LANGUAGES: Final = ("system", "english", "german", "french")
"""Those of the window, and forms of numbers; "system": as this computer has it."""
TODAY_VIEWS: Final = ("audit", "board")
PLAN_VIEWS: Final = ("decisions", "board")


_Value = TypeVar("_Value")


class _Kept(Generic[_Value]):
    """One value of the settings, kept as a text under a name. read: also of an empty text, where nothing is kept."""

    def __init__(self, name: str, read: Callable[[str], _Value], write: Callable[[_Value], str]) -> None:
        self._name, self._read, self._write = name, read, write

    def __get__(self, of: "Settings", kind: object = None) -> _Value:
        return self._read(of.text(self._name))

    def __set__(self, of: "Settings", value: _Value) -> None:
        of.keep(self._name, self._write(value))


class _OneOf(_Kept[str]):
    """One of some names; the first where nothing, or another, is kept. Errors: ValueError where another is set."""

    def __init__(self, name: str, names: tuple[str, ...]) -> None:
        super().__init__(name, lambda text: text if text in names else names[0], self._checked)
        self._names = names

    def _checked(self, value: str) -> str:
        if value not in self._names:
            raise ValueError(f"{self._name} {value!r}; use one of {', '.join(self._names)}")
        return value


def _is_short(text: str) -> bool:
    """Whether it is a whole number that a screen may have: Python refuses to read one of 5,000 digits."""
    return text.isdecimal() and len(text) < 6


def _percent(text: str) -> int:
    return int(text) if _is_short(text) and 50 <= int(text) <= 300 else 100


def _size(text: str) -> tuple[int, int] | None:
    width, _, height = text.partition("x")
    return (int(width), int(height)) if _is_short(width) and _is_short(height) else None


def _size_text(size: tuple[int, int] | None) -> str:
    return "{}x{}".format(*size) if size else ""


def _terms(text: str) -> dict[str, dict[str, list[str]]]:
    try:
        read = loads(text)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


class Settings:
    """Named access to a QSettings; unknown or damaged values read as if nothing had been remembered."""

    def __init__(self, store: QSettings) -> None:
        self._store = store

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """Projects opened or saved, newest first, also those that are gone: their folder may only be away.

        Empty where nothing is remembered.
        """
        return tuple(Path(text) for text in self._texts("recent_files"))

    def remember_file(self, path: Path) -> None:
        """Put a project first among the recent ones.

        At most RECENT_FILES_KEPT stay.
        """
        others = [other for other in self.recent_files if other != path]
        self._set_texts("recent_files", [str(each) for each in (path, *others)][:RECENT_FILES_KEPT])

    theme = _OneOf("theme", THEMES)
    language = _OneOf("language", LANGUAGES)  # from the next start on
    number_format = _OneOf(
        "number_format", LANGUAGES
    )  # how figures are written and read; "system": as the language
    today_view = _OneOf("today_view", TODAY_VIEWS)  # what Today was last looked at as
    plan_view = _OneOf("plan_view", PLAN_VIEWS)  # what a plan was last looked at as
    text_size = _Kept("text_size", _percent, str)  # in percent of the usual one
    is_tour_seen = _Kept("tour_seen", lambda text: text == "yes", lambda is_seen: "yes" if is_seen else "")
    # how the board was sorted, grouped and folded last, as the window wrote it; empty where nothing is known
    board_view = _Kept("board_view", str, str)
    # as wide and as high as the planner made the dialog of an import, in pixels of text in its usual size; None: never
    import_size = _Kept("import_size", _size, _size_text)
    window_size = _Kept("window_size", _size, _size_text)  # in pixels; None: never
    # terms of contracts that the planner changed: by header of the file and contract, by term: the file's and theirs
    stated_terms = _Kept("stated_terms", _terms, dumps)
    # the folder that files were chosen from last; None where none was
    last_folder = _Kept("last_folder", lambda text: Path(text) if text else None, lambda one: str(one or ""))

    @property
    def request_terms(self) -> dict[str, str]:
        """What was said last above requests for quote, by the name of what it says; empty where nothing was."""
        from gpuplanner.files.request.request import NAMES, VENDORS

        texts = {name: self.text(f"request_terms/{name}") for name in (*NAMES, VENDORS)}
        return {name: text for name, text in texts.items() if text}

    @request_terms.setter
    def request_terms(self, said: Mapping[str, str]) -> None:
        from gpuplanner.files.request.request import NAMES, VENDORS

        for name in (*NAMES, VENDORS):
            self._store.setValue(f"request_terms/{name}", said.get(name, ""))

    @property
    def geometry(self) -> QByteArray:
        """What the window said last of its size and place; empty where nothing is remembered."""
        value = self._store.value("layout/geometry")
        return value if isinstance(value, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, value: QByteArray) -> None:
        self._store.setValue("layout/geometry", value)

    def table_look(self, name: str) -> str:
        """How a table was sorted and its columns widened and hidden, as the window wrote it; empty where nothing is."""
        return self.text(f"tables/{_key(name)}")

    def remember_table_look(self, name: str, look: str) -> None:
        """Keep how a table is looked at; an empty text forgets it."""
        if look:
            self._store.setValue(f"tables/{_key(name)}", look)
        else:
            self._store.remove(f"tables/{_key(name)}")

    def mapping(self, header: str) -> str | None:
        """How the columns of a table with this header were read last time, as --map takes it.

        header: the headings of a table as one text. None where nothing is remembered.
        """
        return self.text(f"mappings/{_key(header)}") or None

    def remember_mapping(self, header: str, mapping: str) -> None:
        """Keep how the columns of a table with this header are read."""
        self._store.setValue(f"mappings/{_key(header)}", mapping)
        headers = [header, *(one for one in self.mapped_headers if one != header)]
        self._set_texts("mapped_headers", headers[:_HEADERS_AT_MOST])

    def forget_mapping(self, header: str) -> None:
        """Let a table with this header be new again."""
        self._store.remove(f"mappings/{_key(header)}")
        self._set_texts("mapped_headers", [one for one in self.mapped_headers if one != header])

    @property
    def mapped_headers(self) -> list[str]:
        """The headers of the tables whose mapping is remembered, the newest first."""
        return self._texts("mapped_headers")

    @property
    def same(self) -> tuple[Same, ...]:
        """What was said to be one though it has two names, in any project; what cannot be read is left out.

        Sorted; empty where nothing is remembered.
        """
        found = []
        for text in self._texts("same"):
            kind, _, names = text.partition("\t")
            theirs, _, ours = names.partition("\t")
            if kind in set(SameKind) and ours:
                found.append(Same(SameKind(kind), theirs, ours))
        return with_same((), found)

    def remember_same(self, same: Iterable[Same]) -> None:
        """Keep decisions for the next import; of two of one name the later counts.

        At most SAME_KEPT stay.
        """
        both = with_same(self.same, same)[:SAME_KEPT]
        self._set_texts("same", [f"{one.kind}\t{one.theirs}\t{one.ours}" for one in both])

    def text(self, name: str) -> str:
        """A text that was remembered; empty where it is something else, or nothing."""
        value = self._store.value(name, "")
        return value if isinstance(value, str) else ""

    def keep(self, name: str, text: str) -> None:
        """Remember a text."""
        self._store.setValue(name, text)

    def _texts(self, name: str) -> list[str]:
        """Texts that were remembered; an INI file gives a list of one as its item."""
        value = self._store.value(name, [])
        values = [value] if isinstance(value, str) else value  # an INI file gives a list of one as its item
        return [text for text in values if isinstance(text, str) and text] if isinstance(values, list) else []

    def _set_texts(self, name: str, texts: list[str]) -> None:
        self._store.setValue(name, texts)


_HEADERS_AT_MOST = 200
"""Tables whose mapping is remembered by more than its exact headings."""


def user_settings() -> Settings:
    """The settings of this user.

    An INI file in the user's folder on every system, so that it can be read and copied; by its owner alone.
    """
    store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "gpuplanner", "gpuplanner")
    with suppress(OSError):
        path = Path(store.fileName())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)
        path.chmod(0o600)
    return Settings(store)


def _key(text: str) -> str:
    """A name of bounded length without the slash that makes groups."""
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
