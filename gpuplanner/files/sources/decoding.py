"""What becomes of bytes that an encoding has no letter for: no two different texts become the same one."""

import codecs
from typing import Final

NOT_UTF_8: Final = "cp1252"
"""How bytes are read that are no UTF-8: Latin-1 with what Windows adds to it, such as the sign of the euro."""

_AS_LATIN_1: Final = "gpuplanner_as_latin_1"


def errors_of(encoding: str) -> str:
    """The handler of bytes without a letter: the five that Windows-1252 leaves open are those of Latin-1.

    Names in other encodings, such as Shift JIS, hold them; what tells two users apart must not be lost.
    """
    return _AS_LATIN_1 if encoding == NOT_UTF_8 else "replace"


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """Each byte that UTF-8 has no letter for as the letter of Latin-1: different bytes stay different."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_AS_LATIN_1, _as_latin_1)
