"""Random lists under our own columns, and lists of other tools with random damage, as golden tables."""

from typing import Final

from gpuplanner.files.importing.described_kinds import DESCRIBED
from tests.files.lists.random_lists import OWN, TEXTS, list_text, other_list_lines, own_list_lines
from tests.files.sniffed import sniffed_lines
from tests.golden.tables import Table

FOLDER: Final = "tables_files_lists"
OWN_CASES: Final = tuple(f"{name} {seed}" for name in OWN for seed in range(4))
OTHER_CASES: Final = tuple(f"{name} {seed}" for name in TEXTS for seed in range(3))


def sniffed_text(case: str) -> str:
    """Return how sure each kind of list is of a list of ours or of another tool. case: its name."""
    return sniffed_lines(TEXTS[case] if case in TEXTS else list_text(case, 1), lambda: DESCRIBED)


TABLES: Final = {
    "sniffed.txt": Table(text_of=sniffed_text, cases=(*OWN, *TEXTS)),
    "own.txt": Table(text_of=own_list_lines, cases=OWN_CASES),
    "others.txt": Table(text_of=other_list_lines, cases=OTHER_CASES),
}
