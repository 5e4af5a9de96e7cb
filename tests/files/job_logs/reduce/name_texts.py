"""Names of jobs, and what is one workload of them, for a golden table: many are just at a bound."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.job_logs.reduce import former_names, merged_names, names, pseudonyms
from gpuplanner.files.system.resources import read_tables
from tests.files.sources_of_text import text_source
from tests.shown import message_values, refusal_lines

Calls = Iterator[tuple[str, Callable[[], object]]]


def name_lines(case: str) -> str:
    """Return a line for each name of a subject: what it is read as."""
    return refusal_lines(SUBJECTS[case]())


NAMES: Final = (
    *(
        "Llama3_70B-sft.2026-01-05 run 12",
        "qwen2.5/seed7",
        "2026-01-05.3",
        "train",
        "TRAIN",
        "Ünïcode Run",
        "ﬁne-tune",
    ),
    *(
        "eval 2026-01-05T10:00:00Z",
        "eval 2026-01-05 10:00",
        "eval-20260105t1000",
        "eval-20260105t100000z",
        "2026-13-05",
    ),
    *(
        "2026-01-32",
        "12026-01-05",
        "2026-01-051",
        "job-1a2b3c4",
        "job-1a2b3c",
        "job-abcdefa",
        "job-1234567",
        "1a2b3c4x",
    ),
    *(
        "550e8400-e29b-41d4-a716-446655440000",
        "x550e8400-e29b-41d4-a716-446655440000",
        "train#12",
        "train#",
        "train#a",
    ),
    *(
        "grid-a12-b0.5",
        "v1.2.3",
        "a.b.c",
        "run 1.5",
        "1.5",
        "...",
        "---",
        "",
        " ",
        "7",
        "run7",
        "seed-7",
        "step100x",
    ),
    *(
        "epoch12",
        "h100x8",
        "fold3",
        "part_02",
        "trial 7b",
        "a/b_c d",
        "exp1.0-lr0.001",
        "2026-01-05T10",
        "é1",
    ),
)
KEYS: Final[Sequence[tuple[str, str, str, str | None]]] = (
    ("atlas", "nlp", "sft", None),
    ("atlas", "nlp", "sft", ""),
    ("atlas", "nlp", "sft", "eval"),
    ("", "", "sft", None),
)


def _folded() -> Calls:
    for name in NAMES:
        yield (
            repr(name),
            lambda name=name: (
                names.fold_name(name),
                names.digits_aside(names.fold_name(name)),
                former_names.former_name(name),
            ),
        )
    for key in KEYS:
        yield f"key of {key}", partial(names.workload_key, *key)


# --- Merged names --------------------------------------------------------------------------------


def _alike(count: int, owner: str = "ann", name: str = "grid-a{}") -> list[tuple[str, str, str]]:
    return [("fox", owner, name.format(number)) for number in range(count)]


MERGED: Final[Mapping[str, list[tuple[str, str, str]]]] = {
    "20 names": _alike(20),
    "21 names": _alike(21),
    "21 names, one of them without digits": [*_alike(20), ("fox", "ann", "grid-a")],
    "20 names twice": [*_alike(20), *_alike(20)],
    "20 names and one of another": [*_alike(20), ("fox", "bob", "grid-a99")],
    "20 names and one of another cluster": [*_alike(20), ("", "ann", "grid-a99")],
    "three groups": [*_alike(21), *_alike(22, "bob"), *_alike(23, "", "x{}-y")],
    "four groups": [*_alike(21), *_alike(22, "bob"), *_alike(23, "", "x{}-y"), *_alike(21, "eve")],
    "five groups": [
        *_alike(21),
        *_alike(22, "bob"),
        *_alike(23, "", "x{}-y"),
        *_alike(21, "eve"),
        *_alike(25, "z"),
    ],
}


def _merged() -> Calls:
    for name, found in MERGED.items():
        yield (
            name,
            lambda found=found: [
                (one.cluster, one.owner, one.name, len(one.names), one.names[-1])
                for one in merged_names.merged_names(found)
            ],
        )
        yield f"issue of {name}", lambda found=found: _issue(merged_names.merged_names(found))


def _issue(merged: Sequence[merged_names.Merged]) -> str:
    issue = merged_names.names_merged_issue(merged, 7, 3)
    return f"{issue.code} {issue.count} {issue.first_row} {message_values(issue.message)}"


# --- Former names --------------------------------------------------------------------------------

WORKLOADS: Final[Mapping[str, Workload]] = {
    "of digits": Workload(
        key="fox/ann/llama7b", name="llama7b", cluster="fox", owner="ann", sample_name="llama7b"
    ),
    "labeled": Workload(
        key="fox/ann/llama7b/training", name="llama7b", cluster="fox", owner="ann", label=Pool.TRAINING
    ),
    "merged": Workload(
        key="fox/ann/grid-a#", name="grid-a#", cluster="fox", owner="ann", sample_name="grid-a3"
    ),
    "known": Workload(key="fox/ann/known", name="known", cluster="fox", owner="ann"),
    "new": Workload(key="fox/ann/new", name="new", cluster="fox", owner="ann"),
}
KNOWN: Final = (
    *("fox/ann/llamab", "fox/ann/llamab/training", "fox/ann/llama#b", "fox/ann/grid-a2", "fox/ann/grid-a1"),
    *("fox/bob/grid-a1", "fox/ann/grid-b1", "fox/ann/grid-a", "fox/ann/known"),
)


def _former() -> Calls:
    for name, workload in WORKLOADS.items():
        for by_rule in (True, False):
            yield (
                f"{name}{', by the former rule' * by_rule}",
                partial(former_names.former_keys, [workload], KNOWN, by_former_rule=by_rule),
            )
        yield f"{name}, nothing known", partial(former_names.former_keys, [workload], ())


# --- Pseudonyms ----------------------------------------------------------------------------------

KEY: Final = b"0123456789abcdef0123456789abcdef"
JOBS: Final = (
    *(
        "train-llama-7b",
        "train-llama-70b",
        "train llama",
        "eval 3",
        "",
        "2026-01-05",
        "grid search a1",
        "notebook",
    ),
    *("serve-vllm", "TRAIN-LLAMA-7B", "x"),
)


def _pseudonyms() -> Calls:
    rules = read_tables().class_rules
    yield "owners", partial(pseudonyms.owner_pseudonyms, KEY, ("ann", "bob", "lab"), ("lab", "ml"))
    yield "owners by another key", partial(pseudonyms.owner_pseudonyms, KEY[::-1], ("ann",), ())
    yield "nobody", partial(pseudonyms.owner_pseudonyms, KEY, (), ())
    for name, called in pseudonyms.name_pseudonyms(KEY, JOBS, rules).items():
        yield f"job {name!r}", lambda called=called: called
    many = [f"user{number}" for number in range(6000)]
    found, _ = pseudonyms.owner_pseudonyms(KEY, many, ())
    yield "names of 6,000", lambda: (len(set(found.values())), sorted({len(name) for name in found.values()}))
    yield (
        "longer names",
        lambda: {name: called for name, called in found.items() if len(called) > len("user-123456")},
    )
    for size in (15, 16, 17):
        path = Path(text_source("k" * size + "\n", "key").at)
        yield f"a key of {size} bytes", partial(_key, path)
    yield "no key", partial(_key, Path("not-there"))


def _key(path: Path) -> object:
    try:
        return pseudonyms.read_key(path, path.parent)
    except PlannerError as error:
        return f"refused: {error.code}"


SUBJECTS: Final[Mapping[str, Callable[[], Calls]]] = {
    "names": _folded,
    "merged names": _merged,
    "former names": _former,
    "pseudonyms": _pseudonyms,
}
