"""What a file is called before the planner says otherwise."""

from pathlib import Path
from typing import Final

NOT_IN_NAMES: Final = str.maketrans(dict.fromkeys('<>:"/\\|?*', "-"))
"""Signs that a name may not have on one of the systems that files are handed around on."""


def suggested(folder: str, document_name: str, scenario: str, suffix: str) -> str:
    """demo, Plan A.xlsx in a folder: plans of one project do not take each other's place."""
    names = (document_name, scenario.split(" \u00b7 ", maxsplit=1)[0])
    return str(Path(folder) / (", ".join(names).translate(NOT_IN_NAMES) + suffix))
