"""Where a file of a plan is suggested to be, before the planner says otherwise."""

from pathlib import Path

from gpuplanner.files.system.suggested_names import file_name


def suggested(folder: str, document_name: str, scenario: str, suffix: str) -> str:
    """demo, Plan A.xlsx in a folder: plans of one project do not take each other's place."""
    names = (document_name, scenario.split(" \u00b7 ", maxsplit=1)[0])
    return str(Path(folder) / file_name(", ".join(filter(None, names)), suffix))
