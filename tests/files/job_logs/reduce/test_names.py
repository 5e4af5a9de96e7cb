"""What is left of a job's name: every clause of the rule, and what no rule of it may do."""

import re
import unicodedata
from datetime import time
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gpuplanner.domain.model.plan.splits import bare_key
from gpuplanner.files.job_logs.reduce.names import UNNAMED, fold_name, workload_key
from gpuplanner.files.system.resources import read_counting_words

COUNTING = read_counting_words()
LETTERS = st.from_regex(r"[g-z]{1,8}", fullmatch=True)  # no hexadecimal ones
WORDS = LETTERS.filter(lambda word: word not in COUNTING)
MIXED = st.from_regex(
    r"[g-z]{1,6}[0-9]{1,4}[g-z]{1,4}|[0-9]{1,3}[g-z]{1,4}|[g-z]{1,4}[0-9]\.[0-9]", fullmatch=True
)
TOKENS = WORDS | MIXED.filter(lambda token: re.sub(r"[\d.]+$", "", token) not in COUNTING)
SIGNS = st.from_regex(r"[-_/ ]{1,3}", fullmatch=True)
ISO_DAYS = st.dates().map(lambda day: f"{day.year:04}-{day.month:02}-{day.day:02}")


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Llama3_70B-sft.2026-01-05 run 12", "llama3-70b-sft-run"),
        ("llama7b-eval", "llama7b-eval"),
        ("llama70b-eval", "llama70b-eval"),
        ("gpt4o", "gpt4o"),
        ("qwen2.5-7b_v2", "qwen2.5-7b-v2"),
        ("t5", "t5"),
        ("", UNNAMED),
        ("123", UNNAMED),
        ("1.2.3", UNNAMED),
        ("v1.2.", "v1.2"),
        ("job-deadbeef1", "job"),
        ("job_deadbeef1", "job"),
        ("job-deadbee", "job-deadbee"),  # no digit: it may be a word
        ("abc123-x", "abc123-x"),  # six
        ("xdeadbeef1", "xdeadbeef1"),
        ("deadbeef1\u00e9", "deadbeef1\u00e9"),  # a letter beside it, if not one of ours
        ("a-550e8400-e29b-41d4-a716-446655440000.b", "a-b"),
        ("eval 2026-01-05T03:04:05.678+02:00 x", "eval-x"),
        ("eval-2026-01-05_03-04-05", "eval"),
        ("eval-2026-01-05T03-04-05", "eval"),  # as file names must have it
        ("eval-20260105T030405Z", "eval"),
        ("eval2026-01-05", "eval"),
        ("2026-13-05x", "05x"),  # no month
        ("2026-01-05 12.5b", "12.5b"),  # no time of a day
        ("run12/seed_7/lr0.001/wd1", "run-seed-lr-wd"),
        ("step1000b rerun3", "step1000b-rerun3"),  # whole tokens only
        ("\uff36\uff2c\uff2c\uff2d\uff0fchat", "vllm-chat"),  # NFKC
        ("..a//b  c--", "a-b-c"),
        ("train[3]:a+b", "train[3]:a+b"),  # signs that part nothing
        ("llama7b#12 #3", "llama7b#-#"),  # else it might be the key of a part
    ],
)
def test_names_are_folded_to_what_stays(name: str, folded: str) -> None:
    assert fold_name(name) == folded


@given(st.text(max_size=30))
def test_a_folded_name_is_never_empty_and_has_no_edges(name: str) -> None:
    folded = fold_name(name)
    assert folded and folded.strip("-") == folded
    assert not any(mark in folded for mark in ("_", "/", " ", "--"))
    assert not re.search(r"(?<!\d)\.|\.(?!\d)", folded)
    assert not any(re.fullmatch(r"[\d.]+", token) for token in folded.split("-"))
    assert bare_key(folded) == folded


@given(st.lists(TOKENS, min_size=1, max_size=6), st.data())
def test_a_token_of_letters_and_digits_is_never_cut(tokens: list[str], data: st.DataObject) -> None:
    name = "".join(data.draw(SIGNS) + token for token in tokens)
    assert fold_name(name) == "-".join(tokens) == fold_name(name.upper())


@given(WORDS, WORDS, st.data())
def test_a_dot_cuts_but_between_digits(one: str, other: str, data: st.DataObject) -> None:
    assert fold_name(f"{one}.{other}") == f"{one}-{other}"
    number = data.draw(st.integers(0, 99))
    assert fold_name(f"{one}{number}.{other}") == f"{one}{number}-{other}"
    assert fold_name(f"{one}{number}.{number}{other}") == f"{one}{number}.{number}{other}"


@given(st.sampled_from(COUNTING), st.integers(0, 10**9), WORDS)
def test_a_counting_word_counts(word: str, number: int, stem: str) -> None:
    for sign in ("", "-", "_", " ", "/", "."):
        assert fold_name(f"{stem}-{word}{sign}{number}") == f"{stem}-{word}"
    assert fold_name(f"{stem}{word}{number}x") == f"{stem}{word}{number}x"


@given(WORDS, st.integers(0, 99), ISO_DAYS, st.times(), st.uuids(), SIGNS)
@example("eval", 5, "2026-01-05", time(3, 4, 5), UUID(int=0), "-")
def test_runs_of_one_thing_are_one_workload(
    stem: str, number: int, day: str, clock: time, uuid: UUID, sign: str
) -> None:
    for run in (number, day, f"{day}T{clock:%H:%M:%S}Z", f"{day} {clock:%H:%M}", uuid, f"run{number}"):
        folded = fold_name(f"{stem}{sign}{run}")
        assert folded == (f"{stem}-run" if run == f"run{number}" else stem)


@given(
    st.lists(TOKENS | st.sampled_from(COUNTING) | st.integers(0, 10**6).map(str) | ISO_DAYS, max_size=6),
    st.data(),
)
def test_to_fold_again_changes_nothing(tokens: list[str], data: st.DataObject) -> None:
    folded = fold_name("".join(data.draw(SIGNS) + token for token in tokens))
    assert fold_name(folded) == folded


@given(st.text(max_size=20))
def test_a_name_that_is_written_otherwise_is_the_same(name: str) -> None:
    written = unicodedata.normalize("NFKC", name)
    assert fold_name(written) == fold_name(name)


def test_counting_words_are_words_of_small_letters_each_once() -> None:
    assert len(set(COUNTING)) == len(COUNTING)
    assert all(word.isascii() and word.isalpha() and word.islower() for word in COUNTING)


def test_the_key_ends_with_a_stated_class() -> None:
    assert workload_key("fox", "", "a", None) == "fox//a"
    assert workload_key("fox", "ml", "a", "burst") == "fox/ml/a/burst"
