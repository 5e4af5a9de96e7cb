"""Known answer 15: what comes after the day of an advice changes nothing of that advice, through files and rows."""

import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest

HEAD = "job_id,cluster,name,user,queue,gpu_model,gpus,nodes,start,end,state,gpu_activity_percent\n"
PRICES = """offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour
od,H100,STANDARD,0,6.88
spot,H100,DYNAMIC,0,2.00
m1,H100,COMMITTED,1,3.50
m3,H100,COMMITTED,3,3.10
od2,B200,STANDARD,0,9.00
b1,B200,COMMITTED,1,5.00
"""
BEGIN_S = 1_767_225_600  # 2026-01-01
HOUR, MONTH, MONTHS = 3600, 730, 4
NAMES = ("serve-chat", "train-llama7b", "sweep-lr", "notebook", "etl", "vllm-70b", "run", "pretrain-x")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One job; hours count from the beginning of the log."""

    name: str
    user: str
    gpus: int
    nodes: int
    start_h: float
    end_h: float
    state: str = "COMPLETED"
    activity: int | None = 50
    model: str = "H100"


def made(seed: int) -> list[Row]:
    """Services that stay, runs, arrays, notebooks: four months, the last job's end the log's end."""
    rng = random.Random(seed)
    rows = [Row(name="serve-chat", user="ann", gpus=8, nodes=1, start_h=0, end_h=MONTHS * MONTH)]
    for _ in range(140):
        start = rng.uniform(0, MONTHS * MONTH - 30)
        length = rng.choice((1, 3, 20, 60, 200, 900))
        gpus = rng.choice((1, 2, 8, 16))
        rows.append(
            Row(
                name=rng.choice(NAMES),
                user=rng.choice("abc"),
                gpus=gpus,
                nodes=2 if gpus > 8 else 1,
                start_h=start,
                end_h=min(start + length, MONTHS * MONTH),
                state=rng.choice(("COMPLETED", "FAILED")),
                activity=rng.randrange(100),
            )
        )
    return rows


def changed_after(rows: list[Row], origin_h: float, seed: int) -> list[Row]:
    """Other jobs from an hour on; what runs then ends otherwise, in another state. The log is as long as before."""
    rng = random.Random(seed)
    answer = []
    for row in rows:
        if row.end_h >= origin_h and row.user != "ann":
            if row.start_h >= origin_h:
                if rng.random() < 0.4:
                    continue
                model = rng.choice(("H100", "B200"))
                row = replace(row, name=rng.choice(NAMES), gpus=row.gpus * 3, nodes=4, user="z", model=model)
            end = rng.uniform(max(row.start_h, origin_h), MONTHS * MONTH)
            row = replace(row, end_h=end, state="NODE_FAIL", activity=None)
        answer.append(row)
    for _ in range(60):
        start = rng.uniform(origin_h, MONTHS * MONTH - 1)
        end = min(start + rng.uniform(1, 1500), MONTHS * MONTH)
        answer.append(
            Row(
                name=rng.choice(NAMES),
                user=rng.choice("abcd"),
                gpus=rng.choice((8, 64)),
                nodes=8,
                start_h=start,
                end_h=end,
            )
        )
    return answer


def csv_of(rows: list[Row]) -> str:
    def at(hours: float) -> str:
        return datetime.fromtimestamp(BEGIN_S + int(hours * HOUR), UTC).isoformat()

    lines = [
        f"{number},atlas,{row.name},{row.user},q,{row.model},{row.gpus},{row.nodes},{at(row.start_h)},{at(row.end_h)},"
        f"{row.state},{'' if row.activity is None else row.activity}"
        for number, row in enumerate(rows)
    ]
    return HEAD + "\n".join(lines) + "\n"


@pytest.mark.long
@pytest.mark.parametrize(("seed", "month"), [(1, 1), (3, 3)])
def test_a_changed_future_changes_no_past_advice(call, put, seed: int, month: int) -> None:
    rows = made(seed)
    prices = put("prices.csv", PRICES)
    options = ("--prices", prices, "--set", "spot_long_training=true")
    before, after = (
        call("backtest", "--jobs", put(f"jobs{place}.csv", csv_of(one)), *options).document["folds"]
        for place, one in enumerate((rows, changed_after(rows, month * MONTH, seed)))
    )
    assert len(before) == len(after) == MONTHS - 1
    assert any(fold["bought"] for fold in before)
    assert before[month - 1 :] != after[month - 1 :]  # another future came
    for fold, same in zip(before[:month], after[:month], strict=True):
        assert fold["bought"] == same["bought"]
        assert fold["advised_on"] == same["advised_on"]
    for fold, same in zip(before[: month - 1], after[: month - 1], strict=True):
        assert without_hindsight(fold) == without_hindsight(same)
        rows = zip(fold["rows"], same["rows"], strict=True)
        assert all(without_hindsight(one) == without_hindsight(other) for one, other in rows)


def without_hindsight(figures):
    """All that a fold or a row of it says but hindsight, and what lies in lists."""
    return {
        name: value
        for name, value in figures.items()
        if not name.startswith("hindsight") and not isinstance(value, list)
    }
