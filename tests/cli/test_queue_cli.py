"""How long will they wait: rows, sizes, target and what the log's own waits say, worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.cli import commands
from gpuplanner.domain.ask import answers
from gpuplanner.domain.edits.plans import set_hand_layers
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import TODAY, HandLayer
from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.rows import replayed
from gpuplanner.domain.queue.waiting import waiting_of
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.windowed_jobs import read_queue
from gpuplanner.files.project import packed_rows
from gpuplanner.files.project.project_file import save_project
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.system.user_files import ROWS, data_folder

JOBS = "job_id,cluster,name,account,gpu_model,gpus,nodes,submit,start,end,time_limit,class\n"
CONTRACTS = "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,term_months\n"
PRICES = "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,max_gpus\n"
DAY = "2026-01-05T"


def job(name, pool, gpus, submit, start, end, nodes="", limit="", team="ml"):
    """One row; times are hours of the day."""
    hours = (f"{DAY}{hour:02}:00:00Z" if hour < 24 else f"2026-01-06T{hour - 24:02}:00:00Z"
             for hour in (submit, start, end))  # fmt: skip
    return f"{name},a,{name},{team},H100,{gpus},{nodes},{','.join(hours)},{limit},{pool}\n"


TWO = job("long", "training", 8, 0, 0, 10) + job("short", "inference", 2, 1, 10, 11)


@pytest.fixture
def asked(call, put):
    """The document of `queue` for these rows on so many H100 of cluster a."""

    def of(jobs, gpus=8, *words, prices="", command="queue"):
        contract = f"c1,V,a,H100,{gpus},2,2025-01-01,2028-01-01,COMMITTED,36\n"
        files = ["--jobs", put("jobs.csv", JOBS + jobs)]
        if gpus:
            files += ["--contracts", put("contracts.csv", CONTRACTS + contract)]
        if prices:
            files += ["--prices", put("prices.csv", PRICES + prices)]
        said = call(command, *files, *words)
        assert said.status == 0, said.err
        return said.document

    return of


@pytest.mark.long
@pytest.mark.parametrize(("gpus", "wait"), [(8, 9.0), (10, 0.0)])
def test_the_second_waits_for_the_first_unless_there_is_room(asked, gpus, wait):
    found = asked(TWO, gpus)
    assert found["submit_known"] == 1
    assert found["today"]["inference"]["p90_h"] == wait
    assert found["today"]["training"]["p90_h"] == 0
    assert found["replayed"] == found["today"]
    assert found["measured"]["inference"]["p99_h"] == 9
    assert found["error"]["inference"]["p90_h"] == wait - 9
    assert found["measured"]["inference"]["waited_with_room"] == (gpus == 10)
    assert found["never_fit"] == []


def test_at_the_real_size_the_calibration_is_what_was_measured(asked):
    found = asked(TWO)["calibrated"]["inference"]
    assert (found["p90_low_h"], found["p90_high_h"]) == (9, 9)


@pytest.mark.long
def test_a_job_that_no_gpus_hold_is_in_no_figure(asked):
    found = asked(TWO + job("huge", "training", 16, 2, 2, 3))
    assert found["never_fit"] == ["huge"]
    assert found["today"]["training"]["jobs"] == 1


@pytest.mark.long
def test_who_has_no_patience_goes_out_at_once_to_the_cheapest_with_room(asked):
    offers = "dear,V,H100,STANDARD,0,9,\ncheap,V,H100,STANDARD,0,5,2\n"
    found = asked(TWO + job("third", "inference", 2, 1, 10, 12), 8, prices=offers)["today"]["inference"]
    assert (found["sent_out_jobs"], found["p99_h"]) == (2, 0)
    assert found["sent_out_gpu_hours"] == 2 * 1 + 2 * 2
    assert found["sent_out_usd"] == 2 * 1 * 5 + 2 * 2 * 9  # the first by id has the cheap ones
    waits = asked(TWO, 8, "--set", "patience_inference_hours=none", prices=offers)["today"]["inference"]
    assert (waits["sent_out_jobs"], waits["p90_h"]) == (0, 9)
    later = asked(TWO, 8, "--set", "patience_inference_hours=3", prices=offers)["today"]["inference"]
    assert (later["sent_out_jobs"], later["p90_h"]) == (1, 3)


@pytest.mark.long
def test_a_backfilled_job_keeps_the_reservation(asked):
    """Four of eight run to 10; eight wait for them until 10; four of five hours go in, four of twelve do not."""
    rows = (
        job("running", "training", 4, 0, 0, 10)
        + job("eight", "training", 8, 1, 10, 12)
        + job("fits", "training", 4, 2, 2, 7)
        + job("outlasts", "training", 4, 2, 12, 24)
    )
    found = asked(rows)["today"]["training"]
    assert found["jobs"] == 4
    assert found["mean_h"] == (0 + 9 + 0 + 10) / 4


@pytest.mark.long
def test_a_limit_is_what_the_reservation_goes_by(asked):
    rows = (
        job("running", "training", 4, 0, 0, 3, limit=36_000)
        + job("eight", "training", 8, 1, 3, 5)
        + job("behind", "training", 4, 1, 1, 9, limit=28_800)
    )
    assert asked(rows)["today"]["training"]["p99_h"] == 8  # eight wait until what was let in has ended


@pytest.mark.long
def test_gangs_wait_for_whole_nodes_and_what_stands_free_is_told(asked):
    rows = (
        job("a", "training", 8, 0, 0, 1, nodes=1)
        + "".join(job(f"b{at}", "training", 5, 1, 1, 6, nodes=1) for at in (1, 2))
        + job("gang", "training", 6, 2, 6, 7, nodes=1)
    )
    found = asked(rows, 16)
    assert found["today"]["training"]["p99_h"] == 4
    assert found["fragment_gpu_hours"] == 6 * 4
    assert found["fragment_usd"] == 6 * 4 * 2
    assert asked(rows.replace(",1,2026", ",,2026"), 16)["today"]["training"]["p99_h"] == 0


@pytest.mark.long
def test_the_smallest_size_that_keeps_a_target_and_what_it_costs(asked):
    rows = "".join(job(f"j{at}", "training", 2, 0, at, at + 1) for at in range(8))
    found = asked(rows, 8, "--target", "training=1h")
    assert found["target"]["gpus"] == 8  # four at once: half of them wait an hour
    assert found["target"]["usd_per_month"] == 8 * 2 * 730
    points = {one["gpus"]: one for one in found["frontier"]}
    assert points[2]["p90_h"] == 7
    assert points[16]["p90_h"] == 0
    assert "target" in points[8]["marks"]
    assert "today" in points[8]["marks"]
    assert asked(rows, 8, "--sizes", "0")["frontier"] == []


@pytest.mark.long
def test_together_all_pools_of_a_model_stand_on_one_size(asked, call, put):
    """Alone inference needs 2 and training 8; on 8 for both inference waits 9 h for training, on 10 nobody waits."""
    prices = "yearly,V,H100,COMMITTED,12,1,\n"
    found = asked(TWO, 8, "--together", "--target", "inference=8h", prices=prices)
    sizes = {(one["pool"], one["gpus"]): one for one in found["frontier"]}
    assert {(pool, gpus): one["p90_h"] for (pool, gpus), one in sizes.items()} == {
        ("training", 8): 0, ("training", 9): 0, ("training", 10): 0,
        ("inference", 8): 9, ("inference", 9): 9, ("inference", 10): 0,
    }  # fmt: skip
    assert sizes["inference", 8]["marks"] == ["today", "plan"] == sizes["training", 8]["marks"]
    assert sizes["training", 8]["p90_h"] == found["replayed"]["training"]["p90_h"]
    assert sizes["inference", 8]["p90_h"] == found["replayed"]["inference"]["p90_h"]
    assert {key: found["target"][key] for key in ("gpus", "plan_gpus", "difference_usd_per_month")} == {
        "gpus": 10, "plan_gpus": 8, "difference_usd_per_month": 2 * 2 * 730,
    }  # fmt: skip
    alone = asked(TWO, 8, prices=prices)["frontier"]
    assert {one["gpus"] for one in alone if one["pool"] == "inference" and "plan" not in one["marks"]} == {
        2,
        8,
    }
    only = TWO.splitlines(keepends=True)[0]  # one pool: all together is that pool alone
    assert (
        asked(only, 8, "--together", prices=prices)["frontier"] == asked(only, 8, prices=prices)["frontier"]
    )


def test_together_the_plan_costs_one_sum_whichever_pool_is_looked_at(asked):
    """On its two clusters one of two burst jobs has no room and goes out for $720; on 16 GPUs for all both run."""
    two = "8,2,2025-01-01,2028-01-01,COMMITTED,36\nc2,V,b,H100,8"
    rows = job("short", "inference", 1, 12, 12, 13) + job("other", "inference", 1, 14, 14, 15).replace(
        ",a,", ",b,"
    )
    rows += "".join(job(name, "burst", 8, 2, 2, 12) for name in ("one", "two"))
    offers = "od,V,H100,STANDARD,0,9,\nyearly,V,H100,COMMITTED,12,1,\n"
    found = asked(rows, two, "--together", "--set", "patience_burst_hours=0", prices=offers)
    assert found["replayed"]["burst"]["sent_out_usd"] == 8 * 10 * 9
    planned = {one["pool"]: one for one in found["frontier"] if "plan" in one["marks"]}
    assert {one["gpus"] for one in planned.values()} == {16} and len(planned) == 2
    assert planned["inference"]["usd_per_month"] == planned["burst"]["usd_per_month"] > 16 * 2 * 730


def test_sizes_are_drawn_from_the_capacity_at_which_the_replay_agrees(asked):
    """Two of 8 GPUs ran at once on 8 contracted: the second waits 10 h in the replay, 0 h in the log; 16 GPUs agree.

    80 GPU-hours were beyond the contract. On 8 GPUs the range is from 10 h to 10 h + (0 h in the log - 0 h there).
    """
    rows = job("one", "training", 8, 0, 0, 10) + job("two", "training", 8, 0, 0, 10)
    (of,) = asked(rows, 8)["models"]
    gap = {"pool": "training", "log_h": 0, "replayed_h": 10, "out_share": 0}
    assert of == {
        "gpu_model": "H100", "today_gpus": 8, "over_gpu_hours": 80, "gaps": [gap], "agreed_gpus": 16,
        "better_gpus": None, "better_usd_per_month": None,
    }  # fmt: skip
    sizes = {one["gpus"]: one for one in asked(rows, 8, "--calibrate")["frontier"]}
    assert sizes[16]["marks"] == ["agreed"] and sizes[8]["marks"] == ["today"]
    assert (sizes[8]["p90_low_h"], sizes[8]["p90_high_h"]) == (10, 10)
    assert asked(rows, 8, "--sizes", "0")["models"] == []


@pytest.mark.long
def test_a_pool_that_is_alone_but_for_the_warm_up_shares_with_nobody(asked):
    """The window begins with the first start: who was asked for before is counted in no pool."""
    first = job("first", "training", 8, 0, 3, 10)
    for_all = asked(first + job("short", "inference", 2, 4, 10, 11), 8, "--together")
    assert [one["pool"] for one in for_all["by_model"]] == ["inference"]
    assert for_all["frontier"] == asked(first + job("short", "inference", 2, 4, 10, 11))["frontier"]


@pytest.mark.long
def test_together_sizes_are_whole_nodes(asked):
    one = job("long", "training", 8, 0, 0, 10, nodes=1) + job("short", "inference", 2, 1, 10, 11, nodes=1)
    rows = one + job("two", "training", 16, 2, 11, 12, nodes=2)
    gpus = [one["gpus"] for one in asked(rows, 24, "--together")["frontier"]]
    assert gpus and not any(many % 8 for many in gpus)
    unknown = [one["gpus"] for one in asked(rows.replace(",16,2,", ",16,,"), 24, "--together")["frontier"]]
    assert any(many % 8 for many in unknown)


@pytest.mark.long
def test_the_smallest_size_on_which_nobody_ever_waits(asked):
    """Of ten that come one after the other on the hour for two hours each, two run at once: P90 is 0 on any size, as
    all who find no room go out; nobody does on 4 GPUs."""
    rows = "".join(job(f"j{at}", "inference", 2, at, at, at + 2) for at in range(10))
    found = asked(rows, 2, "--target", "inference=0", prices="od,V,H100,STANDARD,0,9,\n")
    assert found["target"]["gpus"] == 2
    found = asked(rows, 2, "--target", "inference=never", prices="od,V,H100,STANDARD,0,9,\n")
    assert (found["target"]["gpus"], found["target"]["p90_h_max"], found["target"]["p90_h"]) == (4, 0, 0)


@pytest.mark.long
def test_seven_slices_of_a_gpu_run_at_once_and_the_eighth_waits(asked):
    rows = "".join(job(f"j{at}", "training", 0.142857143, 0, 0, 4) for at in range(8))
    found = asked(rows, 1)["today"]["training"]
    assert (found["jobs"], found["p50_h"], found["share_over_1h"], found["mean_h"]) == (8, 0, 1 / 8, 0.5)


@pytest.mark.long
def test_amounts_of_slices_are_those_of_the_log_however_they_lie(asked):
    """A third slice of three sevenths, 0.429 of a GPU, finds no room beside two and goes out for its 4 hours."""
    rows = "".join(job(f"j{at}", "inference", 3 / 7, 0, 0, 4) for at in range(3))
    found = asked(rows, 1, "--sizes", "1", prices="od,V,H100,STANDARD,0,9,\n")
    today = found["today"]["inference"]
    assert (today["sent_out_jobs"], today["utilization"]) == (1, pytest.approx(2 * 0.429))
    assert (today["sent_out_gpu_hours"], today["sent_out_usd"]) == pytest.approx((4 * 0.429, 36 * 0.429))
    (point, *_) = found["frontier"]
    assert point["usd_per_month"] == pytest.approx(730 * 2 + 36 * 0.429 * 730 / 4)
    rows = job("a", "training", 3 / 7, 0, 0, 4) + job("b", "training", 3 / 7, 0, 2, 4)
    waited = asked(rows, 1, command="audit")["waits"][0]
    assert (waited["waited_gpu_hours"], waited["waited_gpus_most"]) == pytest.approx((2 * 0.429, 0.429))
    seven = "".join(job(f"j{at}", "training", 1 / 7, 0, 0, 4) for at in range(7))
    filled = asked(seven, 1, "--sizes", "2")
    assert filled["today"]["training"]["utilization"] == 1
    assert [one["gpus"] for one in filled["frontier"]] == [1]


@pytest.mark.long
def test_a_machine_has_whole_gpus_whatever_slices_run_on_it(asked):
    """Two of three sevenths fit on a GPU, and one of four beside one of three."""
    rows = "".join(job(f"j{at}", "training", 3 / 7, 0, 0, 4, nodes=1) for at in range(9))
    assert asked(rows, 4)["today"]["training"]["mean_h"] == 4 / 9
    mixed = "".join(
        job(f"j{at}", "training", share / 7, 0, 0, 4, nodes=1) for at, share in enumerate((4, 4, 3, 3))
    )
    assert asked(mixed, 2)["today"]["training"]["mean_h"] == 0


@pytest.mark.long
def test_a_job_that_ran_after_the_window_is_of_the_class_that_the_log_states(asked):
    """Eligible in it, it waits for the run that is there, and is no job of training."""
    window = ("--start", "2026-01-05", "--end", "2026-01-05T08:00")
    found = asked(TWO, 8, *window)
    assert (found["today"]["inference"]["p90_h"], found["measured"]["inference"]["p90_h"]) == (9, 9)
    assert found["today"]["training"]["jobs"] == 1


@pytest.mark.long
def test_who_waits_on_a_shared_cluster_of_today_stands_by_class(asked):
    """Most of its GPU time is training, its cluster's pool; the endpoint that waited is in a row of its own."""
    for words in ((), ("--scenario", "Today")):
        rows = {(row["by"], row["name"]): row for row in asked(TWO, 8, *words, command="audit")["waits"]}
        assert rows["pool", "inference"]["p90_h"] == 9
        assert asked(TWO, 8, *words)["today"]["inference"]["p90_h"] == 9


@pytest.mark.long
def test_today_stands_by_class_wherever_a_plan_has_put_a_workload(asked):
    """In burst the endpoint comes behind training; what it waited and waits today is not the plan's to move."""
    rows = job("serve", "inference", 8, 1, 1, 5) + job("train", "training", 8, 0, 6, 9)
    rows += job("next", "training", 8, 1, 9, 12)
    words = ("--set", "patience_inference_hours=none", "--assign", "a/ml/serve/inference=burst")
    today = asked(rows, 8, "--scenario", "Today")
    found = asked(rows, 8, *words, prices="od,V,H100,STANDARD,0,9,\n")
    assert found["replayed"]["burst"]["p90_h"] == 5 and "inference" not in found["replayed"]
    for which in ("today", "measured", "error"):
        assert found[which] == today[which] and "burst" not in found[which]
    assert found["calibrated"].keys() == {"training"}


@pytest.mark.long
def test_today_goes_out_at_the_rates_of_today_whether_a_plan_moves_a_workload_or_not(call, put):
    """At high rates what was sent out today cost more, until some workload was put into another pool."""
    rows = JOBS + TWO + job("next", "training", 1, 12, 12, 13)
    prices = PRICES.replace("\n", ",rate_high\n") + "od,V,H100,STANDARD,0,9,,12\n"
    contract = "c1,V,a,H100,8,2,2025-01-01,2028-01-01,COMMITTED,36\n"
    files = ("--jobs", put("jobs.csv", rows), "--contracts", put("contracts.csv", CONTRACTS + contract))
    words = (*files, "--prices", put("prices.csv", prices), "--sizes", "0")
    moved = "--assign", "a/ml/next/training=burst"
    mid, *others = (
        call("queue", *words, *more).document["today"]
        for more in ((), ("--price-case", "high"), ("--price-case", "high", *moved))
    )
    assert mid["inference"]["sent_out_usd"] == 2 * 9 and others == [mid, mid]


def test_what_nodes_cost_in_waiting_stands_beside_and_where_gpus_stood_free(asked, call, put):
    rows = (
        job("a", "training", 8, 0, 0, 1, nodes=1)
        + "".join(job(f"b{at}", "training", 5, 1, 1, 6, nodes=1) for at in (1, 2))
        + job("gang", "training", 6, 2, 6, 7, nodes=1)
    )
    found = asked(rows, 16)
    assert (found["today"]["training"]["p99_h"], found["one_gpu_nodes"]["training"]["p99_h"]) == (4, 0)
    assert asked(TWO)["one_gpu_nodes"] is None
    assert asked(rows, 16, "--sizes", "0")["one_gpu_nodes"] is None  # no other replay is asked for
    contract = "c1,V,a,H100,16,2,2025-01-01,2028-01-01,COMMITTED,36\n"
    files = (
        "--jobs",
        put("jobs.csv", JOBS + rows),
        "--contracts",
        put("contracts.csv", CONTRACTS + contract),
    )
    said = call("queue", *files, text=True).out
    assert "H100 24 GPU-h, $48." in said
    assert said.startswith("P90 wait on the GPUs of today: Training ")
    (packed,) = [line for line in said.splitlines()[1:] if "P90" in line and "4.0 h" in line]
    assert "Training 0.0 h" in packed


@pytest.mark.long
def test_a_log_without_submit_times_has_no_waits_of_its_own(asked):
    rows = TWO.replace(f"{DAY}00:00:00Z,{DAY}00", f",{DAY}00").replace(f"{DAY}01:00:00Z,{DAY}10", f",{DAY}10")
    found = asked(rows)
    assert (found["submit_known"], found["measured"], found["calibrated"], found["error"]) == (
        0,
        None,
        None,
        None,
    )
    assert asked(rows, command="plan")["waiting"] is None
    assert asked(rows, command="audit")["waits"] is None


@pytest.mark.long
def test_jobs_without_a_submit_time_are_in_no_wait_as_it_was(asked, call, put):
    """One of two jobs waited 9 h, of the other nobody knows: the mean is 9 h and not 4.5 h; both are replayed."""
    rows = TWO + job("unknown", "inference", 2, 10, 10, 11).replace(f",{DAY}10:00:00Z,{DAY}10", f",,{DAY}10")
    found = asked(rows)
    assert found["submit_known"] == 2 / 3
    measured = found["measured"]["inference"]
    assert (measured["jobs"], measured["mean_h"], measured["p50_h"], measured["share_over_1h"]) == (
        1,
        9,
        9,
        1,
    )
    assert found["today"]["inference"]["jobs"] == 2
    waits = {(row["by"], row["name"]): row for row in asked(rows, command="audit")["waits"]}
    assert (waits["pool", "inference"]["jobs"], waits["pool", "inference"]["mean_h"]) == (1, 9)
    assert ("hour_of_week", "10") not in waits
    said = call("queue", "--jobs", put("jobs.csv", JOBS + rows), text=True).out
    alone = call("queue", "--jobs", put("two.csv", JOBS + TWO), text=True).out
    assert "67% of jobs" in said and "67% of" not in alone


def test_a_pool_of_which_no_submit_time_is_known_has_no_wait_of_its_own(asked):
    unknown = job("unknown", "training", 2, 2, 2, 3).replace(f",{DAY}02:00:00Z,{DAY}02", f",,{DAY}02")
    found = asked(TWO.replace("training", "burst") + unknown)
    assert (found["measured"]["training"]["jobs"], found["measured"]["training"]["p90_h"]) == (0, None)
    assert (found["calibrated"]["training"]["p90_low_h"], found["error"]["training"]["p90_h"]) == (None, None)


def test_the_audit_tells_waits_as_they_were(asked):
    rows = {(row["by"], row["name"]): row for row in asked(TWO, command="audit")["waits"]}
    assert {name for by, name in rows if by == "size"} == {"2-4", "5-8"}
    found = rows["pool", "inference"]
    assert (found["jobs"], found["p90_h"], found["share_over_1h"]) == (1, 9, 1)
    assert (found["waited_gpu_hours"], found["waited_gpus_most"]) == (18, 2)
    assert found["waited_with_room"] == 0
    assert rows["hour_of_week", "1"]["jobs"] == 1
    assert rows["pool", "training"]["waited_with_room"] is None


@pytest.mark.long
def test_a_plan_has_the_rows_of_its_own_gpus(asked):
    prices = "od,V,H100,STANDARD,0,9,\n"
    words = ("--set", "patience_inference_hours=none")
    (first, second) = asked(TWO, 8, *words, prices=prices, command="plan")["waiting"]
    assert (first["pool"], first["p90_h"]) == ("inference", 9)
    assert (second["pool"], second["p90_h"]) == ("training", 0)
    assert asked(TWO, 8, *words, prices=prices)["replayed"]["inference"]["p90_h"] == 9


@pytest.mark.long
def test_a_plan_that_a_shared_size_beats_is_not_advised_in_silence(call, put):
    """16 GPUs are kept for inference, 8 for training, whose second job waits 5 h: on 16 shared ones nobody waits.

    These cost 730 x $2 x 16 = $23,360 per month, the plan's 24 cost $35,040.
    """
    rows = (
        job("a", "training", 8, 0, 0, 5)
        + job("b", "training", 8, 0, 0, 5)
        + job("c", "inference", 8, 9, 9, 10)
    )
    held = "{},V,a,H100,{},2,2025-01-01,2028-01-01,COMMITTED,36,{}\n"
    contracts = (
        CONTRACTS.strip() + ",pool\n" + held.format("i", 16, "inference") + held.format("t", 8, "training")
    )
    files = ["--jobs", put("jobs.csv", JOBS + rows), "--contracts", put("contracts.csv", contracts)]
    files += ["--prices", put("prices.csv", PRICES + "od,V,H100,STANDARD,0,9,\n")]
    found = call("plan", *files)
    (check,) = [check for check in found.document["checks"] if check["code"] == "better_size"]
    assert (check["severity"], check["subject"], check["usd_per_month"]) == ("amber", "H100", 11_680)
    for part in (
        "16 shared GPUs",
        "the plan's 24",
        "$23,360 instead of $35,040",
        "Training P90 0.0 h instead of 5.0 h",
    ):
        assert part in check["message"]
    (model,) = call("queue", *files, "--sizes", "0").document["models"]
    assert (model["better_gpus"], model["better_usd_per_month"], model["gaps"]) == (16, 23_360, [])


@pytest.mark.parametrize(("ends", "most_jobs", "words", "wait"), [
    ("2026-03-01", 2, (), 10.0),
    ("2026-01-19", 1, (), 10.0),
    ("2026-03-01", 1, (), None),
    ("2026-03-01", 1, ("--show", "waits"), 10.0),
])  # fmt: skip
def test_a_decision_that_ends_gpus_waits_as_the_command_queue_says_of_what_is_left(
    call, put, asked, ends, most_jobs, words, wait, monkeypatch
):
    """Two jobs of 8 GPUs and 10 h on 16 GPUs, of which 8 leave: the second then waits 10 h.

    Of a log of many jobs only what is due within 14 days is replayed without --show waits.
    """
    monkeypatch.setattr(commands, "MANY_JOBS", most_jobs)
    rows = job("a", "training", 8, 0, 0, 10) + job("b", "training", 8, 0, 0, 10)
    held = "".join(
        f"{name},V,a,H100,8,2,2025-01-01,{end},COMMITTED,36\n"
        for name, end in (("c1", "2028-01-01"), ("c2", ends))
    )
    prices = "od,V,H100,STANDARD,0,9,\n"
    files = ["--jobs", put("jobs.csv", JOBS + rows), "--contracts", put("contracts.csv", CONTRACTS + held)]
    found = call("plan", *files, "--prices", put("prices.csv", PRICES + prices), *words)
    assert found.status == 0, found.err
    decisions = found.document["next_decisions"]
    (row,) = (row for row in decisions if row["id"] == "contract:c2")
    without = None if wait is None else 0.0
    assert (row["kind"], row["wait_p90_hours"], row["wait_p90_hours_without"]) == (
        "let_expire",
        wait,
        without,
    )
    warned = [check["subject"] for check in found.document["checks"] if check["code"] == "decision_waits"]
    assert warned == ["c2"] * (wait is not None)
    assert {row["wait_p90_hours"] for row in decisions if row["id"] != "contract:c2"} <= {None}
    left = asked(rows, 8, prices=prices)["replayed"]["training"]["p90_h"]
    both = asked(rows, 16, prices=prices)["replayed"]["training"]["p90_h"]
    assert (left, both) == (10.0, 0.0)


def test_the_plan_among_the_sizes_is_its_own_replay(asked):
    """Both pools share 8 GPUs: training alone never waits on them, in the plan it waits for inference until 4."""
    rows = job("serve", "inference", 8, 0, 0, 4) + job("train", "training", 8, 1, 4, 9)
    words = ("--set", "patience_inference_hours=none")
    found = asked(rows, 8, *words, "--target", "training=1h", prices="od,V,H100,STANDARD,0,9,\n")
    (mine,) = (row for row in found["by_model"] if row["pool"] == "training")
    points = [one for one in found["frontier"] if one["pool"] == "training"]
    (plan,) = (one for one in points if "plan" in one["marks"])
    assert mine["p90_h"] == 3
    assert (plan["gpus"], plan["p50_h"], plan["p90_h"], plan["share_over_1h"]) == (8, 3, 3, 1)
    assert (plan["p90_low_h"], plan["p90_high_h"]) == (
        3,
        3,
    )  # as measured: today and the plan are the same GPUs
    (alone,) = (one for one in points if one is not plan)
    assert (alone["gpus"], alone["p90_h"], alone["marks"]) == (8, 0, ["today", "target"])
    assert (alone["p90_low_h"], alone["p90_high_h"]) == (
        0,
        0,
    )  # what sharing costs it is no miss of the replay
    assert found["target"]["plan_gpus"] == 8


@pytest.mark.long
def test_todays_gpus_are_those_of_all_pools_where_contracts_leave_them_open(put, tmp_path):
    """12 open to both pools; then all of them pinned to training; then training is alone."""
    serve, train = job("serve", "inference", 8, 0, 0, 4), job("train", "training", 8, 1, 4, 9)
    contract = put("contracts.csv", f"{CONTRACTS}c1,V,a,H100,12,2,2025-01-01,2028-01-01,COMMITTED,36\n")

    def found(rows, pool=None):
        jobs = put("jobs.csv", JOBS + rows)
        project = read_inputs([jobs], [contract], [], rows_dir=tmp_path).project()
        project = replace(project, contracts=tuple(replace(one, pool=pool) for one in project.contracts))
        evaluation = evaluate(project, TODAY, read_tables())
        points = waiting_of(Queueing(evaluation, read_queue(tmp_path, project))).frontier
        return {(one.pool, one.today.gpus, one.today.is_shared) for one in points}

    assert found(serve + train) == {(Pool.INFERENCE, 12, True), (Pool.TRAINING, 12, True)}
    pinned = found(serve + train, Pool.TRAINING)
    assert (Pool.TRAINING, 12, False) in pinned
    assert found(job("train", "training", 8, 4, 4, 9)) == {(Pool.TRAINING, 12, False)}


def test_a_plan_that_nobody_else_is_on_is_one_of_the_sizes(asked):
    found = asked(job("train", "training", 8, 1, 1, 9), 8, prices="od,V,H100,STANDARD,0,9,\n")
    assert [(one["gpus"], one["marks"]) for one in found["frontier"]] == [(8, ["today", "plan"])]


@pytest.mark.long
def test_a_level_by_hand_that_no_offer_has_room_for_leaves_the_sizes_their_cost(put, tmp_path):
    """24 GPUs for 36 months where the one offer has 4: the rest has no rate, the sizes have that of the 4."""
    jobs = put("jobs.csv", JOBS + job("train", "training", 16, 1, 1, 9))
    prices = put("prices.csv", PRICES + "od,V,H100,STANDARD,0,9,\nlong,V,H100,COMMITTED,36,1.5,4\n")
    project = read_inputs([jobs], [], [prices], rows_dir=tmp_path).project()
    name = project.scenarios[0].name
    held = set_hand_layers(project, name, Pool.TRAINING, "H100", [HandLayer(36, 24)])
    evaluation = evaluate(held, name, read_tables())
    assert None in [one.rate for one in evaluation.advice.pools[0].layers]
    points = waiting_of(Queueing(evaluation, read_queue(tmp_path, held))).frontier
    assert points and all(one.usd_per_month == pytest.approx(730 * one.gpus * 1.5) for one in points)


@pytest.mark.long
def test_a_size_that_is_asked_for_in_words_is_that_of_the_target(put, tmp_path):
    jobs = put("jobs.csv", JOBS + "".join(job(f"j{at}", "training", 2, 0, at, at + 1) for at in range(8)))
    contracts = put("contracts.csv", f"{CONTRACTS}c1,V,a,H100,10,2,2025-01-01,2028-01-01,COMMITTED,36\n")
    prices = put("prices.csv", PRICES + "od,V,H100,STANDARD,0,9,\n")
    project = read_inputs([jobs], [contracts], [prices], rows_dir=tmp_path).project()
    evaluation = evaluate(project, project.scenarios[0].name, read_tables())
    queueing = Queueing(evaluation, read_queue(tmp_path, project))
    (of, asked), words = (evaluation, {"pool": Pool.TRAINING, "ratio": 1.0}), answers.READERS["size"]
    assert [one.value for one in words(queueing, lambda: False, of, asked)] == [8, 8 * 1460, -2 * 1460]
    asked = {"pool": Pool.TRAINING}  # nobody ever waits
    assert words(queueing, lambda: False, of, asked)[0].value == 16
    assert [one.value for one in words(queueing, lambda: False, of, {})] == [None]  # no endpoint is there
    assert [one.value for one in words(None, lambda: False, of, asked)] == [None]


def test_no_job_is_made_that_holds_nothing_on_a_node(put, tmp_path):
    """One thousandth of a GPU on four nodes: three of its pieces were 0, and who stood behind it never started."""
    project = read_inputs([put("jobs.csv", JOBS + TWO)], [], [], rows_dir=tmp_path).project()
    queueing = Queueing(evaluate(project, TODAY, read_tables()), read_queue(tmp_path, project))
    for milli, nodes in ((1, 4), (3, 4), (4, 4), (1, 0), (8000, 2)):
        of_all = np.full(len(queueing.log.kind), 1)
        queueing.log = replace(queueing.log, milli_gpus=milli * of_all, nodes=nodes * of_all)
        for one in queueing.jobs(queueing.today):
            assert sum(one.pieces) == milli and min(one.pieces) > 0 and one.nodes <= max(nodes, 1)


@pytest.mark.long
def test_a_plan_that_signs_nothing_has_the_sets_of_today_and_is_replayed_once(put, tmp_path):
    contract = CONTRACTS + "c1,V,a,H100,8,2,2025-01-01,2028-01-01,COMMITTED,36\n"
    texts = {
        "jobs.csv": JOBS + TWO,
        "contracts.csv": contract,
        "prices.csv": PRICES + "od,V,H100,STANDARD,0,9,\n",
    }
    project = read_inputs(*([put(*one)] for one in texts.items()), rows_dir=tmp_path).project()
    evaluation = evaluate(project, project.scenarios[0].name, read_tables())
    queueing = Queueing(evaluation, read_queue(tmp_path, project))
    assert queueing.today == queueing.plan
    assert waiting_of(queueing, 0).is_planned
    assert replayed(queueing, queueing.today) is replayed(queueing, queueing.plan)
    assert not waiting_of(queueing, 0).is_changed
    work = PlannedWork(name="new", pool=Pool.TRAINING, gpu_model="H100", gpus=1.0, cluster="a", team="ml")
    for more in ({"assumptions": {"growth_burst": 0.02}}, {"planned": (work,)}):
        plan = replace(project.scenarios[0], **more)
        other = evaluate(replace(project, scenarios=(plan,)), plan.name, read_tables())
        assert Queueing(other, queueing.log).is_changed  # the log neither grows nor has the work


@pytest.mark.long
def test_a_plan_that_has_fewer_gpus_later_says_when(call, put, tmp_path):
    """24 GPUs until 1 June, 8 from then on; months are of 730 h from 6 January 11:00 on, and June's is the fifth."""
    ends = (
        "c1,V,a,H100,8,2,2025-01-01,2028-01-01,COMMITTED,36\n",
        "c2,V,a,H100,16,2,2025-01-01,2026-06-01,COMMITTED,17\n",
    )
    od = PRICES + "od,V,H100,STANDARD,0,9,\n"

    def said(*contracts, jobs=TWO):
        files = (("jobs", JOBS + jobs), ("contracts", CONTRACTS + "".join(contracts)), ("prices", od))
        words = [word for name, text in files for word in (f"--{name}", put(f"{name}.csv", text))]
        read = call("queue", *words, "--sizes", "0", text=True)
        rows = [line.split()[:2] for line in read.out.splitlines()]
        for pool in (
            "Inference",
            "Training",
        ):  # the plan begins with the GPUs of today: its rows are the same
            assert rows.count([pool, "today"]) == rows.count([pool, "plan"]) == 1
        return [line for line in read.out.splitlines() if "fewest (" in line]

    (line,) = said(*ends)
    assert "24 GPUs" in line and "fewest (8)" in line and "Jun 2026" in line
    assert "may wait longer" in line  # nothing is replayed there, and what was given up may have stood idle
    assert said(ends[0]) == []
    # one GPU of 100 is told of a large plan no more than a few of the last node; without nodes each GPU counts
    on_nodes = job("long", "training", 8, 0, 0, 10, 1) + job("short", "inference", 2, 1, 10, 11, 1)
    for stays, ends_soon, jobs, is_told in (
        (99, 1, TWO, False),
        (97, 3, TWO, True),
        (8, 3, on_nodes, False),
        (8, 3, TWO, True),
        (8, 4, on_nodes, True),
    ):
        held = (
            end.replace("H100,8,", f"H100,{stays},").replace("H100,16,", f"H100,{ends_soon},") for end in ends
        )
        assert bool(said(*held, jobs=jobs)) is is_told


def test_without_contracts_a_cluster_has_what_was_busy(asked):
    found = asked(TWO, 0)
    assert found["today"]["inference"]["p90_h"] == 9


@pytest.mark.parametrize(
    "words",
    [
        *(("--target", "training"), ("--target", "web=1h"), ("--sizes", "many")),
        ("--planned", "name=a,pool=training,gpu_model=H100,gpus=2,length_hours=4,every_hours=2"),
        ("--planned", "name=a,pool=training,gpu_model=H100,gpu=2"),
    ],
)
def test_what_cannot_be_read_is_told(call, put, words):
    said = call("queue", "--jobs", put("jobs.csv", JOBS + TWO), *words)
    assert said.status == 2
    assert words[0] in said.err


def test_the_text_says_how_far_to_trust_it(call, put):
    contract = "c1,V,a,H100,8,2,2025-01-01,2028-01-01,COMMITTED,36\n"
    files = ("--jobs", put("jobs.csv", JOBS + TWO), "--contracts", put("contracts.csv", CONTRACTS + contract))
    said = call("queue", *files, "--target", "inference=0", text=True).out
    (line,) = [line for line in said.splitlines() if "2 H100 GPUs" in line]
    assert all(value in line for value in ("P90", "Inference", "0.0 h", "$2,920", "$2.00"))


def test_what_the_log_had_room_for_is_a_sample(call, put):
    """Its one wait had all but 2 of 100 GPUs."""
    contract = "c1,V,a,H100,100,2,2025-01-01,2028-01-01,COMMITTED,36\n"
    files = ("--jobs", put("jobs.csv", JOBS + TWO), "--contracts", put("contracts.csv", CONTRACTS + contract))
    said = call("queue", *files, text=True).out
    assert "a sample" in said


@pytest.mark.long
def test_a_run_that_comes_again_waits_where_it_has_no_window(asked, put):
    """Every 3 h for one hour on all 8 GPUs: it starts at 10, when the first job ends, at 11 and 12; the next at 12."""
    planned = put(
        "planned.csv", "name,pool,gpu_model,gpus,length_hours,every_hours\nagain,training,H100,8,1,3\n"
    )
    prices = "od,V,H100,STANDARD,0,9,\n"
    whole = job("long", "training", 8, 0, 0, 10)
    words = ("--planned", planned, "--set", "patience_training_hours=none")
    (found,) = asked(whole, 8, *words, prices=prices)["windows"]
    inline = "name=again,pool=training,gpu_model=H100,gpus=8,length_hours=1,every_hours=3"
    assert asked(whole, 8, "--planned", inline, *words[2:], prices=prices)["windows"] == [found]
    assert (found["name"], found["pool"], found["gpus"], found["every_hours"]) == ("again", "training", 8, 3)
    assert found["jobs"] == 4 and found["never"] == 0  # at 0, 3, 6 and 9: 10, 8, 6 and 4 h
    assert (found["p50_h"], found["p90_h"]) == (6, 10)
    assert found["usd"] > 0
    assert found["usd_per_month"] == pytest.approx(8 * 1 * 730 / 3 * 9)
    assert asked(whole, 8, prices=prices)["windows"] == []


def test_a_project_without_its_job_rows_says_what_may_be_given_instead(call, put, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    jobs, project = put("jobs.csv", JOBS + TWO), str(tmp_path / "p.gpuplan")
    assert call("export", "--jobs", jobs, "--project", project).status == 0
    assert call("queue", project).status == 0  # the rows are in the file
    monkeypatch.setattr(packed_rows, "ROWS_AT_MOST", 0)
    assert call("export", "--jobs", jobs, "--project", project).status == 0
    said = call("queue", project)
    assert said.status == 1
    assert said.err.count("\n") == 1 and "--jobs" in said.err
    assert call("queue", project, "--jobs", jobs).status == 2  # beside it: no
    assert call("queue", "--jobs", jobs).status == 0


# --- Limits and fair share

OF_ANN = "".join(
    f"{name},a,x,ml,{user},gpu,H100,4,{DAY}00:00:00Z,{DAY}{start:02}:00:00Z,{DAY}{start + 10:02}:00:00Z,training\n"
    for name, user, start in (("one", "ann", 0), ("two", "ann", 10), ("three", "bob", 0))
)
WITH_USERS = "job_id,cluster,name,account,user,queue,gpu_model,gpus,submit,start,end,class\n"


def test_a_limit_of_a_file_makes_its_user_wait(call, put):
    """12 GPUs, ann may hold 4: the second job of ann waits 10 h, that of bob 0 h."""
    contract = "c1,V,a,H100,12,2,2025-01-01,2028-01-01,COMMITTED,36\n"
    files = [
        "--jobs",
        put("jobs.csv", WITH_USERS + OF_ANN),
        "--contracts",
        put("contracts.csv", CONTRACTS + contract),
    ]
    limits = put("limits.csv", "user,account,max_gpus\nann,,4\nbob,,x\n")
    said = call("queue", *files, "--sizes", "0", "--limits", limits, "--order", "fairshare")
    assert said.status == 0
    assert [said.document["today"]["training"][key] for key in ("mean_h", "p90_h")] == [10 / 3, 10]
    (file,) = (file for file in said.document["intake"]["files"] if file["kind"] == "limits")
    assert (file["rows_accepted"], file["rows_rejected"]) == (1, 1)
    assert "max_gpus is 'x'" in str(file["issues"])
    rows = {(row["by"], row["name"]): row["p90_h"] for row in said.document["waits"]}
    assert rows["partition", "gpu"] == rows["account", "ml"] == rows["month", "2026-01"] == 10


def test_a_project_keeps_limits_and_order_until_the_call_gives_others(call, put, tmp_path, monkeypatch):
    """One job of 4 GPUs at a time, of 10, 10 and 2 h: they wait 0, 12, 10 h. On all 8 GPUs the last one waits 10 h."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    rows = "".join(
        f"{name},a,x,{account},u,gpu,H100,4,{DAY}00:00:00Z,{DAY}00:00:00Z,{DAY}{hours:02}:00:00Z,training\n"
        for name, account, hours in (("one", "ml", 10), ("other", "ml", 10), ("third", "hr", 2))
    )
    read = read_inputs(
        [put("jobs.csv", WITH_USERS + rows)],
        [put("contracts.csv", CONTRACTS + "c1,V,a,H100,8,2,2025-01-01,2028-01-01,COMMITTED,36\n")],
        rows_dir=data_folder() / ROWS,
    )
    path, limits = tmp_path / "p.gpuplan", (Limit(partition="gpu", max_gpus=4),)
    save_project(replace(read.project(), queue_limits=limits, is_fair_share=True), path)
    free = put("limits.csv", "partition,max_gpus\ngpu,8\n")

    def found(*words):
        return call("queue", str(path), "--sizes", "0", *words).document["today"]["training"]["mean_h"]

    assert [found(), found("--order", "pool", "--limits", free)] == pytest.approx([22 / 3, 10 / 3])


def test_a_job_larger_than_its_limit_is_named_and_keeps_no_size_from_a_target(call, put):
    large = "large,a,n,ml,ann,gpu,H100,8,2026-01-05T00:00:00Z,2026-01-05T00:00:00Z,2026-01-05T01:00:00Z,training\n"
    files = (
        "--jobs",
        put("jobs.csv", WITH_USERS + OF_ANN + large),
        "--contracts",
        put("contracts.csv", CONTRACTS),
    )
    limits = ("--limits", put("limits.csv", "user,max_gpus\nann,4\nzoe,1\n"))
    found = call("queue", *files, *limits, "--target", "training=10h")
    assert found.document["never_fit"] == ["large"] and found.document["target"]["gpus"] == 8
    said = call("queue", *files, *limits, "--sizes", "0", text=True).out
    assert ": large." in said and "zoe" in said
    free = call("queue", *files, "--target", "training=10h")
    assert free.document["never_fit"] == []


def test_an_order_that_there_is_not_is_a_usage_error(call, put):
    said = call("queue", "--jobs", put("jobs.csv", JOBS + TWO), "--order", "lottery")
    assert said.status == 2 and "lottery" in said.err
