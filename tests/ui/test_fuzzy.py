"""Finding by a few letters: what begins so comes first, letters in their order come last, and nothing else."""

import pytest

from gpuplanner.ui.panels.actions.checks import ChecksPanel
from gpuplanner.ui.panels.cost.cost import CostPanel
from gpuplanner.ui.panels.prices.prices import PricesPanel
from gpuplanner.ui.window.command_palette import best, fit
from gpuplanner.ui.window.palette_entries import WORDS_OF_KIND, PaletteEntry


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("exp", "Export workbook", "Unexpected"),
        ("work", "Export workbook", "Framework"),
        ("board", "Board", "Keyboard"),
        ("exwb", "Export workbook", "Every extra wide board"),
        ("plan b", "Plan B", "Plan A by name"),
        ("NEW", "new plan", "renew"),
    ],
)
def test_what_fits_better_comes_first(query: str, better: str, worse: str) -> None:
    assert best(query, [worse, better], lambda text: (text, text), 5)[0] == better


def test_letters_have_to_be_there_and_in_order() -> None:
    assert fit("wb", "Export workbook") is not None
    assert fit("bw", "cab") is None
    assert fit("plan zzz", "Plan A") is None
    assert best("q", ["a", "b"], lambda text: (text, text), 5) == []


def test_a_name_counts_more_than_what_is_said_of_it() -> None:
    things = [("vllm", "vllm inference"), ("inference bench", "inference bench")]
    assert best("infer", things, lambda thing: thing, 5)[0] == things[1]


def test_without_a_query_all_stand_in_their_own_order() -> None:
    assert best(" ", ["b", "a", "c"], lambda text: (text, text), 2) == ["b", "a"]


def test_a_panel_is_found_by_what_people_call_it() -> None:
    def entry(title: str, also: str) -> PaletteEntry:
        return PaletteEntry(
            title=title,
            kind="Panel",
            note="Open the panel",
            icon="document",
            run=lambda: None,
            shortcut="",
            before=WORDS_OF_KIND["Panel"],
            also=also,
        )

    others = [entry("Cost", CostPanel.about.also), entry("Checks", ChecksPanel.about.also)]
    prices = entry("Prices", PricesPanel.about.also)
    for query in ("show prices", "prices show", "offers", "go to rates"):
        found = best(query, [*others, prices], lambda one: one.texts, 1)
        assert found == [prices], query
