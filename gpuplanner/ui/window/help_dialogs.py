"""Help: all shortcuts, the glossary, documents and About."""

from functools import partial
from posixpath import dirname, join, normpath
from typing import Final

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QWidget

from gpuplanner.charts.kit.document_view import document_page, show_document, show_heading
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import worded
from gpuplanner.files.system.resources import document_path, long_text
from gpuplanner.ui.frame.panel_docks import panel_keys
from gpuplanner.ui.kit.dialogs import foot, resize_within_screen, titled
from gpuplanner.ui.kit.layout import column, named, share
from gpuplanner.ui.kit.page_parts import label, named_button
from gpuplanner.ui.tables.cells import Cell, Filled, filled_rows
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.commands import COMMANDS, VIEW_KEYS
from gpuplanner.ui.words.glossary import GROUPS, TERMS, Term
from gpuplanner.version import __version__


class KeysDialog(QDialog):
    """The shortcuts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        titled(self, tr("Keyboard"))
        resize_within_screen(self, 520, 560)
        table = FigureTable(tr("Shortcuts"))
        lines = [
            (tr(one.menu), " ".join(map(tr, filter(None, (one.parent, one.name)))), one.shortcut)
            for one in COMMANDS
            if one.shortcut
        ]
        lines += [(tr(key.place), tr(key.what), spoken(key.keys)) for key in (*VIEW_KEYS, panel_keys())]
        table.show_rows(KEY_COLUMNS, filled_rows(KEY_COLUMNS, lines))
        _stack(self, tr("Keyboard"), table)


KEY_COLUMNS: Final[tuple[Filled[tuple[str, str, str]], ...]] = (
    Filled(
        title=worded("Menu"), is_figure=False, width=90, cell=lambda line: Cell(text=line[0], role="muted")
    ),
    Filled(title=worded("What it does"), is_figure=False, cell=lambda line: line[1]),
    Filled(
        title=worded("Keys"), is_figure=False, width=150, cell=lambda line: Cell(text=line[2], is_strong=True)
    ),
)


class GlossaryDialog(QDialog):
    """Help, Glossary: all terms."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        titled(self, tr("Glossary"))
        resize_within_screen(self, 900, 640)
        table = FigureTable(tr("Glossary"))
        table.show_rows(TERM_COLUMNS, filled_rows(TERM_COLUMNS, TERMS.values()))
        _stack(self, tr("Glossary"), table)


TERM_COLUMNS: Final[tuple[Filled[Term], ...]] = (
    Filled(
        title=worded("Subject"),
        is_figure=False,
        width=120,
        cell=lambda term: Cell(text=GROUPS[term.group], role="muted"),
    ),
    Filled(
        title=worded("Name"),
        is_figure=False,
        width=190,
        cell=lambda term: Cell(text=term.word, is_strong=True),
    ),
    Filled(
        title=worded("Meaning"),
        is_figure=False,
        is_cut_at_end=True,
        cell=lambda of: Cell(text=of.meaning, tip=of.meaning),
    ),
)


class DocumentDialog(QDialog):
    """A page of the documentation as it is written; links lead on, pictures are left out.

    place: folder and name of the page and, after #, the anchor of a heading.
    """

    def __init__(self, title: str, place: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        titled(self, title)
        self.page = named(document_page(), title)
        self.page.anchorClicked.connect(self._follow)
        self.back = named_button(tr("Back"), tr("Back to the last link (Alt+Left)"), self._go_back)
        self.back.setShortcut("Alt+Left")
        self.back.setEnabled(False)
        self._before: list[tuple[str, int]] = []  # places that links led away from, and how far down
        _stack(self, "", self.page, self.back)
        resize_within_screen(self, 860, 720)
        self.place = self._text = self._at = ""
        self.open_place(place)

    def open_place(self, place: str) -> None:
        """Show a page from one of its headings on; nothing where the page does not come with the program."""
        name, _, anchor = place.partition("#")
        if (path := document_path(name)).is_file():
            self._at = place
            contents = f"[{tr('All pages')}]({'../' * name.count('/')}README.md)"
            text = f"{path.read_text(encoding='utf-8')}\n{contents}\n"
            if text != self._text:
                self.place, self._text = name, text
                show_document(self.page, text)
            QTimer.singleShot(0, self, partial(show_heading, self.page, anchor))  # once it is laid out

    def _follow(self, link: QUrl) -> None:
        """Goes to a place of this page or of another; what is on the network opens in the browser."""
        if link.scheme():
            QDesktopServices.openUrl(link)
        else:
            here = self._at, self.page.verticalScrollBar().value()
            page = normpath(join(dirname(self.place), link.path())) if link.path() else self.place
            self.open_place(f"{page.removesuffix('.md')}#{link.fragment()}")
            self._before += [here] * (self._at != here[0])
            self.back.setEnabled(bool(self._before))

    def _go_back(self) -> None:
        """To where the last link was that was followed."""
        place, top = self._before.pop()
        self.back.setEnabled(bool(self._before))
        self.open_place(place)
        QTimer.singleShot(0, self, partial(self.page.verticalScrollBar().setValue, top))


class AboutDialog(QDialog):
    """Name, version, licence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        titled(self, tr("About gpuplanner"))
        words = tr(long_text("about", version=__version__))
        text = label(words, is_wrapped=True)
        text.setMinimumWidth(380)
        _stack(self, tr("gpuplanner"), text)


def _stack(dialog: QDialog, title: str, body: QWidget, *buttons: QWidget) -> None:
    """Lays a dialog out: title ("": the body has its own), body, its own buttons, Close."""
    close = named_button(tr("Close"), does=dialog.accept, takes_enter=True)
    heading = [label(title, step="page")] if title else []
    column(*heading, share(body), foot(*buttons, close), on=dialog, margins=(20, 16, 20, 16), spacing=10)
