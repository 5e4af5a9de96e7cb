"""The effect of a wrong main assumption, where the plan has figures on it."""

from gpuplanner.domain.commitment.outlook_result import trusted_band
from gpuplanner.domain.commitment.words.price_paths import PATH_WHERE, worst_regret
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs


def effects_of(inputs: Inputs) -> dict[str, Text]:
    """Return the effect of a wrong assumption by the name of the assumption; no entry without figures."""
    effects = {
        "growth": _of_demand(inputs),
        "delta": _of_prices(inputs),
        "spot": _of_spot(inputs),
        "max_provider_share": _of_providers(inputs.evaluation),
    }
    return {name: effect for name, effect in effects.items() if effect is not None}


def _of_demand(inputs: Inputs) -> str | None:
    """Return the range of the twelve months."""
    totals = inputs.evaluation.totals
    if totals is None:
        return None
    band = trusted_band(inputs.outlook.uncertainty, totals.plan, inputs.evaluation.project.window.hours)
    if band.year_p10_usd is None or band.year_p90_usd is None:
        return None
    return f"12 months cost ${band.year_p10_usd:,.0f} to ${band.year_p90_usd:,.0f} (P10 to P90)"


def _of_prices(inputs: Inputs) -> str | None:
    """Return the largest cost of the plan on a path of prices, against a plan that knows the path."""
    worst = worst_regret(inputs.outlook.price_paths, "advice_usd")
    if worst is None or worst.usd < 1:
        return None
    more = f"${worst.usd:,.0f} more over {inputs.assumptions.horizon_months} months than with known prices"
    return f"{more}, {PATH_WHERE[worst.path]}"


def _of_spot(inputs: Inputs) -> str | None:
    """Return the saving by spot in the first month."""
    steps = inputs.outlook.savings_steps
    saved = next((step.saved_per_month for step in steps if step.step == "spot"), None)
    return None if saved is None or saved < 1 else f"Without spot the first month costs ${saved:,.0f} more"


def _of_providers(evaluation: Evaluation) -> Text | None:
    """Return the concentration of the new commitment, if it is high."""
    texts = (check.message for check in evaluation.checks if check.code == "provider_concentration")
    return next(texts, None)
