"""Documents of the product on the screen, and jumps to their headings."""

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTextBrowser


def document_page() -> QTextBrowser:
    """Return a view for our own documents; the caller handles its links."""
    return QTextBrowser(openLinks=False)


def show_document(page: QTextBrowser, markdown: str) -> None:
    """Show a Markdown page of our own documentation, without pictures and comments."""
    policy = Qt.ScrollBarPolicy  # Qt makes tables a pixel too wide; only code may scroll sideways
    page.setHorizontalScrollBarPolicy(
        policy.ScrollBarAsNeeded if "```" in markdown else policy.ScrollBarAlwaysOff
    )
    page.setMarkdown(re.sub(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->", "", markdown, flags=re.DOTALL))


def show_heading(page: QTextBrowser, anchor: str) -> None:
    """Scroll to the heading with this anchor, or to the top without one."""
    document = page.document()
    block, top = document.begin(), 0.0
    while block.isValid():
        if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
            top = document.documentLayout().blockBoundingRect(block).top()
            break
        block = block.next()
    page.verticalScrollBar().setValue(int(top))


def anchor_of(heading: str) -> str:
    """Return the link anchor of a heading.

    >>> anchor_of("Set limits, and see what each costs")
    'set-limits-and-see-what-each-costs'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
