"""Words for Undo: what each verb says it did."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from gpuplanner.domain.audit.leak_list import leak_called
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.demand.rule_preview import rule_words
from gpuplanner.domain.edits.find import workloads_called
from gpuplanner.domain.figures.typed import day, significant, whole, worded_whole
from gpuplanner.domain.message import Message, Text, joined, lowered, worded, worded_count
from gpuplanner.domain.model import assumptions, gpu_family, trained
from gpuplanner.domain.model.book.contract import CONTRACT_TERMS, RATE_FIELD, Contract, term_words
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.offer_fields import OFFER_FIELD_BY_NAME, OfferValue
from gpuplanner.domain.model.book.only import Only, named_words, who_words
from gpuplanner.domain.model.hardware_needs import NEED_BY_NAME, NeedValue
from gpuplanner.domain.model.places import ServedModel, Traffic, WeekRates
from gpuplanner.domain.model.plan.limits import SHARE, Limit
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOL_TITLES, ClassRule, Pool


def move_label(project: Project, keys: Collection[str], pool: Pool) -> Message:
    """Move agent-rollouts to burst; Move 12 workloads to training."""
    return worded("Move {project} to {pool}", project=workloads_called(project, keys), pool=pool)


def label_label(project: Project, keys: Collection[str], label: Pool | None) -> Message:
    """Label vllm-chat as inference; Take the label from 3 workloads."""
    called = workloads_called(project, keys)
    if label is None:
        return worded("Remove label of {name}", name=called)
    return worded("Label {name} as {label}", name=called, label=label)


def dates_label(project: Project, keys: Collection[str], is_cleared: bool = False) -> Message:
    """Set dates of llama-sft; Clear dates of llama-sft."""
    called = workloads_called(project, keys)
    if is_cleared:
        return worded("Clear dates of {name}", name=called)
    return worded("Set dates of {name}", name=called)


def only_label(project: Project, keys: Collection[str], only: Only) -> Message:
    """Only CoreWeave for llama-sft; Anybody for llama-sft."""
    return only_label_of(workloads_called(project, keys), only)


def only_label_of(called: Text, only: Only) -> Message:
    """Only CoreWeave for team vision; Anybody for inference. called: whom it is of, in words."""
    return worded("{who} for {name}", who=who_words(only), name=called)


def share_label(who: Only, share: float | None) -> Message:
    """No more than 40% with CoreWeave; No limit on CoreWeave. share: 0..1; None, or all of it: no limit."""
    if share is None or share >= 1:
        return worded("No share limit for {who}", who=named_words(who))
    return Limit(SHARE, share, who).words


def stop_team_label(project: Project, team: str, from_s: int | None = None) -> Message:
    """Stop team vision; Stop team vision from 31 May 2027. from_s: epoch seconds; None: when the plan begins."""
    called = worded("team {team}", team=team) if team else worded("work without a team")
    return _stop(project, called, from_s)


def stop_label(project: Project, keys: Collection[str], from_s: int | None = None) -> Message:
    """Stop llama-sft; Stop llama-sft from 31 May 2027. from_s: epoch seconds; None: when the plan begins."""
    return _stop(project, workloads_called(project, keys), from_s)


def _stop(project: Project, called: Text, from_s: int | None) -> Message:
    if from_s is None or from_s == project.plan_window.end_s:
        return worded("Stop {called}", called=called)
    return worded("Stop {name} from {day}", name=called, day=day(from_s))


def ends_label(project: Project, keys: Collection[str], ends_s: int) -> Message:
    """End llama-sft on 31 May 2027: the last day that it is there. ends_s: epoch seconds, half-open."""
    called = workloads_called(project, keys)
    return worded("End {name} on {day}", name=called, day=day(ends_s - 1))


def begins_label(project: Project, keys: Collection[str], begins_s: int) -> Message:
    """Begin llama-sft on 1 Dec 2026. begins_s: epoch seconds."""
    called = workloads_called(project, keys)
    return worded("Start {name} on {day}", name=called, day=day(begins_s))


def comes_back_label(project: Project, keys: Collection[str]) -> Message:
    """Bring llama-sft back."""
    return worded("Bring {name} back", name=workloads_called(project, keys))


def planned_label(works: Collection[PlannedWork], is_changed: bool = False) -> Message:
    """Plan batch; Change planned batch; Plan 3 workloads not in the log."""
    if is_changed and len(works) == 1:
        return worded("Change planned {name}", name=next(iter(works)).name)
    if len(works) == 1:
        return worded("Plan {name}", name=next(iter(works)).name)
    return worded("Plan {count} workloads not in the log", count=whole(len(works)))


def drop_planned_label(works: Collection[PlannedWork]) -> Message:
    """Remove batch from the plan; Remove 3 planned workloads from the plan."""
    if len(works) == 1:
        return worded("Remove {name} from the plan", name=next(iter(works)).name)
    return worded("Remove {count} planned workloads", count=whole(len(works)))


def demand_change_label(count: int) -> Message:
    """Set 2 demand steps; Remove demand steps."""
    if not count:
        return worded("Remove demand steps")
    return worded_whole(count, "Set {count} demand step", "Set {count} demand steps")


def currency_label(code: str) -> Message:
    """Amounts in EUR."""
    return worded("Amounts in {code}", code=code)


def price_change_label(count: int) -> Message:
    """Set 2 price steps; Remove price steps."""
    if not count:
        return worded("Remove price steps")
    return worded_whole(count, "Set {count} price step", "Set {count} price steps")


def need_label(project: Project, keys: Collection[str], name: str, value: NeedValue) -> Message:
    """Set memory per GPU of llama-sft to 40 GB; Take back nodes of 3 workloads."""
    spec, called = NEED_BY_NAME[name], workloads_called(project, keys)
    title = spec.title if str(spec.title).startswith("KV") else lowered(spec.title)
    if value is None:
        return worded("Reset {title} of {name}", title=title, name=called)
    written: Text = value if isinstance(value, Text) else joined((significant(value, 10), spec.unit), " ")
    if isinstance(value, bool):
        written = worded("yes") if value else worded("no")
    return worded("Set {title} of {name} to {text}", title=title, name=called, text=written)


def add_rule_label(rule: ClassRule) -> Message:
    """Add rule: names with “rollout” are burst."""
    return worded("Add rule: {rule}", rule=rule_words(rule))


def change_rule_label(rule: ClassRule) -> Message:
    """Change rule: names with “rollout” are burst."""
    return worded("Change rule: {rule}", rule=rule_words(rule))


def remove_rule_label(rule: ClassRule) -> Message:
    """Remove rule: names with “rollout” are burst."""
    return worded("Remove rule: {rule}", rule=rule_words(rule))


def move_rule_label(rule: ClassRule, places: int) -> Message:
    """Move rule up: names with “rollout” are burst."""
    if places < 0:
        return worded("Move rule up: {rule}", rule=rule_words(rule))
    return worded("Move rule down: {rule}", rule=rule_words(rule))


def import_rules_label(count: int) -> Message:
    """Import 12 rules."""
    return worded_whole(count, "Import {count} rule", "Import {count} rules")


def pin_label(project: Project, keys: Collection[str]) -> Message:
    """Pin vllm-chat-prod."""
    return worded("Pin {project}", project=workloads_called(project, keys))


def unpin_label(project: Project, keys: Collection[str]) -> Message:
    """Unpin vllm-chat-prod."""
    return worded("Unpin {project}", project=workloads_called(project, keys))


def split_label(project: Project, key: str) -> Message:
    """Split agent-rollouts; Split a part of agent-rollouts."""
    return worded("Split {project}", project=workloads_called(project, (key,)))


def merge_label(project: Project, keys: Collection[str]) -> Message:
    """Merge agent-rollouts: keys are of the workloads that are whole again."""
    return worded("Merge {project}", project=workloads_called(project, keys))


def merge_cards_label(name: str, count: int) -> Message:
    """Merge 3 cards into Chat."""
    return worded("Merge {count} cards into {split}", count=whole(count), split=" ".join(name.split()))


def take_apart_label(name: str) -> Message:
    """Take Chat apart."""
    return worded("Take {name} apart", name=name)


def note_label(project: Project, key: str, text: str) -> Message:
    """Note on vllm-chat-prod; Remove note on vllm-chat-prod."""
    called = workloads_called(project, (key,))
    if text.strip():
        return worded("Note on {name}", name=called)
    return worded("Remove note on {name}", name=called)


SEPARATE_LABEL: Final = worded("Separate automatically")


def price_case_label(case: PriceCase) -> Message:
    """Count with low rates."""
    return worded("Count with {case} rates", case=case)


def offer_label(offer_id: str, field: str, value: OfferValue, currency: str = "USD") -> Message:
    """Change rate of bm-h100-12 to $2.75 per GPU-hour; Change as of of bm-h100-12 to unknown.

    currency: in which the offer is quoted.
    """
    spec = OFFER_FIELD_BY_NAME[field]
    title = lowered(spec.title)
    return worded(
        "Change {title} of {offer} to {words}",
        title=title,
        offer=offer_id,
        words=spec.value_words(value, currency),
    )


def offers_label(verb: str, offer_id: str) -> Message:
    """Add offer x; Duplicate offer x; Take x as quoted; Remove offer x."""
    return OFFER_STEPS[verb](offer_id)


def mapping_label(gpu_model: str, offer_model: str, ratio: float | None, pool: Pool | None = None) -> Message:
    """Let H200 serve H100 at 1.6; Let H200 serve H100 (Inference) at 1.6; Stop H200 serving H100."""
    of: Text = worded("{model} ({pool})", model=gpu_model, pool=POOL_TITLES[pool]) if pool else gpu_model
    if ratio is None:
        return worded("Stop {offer_model} serving {model}", offer_model=offer_model, model=of)
    return worded(
        "Let {offer_model} serve {model} at {ratio}",
        offer_model=offer_model,
        model=of,
        ratio=significant(ratio),
    )


def same_label(same: Collection[gpu_family.Same], is_taken_back: bool = False) -> Message:
    """Treat H100 SXM as H100; Treat en as its own model; Stop treating en as main; Change what 3 names stand for."""
    if len(same) != 1:
        return worded("Change the meaning of {count} names", count=whole(len(same)))
    (decision,) = same
    if decision.is_own:
        if is_taken_back:
            return worded("Ask again about {name}", name=decision.theirs)
        return worded("Treat {name} as its own model", name=decision.theirs)
    theirs = decision.theirs or worded("jobs without a cluster")
    if is_taken_back:
        return worded("Stop treating {theirs} as {ours}", theirs=theirs, ours=decision.ours)
    return worded("Treat {theirs} as {ours}", theirs=theirs, ours=decision.ours)


def notice_label(contract_id: str, is_given: bool) -> Message:
    """What the step back from an answer about notice is called."""
    if is_given:
        return worded("Notice was given: {contract}", contract=contract_id)
    return worded("Notice not given: {contract}", contract=contract_id)


def renewal_label(contract_id: str, runs_on: bool) -> Message:
    """What the step back from an answer about a renewal is called."""
    if runs_on:
        return worded("It renews: {contract}", contract=contract_id)
    return worded("Do not renew {contract}", contract=contract_id)


def contract_label(before: Contract, after: Contract) -> Message:
    """Set the rate of atlas-core to $2.75 per GPU-hour; change atlas-core: GPUs, end."""
    changed = [name for name in CONTRACT_TERMS if getattr(before, name) != getattr(after, name)]
    if changed == [RATE_FIELD]:
        return rate_label(after.contract_id, after.quoted_rate, after.currency)
    terms = joined((CONTRACT_TERMS[name] for name in changed), ", ")
    return worded("Change {contract}: {terms}", contract=after.contract_id, terms=terms)


def rate_label(contract_id: str, rate: OfferValue, currency: str = "USD") -> Message:
    """Set the rate of atlas-core to $2.75 per GPU-hour, or to quote needed. currency: of the contract."""
    words = OFFER_FIELD_BY_NAME["rate_usd_per_gpu_hour"].value_words(rate, currency)
    return worded("Set rate of {contract} to {words}", contract=contract_id, words=words)


def gap_label(is_missing: bool) -> Message:
    """What the step back from an answer about days without jobs is called."""
    return worded("Count log gaps as missing") if is_missing else worded("Count log gaps as idle")


def asked_label(asked: str) -> Message:
    """What the step back from an answer that a plan keeps is called."""
    return worded("Keep {asked}", asked=asked)


def saving_label(step: str, is_accepted: bool) -> Message:
    """What the step back from accepting a saving, or from taking it back, is called. step: of DEMAND_CUTS."""
    name = DEMAND_CUTS[step]
    return worded("Accept: {step}", step=name) if is_accepted else worded("Take back: {step}", step=name)


def greenfield_label(greenfield: bool) -> Message:
    """The words for leaving existing contracts out of a plan, or taking them in again."""
    return worded("Plan without existing contracts") if greenfield else worded("Plan with existing contracts")


def plan_from_label(at_s: int | None) -> Message:
    """Plan from 21 Nov 2026; Plan from the end of the log."""
    return worded("Plan from {words}", words=worded("the end of the log") if at_s is None else day(at_s))


def level_label(term_months: int, gpus: int) -> Message:
    """Set 12-month level to 10 GPUs."""
    return worded_count(
        gpus,
        "Set {term}-month level to {gpus} GPU",
        "Set {term}-month level to {gpus} GPUs",
        term=whole(term_months),
        gpus=whole(gpus),
    )


def hold_label(term_months: int, gpus: int, is_held: bool) -> Message:
    """Pin 12-month level at 10 GPUs; Unpin 12-month level."""
    if not is_held:
        return worded("Unpin {term}-month level", term=whole(term_months))
    return worded_count(
        gpus,
        "Pin {term}-month level at {gpus} GPU",
        "Pin {term}-month level at {gpus} GPUs",
        term=whole(term_months),
        gpus=whole(gpus),
    )


def advice_label(pool: Pool) -> Message:
    """Reset inference to the advice: the levels set by hand are let go."""
    return worded("Reset {pool} to the advice", pool=pool)


def assumption_label(name: str, value: assumptions.AssumptionValue) -> Message:
    """Change churn to 3%; Change planning horizon to 48 months; Change growth, burst to not set."""
    spec = assumptions.SPEC_BY_NAME[name]
    title = lowered(spec.title)
    written: Text = worded("not set")
    if spec.kind == "flag" and value is not None:
        written = worded("yes") if value else worded("no")
    elif isinstance(value, Text):
        written = value
    elif value is not None:
        number = significant(value * 100 if spec.kind == "ratio" else value, 10)
        written = joined((number, "%")) if spec.kind == "ratio" else joined((number, spec.unit), " ")
    return worded("Change {title} to {value}", title=title, value=written)


def budget_label(team: str, usd_per_month: float | None) -> Message:
    """Set budget of vision; Remove the budget of vision."""
    if usd_per_month is None:
        return worded("Remove budget of {team}", team=team)
    return worded("Set budget of {team}", team=team)


def budgets_label(count: int) -> Message:
    """Import 12 budgets."""
    return worded_whole(count, "Import {count} budget", "Import {count} budgets")


def business_label(count: int) -> Message:
    """Import 12 business figures."""
    return worded_whole(count, "Import {count} business figure", "Import {count} business figures")


def run_label(run: trained.StatedRun, is_dropped: bool = False) -> Message:
    """State the run Llama-3-70B, 15T tokens; Drop it."""
    if is_dropped:
        return worded("Remove run {name}", name=run.called)
    return worded("Add run {name}", name=run.called)


PLAN_STEPS: Final[Mapping[str, Callable[[str], Message]]] = {
    "Add": lambda name: worded("Add {name}", name=name),
    "Rename": lambda name: worded("Rename {name}", name=name),
    "Delete": lambda name: worded("Delete {name}", name=name),
    "Duplicate": lambda name: worded("Duplicate {name}", name=name),
    "Move left": lambda name: worded("Move {name} left", name=name),
    "Move right": lambda name: worded("Move {name} right", name=name),
    "Keep": lambda name: worded("Keep {name} as a plan", name=name),
    "Discard": lambda name: worded("Discard {name}", name=name),
}
LEAK_STEPS: Final[Mapping[str, Callable[[Text], Message]]] = {
    "Accept": lambda leak: worded("Accept {leak}", leak=leak),
    "Dismiss": lambda leak: worded("Dismiss {leak}", leak=leak),
    "Reopen": lambda leak: worded("Reopen {leak}", leak=leak),
}
OFFER_STEPS: Final[Mapping[str, Callable[[Text], Message]]] = {
    "Add": lambda offer: worded("Add offer {offer}", offer=offer),
    "Duplicate": lambda offer: worded("Duplicate offer {offer}", offer=offer),
    "Take": lambda offer: worded("Accept {offer} as quoted", offer=offer),
    "Remove": lambda offer: worded("Remove offer {offer}", offer=offer),
}
"""What is done to a plan, a leak or an offer, by its verb: a sentence each, since languages put verbs elsewhere."""


def plan_label(verb: str, name: str) -> Message:
    """Add Plan B; Rename Plan B; Delete Plan B; Keep Plan B as a plan; Discard Plan B. verb: of PLAN_STEPS."""
    return PLAN_STEPS[verb](name)


def reason_label(decision: Text, reason: str) -> Message:
    """Say why: move agent-rollouts to burst; Take the reason from: add Plan B."""
    done = lowered(decision)
    return worded("Say why: {text}", text=done) if reason else worded("Remove reason of: {text}", text=done)


def leak_label(verb: str, leak: Leak) -> Message:
    """Accept idle after training, atlas; Dismiss held for the peak, atlas; Reopen work that failed, cedar."""
    return LEAK_STEPS[verb](lowered(leak_called(leak)))


def traffic_label(project: Project, key: str, traffic: Traffic | None) -> Message:
    """Read traffic of vllm-chat; Take the traffic from vllm-chat."""
    called = _endpoint_called(project, key)
    if traffic is None:
        return worded("Remove traffic of {name}", name=called)
    return worded("Read traffic of {name}", name=called)


def served_model_label(project: Project, key: str, model: ServedModel | None) -> Message:
    """Serve Llama 3.1 70B from vllm-chat; Take the model from vllm-chat."""
    called = _endpoint_called(project, key)
    if model is None:
        return worded("Remove model of {name}", name=called)
    return worded("Serve {name} from {called}", name=model.name, called=called)


def week_label(project: Project, key: str, week: WeekRates | None) -> Message:
    """Read requests of vllm-chat; Take the requests from vllm-chat."""
    called = _endpoint_called(project, key)
    if week is None:
        return worded("Remove requests of {name}", name=called)
    return worded("Read requests of {name}", name=called)


def sized_row_label(
    project: Project, key: str, gpu_model: str, precision: str, tensor_parallel: int
) -> Message:
    """Size vllm-chat on 4 x H100, BF16; Size vllm-chat at least cost."""
    called = _endpoint_called(project, key)
    if not gpu_model:
        return worded("Size {name} at least cost", name=called)
    return worded(
        "Size {name} on {tensor_parallel} x {model}, {precision}",
        name=called,
        tensor_parallel=whole(tensor_parallel),
        model=gpu_model,
        precision=precision,
    )


def serving_term_label(project: Project, key: str, term_months: int) -> Message:
    """Price vllm-chat by the hour; Price vllm-chat for 12 months."""
    called = _endpoint_called(project, key)
    if not term_months:
        return worded("Price {name} on demand", name=called)
    return worded("Price {name} for {term}", name=called, term=term_words(term_months))


def endpoint_label(project: Project, key: str, gesture: Message) -> Message:
    """Plan what it needs: vllm-chat."""
    return worded("{what}: {name}", what=gesture, name=_endpoint_called(project, key))


def _endpoint_called(project: Project, key: str) -> Text:
    """The name of an endpoint; inference for the one beside the log."""
    return workloads_called(project, (key,)) if key else worded("inference")


def settings_label(title: str) -> Message:
    """Use growth as the log shows it."""
    return worded("Use {title}", title=lowered(title))


def window_label(words: str) -> Message:
    """Change lookback period to last 30 days."""
    return worded("Change lookback period to {words}", words=words)


def import_label(paths: Sequence[str]) -> Message:
    """Import jobs.csv; Import 3 files."""
    if len(paths) == 1:
        return worded("Import ") + paths[0].replace("\\", "/").rsplit("/", 1)[-1]
    return worded("Import {paths} files", paths=whole(len(paths)))
