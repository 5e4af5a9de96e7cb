"""The command size: its document, its words, and what it says where something is lacking."""

import json
from math import isclose

import pytest

from gpuplanner.domain.reports.serving import RATIOS
from tests.cli.conftest import Call, Put

FIELDS = [
    "gpu_model", "precision", "tensor_parallel", "fits", "memory_gb", "replicas_peak", "gpus_peak",
    "gpu_hours_per_month_flat", "gpu_hours_per_month_autoscaled", "ttft_ms", "usd_per_month",
    "usd_per_million_tokens",
]  # fmt: skip
WEEK = "hour_of_week,requests_per_s\n" + "".join(
    f"{hour},{5 + 20 * (hour % 24 > 7)}\n" for hour in range(168)
)
REQUESTS = "timestamp,context_tokens,generated_tokens\n" + "".join(
    f"2026-01-05T{hour:02}:{minute:02}:00Z,500,100\n"
    for hour in (8, 9)
    for minute in range(0, 60, 3 - hour // 9)
)
PRICES = (
    "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
    "a,x,H100,STANDARD,0,6.88\nb,x,h100,COMMITTED,12,2.75\nc,x,L40S,STANDARD,0,\nd,x,A100,DYNAMIC,0,0.5\n"
)


def test_traffic_can_be_typed(call: Call, put: Put) -> None:
    """40 requests/s from Monday to Friday, 12 hours a day, a quarter of a day in one hour: 120 at the peak."""
    words = ("size", "--model", "llama-3.1-8b", "--requests", "40", "--in", "1200", "--out", "300")
    document = call(
        *words, "--hours", "mon-fri 08-20", "--peak-share", "25%", "--prices", put("p.csv", PRICES)
    ).document
    load = document["load"]
    assert (load["peak_requests_per_s"], load["context_tokens"], load["generated_tokens"]) == (120, 1200, 300)
    assert isclose(load["requests_per_month"], 40 * 3600 * 60 / 168 * 730)
    assert load["tokens_are_assumed"] is False and document["best"]["gpu_model"] == "H100"
    assert call(*words).document["load"]["peak_requests_per_s"] == 40


def test_what_a_row_assumes_is_in_the_row(call: Call, put: Put) -> None:
    prices = put("p.csv", PRICES.replace("A100,DYNAMIC", "L4,STANDARD"))
    said = call(
        "size",
        "--model",
        "llama-3.1-8b",
        "--requests",
        "4",
        "--prices",
        prices,
        "--wide",
        "--show",
        "rows",
        text=True,
    )
    (row,) = [line for line in said.out.splitlines() if line.split()[:3] == ["L4", "BF16", "1"]]
    assert row.endswith("no measurement of L4: factors of L40S")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--in", "40"), "needs --requests"),
        (("--requests", "0"), "--requests: '0' is not a number above 0"),
        (("--requests", "9", "--peak-share", "3%"), "--peak-share: 3% of the day in its busiest hour"),
        (("--requests", "9", "--hours", "noon"), "--hours: 'noon' are not hours of the week"),
        (("--requests", "9", "--traffic", "w.csv"), "leave one out"),
    ],
)
def test_what_is_wrong_of_typed_traffic_names_its_option(
    call: Call, more: tuple[str, ...], said: str
) -> None:
    answer = call("size", "--model", "llama-3.1-8b", *more)
    assert answer.status == 2 and said in answer.err


def test_rows_are_sorted_and_add_up(call: Call, put: Put) -> None:
    said = call(
        "size",
        "--model",
        "llama-3.1-8b",
        "--traffic",
        put("week.csv", WEEK),
        "--prices",
        put("p.csv", PRICES),
    )
    assert said.status == 0 and said.err == ""
    document = said.document
    assert [document[name] for name in ("schema", "command", "model", "gpu_model")] == [
        "gpuplanner/1", "size", "Llama 3.1 8B", "H100",
    ]  # fmt: skip
    rows = document["rows"]
    assert [(row["gpu_model"], row["precision"], row["tensor_parallel"]) for row in rows] == sorted(
        (gpu, precision, parallel)
        for gpu in ("A100", "B200", "B300", "H100", "H200", "L40S", "MI300X")
        for precision in ("BF16", "FP8", "INT8", "INT4", "FP4")
        for parallel in (1, 2, 4, 8)
    )
    tokens = (5 * 8 + 25 * 16) / 24 * 730 * 3600 * 1250
    assert isclose(document["load"]["tokens_per_month"], tokens)
    for row in rows:
        assert list(row)[: len(FIELDS)] == FIELDS
        if row["gpu_model"] == "H100" and row["fits"]:
            assert (row["offer_id"], row["on_demand_offer_id"], row["term_months"]) == ("a", "a", 0)
            assert isclose(row["usd_per_month"], row["gpu_hours_per_month_flat"] * 6.88)
            assert isclose(row["usd_per_million_tokens"], row["usd_per_month"] / tokens * 1e6)
        else:
            assert row["usd_per_month"] is row["usd_per_million_tokens"] is row["offer_id"] is None
        if row["replicas_peak"]:
            assert row["gpus_peak"] == row["replicas_peak"] * row["tensor_parallel"]
            assert row["gpu_hours_per_month_autoscaled"] <= row["gpu_hours_per_month_flat"]
            assert row["low"] < row["high"] and row["tpot_ms"] <= row["tpot_p95_ms"]
    assert document["terms"]["bandwidth_share"] is document["terms"]["compute_share"] is None
    assert [file["kind"] for file in document["intake"]["files"]] == ["traffic", "prices"]


def test_requests_with_their_tokens(call: Call, put: Put) -> None:
    said = call("size", "--model", "Mistral 7B", "--traffic", put("requests.csv", REQUESTS))
    load = said.document["load"]
    assert (load["context_tokens"], load["generated_tokens"], load["longest_tokens"]) == (500, 100, 600)
    assert load["tokens_are_assumed"] is False
    assert isclose(load["peak_requests_per_s"], 1 / 60)
    assert said.document["gpu_model"] is None  # without prices nothing is cheapest
    assert all(row["replicas_peak"] in (1, None) for row in said.document["rows"] if row["fits"])


def test_assumptions_and_replicas_change_it(call: Call, put: Put) -> None:
    week, model = put("week.csv", WEEK), put("m.json", json.dumps(
        {"name": "own", "parameters": 70e9, "layers": 80, "kv_heads": 8, "head_dim": 128}
    ))  # fmt: skip

    def row(*more: str) -> dict[str, object]:
        rows = call("size", "--model", model, "--traffic", week, *more).document["rows"]
        return next(one for one in rows if one["gpu_model"] == "H100" and one["tensor_parallel"] == 4)

    usual = row()
    assert isclose(usual["memory_gb"], 140 + 8 * 1250 * 327_680 / 1e9)
    assert row("--set", "usable_memory=0.4")["fits"] is False
    assert row("--set", "serving_context_tokens=5000")["memory_gb"] > usual["memory_gb"]
    assert row("--set", "headroom=0.3")["replicas_peak"] > usual["replicas_peak"]
    held = row("--replicas", "1")
    assert (held["replicas_peak"], held["is_unstable"], held["ttft_ms"]) == (1, True, None)


def test_a_table_to_read(call: Call, put: Put) -> None:
    said = call(
        "size",
        "--model",
        "llama-3.1-70b",
        "--traffic",
        put("week.csv", WEEK),
        "--prices",
        put("p.csv", PRICES),
        text=True,
    )
    assert said.status == 0
    for words in (
        "Llama 3.1 70B: 70.55 billion",
        "as assumed",
        "Least cost: 20 × H100, BF16, 4 per replica",
        "on demand at $6.88 per GPU-hour",
        " (3%, the same on any GPU), queue ",
        "Measured speeds are 0.",
        "Runner-up",
        "exceed 72 GB",
    ):
        assert words in said.out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--model", "llama-3.1-8b"), 2, "needs --traffic"),
        (("--traffic", "WEEK"), 2, "needs --model"),
        (("--model", "lama", "--traffic", "WEEK"), 2, "neither a file nor a known model; did you mean Llama"),
        (("--model", "gone.json", "--traffic", "WEEK"), 3, "gone.json: file_missing"),
        (("--model", "llama-3.1-8b", "--traffic", "gone.csv"), 3, "gone.csv: file_missing"),
        (("--model", "llama-3.1-8b", "--traffic", "WEEK", "--replicas", "0"), 2, "--replicas '0'"),
        (("--model", "llama-3.1-8b", "--traffic", "WEEK", "--set", "headroom=7"), 2, "--set headroom"),
        (("--model", "llama-3.1-8b", "--traffic", "WEEK", "--term", "soon"), 2, "--term 'soon'"),
        (
            ("--model", "llama-3.1-8b", "--traffic", "WEEK", "--set", "serving_bandwidth_share=0.5"),
            2,
            "use one of serving_speed",
        ),
        (("--points", "PRICES"), 3, "no column model"),
    ],
)
def test_what_is_lacking_is_one_line(
    call: Call, put: Put, words: tuple[str, ...], status: int, said: str
) -> None:
    files = {"WEEK": put("week.csv", WEEK), "PRICES": put("prices.csv", PRICES)}
    answer = call("size", *(files.get(word, word) for word in words))
    assert (answer.status, answer.document) == (status, None)
    assert said in answer.err and answer.err.count("\n") == 1


def test_a_term_and_targets_change_it(call: Call, put: Put) -> None:
    words = ("--model", "llama-3.1-70b", "--traffic", put("week.csv", WEEK), "--prices", put("p.csv", PRICES))

    def best(*more: str) -> tuple[dict[str, object], dict[str, object]]:
        document = call("size", *words, *more).document
        return document, next(
            row
            for row in document["rows"]
            if all(row[name] == document["best"][name] for name in document["best"])
        )

    _, free = best()
    _, committed = best("--term", "12")
    assert (committed["offer_id"], committed["term_months"], committed["lead_time_hours"]) == ("b", 12, 0)
    assert isclose(committed["usd_per_month"] / free["usd_per_month"], 2.75 / 6.88)
    _, quick = best("--set", "serving_tpot_p95_ms=25")
    assert quick["meets_target"] is True and quick["tpot_p95_ms"] <= 25 and free["meets_target"] is None
    assert quick["usd_per_month"] > free["usd_per_month"]
    none = call("size", *words, "--set", "serving_tpot_p95_ms=1").document
    assert none["best"] is none["runner_up"] is none["gpu_model"] is None
    assert "5.603 ms" in none["nearest"]["why"] and "1 ms" in none["nearest"]["why"]
    near = none["nearest"]
    text = call("size", *words, "--set", "serving_tpot_p95_ms=1", text=True).out
    told = f"{near['gpu_model']}, {near['precision']}, {near['tensor_parallel']} per replica"
    assert f"{told}\n" in text


def test_a_stated_rate_needs_no_model(call: Call, put: Put) -> None:
    """Peak 5,000, 1,200 a GPU, 90%: 5 GPUs, $2,937.52 at .8048."""
    week = put("peak.csv", "hour_of_week,requests_per_s\n0,5000\n1,100\n")
    prices = put("l4.csv", PRICES.partition("a,")[0] + "a,x,L4,STANDARD,0,0.8048\n")
    document = call("size", "--rate", "L4=1200", "--traffic", week, "--prices", prices).document
    (row,) = document["rows"]
    assert (row["gpus_peak"], row["memory_gb"], document["model"]) == (5, None, None)
    assert isclose(row["usd_per_month"], 2937.52) and document["gpu_model"] == "L4"
    said = call("size", "--rate", "L4=1200", "--traffic", week, "--prices", prices, text=True).out
    assert "Least cost: 5 × L4" in said and "$2,938 per month" in said
    half = put("half.csv", PRICES.partition("a,")[0] + "a,x,L4,STANDARD,0,0.49\n")
    said = call("size", "--rate", "L4=1200", "--traffic", week, "--prices", half, text=True).out
    assert said.count("1,789") == 2 and "1,788" not in said  # 1,788.50 in the sentence and in the table
    assert "write L4=1200" in call("size", "--rate", "L4=0", "--traffic", week).err


USERS = "city,country,latitude,longitude,users\nNew York,US,40.7,-74,30\nLondon,UK,51.5,-0.1,7\n"
SITES = (
    "site_id,city,country,latitude,longitude,usd_per_month,current,egress_usd_per_gb\n"
    "east,Ashburn,US,39,-77.5,,yes,0.09\nwest,Dublin,Ireland,53.3,-6.3,,yes,\n"
)


def test_a_stated_rate_has_no_tokens_and_goes_without_a_model(call: Call, put: Put) -> None:
    """5 L4 at 1,200/s for a peak of 5,000: no spare unless asked for, no text that leaves, no $ per token."""
    words = (
        "size", "--rate", "L4=1200", "--traffic", put("week.csv", "hour_of_week,requests_per_s\n0,5000\n1,900\n"),
        "--users", put("users.csv", USERS), "--sites", put("sites.csv", SITES),
        "--prices", put("p.csv", PRICES + "l4,x,L4,STANDARD,0,0.8048\n"),
    )  # fmt: skip
    document = call(*words).document
    (row,) = document["rows"]
    assert (row["gpus_peak"], row["replicas_spare"]) == (5, 0) and isclose(row["usd_per_month"], 2937.52)
    assert row["usd_per_million_tokens"] is None and document["egress"] is None
    assert all(one["egress_usd_per_month"] is one["far_gb"] is None for one in document["regions"])
    assert sum(one["spare"] for one in document["regions"]) == 0
    load = document["load"]
    assert load["tokens_per_month"] is load["context_tokens"] is None and not load["tokens_are_assumed"]
    said = call(*words, text=True).out
    assert "tokens read" not in said and "Text that leaves:" not in said
    (spare,) = call(*words, "--set", "serving_replicas_spare=2").document["rows"]
    (held,) = call(*words, "--replicas", "8").document["rows"]
    assert (spare["gpus_peak"], spare["replicas_spare"], held["gpus_peak"]) == (7, 2, 8)
    (asked,) = call(*words, "--set", "serving_ttft_p95_ms=9").document["rows"]
    assert asked["meets_target"] is None and asked["why"] not in ("", None)
    for more in (("--model", "llama-3.1-8b"), ("--measured", "m.csv")):
        refused = call(*words, *more)
        assert refused.status == 2 and "--rate states the speed" in refused.err


def test_users_and_sites_are_sized_by_site(call: Call, put: Put) -> None:
    words = ("--model", "llama-3.1-8b", "--traffic", put("week.csv", WEEK), "--prices", put("p.csv", PRICES))
    where = ("--users", put("users.csv", USERS), "--sites", put("sites.csv", SITES))
    document = call("size", *words, *where).document
    east, west = document["regions"]
    assert (east["site_id"], east["users"], west["users"]) == ("east", 30, 7)
    assert isclose(east["peak_requests_per_s"], 25 * 30 / 37)
    by_hours = call("size", *words, *where, "--set", "serving_local_hours=on").document["regions"]
    assert sum(one["peak_requests_per_s"] for one in by_hours) > 25 + 1  # not all of them ask at once
    gb = document["load"]["requests_per_month"] * 250 * 5 / 1e9
    assert isclose(east["egress_usd_per_month"], gb * 30 / 37 * 0.09)
    assert isclose(west["egress_usd_per_month"], gb * 7 / 37 * 0.12)
    way_ms = document["rows"][0]["way_ms"]
    assert way_ms == document["terms"]["round_trip_ms"] != 4  # of the placement, not as assumed
    assert document["regions_in_all"]["gpus"]["each"] > document["regions_in_all"]["gpus"]["none"]
    assert call("size", *words).document["regions"] == []
    said = call("size", *words, *where, text=True).out
    assert "Served from" in said


def test_a_measurement_takes_the_place_of_the_formula(call: Call, put: Put) -> None:
    words = ("--model", "llama-3.1-8b", "--traffic", put("week.csv", WEEK))
    own = put(
        "own.csv",
        "model,gpu_model,tensor_parallel,precision,concurrency,input_tokens,output_tokens,output_tokens_per_s\n"
        "Llama-3.1-8B,H100,1,BF16,256,1000,250,9000\n",
    )
    document = call("size", *words, "--measured", own).document
    (measured,) = document["measured"]
    assert isclose(measured["ratio"], 9000 / measured["predicted_tokens_per_s"])

    def row_of(rows: list[dict[str, object]], *row_id: object) -> dict[str, object]:
        return next(r for r in rows if (r["gpu_model"], r["precision"], r["tensor_parallel"]) == row_id)

    row = row_of(document["rows"], "H100", "BF16", 1)
    assert row["concurrency"] == 256 and isclose(row["decode_tokens_per_s"], 9000)
    assert "measured in own.csv" in row["why"]
    plain = call("size", *words).document["rows"]
    assert row_of(document["rows"], "H200", "BF16", 1) == row_of(plain, "H200", "BF16", 1)
    said = call("size", *words, "--measured", own, text=True).out
    assert any("1 × H100, BF16, 256" in line and "9,000 tokens/s" in line for line in said.splitlines())


POINTS = (
    "model,gpu_model,tensor_parallel,precision,concurrency,input_tokens,output_tokens\n"
    "Llama-3.1-8B,H100,1,bf16,8,1000,200\nnobody,H100,1,BF16,8,1000,200\nLlama-3.1-8B,H100,x,BF16,8,1000,200\n"
)


def test_what_hosting_is_weighed_against(call: Call, put: Put) -> None:
    words = ("--model", "llama-3.1-8b", "--traffic", put("week.csv", WEEK), "--prices", put("p.csv", PRICES))
    where = ("--users", put("users.csv", USERS), "--sites", put("sites.csv", SITES))
    stated = (
        "serving_api_usd_in=0.5",
        "serving_api_usd_out=2",
        "egress_far_usd_per_gb=0.12",
        "serving_users_times=2",
    )
    options = [word for one in stated for word in ("--set", one)]
    plain = call("size", *words, *where).document
    document = call("size", *words, *where, *options).document
    assert plain["api"] is None and plain["shorter_ways"] == [] and plain["egress"]["times"] == 1
    api, month = document["api"], document["load"]["requests_per_month"]
    assert isclose(api["usd_per_month"], month * (1000 * 0.5 + 250 * 2) / 1e6)
    assert 0 < api["break_even_requests_per_month"] < month  # a small model that is busy
    assert document["egress"]["times"] == 2
    gb = sum(one["near_gb"] + one["far_gb"] for one in document["regions"])
    assert isclose(gb, document["egress"]["near_gb"] + document["egress"]["far_gb"])
    ratio = next(one for one in document["ratios"] if one["gpu_model"] == "B200")
    assert (
        ratio["map_model"] == f"{ratio['against']}=B200:{ratio['ratio']:.3g}"
        and ratio["low"] < ratio["ratio"]
    )
    (row,) = [
        one for one in document["rows"] if all(one[key] == document["best"][key] for key in document["best"])
    ]
    held = sum(one["gpus"] for one in document["planned"])
    assert held == row["gpus_peak"] and document["planned"][0]["gpu_model"] == document["gpu_model"]
    text = call("size", *words, *where, *options, text=True).out
    assert f"{document['api']['break_even_requests_per_month']:,.0f}" in text and "2 times" in text
    assert str(RATIOS.title) in text


def test_points_are_predicted_row_by_row(call: Call, put: Put) -> None:
    points = call("size", "--points", put("points.csv", POINTS)).document["points"]
    assert [list(point) for point in points] == [
        ["row", "tokens_per_s", "tpot_ms", "prefill_ms", "low", "high", "note"]
    ] * 3
    assert [point["row"] for point in points] == [2, 3, 4]  # lines of the file, as everywhere
    assert isclose(points[0]["tokens_per_s"] * points[0]["tpot_ms"], 8000) and points[0]["note"] is None
    assert points[0]["low"] < points[0]["tokens_per_s"] < points[0]["high"]
    assert points[1]["tokens_per_s"] is None and "nobody" in points[1]["note"]
    assert points[2]["note"] == "tensor_parallel is 'x'"
    text = call("size", "--points", put("points.csv", POINTS), text=True).out
    assert points[1]["note"] in text and "Tokens/s" in text


def test_a_file_of_no_use_is_an_answer_without_rows(call: Call, put: Put) -> None:
    week, prices = put("week.csv", WEEK), put("prices.csv", PRICES)
    for words in (("llama-3.1-8b", prices), (prices, week)):
        said = call("size", "--model", words[0], "--traffic", words[1])
        assert (said.status, said.document["rows"], said.document["gpu_model"]) == (1, [], None)
        assert "missing_column" in said.err and "; " in said.err


def test_rows_that_cannot_be_read_are_said(call: Call, put: Put) -> None:
    asked = ("size", "--model", "llama-3.1-8b", "--traffic", put("week.csv", WEEK + "200,1\n"))
    assert call(*asked).status == 0
    assert "week.csv:170: bad_number" in call(*asked, text=True).out


def test_two_sites_an_autoscaler_and_a_term_that_nobody_offers(call: Call, put: Put) -> None:
    """30 and 7 requests/s on replicas of 4 H100 and 18.67/s: 12 H100, with a spare each 20; from 0 to 37/s with
    two more after 300 s: 5,499 wait, gone 289 s later."""
    step = "hour_of_week,requests_per_s\n0,0\n" + "".join(f"{hour},37\n" for hour in range(1, 168))
    measured = (
        "model,gpu_model,tensor_parallel,precision,concurrency,input_tokens,output_tokens,output_tokens_per_s\n"
        "Llama 3.1 70B,H100,4,BF16,256,1000,250,4677.15\n"
    )
    head = "city,country,latitude,longitude,users\n"
    words = (
        "size", "--model", "Llama 3.1 70B", "--traffic", put("step.csv", step), "--measured", put("m.csv", measured),
        "--users", put("users.csv", head + "Frankfurt,Germany,50.1,8.7,30000\nSingapore,Singapore,1.3,103.8,7000\n"),
        "--sites", put("sites.csv", "site_id,city,country,latitude,longitude,usd_per_month,current\n"
                       "fra,Frankfurt,Germany,50.1,8.7,0,yes\nsin,Singapore,Singapore,1.3,103.8,0,yes\n"),
        "--prices", put("p.csv", PRICES.replace("6.88", "2.25")), "--set", "serving_start_s=240",
        "--set", "serving_replicas_spare=0",
    )  # fmt: skip
    document = call(*words).document
    assert document["regions_in_all"]["gpus"] == {"none": 12, "each": 20, "over_sites": 16}
    usd = document["regions_in_all"]["usd_per_month"]
    assert usd["none"] == pytest.approx(19_710) and usd["each"] == pytest.approx(32_850)
    replayed = document["autoscaling"]
    assert replayed["backlog_most"] == pytest.approx(5499, abs=2)
    assert replayed["backlog_hours"] * 3600 - 300 == pytest.approx(289, abs=1)
    said = call(*words, text=True).out
    assert "9.8 min" in said
    said = call(*words, "--term", "7", text=True).out
    assert "12 months" in said


UNITS = (
    "offer_id,provider,model,pricing_category,term_months,unit_usd_per_hour,tokens_per_minute_per_unit,min_units\n"
    "ptu,x,Llama-3.1-8B,STANDARD,,2,60000,15\nptu-1m,x,llama 3.1 8b,COMMITTED,1,1.2,60000,15\n"
    "other,x,gpt-4o,STANDARD,,1,2500,15\n"
)


def test_provisioned_throughput_stands_beside_hosting_and_the_api(call: Call, put: Put) -> None:
    """25 requests of 1,250 tokens a second: 1,875,000 a minute, 32 units of 60,000, 32 x 730 x $2."""
    week, units, gpus = put("week.csv", WEEK), put("units.csv", UNITS), put("p.csv", PRICES)
    api = ("--set", "serving_api_usd_in=0.5", "--set", "serving_api_usd_out=2")
    words = ("size", "--model", "llama-3.1-8b", "--traffic", week, "--prices", gpus, "--prices", units, *api)
    rows = [row for row in call(*words).document["rows"] if row["hosting"] == "provisioned"]
    assert [(row["offer_id"], row["term_months"], row["replicas_peak"]) for row in rows] == [
        ("ptu", 0, 32), ("ptu-1m", 1, 32),
    ]  # fmt: skip
    assert [row["usd_per_month"] for row in rows] == pytest.approx([32 * 730 * 2, 32 * 730 * 1.2])
    assert all(row["gpus_peak"] is None and row["break_even_requests_per_month"] for row in rows)
    said = call(*words, text=True).out.replace("\n  ", " ")
    assert "ptu: 32 units of provisioned throughput cost $46,720 per month." in said
