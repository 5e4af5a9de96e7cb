"""Patterns of the planner's own rules: a few signs around plain words, which stand for a finite list of phrases.

    rollout                the word, also written Rollout-2 or agentRollout: digits and signs only separate words
    agent rollout          words that follow each other
    rollout|replay         one or the other
    rollouts?              a letter, a [choice] or a (group) that may be missing
    tokeni[sz]e            one of the letters
    serv(e|es|ing)         one of the endings; (?:...) is read too
    roll*                  a word that begins so

Nothing repeats, so a pattern is written out into its phrases and never run: no pattern takes longer than a look at
each word of a name.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError

LONGEST_PATTERN: Final = 400
MOST_PHRASES: Final = 500
DEEPEST: Final = 12
FEWEST_LETTERS: Final = 2
"""Of a phrase; a shorter one is in names of all kinds."""
FEWEST_LETTERS_BEFORE_STAR: Final = 3

ANY_ENDING: Final = "*"
HELP: Final = worded(
    "write words; | for or, ? after what may be missing, ( ) for a group, * at the end of a word"
)
_NOT_READ: Final = frozenset("+{}^$\\)]?*")
_WRITTEN_SO: Final = {
    ".*": worded(
        "leave it out: words are found anywhere in a name; for any ending write * at the end of a word"
    ),
    ".+": worded(
        "leave it out: words are found anywhere in a name; for any ending write * at the end of a word"
    ),
    ".?": worded("leave it out: signs between words count as spaces"),
    "+": worded("write * at the end of a word for any ending"),
    "{": worded("nothing repeats; write out what is meant"),
    "^": worded("leave it out: a word is found anywhere"),
    "$": worded("leave it out: a word is found anywhere"),
    "\\": worded("leave it out: words are whole words anyhow, and digits and signs only separate them"),
    "?": worded("put it after the letter or group that may be missing"),
    "*": worded("put it at the end of a word of three letters or more, such as roll*"),
    ")": worded("open the group before you close it"),
    "]": worded("open the choice before you close it"),
}
"""What people who know regular expressions write, and what to write here."""


@lru_cache(maxsize=4096)
def phrases(pattern: str, *, with_digits: bool) -> tuple[str, ...]:
    """The phrases that a pattern stands for: words in lower case with single spaces, some with * for any ending.

    with_digits: digits count as letters (queues, owners) rather than separate words (names).
    Errors: PlannerError bad_pattern, saying at which place and what to write.
    """
    text = unicodedata.normalize("NFKC", pattern).lower()
    if len(text) > LONGEST_PATTERN:
        raise _fault(
            pattern,
            worded("it is longer than {longest_pattern} signs", longest_pattern=whole(LONGEST_PATTERN)),
            worded("make two rules of it"),
        )
    made = _Reading(pattern, text, with_digits).whole()
    found = tuple(dict.fromkeys(" ".join(phrase.split()) for phrase in made))
    for phrase in found:
        _check_phrase(pattern, phrase)
    return found


def pattern_of(words: str) -> str:
    """A pattern for these words (folded) and for the other number of the last: rollout and rollouts.

    Only of a last word of four letters or more, in plain letters; others stay as they are.

    >>> pattern_of("agent rollouts"), pattern_of("rl")
    ('agent rollouts?', 'rl')
    """
    *first, last = words.split()
    if len(last) > FEWEST_LETTERS_BEFORE_STAR and last.isascii():
        stem = last[:-1] if last.endswith("s") and not last.endswith("ss") else last
        last = f"{stem}s?"
    return " ".join([*first, last])


def pattern_words(pattern: str) -> str:
    """A pattern as people say it: “rollouts?” is rollout; others as they are written.

    >>> pattern_words("rollouts?"), pattern_words("serv(e|es)")
    ('rollout', 'serv(e|es)')
    """
    plain = pattern.removesuffix("s?")
    return plain if pattern.endswith("s?") and re.fullmatch(r"[\w ]+", plain) else pattern


def _check_phrase(pattern: str, phrase: str) -> None:
    """Errors: PlannerError bad_pattern where a phrase is so short, or a star so greedy, that it fits nearly
    every name.
    """
    letters = len(re.sub(r"[\s*]", "", phrase))
    if letters < FEWEST_LETTERS:
        said = f"“{phrase}”" if phrase else worded("nothing at all")
        what = worded("it also stands for {said}, which is in almost every name", said=said)
        raise _fault(pattern, what, worded("leave at least two letters in every part"))
    for word in phrase.split():
        stem, star, rest = word.partition(ANY_ENDING)
        if star and (rest or len(stem) < FEWEST_LETTERS_BEFORE_STAR):
            raise _fault(pattern, worded("“{word}” is too greedy", word=word), _WRITTEN_SO["*"])


def _fault(pattern: str, what: Message, remedy: Message) -> PlannerError:
    """A pattern of more than sixty signs is shown shortened."""
    shown = pattern if len(pattern) <= 60 else f"{pattern[:57]}..."
    return PlannerError(f"pattern “{shown}”", "bad_pattern", what, remedy)


class _Reading:
    """One pattern on its way to its phrases: a place in it, read from left to right."""

    def __init__(self, pattern: str, text: str, with_digits: bool) -> None:
        """text: the pattern as it is read, in lower case; the pattern itself is for messages. with_digits: as
        in `phrases`.
        """
        self._pattern, self._text, self._with_digits = pattern, text, with_digits
        self._at = self._depth = 0

    def whole(self) -> Sequence[str]:
        """All phrases, not yet tidied: with double spaces, and some of them twice."""
        if not self._text.strip():
            raise _fault(
                self._pattern, worded("it is empty"), worded("write the words that names have in common")
            )
        made = self._alternatives()
        if self._at < len(self._text):
            raise self._unread()
        return made

    def _alternatives(self) -> Sequence[str]:
        """What stands between | signs, up to the end or a closing bracket."""
        made = list(self._sequence())
        while self._next() == "|":
            self._at += 1
            made += self._sequence()
            self._check_many(len(made))
        return made

    def _sequence(self) -> Sequence[str]:
        """What follows each other: every beginning with every going on."""
        made: Sequence[str] = [""]
        while self._next() and self._next() not in "|)":
            atom = self._atom()
            if self._next() == "?":
                self._at += 1
                atom = [*atom, ""]
            self._check_many(len(made) * len(atom))
            made = [before + after for before in made for after in atom]
        return made

    def _atom(self) -> Sequence[str]:
        """One letter, star, group or choice. Errors: PlannerError bad_pattern at a sign that means something
        else elsewhere.
        """
        sign = self._next()
        groups: dict[str, Callable[[], Sequence[str]]] = {"(": self._group, "[": self._choice}
        if sign in groups:
            return groups[sign]()
        is_star = sign == ANY_ENDING and self._at > 0 and self._text[self._at - 1] not in " |(*?"
        is_wild = sign == "." and self._text[self._at : self._at + 2] in _WRITTEN_SO
        if (sign in _NOT_READ and not is_star) or is_wild:
            raise self._unread()
        self._at += 1
        return [sign if is_star else self._letter(sign)]

    def _letter(self, sign: str) -> str:
        """A letter as it is; whatever separates words becomes a space."""
        is_letter = sign.isalpha() or (self._with_digits and sign.isalnum())
        return sign if is_letter else " "

    def _group(self) -> Sequence[str]:
        """( ... ) or (?: ... ), which are read alike."""
        begun = self._at
        self._at += 3 if self._text.startswith("(?:", self._at) else 1
        self._depth += 1
        if self._depth > DEEPEST:
            raise _fault(
                self._pattern,
                worded("its groups are too deep"),
                worded("write the words out with | between them"),
            )
        made = self._alternatives()
        if self._next() != ")":
            raise self._unclosed(begun, "group", ")")
        self._at += 1
        self._depth -= 1
        return made

    def _choice(self) -> Sequence[str]:
        """[ ... ] as one of its letters, each once."""
        end = self._text.find("]", self._at)
        if end < 0:
            raise self._unclosed(self._at, "choice", "]")
        letters = self._text[self._at + 1 : end]
        if not letters.isalnum():
            what = worded(
                "the choice \u201c[{letters}]\u201d at place {at} holds more than letters",
                letters=letters,
                at=whole(self._at + 1),
            )
            raise _fault(self._pattern, what, worded("list the letters, such as [sz]"))
        self._at = end + 1
        return [self._letter(letter) for letter in dict.fromkeys(letters)]

    def _next(self) -> str:
        """The sign at this place; empty at the end."""
        return self._text[self._at] if self._at < len(self._text) else ""

    def _check_many(self, count: int) -> None:
        """Errors: PlannerError bad_pattern where a pattern stands for too many phrases, before they are all
        made.
        """
        if count > MOST_PHRASES:
            what = worded("it stands for more than {most_phrases} phrases", most_phrases=whole(MOST_PHRASES))
            raise _fault(self._pattern, what, worded("make it shorter, or make several rules of it"))

    def _unread(self) -> PlannerError:
        """What is wrong at this place, with what to write in its stead."""
        two = self._text[self._at : self._at + 2]
        sign = two if two in _WRITTEN_SO else two[:1]
        what = worded("\u201c{sign}\u201d at place {at} is not read", sign=sign, at=whole(self._at + 1))
        return _fault(self._pattern, what, _WRITTEN_SO.get(sign, HELP))

    def _unclosed(self, begun: int, name: str, sign: str) -> PlannerError:
        """begun: where the group or choice began, counted from 0."""
        return _fault(
            self._pattern,
            worded("the {name} at place {begun} is never closed", name=name, begun=whole(begun + 1)),
            worded("add a {sign}", sign=sign),
        )
