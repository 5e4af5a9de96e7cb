"""Every answer to "Why this number?" that a window can give, as text: asked as a click on the figure asks."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, QRect, Signal
from PySide6.QtWidgets import QApplication, QWidget

from gpuplanner.charts.kit.translation import currency
from gpuplanner.domain.evidence.plan.headline import ANSWERS
from gpuplanner.domain.evidence.trace import JOBS, figure, parts_of
from gpuplanner.domain.model.book.exchange import in_money
from gpuplanner.ui.why.audit_questions import AuditQuestions
from gpuplanner.ui.why.plan_answers import why
from gpuplanner.ui.why.written_trace import why_of
from gpuplanner.ui.window.main_window import MainWindow
from tests.golden.seen_texts import digest

MOST_ROWS = 20
MOST_IN_FULL = 10
"""Answers of a kind of figure that are written out; of the others there is the title with the value, and a digest."""


def _heading(title: str) -> str:
    """A heading in one line, in the money that is shown."""
    return in_money(str(title).replace("\n", " "), currency())


class _Listener(QObject):
    """Stands where the popover stands, and keeps what it is told."""

    followed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Any] = []
        self.answers = ()

    def show_why(self, why: Any, origin: QWidget, place: QRect | None = None) -> None:
        self.told.append(why)

    def isVisible(self) -> bool:
        return False


class Answers:
    """Told figures as they come into sight; each is asked about, and so is every figure that its answer leads to.

    An answer that is another after something else was chosen (an endpoint, costs of something else) is kept too.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._listener = _Listener()
        self._questions = AuditQuestions(self._listener, lambda: window.session.view_state, window)  # type: ignore[arg-type]
        self._asked: set[str] = set()
        self.found: dict[str, list[str]] = {}
        self._inputs: dict[str, None] = {}

    def forget(self, figure_ids: Iterable[str]) -> None:
        """Something else is shown: figures of these kinds are asked about again."""
        kinds = {parts_of(figure_id)[0] for figure_id in figure_ids}
        self._asked = {one for one in self._asked if parts_of(one)[0] not in kinds}

    def take(self, figure_ids: Iterable[str], dialog: Any = None) -> None:
        """Ask about these figures and about all that their answers lead to. dialog: what answers for its own ones."""
        own = dialog if hasattr(dialog, "trace") else None
        waiting, asked = list(figure_ids), set() if own is not None else self._asked
        while waiting:
            figure_id = waiting.pop(0)
            if figure_id in asked or parts_of(figure_id)[0] == JOBS:
                continue
            asked.add(figure_id)
            answer = self._own(own, figure_id) if own is not None else None
            answer = answer or self._ask(figure_id)
            if answer is None:
                self._keep(figure_id, "(no answer)")
                continue
            self._keep(figure_id, self._text(answer))
            waiting += [row.key for row in answer.rows if row.key]
            waiting += [opens for _, opens in answer.more]

    def take_headline(self, of: str) -> None:
        """Of a plan the headline's own answers; of today those of the audit."""
        window, shown = self._window, self._window.session.view_state
        assert shown is not None
        for button in window.headline.buttons:
            shown_figure = button.figure
            if shown_figure is None or not button.isVisible():
                continue
            if shown.is_today:
                self.take([figure(shown_figure.figure_id)])
                continue
            if shown_figure.figure_id not in ANSWERS:  # a mean or a sum of months has its trace
                self.take([shown_figure.figure_id])
                continue
            answer = why(shown_figure.figure_id, shown)
            self._keep(f"headline {shown_figure.figure_id}, {of}", self._text(answer))
            self.take([row.key for row in answer.rows if row.key] + [opens for _, opens in answer.more])

    def lines(self) -> list[str]:
        """Every answer under its figure id, in the order of the ids."""
        lines = [f"{len(self.found)} figures, {sum(map(len, self.found.values()))} answers"]
        lines += [f"inputs {at}: {text}" for at, text in enumerate(self._inputs)]
        in_full: Counter[str] = Counter()
        for figure_id in sorted(self.found):
            kind = parts_of(figure_id)[0]
            for text in self.found[figure_id]:
                in_full[kind] += 1
                is_full = in_full[kind] <= MOST_IN_FULL
                title, _, _ = text.partition("\n")
                lines += (
                    ["", f"# {figure_id}", text] if is_full else [f"# {figure_id} | {title} | {digest(text)}"]
                )
        return lines

    def _keep(self, figure_id: str, text: str) -> None:
        texts = self.found.setdefault(figure_id, [])
        if text not in texts:
            texts.append(text)

    @staticmethod
    def _own(dialog: Any, figure_id: str) -> Any:
        """As the window does it: a dialog is asked first, and answers for what is not yet in the project."""
        try:
            return why_of(dialog.trace(figure_id), ())
        except (KeyError, StopIteration):
            return None

    def _ask(self, figure_id: str) -> Any:
        ours, theirs, told = self._questions, self._window.questions, self._listener.told
        ours.sources, ours.own_inputs = theirs.sources, theirs.own_inputs
        told.clear()
        ours.ask(figure_id, self._window)
        while not told and ours.tracer.is_busy:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return told[0] if told else None

    def _text(self, answer: Any) -> str:
        inputs = "; ".join(f"{name} ({value})" if value else name for name, value in answer.inputs)
        self._inputs.setdefault(inputs)
        lines = [answer.title, answer.formula, answer.note]
        if answer.columns:
            lines.append("\t".join(_heading(column.title) for column in answer.columns))
        rows = [_row(row) for row in answer.rows]
        if len(rows) > MOST_ROWS + 2:
            rows = [*rows[:MOST_ROWS], f"... {len(rows)} rows {digest(rows)}, the last:", rows[-1]]
        lines += [*rows, answer.remark, f"inputs {list(self._inputs).index(inputs)}"]
        lines += [answer.readings_title, *(f"  {name}: {value}" for name, value in answer.readings)]
        lines += [f"more: {words} -> {opens}" for words, opens in answer.more]
        return "\n".join(filter(None, (str(line).rstrip() for line in lines)))


def _row(row: Any) -> str:
    tips = [cell.tip for cell in row.cells if cell.tip and cell.tip != cell.text]
    besides = "".join(f" {{{tip}}}" for tip in tips)
    opens = f" -> {row.key}" if row.key else ""
    text = "\t".join(cell.text for cell in row.cells).rstrip("\t")
    return re.sub(r"\n", " / ", f"{'= ' if row.is_total else ''}{text}{besides}{opens}")
