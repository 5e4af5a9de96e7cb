"""What buyers, finance and ML leads ask in their own words: of which form each question is, or that nothing is read.

A wrong reading is worse than none. The numbers of an answer are in test_answers_by_hand.
"""

from pathlib import Path

import pytest

from gpuplanner.domain.ask.changes import Asked, asked_of, understood
from gpuplanner.domain.ask.reading import NotUnderstoodError
from gpuplanner.domain.evaluation import evaluate_audit
from gpuplanner.files.demo.demo_project import PLANS
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import gpu_families, read_question_forms, read_tables
from gpuplanner.files.tables.provider_words import provider_named

NOTHING = "-"
QUESTIONS = {
    NOTHING: """
how much did we spend last quarter
which contracts don't expire this year
which contracts are not needed
utilization of H100 in borealis
how many GPUs did we have last year
what is due except borealis-held
cancel all contracts
team speech leaves on 05/06/2027
price of GB300
cost of MI300X
spend in H1 2027
10% more budget
cut the budget by $50k a month
do not cancel Azure
what if we don't cancel Azure
If AWS is gone, what do we waste most?
what do we waste most, if inference doubles?
what is the lead time for B200
which contracts should we keep
what don't we waste
where do we not lose money
what should I not do this quarter
which team does not waste
hire more people
what is the weather in Frankfurt
what does training cost at Azure
what do we waste at Azure
what did we waste last year
what do we waste most in March
what should team chat do
10% less budget for team chat
10% less training
cost comparison of H100 and H200
compare Azure and Vela
is AWS cheaper than Vela
which vendor should we pick
where do training and inference share a cluster
which cluster holds no burst
which cluster holds only training
which cluster does not hold all three kinds of work
Why not longer terms?
what do we waste the least
budget falls to 90%
budget +10%
spend 10% more
Vella stops on 1 Jan
don't cancel AWS
never leave AWS
cancel AWS but keep Azure
cancel AWS except borealis-held
cancel all
how much is at stake in atlas-core
cancel borealis-held on 1 Jan
cancel atlas
what do users in Europe experience
what does lock-in mean
what is the rate
what did we spend last month
how much does the vision team use
what if AWS raises prices by 10%
what if we lose borealis
can we use B200 for training
which workloads are unused
how many GPUs do we need next year
was verschwenden wir
combien coûte le plan
do we exceed $500k a month
do we need 36 months
is the Vela offer good
what is a GPU-hour
who uses borealis-held
is spot cheaper than reserved
""",
    "peak": """
what is the peak demand
what was the highest number of GPUs we ever used at once
when is the peak of inference
peak H100 usage
how high does H200 usage peak
how many GPUs does burst need at peak
how spiky is training compared with its average
""",
    "return": """
what is the ROI
payback of the plan
when does the plan pay back
when do we break even
how much do we have to invest to get these savings
how long until the savings cover what we sign
""",
    "break_even": """
what is the break-even utilization of atlas-core
at which utilization does borealis-reserved pay off
is atlas-surge above its break-even
""",
    "terms": """
terms of borealis-held
how long is the term of borealis-reserved
who is the provider of cedar-a100
""",
    "history": """
how did demand grow
what was our GPU usage in September
what did training cost in October
is inference growing
what was our spend in October
how did our usage develop over the last three months
""",
    "alone": """
can a single provider run everything
which provider is cheapest for everything
which single provider would be cheapest overall?
what would everything cost at each provider
what would it cost with each provider alone
what if everything was with one vendor
can one supplier serve everything?
""",
    "bill": """
why did spend go up
what's driving the increase in spend
The bill looks high. why did the bill rise?
""",
    "budget": """
max budget 500k per month
budget 450k/month
what if our budget is only $450k a month
keep it under $500k a month
budget falls to $400k a month
""",
    "budget_less": """
save $2m a month
reduce the annual spend by $1m
save $500k a year
save $100k a month
how do we save 100k a month
what can we cut to save 50k per month
cut costs 15%
cut 20% from the bill
can we save 15%
10% less budget
we must spend 10% less
our budget was cut by 15 percent
budget cut of 20% - what now?
I have to cut costs by 10%
cut spend by 10%
the CFO wants 10% off the bill
how can we save 10%?
how do we get 25% out of our spend
reduce our GPU bill by 20%
10 percent lower spend
what if we had 10% less money
we need to trim the budget by 5%
bring the bill down 10%
budget down by 30 percent
half the budget
need to save 15% of our spend
can we run on 20% less money
can we cut the bill by 30%?
get costs down by 12.5%
10 % less budget
what if the budget shrinks by 10%
budget -10%
how do I get to 10% lower spend?
""",
    "cash": """
when is the most cash due
spend in Q1 2027
spend next quarter
cash needed in Q1
when do we pay
quarterly costs
how much cash do we need in Q2 2027
what are the payment dates
how much do we pay in the first quarter
what will we pay in Q1 2027
""",
    "change": """
what if demand drops by a third
what if demand drops to half
what if the H100 price falls 20% in 2027
what if prices drop 30%
what if H100 gets 15% more expensive
what if inference grows 50%
inference +50% by june
what if training doubles next quarter
what happens if training goes down 30% from April
what if team chat grows 20%
what if prices go up 5% next year
H100 20% cheaper from march
what if inference traffic doubles from Q2
training demand up 25 percent by end of march
team chat doubles
vllm-chat-prod grows 3x by June
inference doubles in 2027
prices fall 10% in q3
prices fall 10% next month
inference x2 from 1. März 2027
inference x2 ab 1. März
what if H100 prices drop by 25% next quarter
what if prices rise 10% in 2027
what if inference triples by 1 June
H200 prices -10% from Q2
training up 20% from February
inference doubles by March
training shrinks by 20% by June
H100 prices drop 15 percent by May
inference +20% from April
demand doubles
everything doubles by June
""",
    "cheapest": """
best 36 month price for H100
which provider has the lowest H100 rate
what does H100 cost us
cheapest H100 offer
cheapest 12 month H100
how much is B200 on demand
price of h100 at Vela for 12 months
who sells the cheapest A100
which provider is the cheapest for H100
H100 36 month price
what is the spot price of H100
cheapest A100 for 12 months
best price for B200
what's the cheapest way to get H100
cheapest on-demand H100
what is the rate for B200 with a 36 month term
what's the price of an H200 on demand
who sells the cheapest B200
who has the cheapest H100 for 12 months
""",
    "classes": """
how much is training vs inference
what share of our load is burst
""",
    "clusters": """
monthly cost of atlas
cost of cluster borealis
what does borealis cost
how much does atlas cost us per month
""",
    "co2": """
carbon footprint
how much CO2 per month
""",
    "compare": """
compare all providers
cost comparison for the board
I need a side-by-side cost comparison of the providers for the next board review
compare providers side by side
how do the providers compare
cost comparison by vendor
vendor comparison for our CFO
we need numbers for the board: cost comparison please
side by side comparison of vendors
how does our cost compare with flat rates
how do our costs compare to other providers
what would other providers charge
""",
    "contract": """
what is wrong with atlas-h200
should we renew atlas-surge
should we renew cedar-a100
by when must I decide on atlas-core
should I renew atlas-h200
atlas-core ends
""",
    "costs": """
what does team foundation spend
how much does vision cost us
chat cost per month
how much does search pay
how much is agent-xl-vllm
what does the vision team cost
how much does foundation spend each month
what does team chat cost us
""",
    "coverage": """
on demand vs reserved
coverage
how much of our demand is covered by contracts
what's our commitment coverage
""",
    "decide": """
what to decide this week
anything to decide this month?
what decisions are due by Friday
what do I have to sign by 15 Dec
what's due next month
what is due in Q1
is there anything urgent?
anything I need to approve before Christmas
what needs my signature before 31 January
deadlines in January
upcoming deadlines
list all decisions due in the first quarter of 2027
decisions before October 2026
decisions due by 2027-01-31
decisions due by 31 Jan 2027
decisions due within two weeks
decisions in the next 60 days
is anything overdue
what's overdue
which decisions are the most urgent
what has to happen by the end of the year
what must be decided before January
any deadlines in the next 2 weeks
what do I have to sign this week
what's due this week
""",
    "do_nothing": """
what if we do nothing
what would it cost to do nothing for a year
how much does inaction cost
what happens if we do nothing?
""",
    "ends": """
what if the chat team leaves
team video stops end of january
what if vision stops in March
what if we lose AWS
leave Azure
what if Vela goes bankrupt
what if we stop aurora-large-pretrain
team speech leaves on 31.12.2026
team speech leaves on 12/31/2026
stop team growth on 1er mars 2027
stop team growth on 15. Dezember
what happens to the plan if AWS goes away
what if Orrin shuts down in April
cancel AWS
terminate Azure on 1 Jan
cancel the Azure contracts
leave Vela from 1 March 2027
Vela stops on 1 Jan
Vela Metal stops on 1 Jan
if Vela went bankrupt on 1 Feb
what happens if Vela goes bust in January
suppose Vela Metal shuts down on 2027-01-01
drop Microsoft
quit Azure
cancel everything with Azure
we end all contracts with Vela on 1 Jan
end our Azure contract
get rid of Azure
AWS is cancelled
AWS goes away on 1 January 2027
amazon goes bust
what if Amazon Web Services shuts down on 1 March
We want to cancel AWS
We are thinking about leaving AWS
what if we were to drop AWS
terminate the AWS contract on 1 Feb
end everything at Vela from 1 April 2027
cancel Vela Metal
vela metal (illustrative) stops on 1 jan
cancel Orrin on 15 December 2026
Orrin Hosting goes out of business
drop team chat
stop team chat on 1 Jan
leave team chat
exit Orrin
""",
    "ends and ends": """
stop search and ranking
Vela stops on 1 Jan and Azure stops on 1 Feb
cancel AWS and Azure
""",
    "expensive": """
why so expensive
what drives our costs
why is our GPU bill so high
Hi, I'm the CFO. Where does all our money go?
""",
    "expiring": """
when does atlas-core end
when does the cedar-a100 contract end
when does borealis-reserved expire
when does the Vela contract end
when does the Orrin contract end
how long are we locked in with Orrin
how long until our contracts end
when do we have to renew
contracts ending this year
contracts expiring before july
next contract to expire
contracts ending in 2019
A100 contract end
when does the A100 contract expire
H200 contract end date
when does our AWS contract run out
when is borealis-reserved up for renewal
which contracts end this quarter
what's expiring in the next 90 days
""",
    "failed": """
how much did we lose to crashes
failed jobs cost
how much did we lose to failed jobs
what do failed jobs cost us
""",
    "gpus": """
do we need the H200s
how many H100s do we own
do we have enough GPUs for March
GPUs needed in june 2027
how many H100 on 1 March
do we have enough H100
how many H200 do we have
how many H100s do we have
how many B200 do we need in March
how many GPUs will we need in June 2027
""",
    "growth": """
inference +10% every month
what if everything grows 5% a month
""",
    "hardly_used": """
which contracts are underutilised
which contracts are under 40% used? asking for a friend
which commitments run below 40 percent
""",
    "idle_contracts": """
which contract wastes most
which contract wastes the most
why is utilisation so low?
""",
    "lapse": """
which contract should we kill
which contracts should we cancel
""",
    "leaks": """
where's the waste
what do we waste most
what are we wasting the most money on
what is our largest waste
where is our biggest waste
where do we waste money
what wastes the most money
our top 3 leaks
where is money leaking?
My boss keeps asking me, where do we lose most?
where do we burn the most money
what is the biggest waste of money right now
what's our worst leak
where is the waste
""",
    "mapped": """
can H200 replace H100 at 1.5x
H200 instead of H100 at 1.7
""",
    "mixed": """
which cluster holds all three kinds of work
which clusters run training, inference and burst together
which cluster mixes training and inference and burst
where do all three workload types run on the same cluster
do we run all three workload types on one cluster
which of our clusters is consolidated
clusters with all 3 classes
which clusters run all three workload classes?
which clusters are shared by training, inference and burst
which cluster has training, inference and burst on it
Which cluster runs training inference and burst?
""",
    "models": """
spend per GPU type
""",
    "next": """
what is the biggest decision and by when
what should I do first
whats our biggest saving
where is the most money to save
what if we cancel atlas-h200
what if we end borealis-held
cancel borealis-held
give me the three biggest levers to cut GPU spend
how much would ending borealis-b200 save
is borealis-held worth keeping
do we still need atlas-surge
should I extend the Orrin contract
can we get out of cedar-a100 early
biggst savings
what must I decide today
how much do we save by replacing atlas-surge
saving from terminating borealis-held
does ending borealis-b200 make sense
when can we end borealis-b200
biggest savings opportunity right now?
what should I do this quarter
what should we do next quarter
what are my to-dos for this quarter?
give me the top actions for the quarter
list the next steps for this quarter please
which decisions are waiting for me
what's the single most valuable thing I can do now
Where is the biggest saving?
what would save us the most money
what are the most valuable decisions
how do I cut the bill?
how can we reduce our GPU spend
how can we save money on GPUs?
what do you recommend
your recommendations?
what is your advice
I'm new here, what should I do first?
action plan for this quarter
should we let atlas-h200 expire
what does ending atlas-h200 save
how much would we save if we let atlas-h200 lapse
what would you do first
Any quick wins?
Show me the decisions sorted by dollars
tell me what to do this quarter
what to do this quarter
What To Do This Quarter?
what should we focus on this quarter
cancel cedar-a100
end the contract atlas-surge
""",
    "nights": """
which GPUs are idle at night
waste per team
which team wastes most
""",
    "no_spot": """
no spot
we don't want any spot
no spot please
""",
    "no_term": """
why is there no 36-month commitment
why 36 months
why do we sign for 36 months
why does the plan recommend 36 months
why no 36 months
why not 36 months?
why don't we sign for 36 months
why is there no 3-year contract
why no three year commitment
why didn't you pick 36 months
why not commit for 3 years
should we sign for 36 months
why did you not choose three years
why no 3y term
why not commit to a year
""",
    "not_provider": """
no AWS
not Vela
stop using Azure
no more AWS
without Azure
""",
    "notice": """
when does the notice for atlas-core run out
until when can we terminate atlas-surge
when do notice periods end
do I need to give notice on anything this month
when is the notice for atlas-h200
notice deadline for atlas-core
what is the notice period of cedar-a100
what's the deadline for ending borealis-held
latest date to cancel atlas-h200
by which date must we tell Vela that we quit
what happens if I miss the notice for atlas-core
when do I have to give notice
when is the next notice deadline?
by when must we cancel borealis-reserved
list notice dates
""",
    "other_plan": """
compare plan A and plan B
compare it with plan B
""",
    "over_budget": """
are we over budget
are we on budget
is the plan within budget
are we over budget?
are we in budget
""",
    "owed": """
how much are we committed to
remaining commitment
what do we owe Vela
what does it cost to terminate cedar-a100
what do we owe AWS
remaining obligations to Orrin
what do we owe Vela
what do we owe AWS
what is our commitment with Vela
what is our exposure
Finance asks: what do we owe if everything stops?
total liability if we stop today
""",
    "own": """
buy or rent H100
is it worth buying H100s
buy or rent?
is it better to buy or rent
""",
    "pays": """
break-even of H100
from what utilization is a one year H200 contract worth it
does a 36 month term pay off
is a 3 year term worth it
would a 12-month commitment pay
when does 36 months break even
""",
    "place": """
is our inference close to users
where should inference run
where should we host inference
what's the average one-way transit to 80% of our users
are our users within 80 ms
where should we put inference
are we below 80ms?
""",
    "planned": """
add 16 B200 for inference from March for 6 months
we need 64 more H100 from March
add 32 H100 for 3 months starting 1 february
new training run: 256 B200 for 6 weeks from 15.02.2027
128 H100 from 2027-03-01 to 2027-05-31
200 H100 for two weeks in January
128 H100 from March to May
reserve 64 H200 from 2027-04-01 until 2027-09-30 for inference
we need 96 H100 for inference from April
512 H100 for 6 weeks starting 15 January
rent 64 A100 from 1 May to 30 June
256 H100 for 6 weeks from 1 March
""",
    "range": """
what could go wrong
is the plan robust
how sure are you
how sure are the savings
confidence of the forecast
best case and worst case
how confident are you in the savings
what's the P90
Quick question - how sure is this?
how sure are you about the plan
""",
    "savings": """
how much of our GPU bill can we avoid
by how much can we lower the run rate
how much could we save per year
savings vs do nothing
how much does the plan save in the first year
annual savings
savings next month
total savings over 12 months
what does the plan save compared with doing nothing
how much could we save in a year
""",
    "sellers": """
share of spend with Vela
how dependent are we on one vendor
how much do we pay AWS every month
spend per provider
what do we spend at Vela
spend by vendor
""",
    "share": """
max 50% per vendor
not more than 40% with Vela
cap AWS at 30%
at most half with Vela
not more than 50% at Vela
at most 40% of spend at AWS
""",
    "sign": """
upfront payment needed
how much upfront
how much is upfront
what has to be signed by when?
""",
    "spend": """
As the CFO I need the total we pay for GPUs each month
how much do we spend per month on GPUs
run rate?
waht do we spend a month
monthly costs
costs per month
what's our monthly GPU bill
how much are we spending a month right now
gpu cost per month
We have a board meeting coming up and I was asked for a number: what do we spend a month now?
""",
    "stranded": """
what is stranded in our clusters
""",
    "team_hours": """
who uses the most GPUs?
""",
    "term": """
no contract longer than 24 months
only 12-month terms
no contracts over 1 year
only month-to-month
no contracts longer than a year
max 36 months
max 12 months terms
no contract longer than 12 months
no term over a year
""",
    "to_sign": """
do we need more GPUs
how many GPUs should I order
""",
    "tokens": """
cost per million tokens
cost of one million tokens
""",
    "top_team": """
who spends the most
cost by team
monthly cost per team
team with the highest spend
cost breakdown by team
which team costs us most
""",
    "unused": """
what share of our GPU budget is wasted
are we overcommitted
how much are we over-provisioned
what do we waste
how much idle cost do we have
cost of idle GPUs
what do we waiste
how much money do idle GPUs burn per month
what are we paying for that nobody uses
how much do we waste per month
how much is idle?
we pay a lot for GPUs, what do we waste?
how much of our spend is idle
""",
    "utilization": """
GPU utilization
average utilization of our fleet
what's our utilisation
""",
    "wait": """
what if we wait 2 months
postpone all orders by one quarter
what if we delay everything by 2 months
what if we wait 3 months
""",
    "waits": """
As an ML lead I wonder, who waits?
how long will training jobs wait under the plan
how long do training jobs wait in the plan
how long must jobs wait
what are the waiting times in the plan
""",
    "worst": """
which month is the most expensive
worst month
peak month
what's the worst month of the plan?
""",
    "year": """
total annual gpu spend
cost next year
how much will we spend next year
""",
    "fiscal": """
what will we spend in 2027
budget for 2027
""",
    "spend_in": """
spend in march 2027
what's the forecast for december
spend in februar 2027
spend in March 2031
""",
    "model_rates": """
A100 cost per hour
what do we pay per H200 hour
average H100 rate
what do we pay for an A100 hour
""",
    "paid_rates": """
average price per GPU hour
cost per gpu-hour
what does a gpu hour cost us on borealis
""",
    "valid": """
is the H100 quote still valid on 20 December
how long is the quote valid
which quotes expire soon
when does the Vela quote run out
""",
    "held": """
how many H100 do we have on borealis
how many GPUs do we have with AWS
how many gpus do we have in atlas
how many GPUs are under contract in cedar
how many GPUs do we rent from Orrin
""",
    "idle_gpus": """
how many A100 are idle
how many B200s sit idle
""",
    "only": """
can we move everything to Vela
move foundation to Vela only
keep chat on AWS
chat must stay in us-east
""",
    "paid": """
how much do we pay on demand
on-demand spend
what does on-demand cost us
how much do we spend on spot
do we use spot at all
how much of our fleet is on spot
what do we pay by the hour
""",
    "idle_share": """
what percentage of the fleet is idle
what fraction of GPU capacity sits idle
what percent of GPUs is not used
how much of the fleet is idle
our idle share
""",
    "meaning": """
what does stranded mean
what is a commitment layer
what is meant by attrition
define break even
what does a lookback period mean
explain overflow
what is the definition of idle cost
what is a leak
what is volatility
what does P90 wait mean
""",
    "without_training": """
what is our average utilization when nobody is training
utilization without training
how busy is the fleet in non-training hours
""",
    "stranded_clusters": """
what is stranded on atlas
stranded cost per cluster
""",
    "idle_contract": """
what is idle in atlas-h200
what do we waste on cedar-a100
""",
    "permanent": """
are there permanent allocations that run intermittent work
which long contracts run burst work
""",
    "saved_today": """
how much cheaper is the plan than today
how much do we save compared to today
""",
    "spot": """
what's on spot
which workloads should move to spot
which jobs could move to spot
""",
    "idle_models": """
which GPU models waste the most
idle H100 cost
""",
    "clusters_use": """
which cluster is the least utilised
utilization of atlas
how well is cedar used
how full is borealis
utilizaton of atlas
how well utilized is the borealis cluster
""",
    "contracts_use": """
utilisation of borealis-held
""",
    "workloads": """
which endpoint costs most
top 5 endpoints by cost
top 5 workloads by cost
most expensive workload
which jobs burn most money
most expensive workloads
which service costs most
""",
    "waited": """
longest queue wait
average queue time
p90 wait
average wait for training jobs
do training jobs wait long
how long do people wait for GPUs
how long do jobs wait
how long do jobs wait on average
how long do training jobs wait
how long did inference jobs wait
median wait of burst jobs
what is the typical queueing time
""",
    "team_waits": """
which team waits the longest
who waits for GPUs
which pool waits longest
waiting times by class
""",
    "run_costs": """
cost of a training run
how much does one training run cost
""",
    "energy": """
energy use per month
power draw at peak
how much power do we use
""",
    "unserved": """
when do we run out of GPUs
capacity gap
how much work is not served
""",
    "committed": """
total commitment
total liability
what do we commit to with this plan
""",
    "overflow": """
are we undercommitted
how much overflow do we have
overflow cost
""",
    "contracts": """
which contract is the most expensive
cost of atlas-core per month
""",
    "rates": """
what rate do we pay AWS
rate of borealis-held
""",
    "team_gpus": """
how many GPUs does team chat use
gpus per team
""",
    "runs": """
most expensive training run
""",
    "models_use": """
utilization of H200
""",
    "node": """
need 8 more H200 nodes
""",
    "power": """
power cap 250kW
""",
    "co2_year": """
CO2 per year
carbon footprint per year
""",
    "failed_share": """
how many GPU hours did we lose to failures
failure rate
share of GPU hours that failed
""",
    "orders": """
which offer should I take
when will we need more GPUs
what orders does the plan place
which orders should we place
list the orders
what to buy
how many B200 to buy
should we buy B200
""",
    "plan": """
what is the plan going to cost us next year
""",
    "list": """
what discount do we get versus list
""",
    "price_fall": """
what if prices stay flat
""",
    "idle_clusters": """
which cluster wastes the most
idle GPUs in cedar
cost of idle in borealis
waste in cedar
idle cost by cluster
""",
}


@pytest.fixture(scope="module")
def asked(demo_path: Path) -> Asked:
    tables = read_tables()
    audit = evaluate_audit(open_project(demo_path), PLANS[0], tables)
    return asked_of(audit, gpu_families(), tables.node_gpus, provider_named)


@pytest.mark.parametrize("form", QUESTIONS)
def test_questions_in_other_words_are_read_as_what_they_ask(asked: Asked, form: str) -> None:
    forms, read = read_question_forms(), {}
    questions = QUESTIONS[form].strip().splitlines()
    for question in questions:
        try:
            read[question] = understood(question, forms, asked).form
        except NotUnderstoodError as fault:
            read[question] = NOTHING if len(fault.instead) == 3 else fault.instead
    assert read == dict.fromkeys(questions, form)
