"""Class rules: words of a workload's name, patterns, and the planner's own rules in their order."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- Patterns of the planner's own rules: a few signs around plain words, which stand for a finite list of phrases
#     rollout                the word, also written Rollout-2 or agentRollout: digits and signs only separate words
#     agent rollout          words that follow each other
#     rollout|replay         one or the other
#     rollouts?              a letter, a [choice] or a (group) that may be missing
#     tokeni[sz]e            one of the letters
#     serv(e|es|ing)         one of the endings; (?:...) is read too
#     roll*                  a word that begins so
#
# Nothing repeats, so a pattern is written out into its phrases and never run: no pattern takes longer than a look at
# each word of a name.

LONGEST_PATTERN: Final = 400
MOST_PHRASES: Final = 500
DEEPEST: Final = 12
FEWEST_LETTERS: Final = 2
"""Of a phrase; a shorter one is in names of all kinds."""
FEWEST_LETTERS_BEFORE_STAR: Final = 3

ANY_ENDING: Final = "*"
HELP: Final = worded("write words; use")
_NOT_READ: Final = frozenset("+{}^$\\)]?*")
_WRITTEN_SO: Final = {
    ".*": worded("leave it out: words match anywhere in a name. For any ending, add * to a word"),
    ".+": worded("leave it out: words match anywhere in a name. For any ending, add * to a word"),
    ".?": worded("remove it: signs between words count as spaces"),
    "+": worded("for any ending, add * to a word"),
    "{": worded("repetition is not supported. Write it out"),
    "^": worded("leave it out: words match anywhere"),
    "$": worded("leave it out: words match anywhere"),
    "\\": worded("remove it: words match whole; digits and signs separate them"),
    "?": worded("put it after the optional letter or group"),
    "*": worded("put it after three or more letters, such as roll*"),
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
            worded("it has over {most} characters", most=whole(LONGEST_PATTERN)),
            worded("split it into two rules"),
        )
    made = _Reading(pattern, text, with_digits).whole()
    distinct = tuple(dict.fromkeys(" ".join(phrase.split()) for phrase in made))
    for phrase in distinct:
        _check_phrase(pattern, phrase)
    return distinct


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
    return plain if pattern.endswith("s?") and lazy_re(r"[\w ]+").fullmatch(plain) else pattern


def _check_phrase(pattern: str, phrase: str) -> None:
    """Errors: PlannerError bad_pattern where a phrase is so short, or a star so greedy, that it fits nearly
    every name.
    """
    letters = len(lazy_re(r"[\s*]").sub("", phrase))
    if letters < FEWEST_LETTERS:
        written = f"“{phrase}”" if phrase else worded("nothing at all")
        problem = worded("it also matches {text}, found in most names", text=written)
        raise _fault(pattern, problem, worded("keep at least two letters in every part"))
    for word in phrase.split():
        stem, star, rest = word.partition(ANY_ENDING)
        if star and (rest or len(stem) < FEWEST_LETTERS_BEFORE_STAR):
            raise _fault(pattern, worded("“{word}” is too greedy", word=word), _WRITTEN_SO["*"])


def _fault(pattern: str, problem: Message, remedy: Message) -> PlannerError:
    """A pattern of more than sixty signs is shown shortened."""
    shown = pattern if len(pattern) <= 60 else f"{pattern[:57]}..."
    return PlannerError(f"pattern “{shown}”", "bad_pattern", problem, remedy)


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
            raise _fault(self._pattern, worded("it is empty"), worded("write words that names share"))
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
                worded("write the words with | between them"),
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
            problem = worded(
                "the choice “[{letters}]” at position {at} must have only letters",
                letters=letters,
                at=whole(self._at + 1),
            )
            raise _fault(self._pattern, problem, worded("list the letters, such as [sz]"))
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
            fault = worded("it matches over {most} phrases", most=whole(MOST_PHRASES))
            raise _fault(self._pattern, fault, worded("shorten it, or split it"))

    def _unread(self) -> PlannerError:
        """What is wrong at this place, with what to write in its stead."""
        two = self._text[self._at : self._at + 2]
        sign = two if two in _WRITTEN_SO else two[:1]
        problem = worded("“{sign}” at position {at} is not supported", sign=sign, at=whole(self._at + 1))
        return _fault(self._pattern, problem, _WRITTEN_SO.get(sign, HELP))

    def _unclosed(self, begun: int, name: str, sign: str) -> PlannerError:
        """begun: where the group or choice began, counted from 0."""
        return _fault(
            self._pattern,
            worded("the {name} at position {begun} is not closed", name=name, begun=whole(begun + 1)),
            worded("add a {sign}", sign=sign),
        )


# --- Words of a workload's name, queue and account, and the rules that know them: whole words, never parts of words

FIELDS: Final = ("name", "queue", "owner")
"""Texts that rules look at."""


@dataclass(frozen=True, slots=True)
class WordHit:
    """A rule that matched, and the words it matched on."""

    rule: ClassRule
    word: str

    @property
    def reason(self) -> Message:
        """Return why: the rule's own sentence with the word put in, or what the word means where it was found."""
        if "{word}" in self.rule.reason:
            return worded(self.rule.reason, word=self.word)
        return worded(_MEANS[self.rule.field].template, word=self.word, meaning=worded(self.rule.reason))


_MEANS: Final[Mapping[str, Message]] = {
    "name": worded("the name contains “{word}”: {meaning}"),
    "queue": worded("the queue contains “{word}”: {meaning}"),
    "owner": worded("the account contains “{word}”: {meaning}"),
}
_Index = Mapping[str, Sequence[tuple[tuple[str, ...], ClassRule]]]
"""First word -> phrases that begin with it, each with its rule."""


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """Lower case words with single spaces between them: what is no letter separates words, and so does camelCase.

    Hashes and serial numbers are left out: their letters are no words.

    >>> folded("agentRollout-2_v1"), folded("train-7d9f8c3a")
    ('agent rollout v', 'train')
    """
    plain = unicodedata.normalize("NFKC", text)
    plain = plain if plain.isalpha() else _CODE.sub(" ", plain)
    split = plain if plain.islower() else _CAMEL_CASE.sub(" ", plain)
    return " ".join(_LETTERS.findall(split.lower()))


_LETTERS: Final = lazy_re(r"[^\W\d_]+")
_CAMEL_CASE: Final = lazy_re(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CODE: Final = lazy_re(
    r"(?i)(?<![^\W_])(?:(?=[a-f]*\d)[\da-f]{7,}|[^\W\d_]+(?:\d+[^\W\d_]+){2,}\d*|\d+(?:[^\W\d_]+\d+){2,}[^\W\d_]*)(?![^\W_])"
)
"""A hash, or what goes four times or more from letters to digits or back: `7d9f8c`, not `speech2text`."""


def word_hits(
    workloads: Sequence[Workload], rules: Sequence[ClassRule], pod_rules: Sequence[ClassRule] = ()
) -> list[tuple[WordHit, ...]]:
    """The rules that each workload's words match, each rule once, surest first (ties: order of the table).

    pod_rules: regular expressions for a whole name as it is written, in lower case.
    """
    indexes = [_index(tuple(rule for rule in rules if rule.field == field)) for field in FIELDS]
    pods = [(rule, lazy_re(rule.pattern)) for rule in pod_rules]
    order = {rule.rule_id: place for place, rule in enumerate((*rules, *pod_rules))}
    known: dict[tuple[int, str], dict[str, WordHit]] = {}
    answer = []
    for workload in workloads:
        best: dict[str, WordHit] = {}
        texts = (f"{workload.name}\n{workload.sample_name}", workload.queue, workload.owner)
        for place, text in enumerate(texts):
            hits = known.get((place, text))
            if hits is None:
                hits = known[place, text] = _matches(indexes[place], text)
            best.update(hits)
        pod = workload.sample_name.lower()
        best.update((rule.rule_id, WordHit(rule, pod)) for rule, pattern in pods if pattern.fullmatch(pod))
        answer.append(
            tuple(sorted(best.values(), key=lambda hit: (-hit.rule.confidence, order[hit.rule.rule_id])))
        )
    return answer


def name_words(texts: Sequence[str], rules: Sequence[ClassRule]) -> list[tuple[str, ...]]:
    """Of each text the words that the rules for names match, the first of each rule, in their order.

    Names of one workload stand in lines of one text.
    """
    index = _index(tuple(rule for rule in rules if rule.field == FIELDS[0]))
    return [tuple(dict.fromkeys(hit.word for hit in _matches(index, text).values())) for text in texts]


@lru_cache(maxsize=8)
def _index(rules: tuple[ClassRule, ...]) -> _Index:
    """The phrases of the rules by their first word: the longest first, and of two alike only the first rule's."""
    index: dict[str, dict[tuple[str, ...], ClassRule]] = {}
    for rule in rules:
        for phrase in phrases(rule.pattern, with_digits=False):
            words = tuple(phrase.split())
            index.setdefault(words[0], {}).setdefault(words, rule)
    return {first: sorted(words.items(), key=lambda entry: -len(entry[0])) for first, words in index.items()}


def _matches(index: _Index, text: str) -> dict[str, WordHit]:
    """By rule id the first words it matches; a word belongs to one phrase, the longest that begins first.

    A name is looked at as it is written and with its camelCase taken apart.
    """
    hits: dict[str, WordHit] = {}
    lines = text.split("\n")
    ways = dict.fromkeys(text for line in lines for text in (line.lower(), line))
    for reading in dict.fromkeys(map(folded, ways)):
        words = reading.split()
        at = 0
        while at < len(words):
            length = 1
            for phrase, rule in index.get(words[at], ()):
                if len(phrase) == 1 or tuple(words[at : at + len(phrase)]) == phrase:
                    hits.setdefault(rule.rule_id, WordHit(rule, " ".join(phrase)))
                    length = len(phrase)
                    break
            at += length
    return hits


# --- The planner's own class rules: which workloads each matches, and the first in the list that decides

OWN_CONFIDENCE: Final = 0.97
LEAST_OWN_CONFIDENCE: Final = 0.95
"""A planner who makes a rule is sure: what it decides is not in review."""

RULE_FIELDS: Final[Mapping[str, Message]] = {
    "name": worded("the name contains “{word}”"),
    "queue": worded("the queue is “{word}”"),
    "owner": worded("the owner is “{word}”"),
}
"""Where a rule may look -> the reason of a rule that gives none."""


@dataclass(frozen=True, slots=True)
class RuleHit:
    """A rule of the planner's own and the words it matched."""

    rule: ClassRule
    word: str

    @property
    def reason(self) -> Message:
        """Why, in words; other braces than {word} stay as they are written.

        The rule's own reason with the word put in; the words of the field where it gives none.
        """
        why = str(self.rule.reason or RULE_FIELDS[self.rule.field]).replace("{word}", self.word)
        return worded("your rule: {why}", why=why)


def check_rule(rule: ClassRule) -> None:
    """Errors: PlannerError where the id is empty, the field unknown, the pattern bad or the confidence out of range.

    Codes: missing_column, bad_rule, bad_number, bad_pattern. A confidence is LEAST_OWN_CONFIDENCE to 1.
    """
    if not rule.rule_id.strip():
        raise PlannerError(
            "rule", "missing_column", worded("it has no id"), worded("give it a short unique name")
        )
    if rule.field not in RULE_FIELDS:
        problem = worded("a rule cannot look at \u201c{field}\u201d", field=rule.field)
        raise PlannerError(
            rule.rule_id, "bad_rule", problem, worded("use one of {known}", known=", ".join(RULE_FIELDS))
        )
    if not LEAST_OWN_CONFIDENCE <= rule.confidence <= 1:
        problem = worded("its confidence is {confidence}", confidence=significant(rule.confidence))
        raise PlannerError(
            rule.rule_id,
            "bad_number",
            problem,
            worded("write {least} to 1", least=significant(LEAST_OWN_CONFIDENCE)),
        )
    phrases(rule.pattern, with_digits=rule.field != "name")


def deciding_hits(workloads: Sequence[Workload], rules: Sequence[ClassRule]) -> list[RuleHit | None]:
    """For each workload the first rule in the list that matches it, wherever it looks; None where none does.

    Shapes: one entry for each workload. Errors: PlannerError bad_pattern.
    """
    return [hits[0] if hits else None for hits in rule_hits(workloads, rules)]


def rule_hits(workloads: Sequence[Workload], rules: Sequence[ClassRule]) -> list[tuple[RuleHit, ...]]:
    """For each workload all rules that match it, in the order of the list. Errors: PlannerError bad_pattern.

    Texts that are alike are looked at once.
    """
    indexes = [
        (
            field,
            _PhraseIndex(field, [(place, rule) for place, rule in enumerate(rules) if rule.field == field]),
        )
        for field in RULE_FIELDS
        if any(rule.field == field for rule in rules)
    ]
    known: dict[tuple[str, str], dict[int, str]] = {}
    answer = []
    for workload in workloads:
        by_row: dict[int, str] = {}
        for field, index in indexes:
            text = _text_of(workload, field)
            hits = known.get((field, text))
            if hits is None:
                hits = known[field, text] = index.matches(text)
            by_row.update(hits)
        answer.append(tuple(RuleHit(rules[place], by_row[place]) for place in sorted(by_row)))
    return answer


def readings(text: str, field: str) -> tuple[str, ...]:
    """How a text is read: whole words, as written and with camelCase apart; queues and owners with digits too.

    text: one or more lines, each read by itself; field: of RULE_FIELDS. Each reading once.
    """
    made = []
    for line in text.split("\n"):
        made += [folded(line.lower()), folded(line)]
        if field != "name":
            plain = unicodedata.normalize("NFKC", line).lower()
            made.append(" ".join(lazy_re(r"[^\W_]+").findall(plain)))
    return tuple(dict.fromkeys(made))


def _text_of(workload: Workload, field: str) -> str:
    """What a rule of this field looks at; the name of a job stands on a line below that of the workload."""
    texts = {"queue": workload.queue, "owner": workload.owner}
    return texts.get(field, f"{workload.name}\n{workload.sample_name}")


class _PhraseIndex:
    """The phrases of all rules of a field by their first word, so that a name is looked through once."""

    def __init__(self, field: str, rules: Iterable[tuple[int, ClassRule]]) -> None:
        """rules: with the place of each in the list, which is what `matches` answers with."""
        self._field = field
        self._by_word: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
        self._by_stem: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
        for place, rule in rules:
            for phrase in phrases(rule.pattern, with_digits=field != "name"):
                words = tuple(phrase.split())
                is_stem = words[0].endswith(ANY_ENDING)
                by = self._by_stem if is_stem else self._by_word
                first = words[0][:FEWEST_LETTERS_BEFORE_STAR] if is_stem else words[0]
                by.setdefault(first, []).append((place, words))

    def matches(self, text: str) -> dict[int, str]:
        """Place of each rule that matches -> the words it matched first."""
        by_row: dict[int, str] = {}
        for reading in readings(text, self._field):
            words = reading.split()
            for at, word in enumerate(words):
                stem = word[:FEWEST_LETTERS_BEFORE_STAR]
                for place, wanted in (*self._by_word.get(word, ()), *self._by_stem.get(stem, ())):
                    here = words[at : at + len(wanted)]
                    if place not in by_row and len(here) == len(wanted) and all(map(_is_word, here, wanted)):
                        by_row[place] = " ".join(here)
        return by_row


def _is_word(word: str, wanted: str) -> bool:
    """Whether a word is the one wanted, or begins so where any ending will do."""
    return word.startswith(wanted[:-1]) if wanted.endswith(ANY_ENDING) else word == wanted
