"""Leaks of the audit, dearest first: what, where, GPU-hours and $ a month, and what to do; a row opens its sheet."""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.leaks.leak_list import most_expensive_first
from gpuplanner.domain.audit.leaks.leak_rules import LEAK_RULES
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import LeakStatus
from gpuplanner.domain.model.worded import Worded, worded
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Bar, Cell, Column, Row
from gpuplanner.ui.tables.limited_table import SLACK, LimitedTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.contracts_that_ran import TO_MATCH
from gpuplanner.ui.words.translation import spoken, tr

COLUMNS: Final = (
    Column("", width=22),
    Column("Leak", False, 176),
    Column("Where", False, is_cut_at_end=True),
    Column(LEAK["gpu_hours_per_month"].heading("\n")),
    Column("", False, 104),
    Column(LEAK["leaked_per_month"].heading("\n")),
    Column("What to do", False, 410, is_cut_at_end=True),
    Column("Decided", False, 206, is_cut_at_end=True),
)
NARROW: Final = {1: 180, 6: 290, 7: 84}
"""Widths of columns where the page is narrow; there is no room for the bar then, nor beside decisions."""

BAR: Final = 4
DECIDED: Final = 7

MOST: Final = 10
NOTHING: Final = worded("No leak was found in this window.")


class LeaksCard:
    """Told what is shown."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame(tr("Leaks"), tr("dearest first"))
        self.is_narrow = False
        self._nothing: Worded = NOTHING
        self.said = muted_label(tr(NOTHING), is_wrapped=False)
        self.limited = LimitedTable(tr("Leaks"), palette)
        self.frame.body.addWidget(self.said)
        self.frame.body.addWidget(self.limited)

    def show_state(self, shown: ViewState) -> None:
        """Show the leaks of an audit, with what plans decided about them."""
        audit, project = shown.evaluation.audit, shown.evaluation.project
        self.frame.note(tr("Leaks overlap: they do not add up to stranded spend") if audit.leaks else "")
        self._nothing = TO_MATCH if audit.unknown_contracts else NOTHING
        self.said.setText(spoken(tr(self._nothing)))
        self.said.setVisible(not audit.leaks)
        self.limited.setVisible(bool(audit.leaks))
        has_decisions = bool(decisions(project))
        columns = [
            replace(one, width=NARROW.get(at, one.width)) if self.is_narrow else one
            for at, one in enumerate(COLUMNS)
        ]
        kept = [
            at
            for at in range(len(COLUMNS))
            if (at != BAR or not (self.is_narrow or has_decisions)) and (at != DECIDED or has_decisions)
        ]

        def make(first: int | None = None) -> tuple[Row, ...]:
            rows = leak_rows(audit.leaks, project, first)
            return tuple(replace(row, cells=tuple(row.cells[at] for at in kept)) for row in rows)

        columns = [columns[at] for at in kept]
        self.limited.show_rows(columns, make(MOST + SLACK), MOST, tr("more leaks"), len(audit.leaks), make)

    def as_text(self) -> str:
        """Its rows as text."""
        return self.limited.as_text() if self.limited.rows else self._nothing

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.limited.show_palette(palette)


def leak_rows(leaks: tuple[Leak, ...], project: Project, first: int | None = None) -> tuple[Row, ...]:
    """One row a leak, dearest first, at most the first so many; its bar is relative to the dearest."""
    order = most_expensive_first(leaks)[:first]
    most = max((leak.leaked_per_month or 0.0 for leak in leaks), default=0.0)
    decided = decisions(project)
    rows = []
    for number, leak in enumerate(order, 1):
        rule = LEAK_RULES[leak.code]
        hours, usd = leak.gpu_hours_per_month, leak.leaked_per_month
        where = spoken(leak.subject).removeprefix(": ")  # jobs that name no cluster
        rows.append(
            Row(
                (
                    Cell(str(number), "muted"),
                    Cell(rule.title, is_strong=True, tip=rule.words),
                    Cell(where, "muted", tip=where),
                    Cell(
                        numbers.whole(hours),
                        tip=tr("{hours} GPU-h per month", hours=numbers.one_decimal(hours)),
                        figure_id=figure("leak_hours", leak.leak_id),
                    ),
                    Cell(bar=Bar((usd or 0.0) / most, "neutral", has_track=False) if most and usd else None),
                    Cell(
                        numbers.whole(usd),
                        is_strong=True,
                        tip=LEAK["leaked_per_month"].unknown if usd is None else numbers.cents(usd),
                        figure_id=figure("leak", leak.leak_id) if usd is not None else "",
                    ),
                    Cell(leak.action, tip=leak.action),
                    Cell(decided.get(leak.leak_id, ""), "muted", tip=decided.get(leak.leak_id, "")),
                ),
                key=leak.leak_id,
            )
        )
    return tuple(rows)


def decisions(project: Project) -> dict[str, str]:
    """What plans decided about leaks, in words, by leak_id."""
    words: dict[str, list[str]] = {}
    for plan in project.scenarios:
        for one in plan.leak_decisions:
            verb = tr("Dismissed") if one.status is LeakStatus.DISMISSED else tr("Accepted")
            words.setdefault(one.leak_id, []).append(tr("{verb} in {name}", verb=verb, name=plan.name))
    return {leak_id: "; ".join(said) for leak_id, said in words.items()}
