"""Whatever the standard library's pattern does, ours does: the same one made by both, asked the same."""

import copy
import gc
import importlib
import pickle
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gpuplanner
from gpuplanner.lazy_re import LazyPattern, lazy_re

TEXT = "Train-7b x2, SERVE 13B\n"
PACKAGE = Path(__file__).parent.parent / "gpuplanner"


@pytest.mark.parametrize(
    ("pattern", "flags"), [(r"([a-z]+)-?(\d+)?b", re.I), (r"(?P<word>\w+)", 0), (r"^$", re.M)]
)
def test_it_answers_as_the_standard_librarys(pattern: str, flags: int) -> None:
    theirs = re.compile(pattern, flags)
    for ours in (
        lazy_re(pattern, flags),
        copy.copy(lazy_re(pattern, flags)),
        pickle.loads(pickle.dumps(lazy_re(pattern, flags))),
    ):
        for _ in range(2):  # as it is compiled, and later
            assert ours.findall(TEXT) == theirs.findall(TEXT)
            assert ours.sub("_", TEXT) == theirs.sub("_", TEXT) and ours.split(TEXT) == theirs.split(TEXT)
            for way in ("match", "search", "fullmatch"):
                found, expected = getattr(ours, way)(TEXT), getattr(theirs, way)(TEXT)
                assert (found and found.span()) == (expected and expected.span())
        assert (ours.pattern, ours.flags, ours.groups) == (theirs.pattern, theirs.flags, theirs.groups)
        assert ours.groupindex == theirs.groupindex


def test_one_of_bytes() -> None:
    assert lazy_re(rb"<(\w+)").findall(b"<row><c>") == [b"row", b"c"]


def test_one_that_cannot_be_read_is_refused_when_it_is_used_and_each_time() -> None:
    broken = lazy_re("(")
    for _ in range(2):
        with pytest.raises(re.error):
            broken.search(TEXT)


def test_each_of_the_package_can_be_read() -> None:
    """One that cannot, as where flags of its own stand in the middle of another, is refused only where it is used."""
    for module in pkgutil.walk_packages(gpuplanner.__path__, "gpuplanner."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    written = [vars(one) for one in gc.get_objects() if type(one) is LazyPattern and one.pattern != "("]
    assert len(written) > 300
    for one in written:
        re.compile(one["pattern"], one["_flags"])


@pytest.mark.long
def test_of_the_start_few_are_compiled() -> None:
    """What is imported by every command leaves most of its patterns as they are written."""
    script = (
        "import gc, gpuplanner.cli.commands\nfrom gpuplanner.lazy_re import LazyPattern\n"
        "all_ = [one for one in gc.get_objects() if type(one) is LazyPattern]\n"
        "print(len(all_), sum('_compiled' in vars(one) for one in all_))"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    made, compiled = map(int, told.stdout.split())
    assert made > 10 * compiled
