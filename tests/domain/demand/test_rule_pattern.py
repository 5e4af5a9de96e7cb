"""Patterns of the planner's own rules: what they stand for, what is refused, and that none can be slow."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.demand.rule_pattern import MOST_PHRASES, pattern_of, pattern_words, phrases
from gpuplanner.domain.demand.words import folded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.resources import read_tables


def of_name(pattern: str) -> set[str]:
    return set(phrases(pattern, with_digits=False))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("rollout", {"rollout"}),
        ("Agent-Rollout_v2", {"agent rollout v"}),
        ("rollout|replay", {"rollout", "replay"}),
        ("rollouts?", {"rollout", "rollouts"}),
        ("tokeni[sz]e", {"tokenise", "tokenize"}),
        ("serv(?:e|ing)", {"serve", "serving"}),
        ("serv(e|ing)", {"serve", "serving"}),
        ("pre ?train", {"pretrain", "pre train"}),
        ("roll*", {"roll*"}),
        ("agent roll*|judge", {"agent roll*", "judge"}),
        ("(llm )?judge", {"judge", "llm judge"}),
        ("träning", {"träning"}),
        ("  eval   harness ", {"eval harness"}),
    ],
)
def test_a_pattern_stands_for_its_phrases(pattern: str, expected: set[str]) -> None:
    assert of_name(pattern) == expected


def test_digits_count_in_queues_and_owners_and_only_separate_words_in_names() -> None:
    assert of_name("gpu1-long") == {"gpu long"}
    assert set(phrases("gpu1-long", with_digits=True)) == {"gpu1 long"}


@pytest.mark.parametrize(
    ("pattern", "place", "remedy"),
    [
        (".*", "place 1", "leave it out"),
        ("roll.*", "place 5", "*"),
        ("foo+", "place 4", "*"),
        ("x{3}", "place 2", "write out"),
        (r"\brollout", "place 1", "whole words"),
        ("^rollout", "place 1", "anywhere"),
        ("rollout$", "place 8", "anywhere"),
        ("roll*ing", "roll*ing", "end of a word"),
        ("ro*", "ro*", "three letters"),
        ("*", "place 1", "end of a word"),
        ("(aa|ab)*", "aa*", "end of a word"),
        ("roll??", "place 6", "after the letter"),
        ("(roll", "place 1", "add a )"),
        ("roll)", "place 5", "open the group"),
        ("[a-z]oll", "[a-z]", "list the letters"),
        ("[roll", "place 1", "add a ]"),
        ("", "empty", "words"),
        ("123", "nothing at all", "two letters"),
        ("rollout|", "nothing at all", "two letters"),
        ("rollout|a", "“a”", "two letters"),
        ("a?b?c?", "“", "two letters"),
        ("(" * 40 + "roll" + ")" * 40, "too deep", "|"),
        ("(ab?)" * 12, f"more than {MOST_PHRASES}", "shorter"),
        ("roll" * 200, "longer than", "two rules"),
    ],
)
def test_what_is_no_pattern_is_refused_with_its_place_and_what_to_write(
    pattern: str, place: str, remedy: str
) -> None:
    with pytest.raises(PlannerError) as refused:
        phrases(pattern, with_digits=False)
    assert refused.value.code == "bad_pattern"
    assert place in str(refused.value.what)
    assert remedy in str(refused.value.remedy)


@given(st.text(alphabet="ab |?()[]*.+{}^$\\-1é", max_size=60))
def test_any_text_is_a_short_list_of_phrases_or_is_refused(pattern: str) -> None:
    try:
        made = phrases(pattern, with_digits=False)
    except PlannerError:
        return  # whatever else it may be, it is said, and nothing else goes wrong
    assert 1 <= len(made) <= MOST_PHRASES
    for phrase in made:
        assert len(re.sub(r"[ *]", "", phrase)) >= 2
        assert phrase == " ".join(phrase.split())


@given(st.lists(st.sampled_from(["agent", "rollouts", "eval", "judge", "ss"]), min_size=1, max_size=3))
def test_a_pattern_made_of_words_stands_for_those_words(words: list[str]) -> None:
    text = " ".join(words)
    assert text in of_name(pattern_of(text))
    assert folded(pattern_words(pattern_of(text))) in of_name(pattern_of(text))


def test_every_shipped_rule_can_be_a_rule_of_the_planner_s_own() -> None:
    for rule in read_tables().class_rules:
        for phrase in of_name(rule.pattern):
            assert re.fullmatch(rule.pattern, phrase), rule.rule_id


def test_words_in_both_numbers_are_said_in_one() -> None:
    assert pattern_of("agent rollouts") == "agent rollouts?"
    assert pattern_words("agent rollouts?") == "agent rollout"
    assert pattern_words("serv(e|ing)s?") == "serv(e|ing)s?"
    assert pattern_of("loss") == "losss?"
