"""Bills of the clouds: what they say of themselves, and their usage of GPUs as demand."""

import csv
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.job_logs.dialects import bill_forms, bill_rows, bill_times, cloud_bills
from gpuplanner.files.values.gpu_instances import find_gpu_product
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import check_rows_add_up, often
from tests.files.job_logs.row_ends import Read, codes, counts, fates
from tests.some_of import examples, one_in, some_of

FIXTURES = Path(__file__).parent.parent.parent / "fixtures" / "bills"
NAMES = {"focus_1_2.csv": "focus", "aws_cur_2.csv": "aws_cur", "aws_cur_legacy.csv": "aws_cur"}
NAMES |= {"azure_ea.csv": "azure", "azure_mca.csv": "azure", "oci.csv": "oci"}
FORMS = (cloud_bills.FOCUS_FORM, cloud_bills.AWS_CUR_FORM, cloud_bills.AZURE_FORM, cloud_bills.OCI_FORM)
WHOLE_LOG = WindowRequest(whole_log=True)


def _facts(path: Path | str) -> tuple[FileIntake, dict[str, object]]:
    (file,) = check_file(str(path))
    return file, dict(file.facts)


def _read(*paths: Path) -> ReadResult:
    return read_inputs([str(path) for path in paths], window_request=WHOLE_LOG)


@cache
def _facts_of(name: str) -> tuple[FileIntake, dict[str, object]]:
    """As _facts, of a bill among the fixtures; read once for all tests of it, which only look."""
    return _facts(FIXTURES / name)


@cache
def _read_of(name: str) -> ReadResult:
    """As _read, of a bill among the fixtures; once."""
    return _read(FIXTURES / name)


# --- Every form --------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("name", "format_name"), some_of(NAMES.items(), quick=1))
def test_each_bill_is_known_by_its_columns(name, format_name):
    found = recognise(str(FIXTURES / name))
    assert (found.kind, found.format) == ("billing", format_name)
    file, _ = _facts_of(name)
    assert (file.kind, file.format) == ("billing", format_name)


def test_a_file_of_contract_commitments_is_no_bill():
    head = "BilledCost,ChargePeriodStart,ChargePeriodEnd,ContractCommitmentId,ContractCommitmentCost\n"
    assert [form.sniff(head) for form in FORMS] == [0, 0, 0, 0]


@pytest.mark.parametrize("name", some_of(NAMES, quick=1))
def test_the_facts_are_of_all_rows_and_demand_is_what_is_billed(name):
    with (FIXTURES / name).open(encoding="utf-8", newline="") as lines:
        records = list(csv.DictReader(lines))
    file, facts = _facts_of(name)
    assert file.rows_read == facts["rows"] == len(records)
    assert facts["columns"] == len(records[0])
    assert not facts["unreadable_costs"]
    kinds = ("costs_by_currency", "costs_by_pricing_currency")
    sums = [costs for by in kinds for costs in facts.get(by, {}).values()]
    for heading in {heading for costs in sums for heading in costs}:
        total = sum(float(record[heading]) for record in records if record[heading] not in ("", "null"))
        assert sum(costs.get(heading) or 0 for costs in sums) == pytest.approx(total)
    if file.rows_rejected == 0:
        assert _read_of(name).jobs.gpu_hours == pytest.approx(facts["gpu_hours_billed"], abs=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(6, NAMES))
def test_the_same_bill_twice_counts_once(name):
    once, twice = _read_of(name), _read(FIXTURES / name, FIXTURES / name)
    assert once.jobs.gpu_hours == twice.jobs.gpu_hours > 0
    assert twice.intake[1].rows_duplicate == once.intake[0].rows_accepted
    assert twice.intake[1].rows_accepted == 0


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(6, NAMES))
def test_a_bill_in_parquet_says_the_same(tmp_path, name):
    import duckdb

    path = str(tmp_path / "bill.parquet")
    with duckdb.connect() as connection:  # types as DuckDB finds them: times, numbers and texts
        kinds = ["BIGINT", "DOUBLE", *["TIMESTAMP"] * (name != "azure_ea.csv"), "VARCHAR"]
        read = f"read_csv('{FIXTURES / name}', nullstr=['', 'null'], auto_type_candidates={kinds})"
        connection.execute(f"copy (select * from {read}) to '{path}'")
    of_text, text_facts = _facts_of(name)
    of_types, type_facts = _facts(path)
    assert fates(of_types) == fates(of_text)
    for fact in ("gpu_hours_billed", "gpu_rows", "charge_period_start", "charge_period_end", "currencies"):
        assert type_facts[fact] == text_facts[fact]
    for currency, costs in text_facts["costs_by_currency"].items():
        assert type_facts["costs_by_currency"][currency] == pytest.approx(costs)


# --- FOCUS -------------------------------------------------------------------------------------


def test_a_focus_bill_row_by_row():
    file, facts = _facts_of("focus_1_2.csv")
    assert fates(file)[1:] == (12, 3, 3, 0, 6)
    rejected = [(row.row, row.code) for row in file.rejected]
    assert rejected == [(8, "negative_gpus"), (12, "bad_number"), (13, "bad_time")]
    assert "p99.48xlarge" in str(file.rejected[1].message)
    assert "2026-01-05T30:00:00Z" in str(file.rejected[2].message)
    assert facts["currencies"] == ["EUR", "USD"]
    assert facts["costs"] is None
    assert facts["costs_by_currency"]["EUR"]["BilledCost"] == 42
    assert facts["costs_by_currency"]["USD"]["BilledCost"] == pytest.approx(8819.54)
    assert facts["stranded_rows"] == 1
    assert facts["stranded_costs_by_currency"] == {"USD": {"EffectiveCost": 24.5}}
    assert facts["charge_categories"] == {"Credit": 1, "Purchase": 1, "Tax": 1, "Usage": 9}
    assert facts["commitment_statuses"] == {"Unused": 1, "Used": 1, "none": 10}
    assert facts["gpu_hours_billed"] is None  # of one instance type nobody has told the GPUs
    assert facts["gpu_rows"] == 5


def test_usage_in_a_focus_bill_becomes_runs():
    read = _read_of("focus_1_2.csv")
    by_key = {workload.key: workload for workload in read.workloads}
    assert set(by_key) == {
        "us-east-1/research/pretrain",  # the tag Name
        "us-east-1/web/serve/inference",  # the resource's name and the tag class
        "europe-west1/ml/batch",
    }
    # 2 instance-hours of 8 in a period of two hours; half an hour of 4 in an hour; 2 GPU-hours in an hour
    assert read.jobs.gpu_hours == 2 * 8 + 0.5 * 4 + 2
    assert by_key["us-east-1/web/serve/inference"].peak_milli_gpus == 4000
    assert by_key["us-east-1/research/pretrain"].peak_milli_gpus == 8000
    assert set(read.cube.gpu_models) == {"H100", "A10G", "L4"}


HEADER = (
    "ChargeCategory,ChargeDescription,ConsumedUnit,BilledCost,ResourceId,ConsumedQuantity,ChargePeriodStart"
)


def _focus(*rows: tuple[object, ...]) -> str:
    lines = [f"{HEADER},ChargePeriodEnd"]
    lines += [",".join(map(str, ("Usage", "g5.xlarge instance", "Hours", 1, *row))) for row in rows]
    return "\n".join(lines) + "\n"


AN_HOUR = ("2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z")


USAGE = st.tuples(st.integers(1, 7200), st.sampled_from([1, 12, 60, 1440, 44_640]))


@pytest.mark.long
@given(st.lists(USAGE, min_size=1, max_size=12))
@settings(max_examples=examples(2), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_gpu_hours_of_whole_seconds_are_those_of_the_bill(tmp_path, usage):
    """Whatever the length of their period, to half a second of each machine."""
    rows = []
    for number, (seconds, minutes) in enumerate(usage):
        end = iso_utc(1_767_225_600 + 60 * minutes)
        rows.append((f"i-{number}", f"{seconds / 3600:.9f}", "2026-01-01T00:00:00Z", end))
    path = tmp_path / "bill.csv"
    path.write_text(_focus(*rows))
    off_s = sum(1 + seconds // (60 * minutes) for seconds, minutes in usage)  # half a second of each machine
    read = _read(path)
    assert read.accepted_jobs == len(usage)
    assert read.jobs.milli_gpu_seconds / 1000 == pytest.approx(sum(s for s, _ in usage), abs=off_s)


@pytest.mark.long
def test_seconds_billed_within_an_hour_are_exact(read_log: Read):
    seconds = range(271, 13 * 271, 271)
    rows = [(f"i-{number}", f"{number / 3600:.6f}", *AN_HOUR) for number in seconds]
    assert read_log(_focus(*rows)).jobs.milli_gpu_seconds == 1000 * sum(seconds)


@pytest.mark.long
def test_a_moment_of_a_day_is_not_lost(read_log: Read):
    read = read_log(_focus(("i-1", 0.001, "2026-01-05", "2026-01-06")))
    assert read.jobs.milli_gpu_seconds == 3600
    assert read.accepted_jobs == 1


@pytest.mark.long
def test_no_quantity_is_no_guess_and_none_used_is_no_run(read_log: Read):
    read = read_log(_focus(("i-1", "NULL", *AN_HOUR), ("i-2", 0, *AN_HOUR), ("i-3", "1e0", *AN_HOUR)))
    assert fates(read)[1:] == (3, 1, 1, 0, 1)
    assert read.intake[0].rejected[0].code == "bad_number"
    assert read.jobs.gpu_hours == 1
    without_unit = read_log(_focus(("i-1", 1, *AN_HOUR)).replace("Hours", "null"))
    assert fates(without_unit)[1:] == (1, 0, 1, 0, 0)


def test_rows_alike_in_one_file_are_kept_and_said_and_overlap_still_counts_once(read_log: Read):
    alike = ("i-1", 0.5, *AN_HOUR)
    read = read_log(_focus(alike, alike), _focus(alike, ("i-2", 1, *AN_HOUR)))
    assert [fates(file)[1:] for file in read.intake] == [(2, 2, 0, 0, 0), (2, 1, 0, 1, 0)]
    assert codes(read.intake[0]) == {"possible_duplicate": 1}
    assert read.jobs.gpu_hours == 2


@pytest.mark.long
def test_rows_without_a_resource_have_no_id(read_log: Read):
    read = read_log(_focus(("", 0.5, *AN_HOUR), ("null", 0.5, *AN_HOUR)))
    assert codes(read)["possible_duplicate"] == 1
    assert read.accepted_jobs == 2


def test_several_machines_in_one_row_of_an_hour_run_side_by_side(read_log: Read):
    read = read_log(_focus(("pool", 3.5, *AN_HOUR)))
    assert read.jobs.peak_milli_gpus == 4000
    assert read.jobs.gpu_hours == 3.5


@pytest.mark.long
def test_times_without_a_zone_are_utc_whatever_the_call_says(read_log: Read):
    text = _focus(("i-1", 1, "2026-01-05 10:00:00", "2026-01-05 11:00:00"))
    read = read_log(text, timezone="Europe/Oslo")
    assert read.jobs.first_start_s % 86_400 == 10 * 3600
    assert codes(read) == {"naive_time_assumed_utc": 1}


@pytest.mark.long
def test_dates_that_do_not_tell_the_day_are_said(read_log: Read):
    undecided = read_log(_focus(("i-1", 24, "4/1/25", "4/2/25")))
    assert codes(undecided.intake[0])["ambiguous_date"] == 1
    assert undecided.jobs.first_start_s == 1_743_465_600  # 1 April
    decided = read_log(_focus(("i-1", 24, "4/1/25", "5/1/25"), ("i-2", 24, "13/1/25", "14/1/25")))
    assert "ambiguous_date" not in codes(decided.intake[0])
    assert decided.jobs.first_start_s == 1_735_948_800  # 4 January


@pytest.mark.long
def test_a_bill_without_gpus_is_no_demand_and_says_so(tmp_path, capsys):
    from gpuplanner.cli.run import run

    path = tmp_path / "bill.csv"
    path.write_text(_focus(("i-1", 1, *AN_HOUR)).replace("g5.xlarge", "c5.xlarge"))
    file, facts = _facts(path)
    assert codes(file) == counts(no_gpus=1)
    assert (facts["gpu_rows"], facts["gpu_hours_billed"], facts["costs"]) == (0, 0, {"BilledCost": 1})
    assert run(["reduce", "--jobs", str(path)], 0) == 1
    assert path.name in capsys.readouterr().out
    assert run(["check", str(path)], 0) == 0


@pytest.mark.long
def test_a_bill_whose_costs_have_no_heading_has_no_sums(tmp_path):
    path = tmp_path / "bill.csv"
    path.write_text((FIXTURES / "oci.csv").read_text().replace("cost/myCost", "what"))
    _, facts = _facts(path)
    assert (facts["costs"], facts["unreadable_costs"], facts["rows"]) == (None, {}, 3)


def test_costs_that_are_no_numbers_are_counted_and_left_out(tmp_path):
    path = tmp_path / "bill.csv"
    path.write_text(
        _focus(("i-1", 1, *AN_HOUR), ("i-2", 1, *AN_HOUR)).replace("Hours,1,i-2", "Hours,one,i-2")
    )
    _, facts = _facts(path)
    assert facts["unreadable_costs"] == {"BilledCost": 1}
    assert facts["costs"] == {"BilledCost": 1}
    assert facts["currency"] is None


def test_costs_of_gpus_are_summed_by_currency_and_rows_without_one_apart(tmp_path):
    """An L4 and an A10G in dollars, one of them in euros, one without a currency or a cost."""
    rows = [
        ("g5.xlarge instance", "1.5", "i-1", 1, *AN_HOUR, "USD"),
        ("g6.xlarge instance", "2", "i-2", 2, *AN_HOUR, "USD"),
        ("g5.xlarge instance", "4", "i-3", 1, *AN_HOUR, "EUR"),
        ("g5.xlarge instance", "", "i-4", 1, *AN_HOUR, ""),
    ]
    lines = [f"{HEADER},ChargePeriodEnd,BillingCurrency"]
    lines += [",".join(map(str, ("Usage", row[0], "Hours", *row[1:]))) for row in rows]
    path = tmp_path / "bill.csv"
    path.write_text("\n".join([*lines, ""]))
    _, facts = _facts(path)
    assert facts["gpu_costs_by_currency"] == {
        "USD": {"BilledCost": 3.5},
        "EUR": {"BilledCost": 4},
        "unknown": {"BilledCost": None},
    }
    assert (facts["gpu_rows"], facts["gpu_instance_hours"], facts["gpu_hours_billed"]) == (4, 5, 5)


# --- The clouds' own forms ---------------------------------------------------------------------


@pytest.mark.long
def test_a_cost_and_usage_report_2_counts_each_machine_once():
    file, facts = _facts_of("aws_cur_2.csv")
    assert fates(file)[1:] == (9, 4, 0, 0, 5)  # not: negation, two fees, traffic, another service's surcharge
    assert facts["gpu_instance_hours"] == 3.5
    assert facts["gpu_hours_billed"] == 8 + 0.5 + 8 + 1
    assert facts["unused_commitment_by_currency"] == {"USD": pytest.approx(24 - 19.22)}
    assert facts["stranded_costs_by_currency"]["USD"] == {
        "reservation_unused_recurring_fee": 300.5,
        "reservation_unused_amortized_upfront_fee_for_billing_period": 12.25,
    }
    keys = {workload.key for workload in _read_of("aws_cur_2.csv").workloads}
    assert "us-east-1/research/llm-train/training" in keys


@pytest.mark.long
def test_a_legacy_report_with_training_jobs():
    file, facts = _facts_of("aws_cur_legacy.csv")
    assert fates(file)[1:] == (4, 2, 0, 0, 2)
    assert facts["gpu_hours_billed"] == 4 + 0.25 * 8
    headings = ("lineItem/UnblendedCost", "lineItem/BlendedCost")
    assert facts["costs"] == dict.fromkeys(headings, pytest.approx(13.912))


@pytest.mark.long
def test_azure_days_in_american_order():
    file, facts = _facts_of("azure_ea.csv")
    assert fates(file)[1:] == (3, 2, 0, 0, 1)
    assert codes(file) == counts(naive_time_assumed_utc=3)  # 9/30/2023 of the period tells the order
    assert facts["charge_period_start"] == "2023-09-02T00:00:00Z"
    assert facts["charge_period_end"] == "2023-09-04T00:00:00Z"
    assert facts["currency"] == "CAD"
    assert facts["costs"]["CostInBillingCurrency"] == pytest.approx(41.04067788)
    read = _read_of("azure_ea.csv")
    assert {workload.cluster for workload in read.workloads} == {"eastus"}
    assert read.jobs.peak_milli_gpus == 20_000  # 120 hours of 4 GPUs in a day
    assert read.jobs.gpu_hours == 12 + 120 * 4


@pytest.mark.long
def test_azure_customer_agreement_with_a_reservation_left_unused():
    file, facts = _facts_of("azure_mca.csv")
    assert fates(file)[1:] == (5, 2, 0, 0, 3)
    assert facts["stranded_costs_by_currency"] == {"EUR": {"costInBillingCurrency": 7.5}}
    assert facts["costs_by_pricing_currency"] == {"USD": {"costInPricingCurrency": pytest.approx(279.152)}}
    assert facts["gpu_hours_billed"] == 24 + 6 * 8


@pytest.mark.long
def test_oracle_counts_gpus_or_machines_as_the_unit_says():
    file, facts = _facts_of("oci.csv")
    assert fates(file)[1:] == (3, 2, 0, 0, 1)
    assert facts["gpu_hours_billed"] == 8 + 4
    assert facts["providers"] == {"Oracle": 3}


# --- Any text ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.format)
@given(head=st.text(max_size=200), words=st.text(max_size=80), unit=st.text(max_size=20))
@often
def test_any_text_is_read_or_refused_by_each_form(form, head, words, unit):
    """What Python reads of a bill: its header, and each distinct word, unit, time and quantity."""
    assert 0 <= form.sniff(head) <= 1
    _, columns = bill_forms.bill_header(head, bill_rows.wanted(form))
    assert set(bill_forms.BillColumns(columns).costs) <= set(columns)
    product = find_gpu_product(words)
    assert product is None or product.instance_type
    bill_rows.read_time_unit(unit)
    bill_times.read_bill_time(words, bill_times.date_order([words, unit]))
    assert bill_rows.read_usage(f"{words} x 3600 s x 8 GPUs / 3600 s").fault in (
        None,
        "bad_number",
        "negative_gpus",
    )


# --- Public bills ------------------------------------------------------------------------------


@pytest.mark.long
def test_the_public_focus_sample_gives_its_known_figures(shared_data):
    path = shared_data / "billing" / "focus10_sample_1000.csv"
    file, facts = _facts(path)
    assert fates(file)[1:] == (1000, 10, 0, 0, 990)
    costs = {"BilledCost": 20.520227, "EffectiveCost": 14.976514}
    costs |= {"ListCost": 20.390906, "ContractedCost": 14.976260}
    assert facts["costs"] == pytest.approx(costs, abs=1e-6)
    assert facts["providers"] == {"AWS": 942, "Microsoft": 51, "Oracle": 7}
    assert facts["charge_categories"] == {"Adjustment": 2, "Credit": 1, "Usage": 997}
    assert facts["commitment_statuses"] == {"Used": 4, "none": 996}
    assert (facts["columns"], facts["columns_with_text_null"], facts["currency"]) == (44, 19, "USD")
    assert facts["gpu_instance_hours"] == pytest.approx(7.969723, abs=1e-9)
    assert facts["gpu_costs_by_currency"]["USD"]["EffectiveCost"] == 13
    instances = [
        (one["instance_type"], one["rows"], one["list_unit_prices"]) for one in facts["gpu_instances"]
    ]
    assert sorted(instances) == [("g3.4xlarge", 2, [1.14]), ("g5.4xlarge", 8, [1.624])]
    assert _read(path).jobs.gpu_hours == pytest.approx(7.969723, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "rows", "columns", "costs", "kinds"),
    one_in(
        4,
        [
            ("aws_cur_sample.csv", 500, 94, {"lineItem/UnblendedCost": 0.639424}, {"Usage": 488, "Tax": 12}),
            ("azure_ea_sample.csv", 27, 55, {"CostInBillingCurrency": 1.261369}, {"Usage": 27}),
            ("oci_cost_sample.csv", 500, 33, {"cost/myCost": 2.516047}, None),
        ],
    ),
)
def test_public_bills_without_gpus_give_their_known_figures(shared_data, name, rows, columns, costs, kinds):
    file, facts = _facts(shared_data / "billing" / name)
    assert fates(file)[1:] == (rows, 0, 0, 0, rows)
    assert facts["columns"] == columns
    assert {heading: facts["costs"][heading] for heading in costs} == pytest.approx(costs, abs=1e-6)
    assert facts.get("charge_categories") == kinds
    assert "no_gpus" in codes(file)
    if name.startswith("azure"):
        assert facts["pricing_categories"] == {"OnDemand": 24, "Spot": 3}
        assert (facts["currency"], facts["services"]["Virtual Machines"]) == ("CAD", 7)
    if name.startswith("oci"):
        assert facts["services"]["COMPUTE"] == 83


ALL_USED = "one_hundred_percent_utilization"
NONE_USED = "zero_percent_utilization_without_commitment_discount_flexibility"


@pytest.mark.parametrize(
    ("scenario", "costs", "unused"),
    one_in(
        12,
        [
            ("commitment_discount_purchase_scenario_1", (8760.00, 0, None), None),
            ("commitment_discount_purchase_scenario_2", (3.00, 0, None), None),
            ("commitment_discount_purchase_scenario_3", (4381.50, 0, None), None),
            ("commitment_discount_usage_scenario_1", (0, 1.00, None), {}),
            ("commitment_discount_usage_scenario_2", (0, 1.00, None), {"unknown": {"EffectiveCost": 1.0}}),
            ("commitment_discount_usage_scenario_3", (0, 1.00, None), {"unknown": {"EffectiveCost": 0.25}}),
            ("commitment_discount_usage_scenario_4", (0.50, 1.50, None), {}),
            (f"{ALL_USED}_without_commitment_discount_flexibility", (1.5, 1.5, 6), {}),
            (f"{ALL_USED}_with_commitment_discount_flexibility_with_1_resource", (2.75, 2.75, 6.25), {}),
            (f"{ALL_USED}_with_commitment_discount_flexibility_with_2_resources", (2, 2, 8), {}),
            (NONE_USED, (3.5, 3.5, 8), {"unknown": {"EffectiveCost": 1.5}}),
            ("virtual_currency_pricing_model_a2", (0, 1230, 1230), None),
        ],
    ),
)
def test_public_examples_of_the_specification(shared_data, scenario, costs, unused):
    file, facts = _facts(shared_data / "billing" / f"focus12_{scenario}.csv")
    found = facts["costs"]
    assert (found["BilledCost"], found["EffectiveCost"], found.get("ListCost")) == costs
    assert facts["stranded_costs_by_currency"] == unused
    impossible = [row for row in file.rejected if "2023-02-01T30:00:00Z" in str(row.message)]
    has_any = scenario.endswith(("purchase_scenario_2", "purchase_scenario_3"))
    assert [row.code for row in impossible] == ["bad_time"] * has_any
    check_rows_add_up(file)


OCI_USAGE = """lineItem/referenceNo,lineItem/tenantId,lineItem/intervalUsageStart,lineItem/intervalUsageEnd,\
product/service,product/resource,product/compartmentName,product/region,product/resourceId,usage/consumedQuantity,usage/billedQuantity,\
usage/consumedQuantityUnits,usage/consumedQuantityMeasure,lineItem/isCorrection
r1,t,2025-03-01T10:00Z,2025-03-01T11:00Z,COMPUTE,PIC_COMPUTE_GPU_STANDARD_V2,ml,us-ashburn-1,i1,28800000,28800000,MS,GPUS,false
r2,t,2025-03-01T10:00Z,2025-03-01T11:00Z,COMPUTE,BM.GPU4.8,ml,us-ashburn-1,i2,1800000,1800000,MS,INSTANCE,false
r3,t,2025-03-01T10:00Z,2025-03-01T11:00Z,BLOCKSTORAGE,PIC_BLOCK_STORAGE,ml,us-ashburn-1,v2,100,100,GB_MS,STORAGE_SIZE,false
r4,t,2025-03-01T10:00Z,2025-03-01T11:00Z,COMPUTE,PIC_COMPUTE_GPU_STANDARD_V2,ml,us-ashburn-1,i5,3600000,3600000,MS,INSTANCE,false
r5,t,2025-03-01T10:00Z,2025-03-01T11:00Z,COMPUTE,BM.GPU4.8,ml,us-ashburn-1,i5,3600000,3600000,MS,OCPUS,false
r6,t,2025-03-01T10:00Z,2025-03-01T11:00Z,COMPUTE,PIC_COMPUTE_STANDARD_E4,ml,us-ashburn-1,i5,3600000,3600000,MS,OCPUS,false
"""


@pytest.mark.long
def test_usage_reports_of_oracle_count_in_milliseconds_of_what_they_measure(tmp_path, read_log):
    """8 GPUs for an hour, 8 for half of one; what nobody knows the GPUs of is rejected and not called no GPU."""
    read = read_log(OCI_USAGE)
    (file,) = read.intake
    assert fates(read) == ("oci", 6, 2, 2, 0, 2)
    assert read.jobs.gpu_hours == 8 + 4
    assert {row.code for row in file.rejected} == {"bad_number"}
    assert "pic_compute_gpu_standard_v2" in str(file.rejected[0].message)
    path = tmp_path / "usage.csv"
    path.write_text(OCI_USAGE)
    _, facts = _facts(path)
    assert (facts["gpu_rows"], facts["gpu_hours_billed"]) == (4, None)


@pytest.mark.long
def test_a_unit_of_gpus_counts_them_whatever_else_its_sku_says(read_log: Read) -> None:
    text = (FIXTURES / "oci.csv").read_text(encoding="utf-8")
    usual = "1 NONE HOURS GPUS,GPU Per Hour"
    assert usual in text
    spelled = read_log(text.replace(usual, "GPU PER HOUR,OCPU Hours"))
    assert spelled.jobs.milli_gpu_seconds == read_log(text).jobs.milli_gpu_seconds > 0
