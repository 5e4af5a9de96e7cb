"""What is asked of the small projects: what is understood, and the numbers of each answer, which follow by hand.

K1 is owed 4 x 4,380 h x $2 = $35,040. sft trained for 80 + 80 GPU-h at $2 and 16 h at $4: $352. The plan costs $27,153
in its first month (tests/domain/reports/test_golden_tables.py). Its worst is the second, in which K2 still runs beside
both orders: 5,840 + 8,760 + 3,650 + 7,543.33 + 3,771.67 = $29,565.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import pytest

from gpuplanner.domain.ask.answers import OF_OUTLOOK, answer_question
from gpuplanner.domain.ask.changes import Asked, Change, answer_change, asked_of, meant_by
from gpuplanner.domain.ask.numbers import Answered, Number
from gpuplanner.domain.ask.reading import NotUnderstoodError
from gpuplanner.domain.award.deciding import OfferWorth
from gpuplanner.domain.evaluation import Evaluation, advise_plan
from gpuplanner.domain.figures.typed import Written
from gpuplanner.domain.message import worded
from gpuplanner.files.system.resources import gpu_families, read_question_figures, read_question_forms
from tests.domain import worlds
from tests.domain.tables import plain

NODES = {"H100": 8, "A100": 8}


@cache
def past() -> Evaluation:
    """The past with its plan."""
    of = worlds.past()
    return replace(of.evaluation, advice=advise_plan(of.project, of.evaluation.figures))


OF: Mapping[str, Callable[[], Evaluation]] = {
    "past": past,
    "plan": worlds.plan,
    "limited": worlds.limited,
    "unpriced": worlds.unpriced,
    "divided": worlds.divided,
}


@cache
def asked(world: str) -> Asked:
    return asked_of(OF[world](), gpu_families(), NODES)


def numbers(result: Answered) -> str:
    """Each with its unit and place in documents; `t` of a day, and what is known of one that is not."""

    def each(item: Number) -> str:
        value = plain(Written("day", item.value)) if item.unit == "date" else plain(item.value)
        least = (
            f" at least {plain(item.known.known)}" if item.value is None and item.known.is_at_least else ""
        )
        last = f" to {plain(Written('day', item.last_s))}" if item.last_s is not None else ""
        return f"{value}{least}{last} {item.unit} {item.path or item.name}"

    return "; ".join(map(each, result.numbers)) or "none"


def read_of(world: str, form: str) -> object:
    """What is read for a form: the queue of its log, or what offers are worth."""
    if form == "worth":
        offers = {item.offer_id: item for item in OF[world]().project.offers}
        return [
            OfferWorth(offers["y1"], 2.5, 3.0, None, 0.2),
            OfferWorth(offers["q3"], 3.5, None, worded("unknown"), None),
        ]
    return worlds.queueing() if world == "plan" else None


def answered(world: str, text: str) -> str:
    """What is understood of a text, and its numbers; of a change what a call would say."""
    try:
        result = meant_by(text, read_question_forms(), asked(world))
    except NotUnderstoodError as fault:
        return "not understood" + (f": {' | '.join(fault.instead)}" if fault.instead else "")
    of = OF[world]()
    if world == "plan" and result.form in (*OF_OUTLOOK, "separation"):
        of = worlds.outlook_of(worlds.plan)
    if not isinstance(result, Change):
        answer = answer_question(result, of, read_question_figures(), read_of(world, result.form))
        return f"{result.form}: {numbers(answer)}"
    parts = (result.form, *result.as_words, result.subject, plain(result.usd_per_month))
    return " ".join(" ".join(parts).split())


def changed(world: str, text: str) -> str:
    """Total of the plan with a change."""
    result, of = meant_by(text, read_question_forms(), asked(world)), OF[world]()
    assert isinstance(result, Change)
    after = worlds.evaluated(result.edit(of.project)).advised
    return numbers(answer_change(result, of.advised, after))


EXPECTED = """
plan ? cost comparison for the board
  compare: 29930 usd_per_month totals.current_usd_per_month; 34310 usd_per_month flat_usd_per_month
plan ? which cluster holds all three kinds of work
  mixed: none
plan ? why no 36 months
  no_term: 0 count orders; 0 count offers
plan ? why no 12 months
  no_term: 2 count orders; 0 count workloads;
      0.645833 ratio pools[pool=inference,gpu_model=H100].break_even[offer_id=y1].utilization
plan ? 10% less budget
  budget_less: 29565 usd comparison[1].plan_usd; 26937 usd_per_month budget_usd_per_month; 30760 usd
      next_decisions[id=order:training:H100:12].usd_12_months
plan ? save $2k a month
  budget_less: 29565 usd comparison[1].plan_usd; 27930 usd_per_month budget_usd_per_month; 30760 usd
      next_decisions[id=order:training:H100:12].usd_12_months
plan ? cancel K1
  next: -26280 usd next_decisions[id=contract:K1].usd_12_months; 2026-08-01 to 2026-08-01 date end
plan ? cancel K3
  next: 0 gpus contract_verdicts[contract_id=K3].gpus; - date contract_verdicts[contract_id=K3].order_by
plan ? H100 prices fall 20% by May
  change --change price:h100 x0.8 by 2026-05-01 -
plan ? under $400k a month
  budget --set budget_usd_per_month=400000 -
plan ? at most 60% with one provider
  share --set max_provider_share=60% -
plan ? nothing over 12 months
  term --set max_term_months=12 -
plan ? no spot
  no_spot --set spot=no -
plan ? under 300 kW
  power --set power_limit_kw=300 300 -
plan ? 512 H100 for 30 days from 1 Feb
  planned --planned name=512 H100 from
      2026-02-01,pool=training,gpu_model=H100,gpus=512,begins=2026-02-01,length_hours=720 //512 H100 from
      2026-02-01 -
plan ? stop team team on 1 Jan
  not understood
plan ? team team comes back on 1 Feb
  not understood
plan ? anybody but Bo
  not understood
plan ? only Bo for team team
  not understood
plan ? move team team to burst
  not understood
plan ? H200 instead of H100 at 1.6
  not understood: A100 instead of h100 at 1.6 | H100 instead of h100 at 1.6
plan ? H200 instead of H100 for inference at 1.6
  not understood: A100 instead of h100 for inference at 1.6 | H100 instead of h100 for inference at 1.6
plan ? 12 months up front
  upfront: 131400 usd paid_up_front
  0.0423836 ratio least_discount
plan ? one more H100 node
  node H100 15086.7
plan ? order 3 months later
  wait --set wait_months=3 -
plan ? everything grows 10% a month
  growth --set growth=0.1 -
plan ? prices fall 2% a month
  price_fall --set delta=0.02 -
plan ? churn is 5% a month
  churn --set lambda=0.05 -
plan ? what do we spend a month now
  spend: 29930 usd_per_month totals.current_usd_per_month
  8030 usd_per_month totals.unused_now_usd_per_month
plan ? what if we do nothing
  do_nothing: 29930 usd horizons[horizon=next_month].do_nothing_usd
  35770 usd horizons[horizon=month_12].do_nothing_usd
  394200 usd horizons[horizon=twelve_months].do_nothing_usd
plan ? what do we spend a month now, and what in twelve months if we do nothing
  spend_ahead: 29930 usd_per_month totals.current_usd_per_month
  35770 usd horizons[horizon=month_12].do_nothing_usd
  394200 usd horizons[horizon=twelve_months].do_nothing_usd
plan ? what does the plan cost
  plan: 27153.3 usd horizons[horizon=next_month].plan_usd
  28105 usd horizons[horizon=month_12].plan_usd
  320248 usd horizons[horizon=twelve_months].plan_usd
plan ? what does the plan save
  savings: 2776.67 usd horizons[horizon=next_month].savings_vs_do_nothing_usd
  7665 usd horizons[horizon=month_12].savings_vs_do_nothing_usd
  73951.7 usd horizons[horizon=twelve_months].savings_vs_do_nothing_usd
plan ? how much of the difference to today is demand that went away by itself
  savings_demand: 73951.7 usd horizons[horizon=twelve_months].savings_vs_do_nothing_usd
  0 usd_per_month savings_steps[step=demand].usd_per_month
plan ? what would the savings buy
  buy: 2776.67 usd_per_month totals.savings_vs_do_nothing_usd_per_month
  694.167 gpu_hours savings_buy.gpu_hours_per_month
  0.950913 gpus savings_buy.gpus_for_a_year
plan ? what do we waste
  unused: 8030 usd_per_month totals.unused_now_usd_per_month
  8638.33 usd_per_month totals.unused_plan_usd_per_month
plan ? what is stranded
  stranded: - usd_per_month bridge.audit_usd_per_month
  5475 usd_per_month bridge.metered_usd_per_month
plan ? is that stranded or just idle
  idle: 8030 usd_per_month totals.unused_now_usd_per_month
  - usd_per_month bridge.audit_usd_per_month
  5475 usd_per_month bridge.metered_usd_per_month
plan ? what do we owe if everything stops
  owed: 52560 usd owed_if_stopped_usd
plan ? cash by quarter
  cash: 59370 usd cash[0].usd
  70128 usd cash[1].usd
  79308 usd cash[2].usd
plan ? cash by fiscal year
  fiscal: 292710 usd usd
  27740 usd usd
plan ? how sure is this
  range: 295729 usd uncertainty.year_p10_usd
  304099 usd uncertainty.year_p90_usd
  27153.3 usd uncertainty.p90_usd_per_month
plan ? which workloads cost most per useful GPU-hour
  useful: none
plan ? idle nights by team
  nights: - usd_per_month idle_nights[team=team].at_least_usd_per_month
plan ? how much CO2 is that
  co2: - kg_per_month energy.kg_co2_per_month
  - kg_per_month energy.today.kg_co2_per_month
  10842.3 kwh_per_month energy.kwh_per_month
plan ? how much CO2 is that a year
  co2_year: - kg kg
  130108 kwh kwh
plan ? CO2 by team
  not understood
plan ? how much energy does the plan take
  energy: 10842.3 kwh_per_month energy.kwh_per_month
  16.77 kw energy.peak_kw
  - kg_per_month energy.kg_co2_per_month
plan ? worst month
  worst: 2026-03-02 date comparison[1].start
  29565 usd comparison[1].plan_usd
plan ? what do we spend in March
  spend_in: 29565 usd comparison[1].plan_usd
  29930 usd comparison[1].do_nothing_usd
plan ? what will we spend in the next twelve months
  year: 320248 usd horizons[horizon=twelve_months].plan_usd
  394200 usd horizons[horizon=twelve_months].do_nothing_usd
plan ? are we over budget
  over_budget: 29930 usd_per_month totals.current_usd_per_month
  29565 usd comparison[1].plan_usd
plan ? what to decide this week
  decide: 30760 usd next_decisions[id=order:training:H100:12].usd_12_months
plan ? what must be signed by when
  sign: 135780 usd totals.liability_now_usd
  4380 usd totals.due_at_once_now_usd
  2026-01-31 to 2026-01-31 date orders[1].order_by
plan ? P90 wait of training at most 4 h
  size: 40 gpus gpus
  62050 usd_per_month usd_per_month
  51191.2 usd_per_month difference_usd_per_month
plan ? what size lets no endpoint wait
  size: 6 gpus gpus
  7300 usd_per_month usd_per_month
  -2433.33 usd_per_month difference_usd_per_month
plan ? who waits if K1 ends
  waits: 0 hours p90_h
  0 hours waiting[pool=inference].p90_h
  5 hours p90_h
  5 hours waiting[pool=burst].p90_h
  0 hours p90_h
  36 hours waiting[pool=training].p90_h
plan ? what was the longest wait
  waited: 36 hours longest_h
  8.63636 hours mean_h
  27 hours p90_h
plan ? what did failed jobs cost
  failed: none
plan ? which team spends most
  top_team: 29930 usd_per_month total_usd_per_month
plan ? how locked in are we
  lock_in: 4.17334 months totals.lock_in_months
  2.88 months totals.lock_in_now_months
plan ? what does separating the pools cost
  separation: 0 usd_per_month totals.cost_of_separation_usd_per_month
  730 count separation_avoids.contended_hours
  3102.5 usd_per_month separation_avoids.premium_usd_per_month
plan ? how well are the GPUs used
  utilization: 0.5 ratio totals.effective_utilization_now
  0.595238 ratio totals.effective_utilization_plan
plan ? how many GPUs do we have
  gpus: 17 gpus committed
  0 gpus held
  12.5 gpus needed
plan ? what do we pay against list
  list: 0.208588 ratio totals.effective_savings_rate
  34310 usd_per_month totals.on_demand_equivalent_usd_per_month
plan ? what do we pay per GPU-hour
  paid_rates: 1.44444 rate_usd_per_gpu_hour variance.clusters[cluster=c1].after.usd_per_gpu_hour
  1.5 rate_usd_per_gpu_hour variance.clusters[cluster=c2].after.usd_per_gpu_hour
plan ? what goes unserved
  unserved: 0 gpu_hours unserved_gpu_hours
plan ? why did the bill rise
  bill: -4394.17 usd_per_month variance.volume_usd_per_month
  4394.17 usd_per_month variance.efficiency_usd_per_month
  0 usd_per_month variance.price_usd_per_month
plan ? which contracts are under 40% used
  hardly_used: 5475 usd_per_month contracts[contract_id=K2].unused_usd_per_month
  2555 usd_per_month contracts[contract_id=K3].unused_usd_per_month
plan ? why is utilization so low
  idle_contracts: 0.5 ratio totals.effective_utilization_now
  5475 usd_per_month contracts[contract_id=K2].unused_usd_per_month
  2555 usd_per_month contracts[contract_id=K3].unused_usd_per_month
plan ? what happens when K1 ends
  contract: -26280 usd next_decisions[id=contract:K1].usd_12_months; 2026-08-01 to 2026-08-01 date end
plan ? where do we lose most
  leaks: 11680 usd_per_month leaks[leak_id=contention:c1].counted_usd_per_month
  1095 usd_per_month leaks[leak_id=permanent_burst:c1].counted_usd_per_month
plan ? why is it so expensive
  expensive: 29930 usd_per_month totals.current_usd_per_month
  8030 usd_per_month totals.unused_now_usd_per_month
  11680 usd_per_month leaks[leak_id=contention:c1].counted_usd_per_month
plan ? which contracts should we not renew
  lapse: 16911.7 usd next_decisions[id=contract:K2].usd_12_months
plan ? when must I give notice
  notice: 2026-03-18 to 2026-03-18 date contract_verdicts[contract_id=K2].order_by
plan ? which contracts expire next
  expiring: 2026-04-02 to 2026-04-02 date owed[contract_id=K2].to
  2026-08-01 to 2026-08-01 date owed[contract_id=K1].to
plan ? what does team team cost
  costs: 21900 usd_per_month by_team[team=team].usd_per_month
  29930 usd_per_month total_usd_per_month
plan ? which workloads cost most
  workloads: 17520 usd_per_month workloads[key=c1/team/load-000].usd_per_month
  3285 usd_per_month workloads[key=c2/team/load-001].usd_per_month
  1095 usd_per_month workloads[key=c1/team/load-002].usd_per_month
plan ? spend by cluster
  clusters: 21170 usd_per_month usd_per_month
  8760 usd_per_month clusters[cluster=c2].cost_usd_per_month
plan ? spend by GPU model
  models: 26280 usd_per_month usd_per_month
  3650 usd_per_month by_gpu_model[gpu_model=A100].usd_per_month
plan ? what do our contracts cost
  contracts: 8760 usd_per_month contracts[contract_id=K2].cost_usd_per_month
  5840 usd_per_month contracts[contract_id=K1].cost_usd_per_month
  3650 usd_per_month contracts[contract_id=K3].cost_usd_per_month
plan ? what does a million tokens cost
  tokens: none
plan ? what does one run of the largest model cost
  runs: 17520 usd unit_costs.runs[0].usd
  17520 usd unit_costs.retraining[key=c1/team/load-000].usd_per_run
plan ? what does a training run cost
  run_costs: 17520 usd unit_costs.retraining[0].usd_per_run
plan ? would such advice have paid in the past
  backtest: - usd totals.advice_usd
  - usd totals.hindsight_usd
  - usd totals.on_demand_usd
plan ? could one provider serve it all
  alone: 360620 usd one_provider[provider=Bo].year_usd
  332537 usd one_provider[provider=Ada].year_usd
plan ? plan against what came
  came: none
plan ? where should inference run
  place: none
plan ? CO2 of the plan on a grid of 0.05 kg per kWh
  grid --set grid_kg_co2_per_kwh=0.05 -
plan ? spend by provider
  sellers: 9490 usd_per_month contracts_usd_per_month
  8760 usd_per_month contracts_usd_per_month
plan ? what is the rate of K1
  rates: 2 rate_usd_per_gpu_hour rate_usd_per_gpu_hour
plan ? what rate do we pay Ada
  rates: 2 rate_usd_per_gpu_hour rate_usd_per_gpu_hour; 1 rate_usd_per_gpu_hour rate_usd_per_gpu_hour
plan ? utilization by cluster
  clusters_use: 0.375 ratio clusters[cluster=c2].utilization
  0.611111 ratio clusters[cluster=c1].utilization
plan ? utilization by GPU model
  models_use: 0.3 ratio by_gpu_model[gpu_model=A100].utilization
  0.583333 ratio by_gpu_model[gpu_model=H100].utilization
plan ? utilization by contract
  contracts_use: 0.3 ratio contracts[contract_id=K3].utilization
  0.375 ratio contracts[contract_id=K2].utilization
  1 ratio contracts[contract_id=K1].utilization
plan ? how many GPU-hours did we use
  hours: 9125 gpu_hours jobs.gpu_hours
plan ? GPU-hours by team
  not understood
plan ? how much of the load is inference
  classes: 0.64 ratio classes.training.share
  0.24 ratio classes.inference.share
  0.12 ratio classes.burst.share
plan ? what is on spot
  spot: 0 count workloads
  0 usd_per_month usd_plan
  0 usd_per_month saves_usd_per_month
plan ? what do our limits cost
  limits: none
plan ? what do we pay for idle H100
  idle_models: 6083.33 usd_per_month idle_existing[gpu_model=H100].usd_per_month
plan ? how many GPUs should we order
  to_sign: 6 gpus gpus
  4 gpus totals.gpus_to_sign[1].gpus
  2 gpus totals.gpus_to_sign[0].gpus
plan ? how many GPUs are idle
  idle_gpus: 5 gpus idle_existing[gpu_model=H100].gpus
  3.5 gpus idle_existing[gpu_model=A100].gpus
plan ? who gets what
  award: - usd totals.liability_usd
  - usd totals.prepaid_usd
plan ? what are the offers worth signing up to
  worth: 3 rate_usd_per_gpu_hour worth_signing[offer_id=y1].worth_signing_usd_per_gpu_hour
  - rate_usd_per_gpu_hour worth_signing[offer_id=q3].worth_signing_usd_per_gpu_hour
plan ? cheapest H100
  cheapest: 4 rate_usd_per_gpu_hour usd_per_gpu_hour
  2.58333 rate_usd_per_gpu_hour usd_per_gpu_hour
plan ? what does Plan A cost
  other_plan --scenario Plan A Plan A -
plan ? NPV of the plan
  npv: 205059 usd npv_usd
plan ? coverage by commitments
  coverage: 0.68 ratio coverage.now
  1 ratio coverage.plan
plan ? how much of our GPU time failed
  failed_share: none
plan ? which team waits longest
  team_waits: 27 hours waits[by=team,name=team].p90_h
plan ? utilization of team team
  team_activity: - ratio by_team[team=team].activity
plan ? share of GPU-hours by team
  not understood
plan ? GPUs by team
  team_gpus: 12.5 gpus by_team[team=team].mean_gpus
plan ? energy by team
  not understood
plan ? what do we pay per H100-hour
  model_rates: 1.66667 rate_usd_per_gpu_hour rate_usd_per_gpu_hour
plan ? from which utilization on does a 12 month term pay
  pays: 0.645833 ratio pools[pool=inference,gpu_model=H100].break_even[offer_id=y1].utilization
  0.645833 ratio pools[pool=training,gpu_model=H100].break_even[offer_id=y1].utilization
plan ? buy or rent
  own: none
plan ? what does load-000 cost
  costs: 17520 usd_per_month workloads[key=c1/team/load-000].usd_per_month
plan ? what does training cost
  costs: 17520 usd_per_month usd_per_month
plan ? what do we owe K1
  owed: 35040 usd usd; 35040 usd owed[contract_id=K1].usd
plan ? what do we owe Ada
  owed: 35040 usd usd
  35040 usd owed[contract_id=K1].usd
  0 usd owed[contract_id=K3].usd
plan ? cash next quarter
  cash: 70128 usd cash[1].usd
plan ? cash 2026 Q3
  cash: 79308 usd cash[2].usd
plan ? which contracts expire within 3 months
  expiring: 2026-04-02 to 2026-04-02 date owed[contract_id=K2].to
plan ? which contracts expire this quarter
  expiring: none
plan ? cheapest A100
  cheapest: 2 rate_usd_per_gpu_hour usd_per_gpu_hour
  0.8 rate_usd_per_gpu_hour usd_per_gpu_hour
plan ? cheapest H100 for 12 months
  cheapest: 2.58333 rate_usd_per_gpu_hour usd_per_gpu_hour
plan ? cheapest spot A100
  cheapest: 0.8 rate_usd_per_gpu_hour usd_per_gpu_hour
plan ? spend by region
  sellers: 18250 usd_per_month contracts_usd_per_month
plan ? spend by country
  sellers: 18250 usd_per_month contracts_usd_per_month
plan ? what do we pay Ada
  sellers: 9490 usd_per_month contracts_usd_per_month
plan ? how many H100 do we have
  gpus: 12 gpus committed
  0 gpus held
  11 gpus needed
plan ? how many GPUs do we have on 2026-05-01
  gpus: 9 gpus committed
  6 gpus ordered
  12.5 gpus needed
plan ? how many H100 do we have in May
  gpus: 4 gpus committed
  6 gpus ordered
  11 gpus needed
plan ? what do we spend in June
  spend_in: 23725 usd comparison[4].plan_usd
  29930 usd comparison[4].do_nothing_usd
plan ? what happens when K2 ends
  contract: 16911.7 usd next_decisions[id=contract:K2].usd_12_months; 2026-04-02 to 2026-04-02 date end
plan ? when must I give notice for K2
  notice: 2026-03-18 to 2026-03-18 date contract_verdicts[contract_id=K2].order_by
  2027-04-02 to 2027-04-02 date end
  105120 usd usd
plan ? when must I give notice for K3
  notice: none
plan ? P90 wait of burst at most 2 h
  size: 6 gpus gpus
  4380 usd_per_month usd_per_month
  730 usd_per_month difference_usd_per_month
plan ? who waits if K3 ends
  waits: 24 hours p90_h
  5 hours waiting[pool=burst].p90_h
  0 hours p90_h
  0 hours waiting[pool=inference].p90_h
  36 hours p90_h
  36 hours waiting[pool=training].p90_h
plan ? who waits
  waits: 0 hours waiting[pool=inference].p90_h
  36 hours waiting[pool=training].p90_h
  5 hours waiting[pool=burst].p90_h
plan ? double training by June
  change --change training x2.0 by 2026-06-01 -
plan ? inference +50% from 1 March
  change --change inference x1.5 from 2026-03-01 -
plan ? 16 H100 for 30 days from 1 Mar
  planned --planned name=16 H100 from
      2026-03-01,pool=training,gpu_model=H100,gpus=16,begins=2026-03-01,length_hours=720 //16 H100 from
      2026-03-01 -
plan ? 8 H100 from 1 March for inference
  planned --planned name=8 H100 from 2026-03-01,pool=inference,gpu_model=H100,gpus=8,begins=2026-03-01 //8 H100
      from 2026-03-01 -
plan ? 64 A100 for 2 months from 1 May for burst
  planned --planned name=64 A100 from
      2026-05-01,pool=burst,cluster=c1,gpu_model=A100,gpus=64,begins=2026-05-01,ends=2026-07-01 c1//64 A100 from
      2026-05-01 -
plan ? stop load-000 on 1 March
  ends --ends c1/team/load-000=2026-03-01 -
plan ? stop team team
  not understood
plan ? Bo stops on 1 April
  ends --ends provider:Bo=2026-04-01 -
plan ? load-000 comes back on 1 May
  not understood
plan ? anybody but Ada
  not understood
plan ? only Bo for load-000
  only --only c1/team/load-000=provider:Bo -
plan ? move load-001 to burst
  pool --assign c2/team/load-001=burst -
plan ? A100 instead of H100 at 0.5
  mapped --map-model H100=A100:0.5 -
plan ? A100 instead of H100 for inference at 0.5
  mapped --map-model inference:H100=A100:0.5 -
plan ? 2 more H100 nodes
  node H100 30173.3
plan ? inference shrinks 5% a month
  growth --set growth_inference=-0.05 -
plan ? under $20k a month
  budget --set budget_usd_per_month=20000 -
plan ? under $20
  not understood: under 20 USD a month
plan ? at most 40% with Ada
  share --share provider:Ada=40% -
plan ? nothing over 3 months
  term --set max_term_months=3 -
plan ? under 10 kW
  power --set power_limit_kw=10 10 -
plan ? CO2 of the plan on a grid of 50 g per kWh
  grid --set grid_kg_co2_per_kwh=0.05 -
plan ? 3 months up front
  upfront: 61320 usd paid_up_front
  0.00789019 ratio least_discount
plan ? utilization of K1
  contracts_use: 1 ratio contracts[contract_id=K1].utilization
plan ? utilization of H100
  models_use: 0.583333 ratio by_gpu_model[gpu_model=H100].utilization
plan ? what is the rate of K2
  rates: 1.5 rate_usd_per_gpu_hour rate_usd_per_gpu_hour
plan ? GPU-hours of team team
  team_hours: 9125 gpu_hours by_team[team=team].gpu_hours
plan ? from which utilization on does y1 pay
  pays: 0.645833 ratio pools[pool=inference,gpu_model=H100].break_even[offer_id=y1].utilization
  0.645833 ratio pools[pool=training,gpu_model=H100].break_even[offer_id=y1].utilization
plan ? from which utilization on does a 3 month term pay
  pays: 0.875 ratio pools[pool=inference,gpu_model=H100].break_even[offer_id=q3].utilization
  0.875 ratio pools[pool=training,gpu_model=H100].break_even[offer_id=q3].utilization
plan ? what do we pay for idle A100
  idle_models: 2555 usd_per_month idle_existing[gpu_model=A100].usd_per_month
plan ? how many A100 are idle
  idle_gpus: 3.5 gpus idle_existing[gpu_model=A100].gpus
plan ? how many H100 should we order
  to_sign: 4 gpus totals.gpus_to_sign[1].gpus
  2 gpus totals.gpus_to_sign[0].gpus
plan ? no spot and under $30k a month
  no_spot and budget --set spot=no --set budget_usd_per_month=30000 -
plan ? stop load-000 and load-001 on 1 March
  ends and ends --ends c1/team/load-000=2026-03-01 --ends c2/team/load-001=2026-03-01 -
plan ? double inference by June and no spot
  change and no_spot --change inference x2.0 by 2026-06-01 --set spot=no -
plan ? hello there
  not understood: team there
plan ? what is the meaning of H900
  not understood: what is the A100 | what is the H100
plan ? stop nobody at all
  not understood
plan ? spend by cluster in c1
  not understood
plan ? which quarter is worst
  not understood: team which quarter is worst
plan ? what is y1 worth
  worth: 3 rate_usd_per_gpu_hour worth_signing[offer_id=y1].worth_signing_usd_per_gpu_hour
plan ? what if inference halves by 15 April
  change --change inference x0.5 by 2026-04-15 -
plan ? under 0.02M a month
  budget --set budget_usd_per_month=20000 -
plan ? under 20k eur a month
  not understood
plan ? inference x1.5 within 2 months
  change --change inference x1.5 by 2026-03-31T10:00:00Z -
plan ? 8 H100 for 3 months
  planned --planned name=8 H100 from
      2026-01-31T10:00:00Z,pool=training,gpu_model=H100,gpus=8,begins=2026-01-31T10:00:00Z,ends=2026-04-30T10:00:00Z
      //8 H100 from 2026-01-31T10:00:00Z -
plan ? 8 H100 for two weeks from 1 March
  planned --planned name=8 H100 from
      2026-03-01,pool=training,gpu_model=H100,gpus=8,begins=2026-03-01,length_hours=336 //8 H100 from 2026-03-01 -
plan ? move load-002 to training and no spot
  not understood: move A100 to training and no spot | move H100 to training and no spot
plan ? keep spend below 27,500 per month
  budget --set budget_usd_per_month=27500 -
plan ? at most two quarters
  term --set max_term_months=6 -
plan ? under 1.5 MW
  power --set power_limit_kw=1500 1500 -
past ? H100 prices fall 20% by May
  change --change price:h100 x0.8 by 2027-05-01 -
past ? under $400k a month
  budget --set budget_usd_per_month=400000 -
past ? at most 60% with one provider
  share --set max_provider_share=60% -
past ? nothing over 12 months
  term --set max_term_months=12 -
past ? under 300 kW
  power --set power_limit_kw=300 300 -
past ? 512 H100 for 30 days from 1 Feb
  planned --planned name=512 H100 from
      2027-02-01,pool=training,cluster=atlas,gpu_model=H100,gpus=512,begins=2027-02-01,length_hours=720
      atlas//512 H100 from 2027-02-01 -
past ? one more H100 node
  node H100 17520
past ? order 3 months later
  wait --set wait_months=3 -
past ? everything grows 10% a month
  growth --set growth=0.1 -
past ? prices fall 2% a month
  price_fall --set delta=0.02 -
past ? churn is 5% a month
  churn --set lambda=0.05 -
past ? what do we spend a month now
  spend: 16644 usd_per_month totals.current_usd_per_month
  7446 usd_per_month totals.unused_now_usd_per_month
past ? what if we do nothing
  do_nothing: 16644 usd horizons[horizon=next_month].do_nothing_usd
  16492.9 usd horizons[horizon=month_12].do_nothing_usd
  198815 usd horizons[horizon=twelve_months].do_nothing_usd
past ? what do we spend a month now, and what in twelve months if we do nothing
  spend_ahead: 16644 usd_per_month totals.current_usd_per_month
  16492.9 usd horizons[horizon=month_12].do_nothing_usd
  198815 usd horizons[horizon=twelve_months].do_nothing_usd
past ? what does the plan cost
  plan: 16644 usd horizons[horizon=next_month].plan_usd
  16492.9 usd horizons[horizon=month_12].plan_usd
  198815 usd horizons[horizon=twelve_months].plan_usd
past ? what does the plan save
  savings: 0 usd horizons[horizon=next_month].savings_vs_do_nothing_usd
  0 usd horizons[horizon=month_12].savings_vs_do_nothing_usd
  0 usd horizons[horizon=twelve_months].savings_vs_do_nothing_usd
past ? how much of the difference to today is demand that went away by itself
  savings_demand: 0 usd horizons[horizon=twelve_months].savings_vs_do_nothing_usd
  - usd_per_month savings_steps[step=demand].usd_per_month
past ? what would the savings buy
  buy: 0 usd_per_month totals.savings_vs_do_nothing_usd_per_month
  - gpu_hours savings_buy.gpu_hours_per_month
  - gpus savings_buy.gpus_for_a_year
past ? what do we waste
  unused: 7446 usd_per_month totals.unused_now_usd_per_month
  7446 usd_per_month totals.unused_plan_usd_per_month
past ? what is stranded
  stranded: 9490 usd_per_month bridge.audit_usd_per_month
  6862 usd_per_month bridge.metered_usd_per_month
past ? is that stranded or just idle
  idle: 7446 usd_per_month totals.unused_now_usd_per_month
  9490 usd_per_month bridge.audit_usd_per_month
  6862 usd_per_month bridge.metered_usd_per_month
past ? what do we owe if everything stops
  owed: 152000 usd owed_if_stopped_usd
past ? cash by quarter
  cash: 48023.6 usd cash[0].usd
  50178.2 usd cash[1].usd
  48965.4 usd cash[2].usd
past ? cash by fiscal year
  fiscal: 98201.8 usd usd
  100613 usd usd
past ? how sure is this
  range: - usd uncertainty.year_p10_usd
  - usd uncertainty.year_p90_usd
  - usd uncertainty.p90_usd_per_month
past ? which workloads cost most per useful GPU-hour
  useful: 4.4 usd_per_gpu_hour expensive_workloads[0].usd_per_useful_gpu_hour
  2.55 usd_per_gpu_hour expensive_workloads[1].usd_per_useful_gpu_hour
past ? idle nights by team
  nights: 795.174 usd_per_month idle_nights[team=team].at_least_usd_per_month
  - usd_per_month idle_nights[team=nobody].at_least_usd_per_month
past ? how much CO2 is that
  co2: - kg_per_month energy.kg_co2_per_month
  - kg_per_month energy.today.kg_co2_per_month
  5210.01 kwh_per_month energy.kwh_per_month
past ? how much CO2 is that a year
  co2_year: - kg kg
  62520.1 kwh kwh
past ? how much energy does the plan take
  energy: 5210.01 kwh_per_month energy.kwh_per_month
  12.116 kw energy.peak_kw
  - kg_per_month energy.kg_co2_per_month
past ? worst month
  worst: 2026-07-05 date comparison[0].start
  16644 usd comparison[0].plan_usd
past ? what do we spend in March
  spend_in: 16533.4 usd comparison[8].plan_usd
  16533.4 usd comparison[8].do_nothing_usd
past ? what will we spend in the next twelve months
  year: 198815 usd horizons[horizon=twelve_months].plan_usd
  198815 usd horizons[horizon=twelve_months].do_nothing_usd
past ? are we over budget
  over_budget: 16644 usd_per_month totals.current_usd_per_month
  16644 usd comparison[0].plan_usd
past ? what to decide this week
  decide: none
past ? what must be signed by when
  sign: 0 usd totals.liability_now_usd
  0 usd totals.due_at_once_now_usd
past ? which team spends most
  top_team: 12264 usd_per_month total_usd_per_month
past ? how locked in are we
  lock_in: 9.13242 months totals.lock_in_months
  11.5677 months totals.lock_in_now_months
past ? what does separating the pools cost
  separation: - usd_per_month totals.cost_of_separation_usd_per_month
  60 count separation_avoids.contended_hours
  2440.78 usd_per_month separation_avoids.premium_usd_per_month
past ? how well are the GPUs used
  utilization: 0.44 ratio totals.effective_utilization_now
  0.476636 ratio totals.effective_utilization_plan
past ? how many GPUs do we have
  gpus: 10 gpus committed
  0 gpus held
  5.1 gpus needed
past ? what do we pay against list
  list: 0.136364 ratio totals.effective_savings_rate
  19272 usd_per_month totals.on_demand_equivalent_usd_per_month
past ? what do we pay per GPU-hour
  paid_rates: 2 rate_usd_per_gpu_hour variance.clusters[cluster=atlas].after.usd_per_gpu_hour
  1 rate_usd_per_gpu_hour variance.clusters[cluster=bora].after.usd_per_gpu_hour
past ? what goes unserved
  unserved: 0 gpu_hours unserved_gpu_hours
past ? why did the bill rise
  bill: -1297.78 usd_per_month variance.volume_usd_per_month
  1297.78 usd_per_month variance.efficiency_usd_per_month
  0 usd_per_month variance.price_usd_per_month
past ? why is utilization so low
  idle_contracts: 0.44 ratio totals.effective_utilization_now
  6716 usd_per_month contracts[contract_id=k1].unused_usd_per_month
  730 usd_per_month contracts[contract_id=k2].unused_usd_per_month
past ? what happens when K1 ends
  contract: 0 gpus contract_verdicts[contract_id=k1].gpus
  2027-08-05 to 2027-08-04 date contract_verdicts[contract_id=k1].order_by
  2027-08-05 to 2027-08-04 date end
past ? where do we lose most
  leaks: 5256 usd_per_month leaks[leak_id=idle_tail:atlas].counted_usd_per_month
  2920 usd_per_month leaks[leak_id=contention:bora].counted_usd_per_month
  730 usd_per_month leaks[leak_id=permanent_burst:bora].counted_usd_per_month
past ? why is it so expensive
  expensive: 16644 usd_per_month totals.current_usd_per_month
  7446 usd_per_month totals.unused_now_usd_per_month
  5256 usd_per_month leaks[leak_id=idle_tail:atlas].counted_usd_per_month
past ? which contracts should we not renew
  lapse: none
past ? which contracts expire next
  expiring: 2027-08-05 to 2027-08-04 date owed[contract_id=k1].to
past ? what does team team cost
  costs: 5548 usd_per_month by_team[team=team].usd_per_month
  12264 usd_per_month total_usd_per_month
past ? which workloads cost most
  workloads: 3650 usd_per_month workloads[key=bora/team/dev].usd_per_month
  2978.4 usd_per_month workloads[key=atlas/team/chat].usd_per_month
  2569.6 usd_per_month workloads[key=atlas/team/sft].usd_per_month
past ? spend by cluster
  clusters: 12264 usd_per_month usd_per_month
  4380 usd_per_month usd_per_month
past ? spend by GPU model
  models: 12264 usd_per_month usd_per_month
  4380 usd_per_month usd_per_month
past ? what do our contracts cost
  contracts: 11680 usd_per_month contracts[contract_id=k1].cost_usd_per_month
  1460 usd_per_month contracts[contract_id=k2].cost_usd_per_month
past ? what does a million tokens cost
  tokens: 108.8 usd_per_million_tokens unit_costs.endpoints[key=atlas/team/chat].tokens.usd_per_million_tokens
past ? what does one run of the largest model cost
  runs: 192 usd unit_costs.runs[0].usd
  176 usd unit_costs.retraining[key=atlas/team/sft].usd_per_run
past ? what does a training run cost
  run_costs: 176 usd unit_costs.retraining[0].usd_per_run
past ? CO2 of the plan on a grid of 0.05 kg per kWh
  grid --set grid_kg_co2_per_kwh=0.05 -
past ? spend by provider
  sellers: 11680 usd_per_month contracts_usd_per_month
  1460 usd_per_month contracts_usd_per_month
past ? what is the rate of K1
  rates: 2 rate_usd_per_gpu_hour rate_usd_per_gpu_hour
past ? idle cost by cluster
  idle_clusters: 6716 usd_per_month unused_usd_per_month
  730 usd_per_month unused_usd_per_month
past ? waste in bora
  idle_clusters: 730 usd_per_month unused_usd_per_month
past ? utilization by cluster
  clusters_use: 0.425 ratio clusters[cluster=atlas].utilization
  0.5 ratio clusters[cluster=bora].utilization
past ? utilization by GPU model
  models_use: 0.425 ratio by_gpu_model[gpu_model=H100].utilization
  0.5 ratio by_gpu_model[gpu_model=A100].utilization
past ? utilization by contract
  contracts_use: 0.425 ratio contracts[contract_id=k1].utilization
  0.5 ratio contracts[contract_id=k2].utilization
past ? how many GPU-hours did we use
  hours: 510 gpu_hours jobs.gpu_hours
past ? how much of the load is inference
  classes: 0.392157 ratio classes.inference.share
  0.313725 ratio classes.training.share
  0.294118 ratio classes.burst.share
past ? what do we pay for idle H100
  idle_models: 6716 usd_per_month idle_existing[gpu_model=H100].usd_per_month
past ? how many GPUs are idle
  idle_gpus: 4.6 gpus idle_existing[gpu_model=H100].gpus
  1 gpus idle_existing[gpu_model=A100].gpus
past ? cheapest H100
  cheapest: 4 rate_usd_per_gpu_hour usd_per_gpu_hour
  3 rate_usd_per_gpu_hour usd_per_gpu_hour
past ? utilization of team team
  team_activity: 0.666667 ratio by_team[team=team].activity
past ? GPUs by team
  team_gpus: 3.6 gpus by_team[team=team].mean_gpus
  1.5 gpus by_team[team=].mean_gpus
past ? what do we pay per H100-hour
  model_rates: 2 rate_usd_per_gpu_hour rate_usd_per_gpu_hour
past ? what does chat cost
  costs: 2978.4 usd_per_month workloads[key=atlas/team/chat].usd_per_month
past ? what does sft cost
  costs: 2569.6 usd_per_month workloads[key=atlas/team/sft].usd_per_month
past ? who pays by team
  top_team: 12264 usd_per_month total_usd_per_month
past ? which GPU model costs most
  models: 12264 usd_per_month usd_per_month
  4380 usd_per_month usd_per_month
past ? utilization of atlas
  clusters_use: 0.425 ratio clusters[cluster=atlas].utilization
past ? how many GPU-hours did team team use
  team_hours: 360 gpu_hours by_team[team=team].gpu_hours
limited ? buy or rent
  own: 0.106736 ratio pools[pool=inference,gpu_model=H100].break_even[offer_id=own].utilization
  0.106736 ratio pools[pool=training,gpu_model=H100].break_even[offer_id=own].utilization
limited ? how many GPUs do we have on 2026-05-01
  gpus: 9 gpus committed
  16 gpus ordered
  14.1 gpus needed
limited ? what must be signed by when
  sign: 179522 usd totals.liability_now_usd
  140160 usd totals.due_at_once_now_usd
  2026-01-31 to 2026-01-31 date orders[0].order_by
limited ? cash by fiscal year
  fiscal: 332909 usd usd
  4526 usd usd
limited ? what do we owe if everything stops
  owed: 52560 usd owed_if_stopped_usd
limited ? how many GPUs should we order
  to_sign: 16 gpus gpus
  12 gpus totals.gpus_to_sign[1].gpus
  4 gpus totals.gpus_to_sign[0].gpus
limited ? what is unserved
  unserved: 0 gpu_hours unserved_gpu_hours
limited ? what to decide this week
  decide: none
limited ? are we over budget
  over_budget: 30222 usd_per_month totals.current_usd_per_month
  58254 usd comparison[1].plan_usd
limited ? what does again cost
  costs: - usd_per_month workloads[key=//again].usd_per_month
limited ? stop once on 1 April
  not understood
limited ? move again to burst
  pool --assign //again=burst -
unpriced ? what does the plan cost
  plan: - at least 26280 usd horizons[horizon=next_month].plan_usd
  - at least 32120 usd horizons[horizon=month_12].plan_usd
  - at least 350400 usd horizons[horizon=twelve_months].plan_usd
unpriced ? what if we do nothing
  do_nothing: - at least 26280 usd horizons[horizon=next_month].do_nothing_usd
  - at least 32120 usd horizons[horizon=month_12].do_nothing_usd
  - at least 350400 usd horizons[horizon=twelve_months].do_nothing_usd
unpriced ? worst month
  worst: - at least 32120 usd comparison[6].plan_usd
unpriced ? cash by quarter
  cash: - at least 51480 usd cash[0].usd
  - at least 78624 usd cash[1].usd
  - at least 91024 usd cash[2].usd
unpriced ? what do we owe if everything stops
  owed: - at least 52560 usd owed_if_stopped_usd
unpriced ? what does load-002 cost
  costs: - usd_per_month workloads[key=c1/team/load-002].usd_per_month
unpriced ? spend by cluster
  clusters: 8760 usd_per_month clusters[cluster=c2].cost_usd_per_month
  - usd_per_month usd_per_month
unpriced ? spend by GPU model
  models: 26280 usd_per_month usd_per_month
  - usd_per_month by_gpu_model[gpu_model=A100].usd_per_month
unpriced ? what do we spend a month now
  spend: - at least 26280 usd_per_month totals.current_usd_per_month
  - at least 5475 usd_per_month totals.unused_now_usd_per_month
unpriced ? are we over budget
  over_budget: - at least 26280 usd_per_month totals.current_usd_per_month
  - at least 32120 usd comparison[6].plan_usd
unpriced ? what do we waste
  unused: - at least 5475 usd_per_month totals.unused_now_usd_per_month
  - at least 6083.33 usd_per_month totals.unused_plan_usd_per_month
unpriced ? spend by provider
  sellers: 8760 usd_per_month contracts_usd_per_month
  - at least 5840 usd_per_month contracts_usd_per_month
unpriced ? what will we spend in the next twelve months
  year: - at least 350400 usd horizons[horizon=twelve_months].plan_usd
  - at least 350400 usd horizons[horizon=twelve_months].do_nothing_usd
unpriced ? what do we spend in June
  spend_in: - at least 26280 usd comparison[4].plan_usd
  - at least 26280 usd comparison[4].do_nothing_usd
unpriced ? cash by fiscal year
  fiscal: - at least 318280 usd usd
  - at least 32120 usd usd
divided ? what does load-001 cost
  costs: 3285 usd_per_month workloads[key=c2/team/load-001].usd_per_month
divided ? stop load-001
  ends --ends c2/team/load-001=2026-01-31T10:00:00Z -
divided ? move load-001 to burst
  pool --assign c2/team/load-001=burst -
plan ? could Ada serve it all
  alone: 332537 usd one_provider[provider=Ada].year_usd
plan ? could Bo serve it all
  alone: 360620 usd one_provider[provider=Bo].year_usd
plan ? who pays by pool
  not understood: team who pays by pool
plan ? double inference by June and triple training by May
  change and change --change inference x2.0 by 2026-06-01 --change training x3.0 by 2026-05-01 -
plan ? A100 instead of H100 at 0.5 and no spot
  mapped and no_spot --map-model H100=A100:0.5 --set spot=no -
plan ? double H900
  not understood: team h900 doubles
plan ? training x0
  change --change training x0.0 from 2026-01-31T10:00:00Z -
plan ? what do we owe Bo
  owed: 17520 usd usd
  17520 usd owed[contract_id=K2].usd
plan ? notice for K1
  notice: -26280 usd next_decisions[id=contract:K1].usd_12_months
plan ? what happens when K3 ends
  contract: 0 gpus contract_verdicts[contract_id=K3].gpus
  - date contract_verdicts[contract_id=K3].order_by
plan ? spend of load-002
  costs: 1095 usd_per_month workloads[key=c1/team/load-002].usd_per_month
limited ? one more H100 node
  node H100 15330
limited ? notice for K2
  notice: 2026-03-18 to 2026-03-18 date notice_by
  2027-04-02 to 2027-04-02 date end
  105120 usd usd
limited ? cash 2026 Q2
  cash: 68365.4 usd cash[1].usd
limited ? how many H100 should we order
  to_sign: 12 gpus totals.gpus_to_sign[1].gpus
  4 gpus totals.gpus_to_sign[0].gpus
limited ? expiring within 12 months
  expiring: 2026-04-02 to 2026-04-02 date owed[contract_id=K2].to; 2026-08-01 to 2026-08-01 date owed[contract_id=K1].to
past ? what do we pay Ada
  sellers: 11680 usd_per_month contracts_usd_per_month
past ? utilization of k2
  contracts_use: 0.5 ratio contracts[contract_id=k2].utilization
past ? what do we owe Ada
  owed: 152000 usd usd
  152000 usd owed[contract_id=k1].usd
unpriced ? what do we owe Ada
  owed: - at least 35040 usd usd
  35040 usd owed[contract_id=K1].usd
  - usd owed[contract_id=K3].usd
unpriced ? cheapest A100
  not understood: cheapest H100
divided ? what does the plan cost
  plan: 27153.3 usd horizons[horizon=next_month].plan_usd
  28105 usd horizons[horizon=month_12].plan_usd
  320248 usd horizons[horizon=twelve_months].plan_usd
divided ? stop both
  not understood: stop Bo
"""
CHANGES = """
plan ? double training by June
  486202 usd horizons[horizon=twelve_months].plan_usd
  165953 usd horizons[horizon=twelve_months].change_usd
  0 usd horizons[horizon=next_month].change_usd
plan ? H100 prices fall 20% by May
  302339 usd horizons[horizon=twelve_months].plan_usd
  -17909.3 usd horizons[horizon=twelve_months].change_usd
  0 usd horizons[horizon=next_month].change_usd
plan ? 16 H100 for 30 days from 1 Mar
  0 gpus gpus
  46080 usd horizons[horizon=twelve_months].change_usd
  - hours wait
plan ? 8 H100 from 1 March for inference
  2026-02-19 to 2026-02-18 date orders[0].order_by
  166863 usd horizons[horizon=twelve_months].change_usd
  - hours wait
plan ? stop load-000 on 1 March
  178024 usd horizons[horizon=twelve_months].plan_usd
  -142224 usd horizons[horizon=twelve_months].change_usd
  2072.67 usd horizons[horizon=next_month].change_usd
plan ? move load-001 to burst
  320248 usd horizons[horizon=twelve_months].plan_usd
  0 usd horizons[horizon=twelve_months].change_usd
  0 usd horizons[horizon=next_month].change_usd
plan ? one more H100 node
  15086.7 usd_per_month usd
  1960 gpu_hours gpu_hours
  0 gpu_hours unserved_gpu_hours
plan ? order 3 months later
  365730 usd horizons[horizon=twelve_months].plan_usd
  45481.7 usd horizons[horizon=twelve_months].change_usd
  2776.67 usd horizons[horizon=next_month].change_usd
plan ? under $20k a month
  214620 usd horizons[horizon=twelve_months].plan_usd
  -105628 usd horizons[horizon=twelve_months].change_usd
  43800 gpu_hours unserved_gpu_hours
plan ? under 10 kW
  16.77 kw energy.peak_kw
  6.77 kw over_kw
plan ? under 100 kW
  16.77 kw energy.peak_kw
  83.23 kw over_kw
plan ? CO2 of the plan on a grid of 50 g per kWh
  542.116 kg_per_month energy.kg_co2_per_month
  - kg_per_month kg_co2_per_month_without_it
plan ? no spot
  320248 usd horizons[horizon=twelve_months].plan_usd
  0 usd horizons[horizon=twelve_months].change_usd
  0 usd horizons[horizon=next_month].change_usd
plan ? A100 instead of H100 for inference at 0.5
  320248 usd horizons[horizon=twelve_months].plan_usd
  0 usd change_usd
  0 usd change_usd
plan ? nothing over 3 months
  360620 usd horizons[horizon=twelve_months].plan_usd
  40371.7 usd horizons[horizon=twelve_months].change_usd
  1316.67 usd horizons[horizon=next_month].change_usd
plan ? 64 A100 for 2 months from 1 May for burst
  0 gpus gpus
  181536 usd horizons[horizon=twelve_months].change_usd
  - hours wait
plan ? stop load-000 and load-001 on 1 March
  107336 usd horizons[horizon=twelve_months].plan_usd
  -212912 usd horizons[horizon=twelve_months].change_usd
  2072.67 usd horizons[horizon=next_month].change_usd
plan ? under $40k a month and no spot
  320248 usd horizons[horizon=twelve_months].plan_usd
  0 usd horizons[horizon=twelve_months].change_usd
  0 usd horizons[horizon=next_month].change_usd
"""


def cases(text: str) -> dict[tuple[str, str], str]:
    """World and what is typed -> what comes of it, a number a line."""
    result: dict[tuple[str, str], list[str]] = {}
    of: list[str] = []
    for line in text.strip("\n").splitlines():
        if not line.startswith(" "):
            world, _, typed = line.partition(" ? ")
            of = result.setdefault((world, typed), [])
        elif line.startswith("      "):
            of[-1] += f" {line.strip()}"
        else:
            of.append(line.strip())
    return {key: "; ".join(lines) for key, lines in result.items()}


QUESTIONS, CHANGED = cases(EXPECTED), cases(CHANGES)


@pytest.mark.parametrize(("world", "text"), QUESTIONS)
def test_a_question_has_the_numbers_of_the_small_project(world: str, text: str) -> None:
    assert answered(world, text) == QUESTIONS[world, text]


@pytest.mark.parametrize(("world", "text"), CHANGED)
def test_a_change_has_the_numbers_of_the_plan_with_it(world: str, text: str) -> None:
    assert changed(world, text) == CHANGED[world, text]
