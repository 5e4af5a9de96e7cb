"""Tables of reports in the brief, as they are asked for."""

from typing import Any

import pytest

from gpuplanner.domain.brief import briefs, pages
from gpuplanner.domain.brief.pages import TableBlock
from gpuplanner.domain.message import Text


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What tables of reports are asked for: the rows, and how many at most."""
    asked: list[tuple[Any, ...]] = []

    def block(_: Any, rows: Any, title: Text, widths: Any, *more: Any) -> TableBlock:
        asked.append((rows, widths, *more))
        return TableBlock(title=title, columns=(), rows=((),), total=(), note="")

    monkeypatch.setattr(pages, "report_block", block)
    monkeypatch.setattr(briefs, "report_block", block)
    return asked
