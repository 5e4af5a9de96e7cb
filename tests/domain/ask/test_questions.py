"""What buyers, finance and ML leads ask in their own words: of which form each question is, or that nothing is read.

A wrong reading is worse than none. The numbers of an answer are in test_answers_by_hand.
"""

from pathlib import Path

import pytest

from gpuplanner.domain.ask.changes import Asked, asked_of, understood
from gpuplanner.domain.ask.reading import NotUnderstoodError
from gpuplanner.domain.evaluation import evaluate_audit
from gpuplanner.files.demo import PLANS
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import gpu_families, read_question_forms, read_tables
from gpuplanner.files.tables.price_columns import provider_named

NOTHING = "-"
QUESTIONS = {
    NOTHING: """
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
why 36 months
why do we sign for 36 months
what do we waste the least
budget falls to 90%
budget +10%
spend 10% more
save $100k a month
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
do we exceed $500k a month
""",
    "alone": """
which provider is cheapest for everything
which single provider would be cheapest overall?
what would everything cost at each provider
what would it cost with each provider alone
what if everything was with one vendor
can one supplier serve everything?
""",
    "bill": """
The bill looks high. why did the bill rise?
""",
    "budget": """
keep it under $500k a month
budget falls to $400k a month
""",
    "budget_less": """
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
what will we pay in Q1 2027
""",
    "change": """
inference doubles by March
training shrinks by 20% by June
H100 prices drop 15 percent by May
inference +20% from April
demand doubles
everything doubles by June
""",
    "cheapest": """
what's the price of an H200 on demand
who sells the cheapest B200
who has the cheapest H100 for 12 months
""",
    "classes": """
how much is training vs inference
what share of our load is burst
""",
    "clusters": """
what does borealis cost
how much does atlas cost us per month
""",
    "co2": """
how much CO2 per month
""",
    "compare": """
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
should I renew atlas-h200
atlas-core ends
""",
    "costs": """
what does team chat cost us
""",
    "coverage": """
what's our commitment coverage
""",
    "decide": """
what do I have to sign this week
what's due this week
""",
    "do_nothing": """
what happens if we do nothing?
""",
    "ends": """
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
Vela stops on 1 Jan and Azure stops on 1 Feb
cancel AWS and Azure
""",
    "expensive": """
Hi, I'm the CFO. Where does all our money go?
""",
    "expiring": """
which contracts end this quarter
what's expiring in the next 90 days
""",
    "failed": """
what do failed jobs cost us
""",
    "gpus": """
how many H100s do we have
how many B200 do we need in March
how many GPUs will we need in June 2027
""",
    "growth": """
what if everything grows 5% a month
""",
    "hardly_used": """
which contracts are under 40% used? asking for a friend
which commitments run below 40 percent
""",
    "idle_contracts": """
which contract wastes the most
why is utilisation so low?
""",
    "lapse": """
which contracts should we cancel
""",
    "leaks": """
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
which team wastes most
""",
    "no_spot": """
no spot please
""",
    "no_term": """
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
stop using Azure
no more AWS
without Azure
""",
    "notice": """
when do I have to give notice
when is the next notice deadline?
by when must we cancel borealis-reserved
list notice dates
""",
    "other_plan": """
compare it with plan B
""",
    "over_budget": """
is the plan within budget
are we over budget?
are we in budget
""",
    "owed": """
Finance asks: what do we owe if everything stops?
total liability if we stop today
""",
    "own": """
buy or rent?
is it better to buy or rent
""",
    "pays": """
does a 36 month term pay off
is a 3 year term worth it
would a 12-month commitment pay
when does 36 months break even
""",
    "place": """
what's the average one-way transit to 80% of our users
are our users within 80 ms
where should we put inference
are we below 80ms?
""",
    "planned": """
256 H100 for 6 weeks from 1 March
""",
    "range": """
Quick question - how sure is this?
how sure are you about the plan
""",
    "savings": """
what does the plan save compared with doing nothing
how much could we save in a year
""",
    "sellers": """
what do we spend at Vela
spend by vendor
""",
    "share": """
not more than 50% at Vela
at most 40% of spend at AWS
""",
    "sign": """
what has to be signed by when?
""",
    "spend": """
We have a board meeting coming up and I was asked for a number: what do we spend a month now?
""",
    "stranded": """
what is stranded in our clusters
""",
    "team_hours": """
who uses the most GPUs?
""",
    "term": """
max 12 months terms
no contract longer than 12 months
no term over a year
""",
    "to_sign": """
how many GPUs should I order
""",
    "tokens": """
cost of one million tokens
""",
    "top_team": """
which team costs us most
""",
    "unused": """
how much do we waste per month
how much is idle?
we pay a lot for GPUs, what do we waste?
how much of our spend is idle
""",
    "utilization": """
what's our utilisation
""",
    "wait": """
what if we wait 3 months
""",
    "waits": """
As an ML lead I wonder, who waits?
how long do jobs wait
""",
    "worst": """
what's the worst month of the plan?
""",
    "year": """
how much will we spend next year
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
