"""Put pseudonyms in place of the names of users, accounts and jobs, before any of them is kept."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.message import joined
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.job_logs.judging.job_store import JOBS, KINDS, NAMES, STATES, set_column
from gpuplanner.files.job_logs.reduce.pseudonyms import name_pseudonyms, owner_pseudonyms
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.values.job_states import KNOWN_STATES
from gpuplanner.lazy_dataclass import replace

_TABLE = "pseudonyms"
_OTHER_STATE = "OTHER"  # for a word of nobody's, which may be anything
_SHORTEST_NAME = 3  # of names looked for in ids


def pseudonymise(engine: Engine, key: bytes) -> None:
    """Replace the names, each distinct one once. Duplicates are to be found before: they need the names."""
    _replace_ids(engine, key)
    users, accounts = (_distinct_texts(engine, KINDS, column) for column in ('"user"', "account"))
    of_users, of_accounts = owner_pseudonyms(key, users, accounts)
    _replace(engine, KINDS, '"user"', of_users)
    _replace(engine, KINDS, "account", of_accounts)
    names = _distinct_texts(engine, NAMES, "text")
    _replace(engine, NAMES, "text", name_pseudonyms(key, names, read_tables().class_rules))
    known = ", ".join(f"'{state}'" for state in ("", *sorted(KNOWN_STATES)))
    engine.run(f"update {STATES} set text = '{_OTHER_STATE}' where text not in ({known})")


def _replace_ids(engine: Engine, key: bytes) -> None:
    """Ids that are made of names: namespace/name, or with the job's own name, user or account in them."""
    parts = " or ".join(
        f"(length({name}) >= {_SHORTEST_NAME} and contains(lower(j.job_id), lower({name})))"
        for name in ("n.text", 'k."user"', "k.account")
    )
    set_column(
        engine,
        "job_id",
        "'id-' || left(sha256(? || sha256(? || f.job_id)), 16)",
        f"""select j.place, j.job_id from {JOBS} j join {NAMES} n on n.id = j.name_id join {KINDS} k using (kind)
        where regexp_matches(j.job_id, '[^0-9._+-]') and (contains(j.job_id, '/') or {parts})""",
        [key.hex(), key.hex()],
    )


def _distinct_texts(engine: Engine, table: str, column: str) -> list[str]:
    """The different texts of a column; the empty one is left out."""
    return [row[0] for row in engine.all(f"select distinct {column} from {table} where {column} <> ''")]


def _replace(engine: Engine, table: str, column: str, found: Mapping[str, str]) -> None:
    """Puts each pseudonym in the place of its name in one column, by one join for the whole table."""
    engine.keep(
        _TABLE,
        {"given": list(found), "pseudonym": list(found.values())},
        {"given": "varchar", "pseudonym": "varchar"},
    )
    engine.run(
        f"update {table} set {column} = {_TABLE}.pseudonym from {_TABLE} where {table}.{column} = {_TABLE}.given"
    )
    engine.run(f"drop table {_TABLE}")


_FACT: Final = "pseudonyms_chosen"
"""The fact of a log whose names were replaced."""


def is_pseudonymous(file: FileIntake) -> bool:
    """Whether the names in a log were replaced when it was read."""
    return dict(file.facts).get(_FACT) is True


def without_names(file: FileIntake) -> FileIntake:
    """Its rejected rows without their texts, which may hold names anywhere: the row number says which they are."""
    others = tuple(fact for fact in file.facts if fact[0] != _FACT)
    return replace(
        file,
        facts=(*others, (_FACT, True)),
        rejected=tuple(
            replace(
                row,
                text="",
                cells=(),
                message=issue_message(row.code) if row.code in ISSUE_TEXTS else joined((row.code,)),
            )
            for row in file.rejected
        ),
        noted=tuple(replace(row, text="") for row in file.noted),
    )
