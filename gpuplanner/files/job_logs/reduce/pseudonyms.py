"""Pseudonyms: other names for people, accounts and jobs, the same for the same name, by a secret key."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

from gpuplanner.domain.demand.own_rules import name_words
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model import amounts, errors
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.files.job_logs.reduce.names import UNNAMED, digits_aside, fold_name
from gpuplanner.files.system.output_file import unreadable, write_secret
from gpuplanner.files.system.user_files import private_folder

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
