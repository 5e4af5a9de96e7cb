"""The table of leaks: where each is, as a text that a translator still finds his words in."""

from types import SimpleNamespace

from gpuplanner.domain.audit.leak_claims import listed
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.reports.leaks import LEAKS
from gpuplanner.domain.reports.report import Medium


def _where(row: object, medium: Medium) -> Message:
    (column,) = [one for one in LEAKS.columns if one.key == "where" and medium in one.media]
    assert column.value is not None
    found = column.value(row)
    assert isinstance(found, Message)
    return found


def test_where_a_leak_is_stays_a_text_for_translators_in_the_brief_and_without_a_cluster() -> None:
    few = listed(f"w{at}" for at in range(8))
    part = SimpleNamespace(id="w", leaked_per_month=2.0)
    tails = worded("{cluster}: {tails} tails", cluster="pike", tails="7")
    for subject, cluster, said, template in (
        (tails, "pike", "pike: 7 tails", tails.template),
        (joined(("", few), ": "), "", "w0, w1, w2 and 5 more", few.template),
        (joined(("pike", "n" * 200), ": "), "pike", "pike: long and 1 more", few.template),
    ):
        row = SimpleNamespace(
            leak=SimpleNamespace(subject=subject, cluster=cluster, parts=(part, part)), names={"w": "long"}
        )
        found = _where(row, Medium.BRIEF)
        assert (str(found), found.template) == (said, template)
    bare = SimpleNamespace(leak=SimpleNamespace(subject=joined(("", few), ": ")))
    assert str(_where(bare, Medium.TERMINAL)) == "w0, w1, w2 and 5 more"
