"""Settings: what the window remembers from one session to the next."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QSettings

from gpuplanner.domain.model.gpu_family import Same, SameKind, with_same
from gpuplanner.files.request.request import NAMES

RECENT_FILES_KEPT: Final = 10
SAME_KEPT: Final = 500
THEMES: Final = ("system", "light", "dark", "contrast")
NUMBER_FORMATS: Final = ("system", "english", "german", "french")
TODAY_VIEWS: Final = ("audit", "board")


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

    @property
    def theme(self) -> str:
        """One of THEMES."""
        theme = self._text("theme", THEMES[0])
        return theme if theme in THEMES else THEMES[0]

    @theme.setter
    def theme(self, theme: str) -> None:
        if theme not in THEMES:
            raise ValueError(f"theme {theme!r}; use one of {', '.join(THEMES)}")
        self._store.setValue("theme", theme)

    @property
    def text_size(self) -> int:
        """In percent of the usual one."""
        text = self._text("text_size", "100")
        return int(text) if text.isdecimal() and 50 <= int(text) <= 300 else 100

    @text_size.setter
    def text_size(self, percent: int) -> None:
        self._store.setValue("text_size", str(percent))

    @property
    def number_format(self) -> str:
        """One of NUMBER_FORMATS: how figures are written and read."""
        name = self._text("number_format", NUMBER_FORMATS[0])
        return name if name in NUMBER_FORMATS else NUMBER_FORMATS[0]

    @number_format.setter
    def number_format(self, name: str) -> None:
        if name not in NUMBER_FORMATS:
            raise ValueError(f"number format {name!r}; use one of {', '.join(NUMBER_FORMATS)}")
        self._store.setValue("number_format", name)

    @property
    def today_view(self) -> str:
        """One of TODAY_VIEWS: what Today was last looked at as."""
        view = self._text("today_view", TODAY_VIEWS[0])
        return view if view in TODAY_VIEWS else TODAY_VIEWS[0]

    @today_view.setter
    def today_view(self, view: str) -> None:
        if view not in TODAY_VIEWS:
            raise ValueError(f"view {view!r}; use one of {', '.join(TODAY_VIEWS)}")
        self._store.setValue("today_view", view)

    @property
    def is_tour_seen(self) -> bool:
        """Whether the tour has been shown."""
        return self._text("tour_seen", "") == "yes"

    @is_tour_seen.setter
    def is_tour_seen(self, is_seen: bool) -> None:
        self._store.setValue("tour_seen", "yes" if is_seen else "")

    @property
    def board_view(self) -> str:
        """How the board was sorted, grouped and folded last, as the window wrote it; empty where nothing is known."""
        return self._text("board_view", "")

    @board_view.setter
    def board_view(self, view: str) -> None:
        self._store.setValue("board_view", view)

    @property
    def last_folder(self) -> Path | None:
        """The folder that files were chosen from last."""
        text = self._text("last_folder", "")
        return Path(text) if text else None

    @last_folder.setter
    def last_folder(self, folder: Path | None) -> None:
        self._store.setValue("last_folder", str(folder or ""))

    @property
    def request_terms(self) -> dict[str, str]:
        """What was said last above requests for quote, by the name of what it says; empty where nothing was."""
        said = {name: self._text(f"request_terms/{name}", "") for name in NAMES}
        return {name: text for name, text in said.items() if text}

    @request_terms.setter
    def request_terms(self, said: Mapping[str, str]) -> None:
        for name in NAMES:
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
        return self._text(f"tables/{_key(name)}", "")

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
        return self._text(f"mappings/{_key(header)}", "") or None

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

    def _text(self, name: str, default: str) -> str:
        """A text that was remembered; the default where it is something else."""
        value = self._store.value(name, default)
        return value if isinstance(value, str) else default

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

    An INI file in the user's folder on every system, so that it can be read and copied.
    """
    return Settings(
        QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "gpuplanner", "gpuplanner")
    )


def _key(text: str) -> str:
    """A name of bounded length without the slash that makes groups."""
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
