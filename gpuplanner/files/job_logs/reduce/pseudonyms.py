"""Pseudonyms in place of the names of users, accounts and jobs, the same for the same name."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpuplanner.domain.demand.own_rules import name_words
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.files.job_logs.judging.job_store import JOBS, KINDS, NAMES, STATES, set_column
from gpuplanner.files.job_logs.reduce.names import UNNAMED, digits_aside, fold_name
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.output_file import output_folder, write_secret
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.values.scheduler_words import KNOWN_STATES

# --- Pseudonyms: other names for people, accounts and jobs, the same for the same name, worked out with a secret key

KEY_NAME: Final = "pseudonym-key"
_KEY_BYTES: Final = 32
_KEY_BYTES_AT_LEAST: Final = 16
_KEY_BYTES_AT_MOST: Final = 4096

_HEX: Final = "0123456789abcdef"
_LETTERS: Final = "ghjkmnpqrstvwxz"
"""Of a job's name: no hexadecimal ones, which folding takes for a hash, no vowels; a code of them counts nothing."""

_DIGITS: Final = "0123456789"
_LENGTH: Final = 6  # of 16 million and 11 million: two of a thousand names collide once in thirty imports


def read_key(path: Path | None, data_folder: Path) -> bytes:
    """The secret key in a file; without one that of this user, made at first use and readable by nobody else.

    Errors: PlannerError file_missing, file_unreadable.
    """
    where = path or data_folder / KEY_NAME
    try:
        if path is None and not where.exists():
            output_folder(where.parent)
            write_secret(where, f"{secrets.token_hex(_KEY_BYTES)}\n".encode("ascii"))
        with where.open("rb") as file:
            key = file.read(_KEY_BYTES_AT_MOST).strip()
    except FileNotFoundError:
        what, remedy = (
            worded("there is no such key"),
            worded("copy {key_name} of whoever began, from their data folder", key_name=KEY_NAME),
        )
        raise PlannerError(str(where), "file_missing", what, remedy) from None
    except OSError as fault:
        reason = (fault.strerror or type(fault).__name__).lower()
        raise PlannerError(
            str(where), "file_unreadable", joined((reason,)), worded("check that you may read it")
        ) from fault
    if len(key) < _KEY_BYTES_AT_LEAST:
        what = worded("it has {key} bytes, too few for a secret", key=whole(len(key)))
        raise PlannerError(str(where), "file_unreadable", what, worded("delete it to have a new one made"))
    return key


def owner_pseudonyms(
    key: bytes, users: Collection[str], accounts: Collection[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """`user-7f3a1c` and `account-19c2d0` by name; a user who is an account of the same name is that account."""
    of_accounts = _distinct_codes(key, "owner", accounts, _HEX, lambda code: f"account-{code}")
    of_users = _distinct_codes(key, "owner", [*users], _HEX, lambda code: f"user-{code}")
    return of_users | {name: of_accounts[name] for name in users if name in of_accounts}, of_accounts


def name_pseudonyms(key: bytes, names: Iterable[str], rules: Sequence[ClassRule]) -> dict[str, str]:
    """`job-kqztgh-pretrain` by name: a code for what is left of a name when it is folded, and the words of our rules.

    Jobs of one workload have one name. A name with digits has other digits behind its code, `job-kqztgh904116`, so
    names that are alike but for digits stay so. Words are those by which a class is found; no other word is kept.
    """
    samples: dict[str, str] = {}
    stems = {name: fold_name(name) for name in names}
    for name, stem in stems.items():
        samples[stem] = min(samples.get(stem, name), name)
    alike: dict[str, list[str]] = {}
    for stem in samples:
        if stem != UNNAMED:
            alike.setdefault(digits_aside(stem), []).append(stem)
    of_alike = _distinct_codes(key, "name", alike, _LETTERS, lambda code: code)
    codes: dict[str, str] = {}
    for aside, same in alike.items():
        digits = _distinct_codes(
            key, "number", [stem for stem in same if stem != aside], _DIGITS, lambda code: code
        )
        codes |= {stem: of_alike[aside] + digits.get(stem, "") for stem in same}
    order = list(codes)
    words = name_words([f"{stem}\n{samples[stem]}" for stem in order], rules)
    called = {
        stem: "-".join(("job", codes[stem], *(word.replace(" ", "-") for word in found)))
        for stem, found in zip(order, words, strict=True)
    }
    return {name: called.get(stem, UNNAMED if name else "") for name, stem in stems.items()}


def _distinct_codes(
    key: bytes, kind: str, texts: Iterable[str], letters: str, called: Callable[[str], str]
) -> dict[str, str]:
    """A code each: of the usual length, longer for those that would be called alike."""
    digits = {text: _digits(key, kind, text, letters) for text in texts}
    length = _LENGTH
    answer: dict[str, str] = {}
    waiting = sorted(digits)
    while waiting:
        by_code: dict[str, list[str]] = {}
        for text in waiting:
            by_code.setdefault(digits[text][:length], []).append(text)
        taken = {code for code, same in by_code.items() if len(same) == 1}
        answer |= {by_code[code][0]: called(code) for code in taken}
        waiting = [text for same in by_code.values() if len(same) > 1 for text in same]
        length += 2
    return {text: answer[text] for text in digits}


def _digits(key: bytes, kind: str, text: str, letters: str) -> str:
    """The keyed hash of a text, written with these letters."""
    digest = hmac.new(key, f"{kind}\0{text}".encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
    number = int.from_bytes(digest, "big")
    found = []
    while number:
        number, rest = divmod(number, len(letters))
        found.append(letters[rest])
    return "".join(found).ljust(60, letters[0])


# --- Pseudonyms in place of the names of users, accounts and jobs, before anything of them is kept

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


def without_names(file: FileIntake) -> FileIntake:
    """Its rejected rows without their texts, which may hold names anywhere: the row number says which they are."""
    return replace(
        file,
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
