"""The project file: what is opened is what was saved, to the bit; what is not sound is refused and named."""

import os
import sqlite3
import zlib
from collections import Counter
from contextlib import closing
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gpuplanner.domain.audit.log_checks import model_checks
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import NO_WORDS, joined, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import RATE_FIELD, Contract, with_terms
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.cube import (
    Cube,
    IdleGap,
    IdleGaps,
    RunningJobs,
    Workload,
    cube_from_entries,
    empty_cube,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.hardware_needs import NeedsSet
from gpuplanner.domain.model.intake import (
    AlternativeReading,
    FileIntake,
    Issue,
    JobFacts,
    RejectedRow,
    StatedFigure,
)
from gpuplanner.domain.model.places import (
    NO_PLACES,
    MeasuredTransit,
    ResidencyRule,
    Site,
    UserCity,
    places_of,
)
from gpuplanner.domain.model.plan.scenario import (
    AS_TODAY,
    Decision,
    HandLayer,
    LeakDecision,
    LeakStatus,
    Scenario,
)
from gpuplanner.domain.model.plan.splits import ShareSplit, TimeSplit, WeekSplit
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.domain.model.tables import ClassRule, Pool, PricingCategory
from gpuplanner.domain.model.window import Window
from gpuplanner.files.project import project_file
from gpuplanner.files.project.plans_json import plans_entry, plans_of
from gpuplanner.files.project.project_file import (
    APPLICATION_ID,
    FORMAT_VERSION,
    is_same,
    open_project,
    read_about,
    save_project,
    write_parts,
)
from gpuplanner.files.project.project_parts import (
    LARGEST_PART,
    PART_NAMES,
    Part,
    PartCache,
    cube_from_bytes,
    cube_to_bytes,
    part_hash,
    parts_of,
    project_from,
    read_old_rates,
    sealed,
    unsealed,
)
from gpuplanner.files.project.value_tables import from_json, rows_of, to_json
from gpuplanner.files.system.own_folder import LOCK, PREFIX, own_folder
from tests.files.flips import flipped

PLAN_FROM_S = 2_000_000_800 - 2_000_000_800 % 3600
PLAN_B = Scenario(
    name="Plan B",
    start=AS_TODAY,
    pools={"c/ann/träning": Pool.BURST, "gone/x/y": Pool.TRAINING},
    pinned=frozenset({"c/ann/träning", "gone/x/y"}),
    hand_layers={(Pool.TRAINING, "H100"): (HandLayer(36, 8), HandLayer(1, 0)), (Pool.BURST, None): ()},
    assumptions={"lambda": 0.03, "growth_burst": None, "training_checkpoints": True, "block": 8},
    greenfield=True,
    decisions=(
        Decision(1_700_000_000, worded("Sign {gpus} GPUs", gpus="8"), "they said “now”\n"),
        Decision(1, joined(("x",))),
    ),
    leak_decisions=(
        LeakDecision(
            leak_id="contention:c",
            status=LeakStatus.ACCEPTED,
            at_s=9,
            reason="",
            owner="Ann",
            pool=Pool.INFERENCE,
            workloads=2,
            gpu_hours=12.5,
            usd_per_month=100.25,
        ),
        LeakDecision(leak_id="idle_tail:", status=LeakStatus.DISMISSED, at_s=10, reason="known until “May”"),
    ),
    advised_around=frozenset({(Pool.TRAINING, "H100"), (Pool.BURST, None)}),
    price_case=PriceCase.HIGH,
    splits={
        "c/ann/träning": ShareSplit(300),
        "c/ann/träning#2": WeekSplit((0, 167)),
        "d//x": TimeSplit(-7200),
    },
    merges={"Both halves": ("c/ann/träning#1", "gone/x/y")},
)


def rich() -> Project:
    """A project with something in every field."""
    rng = np.random.default_rng(1)
    count = 500
    return Project(
        window=Window(1_699_999_200, 2160, "Europe/Oslo"),
        cube=cube_from_entries(
            2160,
            ("H100", "L40S"),
            rng.integers(0, 2, count),
            rng.integers(-1, 2, count),
            rng.integers(0, 2160, count),
            rng.integers(1, 10**12, count),
        ),
        workloads=(
            Workload(
                key="c/ann/träning",
                name="träning",
                cluster="c",
                owner="ann",
                label=Pool.TRAINING,
                jobs=3,
                gpu_jobs=2,
                milli_gpu_seconds=7,
                peak_milli_gpus=8000,
                max_nodes=None,
                max_milli_gpus=4,
                median_milli_gpus=5,
                longest_job_s=6,
                median_job_s=1,
                failed_milli_gpu_seconds=2,
                timed_out_milli_gpu_seconds=3,
            ),
            Workload(
                key="d//x",
                name="x",
                cluster="d",
                owner="",
                activity=0.1 + 0.2,
                queue="q\t",
                sample_name="\udce9 lone",
            ),
        ),
        jobs=JobFacts(
            count=5,
            gpu_jobs=4,
            milli_gpu_seconds=2**62,
            peak_milli_gpus=12,
            first_start_s=None,
            last_end_s=99,
            clipped=1,
            rows_sha256="ab" * 32,
        ),
        contracts=(
            Contract(
                contract_id="k1",
                cluster="c",
                gpu_model="H100",
                milli_gpus=64_000,
                rate_usd_per_gpu_hour=Decimal("2.750"),
                start_s=0,
                end_s=10**10,
                provider="aws",
                pricing_category=PricingCategory.COMMITTED,
                term_months=12,
                min_term_months=1,
                notice_days=30,
                region="eu",
                bare_metal=True,
                interconnect="infiniband",
                gpu_memory_gb=80.0,
                egress_usd_per_gb=Decimal("0E-3"),
                pool=Pool.TRAINING,
            ),
            with_terms(
                Contract(
                    contract_id="k2",
                    cluster="d",
                    gpu_model=None,
                    milli_gpus=1,
                    rate_usd_per_gpu_hour=None,
                    start_s=-5,
                ),
                {RATE_FIELD: Decimal("2.50"), "notice_days": 60},
            ),
        ),
        offers=(
            Offer(
                offer_id="o1",
                gpu_model="H100",
                pricing_category=PricingCategory.DYNAMIC,
                term_months=0,
                rate_usd_per_gpu_hour=Decimal("1.10"),
                provider="p",
                rate_low=Decimal(1),
                rate_high=Decimal("2E+1"),
            ),
            Offer(
                offer_id="o2",
                gpu_model="L40S",
                pricing_category=PricingCategory.STANDARD,
                term_months=0,
                rate_usd_per_gpu_hour=None,
                lead_time_hours=0.1,
                as_of="2026-01-02",
            ),
        ),
        intake=(
            FileIntake(
                path="logs/a.csv",
                kind="jobs",
                format="own_csv",
                rows_read=10,
                rows_accepted=7,
                rows_rejected=1,
                rows_duplicate=1,
                rows_ignored=1,
                issues=(Issue("bad_time", 1, 4, worded("“None”")), Issue("running", 2, None, NO_WORDS)),
                rejected=(
                    RejectedRow(row=4, code="bad_time", message=worded("is no time"), text="a,b\x00c"),
                ),
                sha256="00",
                facts=(
                    ("span", (1, 2.5)),
                    ("costs", {"usd": Decimal("1.10"), 3: [None, True]}),
                    ("note", "x"),
                ),
                reconciliation=(
                    StatedFigure(quantity="gpus", subject="row 6", stated=32, read=256.5, agrees=False),
                ),
                alternatives=(
                    AlternativeReading(
                        "gpus=Qty:gpu",
                        worded("“{heading}” counts GPUs", heading="Qty"),
                        (
                            StatedFigure(
                                quantity="usd_per_month",
                                subject="file",
                                stated=10.5,
                                read=10.5,
                                agrees=True,
                                currency="EUR",
                            ),
                        ),
                    ),
                ),
            ),
        ),
        assumptions=Assumptions(lambda_=0.1 + 0.2, idle_tail_minutes=30.0, growth_training=-0.0),
        labels={"gone/z/z": Pool.INFERENCE},
        plan_from_s=PLAN_FROM_S,
        mappings=(
            ModelMapping("H100", "B200", 2.5),
            ModelMapping("H100", "H200", 0.1 + 0.2),
            ModelMapping("H100", "H200", 1.6, Pool.INFERENCE),
        ),
        needs={"gone/z/z": NeedsSet(memory_gb_per_gpu=40.0, nodes=4, bare_metal=False, interconnect="roce")},
        scenarios=(Scenario(name="Plan A"), PLAN_B),
        title="Q3 ✓",
        notes={"gone/z/z": "ends in March,\nsays Ann"},
        places=places_of(
            (
                UserCity(city="Oslo", country="NO", latitude=59.9, longitude=10.7, users=Decimal("1E+3")),
                UserCity(city="Rom", country="", latitude=-0.0, longitude=180.0, users=Decimal(0)),
            ),
            (
                Site(
                    site_id="s1",
                    city="",
                    country="NA",
                    latitude=1.5,
                    longitude=-2.5,
                    usd_per_month=None,
                    is_current=True,
                ),
                Site(
                    site_id="s2",
                    city="Bonn",
                    country="DE",
                    latitude=50.7,
                    longitude=7.1,
                    usd_per_month=Decimal("9.90"),
                ),
            ),
            (MeasuredTransit("Oslo", "s1", Decimal("80.0"), "NO"),),
            (ResidencyRule("NO", ("NO", "DE")), ResidencyRule("IN", ())),
        ),
        queue_limits=(Limit(user="ann", gpu_model="H100", max_gpus=0.1 + 0.2), Limit(account="ml", shares=2)),
        is_fair_share=True,
        rules=(
            ClassRule(
                rule_id="burst-rollout",
                field="name",
                pattern="rollouts?",
                pool=Pool.BURST,
                subtype="",
                confidence=0.97,
                reason="„{word}“ {0}",
            ),
            ClassRule(
                rule_id="q",
                field="queue",
                pattern="long",
                pool=Pool.TRAINING,
                subtype="training run",
                confidence=0.95,
                reason="",
            ),
        ),
    )


def assert_same(one: Any, other: Any) -> None:
    """Equal, of the same types, down to the bits of every number."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()
    elif is_dataclass(one):
        for each in fields(one):
            assert_same(getattr(one, each.name), getattr(other, each.name))
    elif isinstance(one, dict):
        assert_same(list(one.items()), list(other.items()))
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for mine, yours in zip(one, other, strict=True):
            assert_same(mine, yours)
    else:
        assert repr(one) == repr(other) or one == other != 0


def opened(entry: dict[str, Any]) -> Project:
    """The project of these plans, with nothing loaded."""
    plans = plans_of(entry)
    return Project(cube=empty_cube(plans["window"].hours), **plans)


def test_what_is_opened_is_what_was_saved(tmp_path: Path) -> None:
    save_project(rich(), tmp_path / "q3.gpuplan")
    assert_same(open_project(tmp_path / "q3.gpuplan"), rich())


def test_plans_written_before_there_were_places_have_none() -> None:
    entry = from_json(to_json(plans_entry(rich())))
    del entry["places"]
    assert opened(entry).places is NO_PLACES


@pytest.mark.parametrize(("table", "place", "value"), [("cities", 2, 91.0), ("sites", 4, -180.5)])
def test_a_place_that_is_nowhere_on_the_globe_is_damage(table: str, place: int, value: float) -> None:
    entry = from_json(to_json(plans_entry(rich())))
    entry["places"][table]["rows"][0][place] = value
    with pytest.raises(ValueError, match="globe"):
        plans_of(entry)


def test_plans_that_hold_an_assumption_that_is_gone_open_without_it() -> None:
    entry = plans_entry(replace(rich(), scenarios=(Scenario(name="Plan A", assumptions={"growth": 0.02}),)))
    entry["assumptions"]["short_leads"] = "free"
    entry["scenarios"][0]["assumptions"]["short_leads"] = "priced"
    read = plans_of(entry)
    assert read["assumptions"] == rich().assumptions
    assert read["scenarios"][0].assumptions == {"growth": 0.02}


def test_plans_that_set_shares_of_serving_open_and_say_so() -> None:
    entry = plans_entry(rich())
    entry["assumptions"]["serving_bandwidth_share"] = entry["assumptions"]["serving_compute_share"] = 1.0
    assert plans_of(entry)["assumptions"] == rich().assumptions  # what nobody changed is not said
    entry["assumptions"]["serving_compute_share"] = 0.5
    project = replace(rich(), assumptions=plans_of(entry)["assumptions"])
    assert project.assumptions.serving_shares_replaced
    (said,) = (check for check in model_checks(project) if check.code == "assumption_replaced")
    assert (said.severity, said.subject) == ("info", "serving_speed")
    settled = replace(project, assumptions=replace(project.assumptions, serving_speed=0.8))
    assert not [check for check in model_checks(settled) if check.code == "assumption_replaced"]


def test_rules_of_the_queue_are_in_a_file_only_where_there_are_some() -> None:
    """Older versions open what has none."""
    entry = from_json(to_json(plans_entry(replace(rich(), queue_limits=None, is_fair_share=None))))
    assert not {"queue_limits", "is_fair_share"} & {*entry} and opened(entry).queue_limits is None
    for odd in ({"queue_limits": {"fields": ["max_gpus"], "rows": [["8"]]}}, {"is_fair_share": "no"}):
        with pytest.raises(ValueError, match=r"max_gpus|is_fair_share"):
            plans_of({**entry, **odd})


def test_plans_written_before_there_were_needs_are_read() -> None:
    entry = from_json(to_json(plans_entry(rich())))
    del entry["needs"]
    assert opened(entry).needs == {}


def test_a_plan_begins_where_it_was_saved_to_and_without_a_day_where_the_window_ends() -> None:
    entry = from_json(to_json(plans_entry(rich())))
    assert opened(entry).plan_from_s == PLAN_FROM_S
    for odd in ("soon", 1.5, PLAN_FROM_S + 1, 253_402_300_800, -(3600 * 10**11)):
        with pytest.raises(ValueError, match="whole"):
            plans_of({**entry, "plan_from_s": odd})
    del entry["plan_from_s"]
    assert opened(entry).plan_from_s is None
    assert "plan_from_s" not in plans_entry(replace(rich(), plan_from_s=None))


def test_plans_written_before_models_could_be_mapped_are_read() -> None:
    entry = from_json(to_json(plans_entry(rich())))
    assert opened(entry).mappings == rich().mappings
    del entry["mappings"]
    assert opened(entry).mappings == ()


@pytest.mark.parametrize(
    "rows", [[["H100", "H100", 2.0, None]], [["H100", "H200", 0, None]], [["H100", "H200", 1.5, None]] * 2]
)
def test_a_mapping_that_cannot_be_is_not_taken_from_a_file(rows: list[list[object]]) -> None:
    entry = from_json(to_json(plans_entry(rich())))
    entry["mappings"]["rows"] = rows
    with pytest.raises((PlannerError, ValueError)):
        plans_of(entry)


def test_a_need_that_it_cannot_have_is_not_taken_from_a_file() -> None:
    entry = from_json(to_json(plans_entry(rich())))
    entry["needs"]["gone/z/z"]["nodes"] = 0
    with pytest.raises(PlannerError):
        plans_of(entry)


def test_a_file_from_before_rules_opens_without_any() -> None:
    entry = plans_entry(rich())
    assert opened(from_json(to_json(entry))).rules == rich().rules
    del entry["rules"]
    assert opened(from_json(to_json(entry))).rules == ()


def test_a_project_with_nothing_in_it_comes_back(tmp_path: Path) -> None:
    bare = Project(window=Window(0, 1), cube=empty_cube(1))
    save_project(bare, tmp_path / "bare.gpuplan")
    assert_same(open_project(tmp_path / "bare.gpuplan"), bare)


@given(
    st.integers(0, 40).flatmap(
        lambda rows: st.tuples(
            arrays(np.int64, rows, elements=st.integers(0, 5)),
            arrays(np.int64, rows, elements=st.integers(-1, 2)),
            arrays(np.int64, rows, elements=st.integers(0, 8759)),
            arrays(np.int64, rows, elements=st.one_of(st.integers(0, 300), st.integers(0, 2**60 // 40))),
        )
    )
)
def test_any_cube_comes_back(columns: tuple[Any, Any, Any, Any]) -> None:
    cube = cube_from_entries(8760, ("a", "b", "c"), *columns)
    header, plain = cube_to_bytes(cube)
    assert_same(cube_from_bytes(header, plain), cube)


@pytest.mark.parametrize("edge", [127, 128, -128, -129, 2**15, 2**31, 2**63 - 1, -(2**63)])
def test_every_width_of_number_comes_back(edge: int) -> None:
    from gpuplanner.files.project.project_parts import pack_numbers, unpack_numbers

    values = np.array([0, edge, 1], dtype=np.int64)
    for growing in (False, True):
        shape, plain = pack_numbers(values, growing)
        assert_same(unpack_numbers(plain, **shape), values)  # type: ignore[arg-type]


def test_the_same_project_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        save_project(rich(), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    save_project(rich(), tmp_path / "q3.gpuplan")
    with closing(sqlite3.connect(tmp_path / "q3.gpuplan")) as connection:
        pragmas = [
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        ]
        assert pragmas == [APPLICATION_ID, FORMAT_VERSION]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert {name for (name,) in connection.execute("SELECT name FROM part")} == set(PART_NAMES)
    assert read_about(tmp_path / "q3.gpuplan")["written_by"]
    assert os.listdir(tmp_path) == ["q3.gpuplan"]


def test_backups_move_up_and_the_oldest_goes(tmp_path: Path) -> None:
    path = tmp_path / "plan.gpuplan"
    for number in range(5):
        save_project(replace(rich(), title=str(number)), path, keep_backups=2)
    titles = {file.name: open_project(file).title for file in tmp_path.iterdir()}
    assert titles == {"plan.gpuplan": "4", "plan.backup-1.gpuplan": "3", "plan.backup-2.gpuplan": "2"}


@pytest.mark.parametrize(("keep", "files"), [(0, 1), (1, 2)])
def test_as_many_backups_as_were_asked_for(tmp_path: Path, keep: int, files: int) -> None:
    for number in range(3):
        save_project(replace(rich(), title=str(number)), tmp_path / "plan.gpuplan", keep_backups=keep)
    assert len(list(tmp_path.iterdir())) == files


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    save_project(rich(), tmp_path / "there.gpuplan")
    (tmp_path / "here.gpuplan").symlink_to(tmp_path / "there.gpuplan")
    save_project(replace(rich(), title="new"), tmp_path / "here.gpuplan")
    assert (tmp_path / "here.gpuplan").is_symlink()
    assert open_project(tmp_path / "there.gpuplan").title == "new"


def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "plan.gpuplan"
    save_project(rich(), path)
    path.chmod(0o640)
    save_project(rich(), path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_what_a_killed_save_left_is_cleared_but_not_what_is_under_way(tmp_path: Path) -> None:
    path = tmp_path / "plan.gpuplan"
    killed = tmp_path / f"{PREFIX}killed"
    killed.mkdir(mode=0o700)
    (killed / LOCK).touch()
    (killed / "part").touch()
    with own_folder(tmp_path) as under_way:
        save_project(rich(), path)
        assert under_way.exists()
    assert not killed.exists()


def test_an_unchanged_cube_is_copied_as_compressed_bytes() -> None:
    cache, project = PartCache(), rich()
    before = {part.name: part for part in parts_of(project, cache)}
    after = {part.name: part for part in parts_of(replace(project, title="another"), cache)}
    assert [name for name in PART_NAMES if after[name] is not before[name]] == ["plans"]


def test_opening_fills_the_cache_with_the_cube(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_project(rich(), tmp_path / "a.gpuplan")
    cache = PartCache()
    project = open_project(tmp_path / "a.gpuplan", cache=cache)
    monkeypatch.setattr(
        "gpuplanner.files.project.project_parts.cube_to_bytes", lambda cube: pytest.fail("packed again")
    )
    save_project(replace(project, title="new"), tmp_path / "a.gpuplan", cache=cache)
    monkeypatch.undo()
    assert_same(open_project(tmp_path / "a.gpuplan"), replace(rich(), title="new"))


# ---------------------------------------------------------------- what is refused


def changed(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for each in statement.split("; "):
            connection.execute(each, values)


def write_unread(project: Project, path: Path) -> None:
    """A file as one who does not read back what he writes would leave it."""
    write_parts(path, parts_of(project, PartCache()))


@pytest.mark.parametrize("name", PART_NAMES)
def test_one_wrong_bit_in_a_part_is_found_and_the_part_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / "q3.gpuplan"
    save_project(rich(), path)
    with closing(sqlite3.connect(path)) as connection:
        (payload,) = connection.execute("SELECT payload FROM part WHERE name = ?", (name,)).fetchone()
    middle = len(payload) // 2
    wrong = payload[:middle] + bytes([payload[middle] ^ 1]) + payload[middle + 1 :]
    changed(path, "UPDATE part SET payload = ? WHERE name = ?", wrong, name)
    with pytest.raises(PlannerError, match=f"'{name}' is damaged") as refusal:
        open_project(path)
    assert refusal.value.code == "file_unreadable"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("DELETE FROM part WHERE name = 'offers'", "'offers' is missing"),
        ("UPDATE part SET size = size - 1 WHERE name = 'cube.hour'", "'cube.hour' is damaged"),
        ("UPDATE part SET size = -1 WHERE name = 'plans'", "'plans' is damaged"),
        ("UPDATE part SET payload = 'text' WHERE name = 'plans'", "'plans' is damaged"),
        ("DROP TABLE part", "its tables are not those of a project"),
        ("ALTER TABLE part RENAME TO other; CREATE VIEW part AS SELECT * FROM other", "its tables are not"),
        (f"UPDATE part SET size = {LARGEST_PART + 1} WHERE name = 'plans'", "'plans' is damaged"),
        ("PRAGMA application_id = 7", "not a gpuplanner project"),
        ("PRAGMA user_version = 0", "unknown format 0"),
    ],
)
def test_a_file_that_is_not_sound_is_refused(tmp_path: Path, statement: str, expected: str) -> None:
    path = tmp_path / "q3.gpuplan"
    save_project(rich(), path)
    changed(path, statement)
    with pytest.raises(PlannerError, match=expected):
        open_project(path)


@pytest.mark.parametrize(
    "jobs",
    [
        (9, None, 8000, 5),
        (1, None, 8000, 5),
        (0, "A100", 8000, 5),
        (0, 3, 8000, 5),
        (0, None, 0, 5),
        (0, None, "8", 5),
        (0, 7, 8000, 5),
        (0, None, 8000, -1),
        (0, None, 8000, 61),
    ],
)
def test_a_lull_of_jobs_that_are_not_there_is_damage(tmp_path: Path, jobs: tuple[Any, ...]) -> None:
    path, project = tmp_path / "q3.gpuplan", rich()
    idle_gap = IdleGap("c", 60, (RunningJobs(*jobs),))
    write_unread(replace(project, jobs=replace(project.jobs, idle_gaps=IdleGaps(0, (idle_gap,)))), path)
    with pytest.raises(PlannerError, match="'jobs' is damaged"):
        open_project(path)


UNSOUND_CUBES: dict[str, dict[str, Any]] = {
    "a row with nothing in it": {
        "workload_index": np.array([0, 1]),
        "model_index": np.array([0, 0]),
        "offsets": np.array([0, 2, 2]),
    },
    "a pair twice": {
        "workload_index": np.array([0, 0]),
        "model_index": np.array([0, 0]),
        "offsets": np.array([0, 1, 2]),
    },
    "hours that go back": {"hour": np.array([1, 0])},
    "an hour twice": {"hour": np.array([1, 1])},
    "hour outside": {"hour": np.array([0, 9])},
    "negative hour": {"hour": np.array([-1, 0])},
    "no amount": {"milli_gpu_seconds": np.array([1, 0])},
    "offsets that do not end at the entries": {"offsets": np.array([0, 1])},
    "offsets that go back": {"offsets": np.array([0, 5, 2]), "workload_index": np.array([0, 0])},
    "unknown model": {"model_index": np.array([1])},
    "rows and models of two lengths": {"model_index": np.array([0, 0])},
    "no such workload": {"workload_index": np.array([2])},
    "more hours than the window": {"hours": 3},
}


@pytest.mark.parametrize("name", UNSOUND_CUBES)
def test_a_cube_that_breaks_its_laws_is_refused_though_every_byte_is_as_written(
    tmp_path: Path, name: str
) -> None:
    sound = Cube(
        hours=2,
        gpu_models=("H100",),
        workload_index=np.array([0]),
        model_index=np.array([0]),
        offsets=np.array([0, 2]),
        hour=np.array([0, 1]),
        milli_gpu_seconds=np.array([5, 6]),
    )
    project = Project(
        window=Window(0, 2),
        cube=sound,
        workloads=(
            Workload(key="a", name="a", cluster="", owner=""),
            Workload(key="b", name="b", cluster="", owner=""),
        ),
    )
    path = tmp_path / "cube.gpuplan"
    save_project(project, path)
    assert_same(open_project(path).cube, sound)
    unsound = replace(project, cube=replace(sound, **UNSOUND_CUBES[name]))
    before = path.read_bytes()
    with pytest.raises(PlannerError, match="the earlier file is unchanged"):
        save_project(unsound, path)
    assert path.read_bytes() == before
    write_unread(unsound, path)
    with pytest.raises(PlannerError, match="'cube' is damaged"):
        open_project(path)


@pytest.mark.parametrize(
    ("name", "found", "put"),
    [
        ("cube", b'["H100","L40S"]', b'["H100",7]'),
        ("plans", b'"hours":2160', b'"hours":"x"'),
        ("plans", b'"wacc":0.1', b'"wacc":NaN'),
        ("plans", b'"wacc":0.1', b'"sigma":7'),
        ("plans", b'"lambda":0.03', b'"lambda":"3%"'),
        ("plans", b'"block":8', b'"colour":8'),
        ("plans", b'"rollouts?"', b'".*ollouts"'),
        ("plans", b'"burst-rollout"', b'"q"'),
        ("plans", b'"queue","long"', b'"where","long"'),
        ("plans", b'"name":"Plan B"', b'"name":"Plan A"'),
        ("plans", b'"name":"Plan B"', b'"name":"Today"'),
        ("plans", b'["training","H100",[[36,8]', b'["training","H100",[[36,8.5]'),
        ("jobs", b"4611686018427387904", b"[1]"),
        ("workloads", b"8000", b'"8000"'),
        ("contracts", b'"2.750"', b'"NaN"'),
        ("contracts", b'"2.750"', b'"-2.750"'),
        ("contracts", b'"2.750"', b'"2.750e400"'),
        ("offers", b'"o1","H100"', b'"o1",null'),
        ("intake", b'"own_csv",10', b'"own_csv",null'),
    ],
)
def test_a_value_of_the_wrong_kind_or_size_is_refused(
    tmp_path: Path, name: str, found: bytes, put: bytes
) -> None:
    path = tmp_path / "q3.gpuplan"
    save_project(rich(), path)
    plain = next(zlib.decompress(part.payload) for part in parts_of(rich(), PartCache()) if part.name == name)
    assert found in plain
    part = sealed(name, plain.replace(found, put, 1))
    changed(
        path,
        f"UPDATE part SET size = ?, sha256 = ?, payload = ? WHERE name = '{name}'",
        *(part.size, part.sha256, part.payload),
    )
    with pytest.raises(PlannerError, match=f"'{name}' is damaged"):
        open_project(path)


AMOUNTS = [
    (name, each.name)
    for name, row_type in (("contracts", Contract), ("offers", Offer))
    for each in fields(row_type)
    if {int, float, Decimal} & set(get_args(get_type_hints(row_type)[each.name]))
    and each.name != "sent_gb"  # an assumption of the plan: no row has it in a file
    and not each.name.endswith("_s")
]


@pytest.mark.parametrize(("part", "field"), AMOUNTS)
def test_an_amount_below_0_is_refused_in_a_sealed_part(part: str, field: str) -> None:
    rows = getattr(rich(), part)
    below = replace(rows[0], **{field: Decimal(-1) if "usd" in field or "rate" in field else -1})
    parts = {each.name: each for each in parts_of(replace(rich(), **{part: (below, *rows[1:])}), PartCache())}
    with pytest.raises(PlannerError, match=f"'{part}' is damaged"):
        project_from(parts, "q3.gpuplan", PartCache())


def test_values_that_cannot_be_are_refused_and_the_part_named(tmp_path: Path) -> None:
    path = tmp_path / "q3.gpuplan"
    save_project(rich(), path)
    part = sealed("contracts", b'{"fields":["contract_id"],"rows":[["k"]]}')
    changed(
        path,
        "UPDATE part SET size = ?, sha256 = ?, payload = ? WHERE name = 'contracts'",
        *(part.size, part_hash(part.name, part.payload), part.payload),
    )
    with pytest.raises(PlannerError, match="'contracts' is damaged"):
        open_project(path)


@settings(max_examples=25)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "x.gpuplan"
    path.write_bytes(content)
    with pytest.raises(PlannerError) as refusal:
        open_project(path)
    assert refusal.value.code == "file_unreadable"


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_truncated_file_is_refused(tmp_path: Path, share: float) -> None:
    path = tmp_path / "q3.gpuplan"
    save_project(rich(), path)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(PlannerError):
        open_project(path)


def test_why_it_could_not_be_saved_stays_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what = worded("{n} bytes lack", n=whole(1234.0))

    def no_room(*_: Any) -> None:
        raise PlannerError("disk", "file_unreadable", what, worded("free some space"))

    monkeypatch.setattr(project_file, "write_parts", no_room)
    with pytest.raises(PlannerError) as caught:
        save_project(rich(), tmp_path / "a.gpuplan")
    assert caught.value.what.values["error"] is what


def test_no_file_no_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.gpuplan", tmp_path):
        with pytest.raises(PlannerError) as refusal:
            open_project(path)
        assert refusal.value.code == "file_missing"
    with pytest.raises(PlannerError):
        save_project(rich(), tmp_path / "no" / "folder.gpuplan")


def test_a_newer_file_is_refused_with_the_version_that_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "q3.gpuplan"
    save_project(rich(), path)
    changed(path, f"PRAGMA user_version = {FORMAT_VERSION + 1}")
    changed(path, "UPDATE about SET value = '7.2.0' WHERE key = 'read_by'")
    content = path.read_bytes()
    with pytest.raises(PlannerError, match=r"gpuplanner 7\.2\.0 or newer"):
        open_project(path)
    assert path.read_bytes() == content


def column(entry: Any) -> None:
    """A field of a later version in a table of rows."""
    entry["fields"].append("carbon")
    for row in entry["rows"]:
        row.append(1)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("contracts", column),
        ("intake", column),
        ("jobs", column),
        ("plans", lambda entry: entry.update(carbon=1)),
        ("plans", lambda entry: entry["scenarios"][0].update(carbon=1)),
        ("plans", lambda entry: entry["assumptions"].update(carbon=1)),
        ("plans", lambda entry: entry["window"].update(carbon=1)),
        ("plans", lambda entry: entry["places"].update(carbon=1)),
        ("plans", lambda entry: column(entry["rules"])),
    ],
)
def test_what_a_later_version_added_is_refused_as_newer_not_lost(
    tmp_path: Path, name: str, more: Any
) -> None:
    path = tmp_path / "q3.gpuplan"
    save_project(rich(), path)
    with closing(sqlite3.connect(path)) as connection:
        stored = connection.execute("SELECT * FROM part WHERE name = ?", (name,)).fetchone()
    entry = from_json(unsealed(Part(*stored), name))
    more(entry)
    part = sealed(name, to_json(entry))
    statement = "UPDATE part SET size = ?, sha256 = ?, payload = ? WHERE name = ?"
    changed(path, statement, part.size, part.sha256, part.payload, name)
    with pytest.raises(PlannerError, match=r"newer.*'carbon'"):
        open_project(path)


def test_a_part_of_a_later_version_is_refused_as_newer(tmp_path: Path) -> None:
    path = tmp_path / "q3.gpuplan"
    save_project(rich(), path)
    part = sealed("carbon", b"{}")
    changed(path, "INSERT INTO part VALUES (?, ?, ?, ?)", part.name, part.size, part.sha256, part.payload)
    with pytest.raises(PlannerError, match=r"newer.*'carbon'"):
        open_project(path)


def test_an_older_file_is_migrated_on_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "q3.gpuplan"
    save_project(rich(), path)
    content = path.read_bytes()

    def to_next(connection: sqlite3.Connection) -> None:
        part = sealed("offers", b'{"fields":[],"rows":[]}')
        connection.execute("UPDATE part SET size = ?, sha256 = ?, payload = ? WHERE name = 'offers'",
                           (part.size, part.sha256, part.payload))  # fmt: skip

    monkeypatch.setattr(project_file, "FORMAT_VERSION", FORMAT_VERSION + 1)
    monkeypatch.setattr(project_file, "MIGRATIONS", {FORMAT_VERSION: to_next})
    assert_same(open_project(path), replace(rich(), offers=()))
    assert path.read_bytes() == content
    assert os.listdir(tmp_path) == ["q3.gpuplan"]


def test_plans_of_before_leaks_could_be_decided_open_with_all_leaks_open() -> None:
    from gpuplanner.files.project.plans_json import plans_entry
    from gpuplanner.files.project.value_tables import from_json, to_json

    entry = from_json(
        to_json(plans_entry(Project(window=Window(0, 24), cube=empty_cube(24), scenarios=(PLAN_B,))))
    )
    assert opened(entry).scenarios[0].leak_decisions == PLAN_B.leak_decisions
    for scenario in entry["scenarios"]:
        del scenario["leak_decisions"]
    assert opened(entry).scenarios[0].leak_decisions == ()


def test_plans_of_before_levels_could_be_held_open_with_the_rest_paid_by_use() -> None:
    entry = plans_entry(rich())
    for plan in entry["scenarios"]:  # type: ignore[attr-defined]
        del plan["advised_around"]
    assert all(not plan.advised_around for plan in opened(entry).scenarios)


def test_plans_of_before_questions_are_plans_of_their_own() -> None:
    plans = (Scenario(name="Plan A"), replace(PLAN_B, scratch_of="Plan A"))
    entry = from_json(
        to_json(plans_entry(Project(window=Window(0, 24), cube=empty_cube(24), scenarios=plans)))
    )
    assert opened(entry).scenarios == plans
    for scenario in entry["scenarios"]:
        del scenario["scratch_of"]
    assert opened(entry).scenarios == (Scenario(name="Plan A"), PLAN_B)


@pytest.mark.parametrize("of", [("", "nobody"), ("", "Plan B"), ("Plan B", "Plan A")])
def test_a_question_of_no_plan_is_a_plan_of_its_own_and_says_so(of: tuple[str, str], tmp_path: Path) -> None:
    """Of a plan that is not there, of itself, of each other: it opens, and keeps all that it has."""
    plans = (Scenario(name="Plan A", scratch_of=of[0]), replace(PLAN_B, scratch_of=of[1]))
    save_project(Project(window=Window(0, 24), cube=empty_cube(24), scenarios=plans), tmp_path / "a.gpuplan")
    for before, after in zip(plans, open_project(tmp_path / "a.gpuplan").scenarios, strict=True):
        said = after.decisions[len(before.decisions) :]
        assert replace(after, decisions=before.decisions) == replace(before, scratch_of="")
        assert [before.scratch_of in str(one.text) for one in said] == [True] * bool(before.scratch_of)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("price_changes", {"fields": ["gpu_model", "factor", "from_s"], "rows": [["H100", 0.0, 0]]}),
        ("changes", {"fields": ["of", "keys", "factor", "from_s"], "rows": [["all", [], -1.0, 0]]}),
        ("shares", [[{"provider": "x", "region": ""}, 1.5]]),
        ("shares", [[{"provider": "", "region": ""}, 0.5]]),
        ("shares", [[{"provider": "x", "region": ""}, 0.5]] * 2),
        ("only", {"e//x": {"provider": "x", "region": "", "not_provider": "y"}}),
    ],
)
def test_a_limit_or_step_that_nobody_could_have_entered_is_damage(part: str, wrong: object) -> None:
    entry = from_json(
        to_json(plans_entry(Project(window=Window(0, 24), cube=empty_cube(24), scenarios=(PLAN_B,))))
    )
    entry["scenarios"][0][part] = wrong
    with pytest.raises((ValueError, PlannerError)):
        opened(entry)


def test_plans_of_before_price_cases_open_at_mid() -> None:
    entry = from_json(
        to_json(plans_entry(Project(window=Window(0, 24), cube=empty_cube(24), scenarios=(PLAN_B,))))
    )
    assert opened(entry).scenarios == (PLAN_B,)
    for scenario in entry["scenarios"]:
        del scenario["price_case"]
    assert opened(entry).scenarios[0].price_case is PriceCase.MID
    entry["scenarios"][0]["price_case"] = "cheap"
    with pytest.raises(ValueError, match="cheap"):
        plans_of(entry)


def test_plans_of_before_parts_and_notes_open_without_any() -> None:
    entry = from_json(to_json(plans_entry(rich())))
    del entry["notes"]
    for plan in entry["scenarios"]:
        del plan["splits"], plan["merges"]
    plans = opened(entry)
    assert all(plan.merges == {} for plan in plans.scenarios)
    assert plans.notes == {}
    assert all(plan.splits == {} for plan in plans.scenarios)


@pytest.mark.parametrize(
    "merges", [{"": ["a", "b"]}, {"One": ["a"]}, {"Twice": ["a", "a"]}, {"A": ["a", "b"], "B": ["b", "c"]}]
)
def test_a_merged_card_that_cannot_be_is_not_taken_from_a_file(merges: dict[str, Any]) -> None:
    entry = from_json(to_json(plans_entry(rich())))
    entry["scenarios"][1]["merges"] = merges
    with pytest.raises(PlannerError):
        plans_of(entry)


@pytest.mark.parametrize(
    "split",
    [{}, {"permille": 0}, {"permille": 1.5}, {"at_s": 61}, {"hours": []}, {"hours": [3, 3]}, {"x": 1}],
)
def test_a_split_that_cannot_be_is_not_taken_from_a_file(split: dict[str, Any]) -> None:
    entry = from_json(to_json(plans_entry(rich())))
    entry["scenarios"][1]["splits"] = {"d//x": split}
    with pytest.raises((KeyError, TypeError, ValueError, PlannerError)):
        plans_of(entry)


# --- One flipped bit anywhere: the project is the same, or the file is refused in words


@pytest.mark.parametrize("flips", [60, pytest.param(2_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("of", ["project", "backup"])
def test_no_flipped_bit_gives_another_project(
    tmp_path: Path, of: str, flips: int, tally: Counter[str]
) -> None:
    path, project = tmp_path / "plan.gpuplan", rich()
    save_project(project, path)
    if of == "backup":
        save_project(replace(project, title="later"), path)
        (path,) = set(tmp_path.iterdir()) - {path}
    for content in flipped(path.read_bytes(), flips):
        path.write_bytes(content)
        try:
            assert is_same(open_project(path), project)
            tally["survived"] += 1
        except PlannerError:
            tally["refused"] += 1


@pytest.mark.parametrize("said", ["../../secret", "/etc/hosts", "0" * 63, "0" * 64 + "\n", "F" * 64])
def test_rows_are_named_by_a_hash_alone(said: str) -> None:
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        JobFacts(rows_sha256=said)


# --- A project goes to others: the folders of this computer stay here


def test_a_project_holds_no_absolute_folders(tmp_path: Path) -> None:
    place = tmp_path / "plans" / "plan.gpuplan"
    place.parent.mkdir()
    beside, above = tmp_path / "plans" / "jobs.csv", tmp_path / "logs" / "jobs.csv"
    paths = [str(beside), str(above), "/elsewhere/prices.csv", "as given.csv", "builtin"]
    file = rich().intake[0]
    project = replace(rich(), intake=tuple(replace(file, path=path) for path in paths))
    save_project(project, place)
    _, parts = project_file.read_file(place)
    assert str(tmp_path).encode() not in unsealed(parts["intake"], "")
    assert b"elsewhere" not in unsealed(parts["intake"], "")
    found = [file.path for file in open_project(place).intake]
    assert found == [str(beside), str(above), "prices.csv", "as given.csv", "builtin"]
    moved = tmp_path / "sent" / "plan.gpuplan"
    moved.parent.mkdir()
    place.rename(moved)
    assert open_project(moved).intake[0].path == str(tmp_path / "sent" / "jobs.csv")


def test_a_rate_that_was_said_before_is_a_term_beside_the_file_now() -> None:
    old = {
        "fields": ["contract_id", "cluster", "gpu_model", "milli_gpus", RATE_FIELD, "start_s", "rate_said"],
        "rows": [["a", "c", None, 1000, None, 0, "2.75"], ["b", "c", None, 1000, "3", 0, "2.75"]],
    }
    said, stated = rows_of(Contract, read_old_rates(old))
    assert said == with_terms(
        Contract(
            contract_id="a",
            cluster="c",
            gpu_model=None,
            milli_gpus=1000,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        ),
        {RATE_FIELD: Decimal("2.75")},
    )
    assert stated == Contract(
        contract_id="b",
        cluster="c",
        gpu_model=None,
        milli_gpus=1000,
        rate_usd_per_gpu_hour=Decimal(3),
        start_s=0,
    )


def test_a_sound_file_that_another_program_has_open_or_left_is_no_damaged_one(tmp_path):
    path = tmp_path / "a.gpuplan"
    save_project(rich(), path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(PlannerError, match="another program is writing it; close it there"):
            open_project(path)
        other.execute("ROLLBACK")
        other.execute("BEGIN IMMEDIATE")  # it is about to write: its change would go with the file replaced
        with pytest.raises(PlannerError, match=r"saving failed \(another program is writing it\)"):
            save_project(replace(rich(), title="ours"), path)
    journal = tmp_path / "a.gpuplan-journal"
    journal.write_bytes(b"half" * 600)
    with pytest.raises(PlannerError, match="a -journal file exists; copy only the project"):
        open_project(path)
    # its journal would be played back into what is saved
    with pytest.raises(PlannerError, match=r"saving failed \(another program's change is unfinished"):
        save_project(replace(rich(), title="ours"), path)
    journal.unlink()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.gpuplan"]
    assert open_project(path).jobs == rich().jobs
