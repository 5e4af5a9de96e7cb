"""Random lists under our own columns, and lists of other tools with random damage, as golden tables."""

from typing import Final

from tests.files.lists.random_lists import OWN, TEXTS, other_list_lines, own_list_lines
from tests.golden.tables import Table

FOLDER: Final = "tables_files_lists"
OWN_CASES: Final = tuple(f"{name} {seed}" for name in OWN for seed in range(4))
OTHER_CASES: Final = tuple(f"{name} {seed}" for name in TEXTS for seed in range(3))
TABLES: Final = {
    "own.txt": Table(text_of=own_list_lines, cases=OWN_CASES),
    "others.txt": Table(text_of=other_list_lines, cases=OTHER_CASES),
}
