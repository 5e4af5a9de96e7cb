"""Pseudonyms in place of the names of users, accounts and jobs in JOBS, before anything of them is kept."""

from collections.abc import Mapping
from dataclasses import replace

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.engine import Engine
from gpuplanner.files.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.files.job_logs.row_fates import JOBS
from gpuplanner.files.pseudonyms import name_pseudonyms, owner_pseudonyms
from gpuplanner.files.resources import read_tables

_TABLE = "pseudonyms"


def pseudonymise(engine: Engine, key: bytes) -> None:
    """Replace the names in JOBS, each distinct one once. Duplicates are to be found before: they need the names."""
    users, accounts, names = (_distinct(engine, column) for column in ('"user"', "account", "name"))
    of_users, of_accounts = owner_pseudonyms(key, users, accounts)
    for column, found in (
        ('"user"', of_users),
        ("account", of_accounts),
        ("name", name_pseudonyms(key, names, read_tables().class_rules)),
    ):
        _replace(engine, column, found)


def _distinct(engine: Engine, column: str) -> list[str]:
    return [row[0] for row in engine.all(f"select distinct {column} from {JOBS} where {column} <> ''")]


def _replace(engine: Engine, column: str, found: Mapping[str, str]) -> None:
    engine.keep(
        _TABLE,
        {"given": list(found), "pseudonym": list(found.values())},
        {"given": "varchar", "pseudonym": "varchar"},
    )
    engine.run(
        f"update {JOBS} set {column} = {_TABLE}.pseudonym from {_TABLE} where {JOBS}.{column} = {_TABLE}.given"
    )
    engine.run(f"drop table {_TABLE}")


def without_names(file: FileIntake) -> FileIntake:
    """Its rejected rows without their texts, which may hold names anywhere: the row number says which they are."""
    return replace(
        file,
        rejected=tuple(
            replace(row, text="", message=issue_message(row.code) if row.code in ISSUE_TEXTS else row.code)
            for row in file.rejected
        ),
    )
