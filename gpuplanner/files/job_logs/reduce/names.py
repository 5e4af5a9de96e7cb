"""Names: which jobs are one workload, names that are one, what workloads were called before, and pseudonyms."""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from gpuplanner.domain.demand.own_rules import name_words
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model import amounts, cube, errors
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.files.job_logs.judging.job_store import JOBS, KINDS, NAMES, STATES, set_column
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.output_file import unreadable, write_secret
from gpuplanner.files.system.process import private_folder
from gpuplanner.files.system.resources import read_counting_words, read_tables
from gpuplanner.files.values.scheduler_words import KNOWN_STATES
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- Pseudonyms: other names for people, accounts and jobs, the same for the same name, worked out with a secret key

KEY_NAME: Final = "pseudonym-key"
_KEY_BYTES: Final = 32
_KEY_BYTES_AT_LEAST: Final = 16
_KEY_BYTES_AT_MOST: Final = 4096

_HEX: Final = "0123456789abcdef"
_LETTERS: Final = "ghjkmnpqrstvwxz"
"""Of a job's name: no hexadecimal ones, which folding takes for a hash, no vowels; a code of them counts nothing."""

_DIGITS_OF_A_NAME: Final = "0123456789"
_LENGTH: Final = 6  # of 16 million and 11 million: two of a thousand names collide once in thirty imports


def read_key(path: Path | None, data_folder: Path) -> bytes:
    """The secret key in a file; without one that of this user, made at first use and readable by nobody else.

    Errors: PlannerError file_missing, file_unreadable.
    """
    where = path or data_folder / KEY_NAME
    try:
        if path is None and not where.exists():
            private_folder(where.parent)
            write_secret(where, f"{secrets.token_hex(_KEY_BYTES)}\n".encode("ascii"))
        with where.open("rb") as file:
            key = file.read(_KEY_BYTES_AT_MOST).strip()
    except FileNotFoundError:
        cause, remedy = (
            worded("key not found"),
            worded("copy {key_name} from the first user's data folder", key_name=KEY_NAME),
        )
        raise errors.PlannerError(str(where), "file_missing", cause, remedy) from None
    except OSError as fault:
        reason = (fault.strerror or type(fault).__name__).lower()
        raise unreadable(where, joined((reason,)), worded("check your read permission")) from fault
    if len(key) < _KEY_BYTES_AT_LEAST:
        cause = worded("{key} bytes are too few for a secret", key=whole(len(key)))
        raise unreadable(where, cause, worded("delete it to create a new one"))
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
    alike = amounts.grouped((digits_aside(stem), stem) for stem in samples if stem != UNNAMED)
    of_alike = _distinct_codes(key, "name", alike, _LETTERS, lambda code: code)
    codes: dict[str, str] = {}
    for aside, same in alike.items():
        digits = _distinct_codes(
            key, "number", [stem for stem in same if stem != aside], _DIGITS_OF_A_NAME, lambda code: code
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
        by_code = amounts.grouped((digits[text][:length], text) for text in waiting)
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


# --- Names: which jobs are one workload (docs/formulas/basics.md, Units and months) -------------------

_NOT_IN_A_WORD: Final = r"(?![^\W_])"
_ISO_DATE: Final = r"(?<!\d)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?!\d)"
_ISO_TIME: Final = (
    r"(?:t[0-9]{2}(?:[:.-]?[0-9]{2}){0,2}| [0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,][0-9]+)?(?:z|[+-][0-9]{2}:?[0-9]{2})?(?!\.\d)" + _NOT_IN_A_WORD
)
_ISO_WITHOUT_SIGNS: Final = r"(?<!\d)[0-9]{8}t[0-9]{4}(?:[0-9]{2})?z?" + _NOT_IN_A_WORD
_UUID: Final = r"(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])"
_HASH: Final = r"(?<![^\W_])(?=[a-f]*[0-9])[0-9a-f]{7,}" + _NOT_IN_A_WORD
_GONE: Final = lazy_re(rf"{_ISO_DATE}(?:{_ISO_TIME})?|{_ISO_WITHOUT_SIGNS}|{_UUID}|{_HASH}")
"""What tells one run of a workload from the next: when it began, and its ids."""

_MAY_GO: Final = lazy_re(r"[0-9a-f]{7}|[0-9]{4}-")
"""Every text of `_GONE` has one of these: to look for them takes a third of the time."""

_DOT_BETWEEN_TOKENS: Final = lazy_re(r"(?<!\d)\.|\.(?!\d)")
_NUMBERED: Final = lazy_re(r"(\D*)\d[\d.]*")
"""A token of letters, or of none, and then digits; a dot in it stands between two of them."""

_NUMBER_SIGN: Final = lazy_re(r"#\d[\d.]*$")
"""`train#12`: no name ends like this: keys of parts of a divided workload do (domain/model/plan_inputs.py)."""

_DIGITS: Final = lazy_re(r"[0-9]+")
MERGED_DIGITS: Final = "#"
"""Stands for the digits in the name of what names that are alike but for digits have in common."""

_COUNTING: Final = frozenset(read_counting_words())
UNNAMED: Final = "unnamed"


def fold_name(name: str) -> str:
    """The part of a job's name that stays when it runs again.

    >>> fold_name("Llama3_70B-sft.2026-01-05 run 12"), fold_name("qwen2.5/seed7"), fold_name("2026-01-05.3")
    ('llama3-70b-sft-run', 'qwen2.5-seed', 'unnamed')
    """
    folded = name.lower() if name.isascii() else unicodedata.normalize("NFKC", name).lower()
    text = _GONE.sub("", folded) if _MAY_GO.search(folded) else folded
    text = text.replace("_", "-").replace("/", "-").replace(" ", "-")
    if "." in text:
        text = _DOT_BETWEEN_TOKENS.sub("-", text)
    return "-".join(filter(None, map(_kept, text.split("-")))) or UNNAMED


@lru_cache(2**12)
def _kept(token: str) -> str:
    """What a token says of the workload: nothing where it is a number, only the word where it counts."""
    if token.isalpha():
        return token
    token = _NUMBER_SIGN.sub("#", token)
    numbered = _NUMBERED.fullmatch(token)
    if numbered is None or (numbered[1] and numbered[1] not in _COUNTING):
        return token
    return numbered[1]


def digits_aside(folded_name: str) -> str:
    """What names that are alike but for digits have in common.

    >>> digits_aside("grid-a12-b0.5"), digits_aside("grid-a7-b0.25")
    ('grid-a#-b#.#', 'grid-a#-b#.#')
    """
    return _DIGITS.sub(MERGED_DIGITS, folded_name)


def workload_key(cluster: str, owner: str, folded_name: str, label: str | None) -> str:
    """`cluster/owner/name[/label]`.

    label: the one that a log states for a workload; None or empty for none.

    >>> workload_key("atlas", "nlp", "sft", None), workload_key("atlas", "nlp", "sft", "eval")
    ('atlas/nlp/sft', 'atlas/nlp/sft/eval')
    """
    return "/".join((cluster, owner, folded_name, *((label,) if label else ())))


KEY: Final = "concat_ws('/', cluster, owner, workload_name, nullif(label, ''))"
"""SQL of `workload_key`; no column but the label may be null."""


# --- Merged names: names of one owner on one cluster that are alike but for digits, and are too many to tell apart

NAMES_MERGED: Final = "names_merged"
ALIKE_AT_MOST: Final = 20
"""So many names that are alike but for digits are still workloads of their own."""

_NAMES_SAID: Final = 5
_MERGED_SAID: Final = 3


@dataclass(frozen=True, slots=True, order=True)
class Merged:
    """Folded names that are one workload, sorted; name: what they have in common, with # for digits."""

    cluster: str
    owner: str
    name: str
    names: tuple[str, ...]

    @property
    def text(self) -> Message:
        """What was merged, with the first of the names."""
        return worded(
            "{name} of {owner} on {cluster} ({count} names: {first} ...)",
            name=self.name,
            owner=self.owner or worded("nobody"),
            cluster=self.cluster or worded("no cluster"),
            count=whole(len(self.names)),
            first=", ".join(self.names[:_NAMES_SAID]),
        )


def merged_names(names: Iterable[tuple[str, str, str]]) -> tuple[Merged, ...]:
    """What is to be one workload of these (cluster, owner, folded name), sorted.

    Laws: the order and repeats do not matter; an owner's names are merged whatever names others have.
    """
    alike: dict[tuple[str, str, str], set[str]] = {}
    for cluster, owner, name in names:
        aside = digits_aside(name)
        if aside != name:
            alike.setdefault((cluster, owner, aside), set()).add(name)
    return tuple(
        sorted(Merged(*of, tuple(sorted(same))) for of, same in alike.items() if len(same) > ALIKE_AT_MOST)
    )


def names_merged_issue(merged: Sequence[Merged], count: int, first_row: int | None) -> Issue:
    """The issue of a file of which so many rows are of merged names: the largest are said."""
    by_size = sorted(merged, key=lambda one: (-len(one.names), one))
    said = joined([one.text for one in by_size[:_MERGED_SAID]], "; ")
    more = len(by_size) - _MERGED_SAID
    groups = worded("{said}; and {more} more", said=said, more=whole(more)) if more > 0 else said
    what, remedy = ISSUE_TEXTS[NAMES_MERGED]
    return Issue(NAMES_MERGED, count, first_row, joined((joined((what, groups), ": "), remedy), "; "))


# --- Former keys: what workloads were called before, by the rule of names of earlier versions, or merged, or apart

_FORMER_DATE: Final = lazy_re(r"\d{4}-\d{2}-\d{2}")
_FORMER_HASH: Final = lazy_re(r"\b[0-9a-f]{7,}\b")
_FORMER_DIGIT: Final = lazy_re(r"\d")
_SEPARATORS: Final = lazy_re(r"[-_. /]+")


def former_name(name: str) -> str:
    """A job's name as it was folded when all digits went: projects from then have keys with it.

    >>> former_name("Llama3_70B-sft.2026-01-05 run 12")
    'llama-b-sft-run'
    """
    folded = unicodedata.normalize("NFKC", name).lower()
    for gone in (_FORMER_DATE, _FORMER_HASH, _FORMER_DIGIT):
        folded = gone.sub("", folded)
    return _SEPARATORS.sub("-", folded).strip().strip("-") or UNNAMED


def keep_decisions(before: Project, after: Project) -> Project:
    """The project after its jobs were read again: workloads that are new to it have what was decided of former keys."""
    were = {workload.key for workload in before.workloads}
    new = [workload for workload in after.workloads if workload.key not in were]
    if not new:
        return after
    from gpuplanner.domain.edits.workloads import (  # no log that is read for the first time needs it
        carry_over,
        decided_keys,
    )

    if not (decided := decided_keys(before)):
        return after  # the keys of thousands of workloads are a tenth of a second
    by_rule = any(map(_is_by_former_rule, before.workloads))
    return carry_over(after, former_keys(new, decided, by_former_rule=by_rule))


def _is_by_former_rule(workload: cube.Workload) -> bool:
    """Whether a workload bears the name that the earlier rule gave it, where today's would give another."""
    name = workload.sample_name
    return former_name(name) == workload.name != fold_name(name)


def former_keys(
    workloads: Iterable[cube.Workload], known: Collection[str], *, by_former_rule: bool = True
) -> dict[str, tuple[str, ...]]:
    """Of workloads whose key is not known: the known keys that their jobs may have had before, those found first first.

    That is the key by the former rule, if keys were made by it; the one with the digits aside, where names were merged
    and are apart now; and those of which this is what they have in common, where they are merged now.
    """
    answer = {}
    for workload in workloads:
        if workload.key in known:
            continue
        label = str(workload.label) if workload.label else None
        before = f"{workload.cluster}/{workload.owner}/"
        found = [
            workload_key(workload.cluster, workload.owner, name, label)
            for name in (
                *((former_name(workload.sample_name or workload.name),) if by_former_rule else ()),
                digits_aside(workload.name),
            )
        ]
        if MERGED_DIGITS in workload.name:
            found += sorted(
                key
                for key in known
                if key.startswith(before) and before + digits_aside(key[len(before) :]) == workload.key
            )
        former = tuple(dict.fromkeys(key for key in found if key in known))
        if former:
            answer[workload.key] = former
    return answer
