"""Words in headings and cells of contracts and price lists: prices, times, machines, ways to pay, totals."""

from typing import Final

from gpuplanner.files.values.numbers import phrases, price_words, words

WEAK_WORDS: Final = words(
    "type|model|sku|product|produkt|item|description|beschreibung|plan|art|category|kategorie|commitment"
    "|commit|pricing|length|duration|count|units|company|publisher|contract|order|reservation|from|to"
    "|through|until|von|ab|bis|start|end|name|id|hardware|quantity|qty|anzahl|menge|gpu|renewal date|date"
    "|datum|payment model|unit|einheit|uom|begin|capacity|memory|site|system|effective|fin|card|chip|azure"
    "|modèle|modele|engagement|dauer|duree|quantité|quantite|cantidad|ort|du|au|depuis|à partir de"
    "|resource|resource type|capacity type|node type|server type|configuration|konfiguration|karte|karten|basis"
    "|renews|renewal|auto renewal|auto renews|auto renew|automatic renewal|reconduction"
    "|expiration|ablauf|anfang|devis|offre|référence|réf|system|système|instanz|hersteller"
)
"""Headings that mean this only where the cells below agree."""

RUN_WORDS: Final = words("job|jobid|job id|job name|run id|task|experiment|pod|pod name")
"""Headings by one of which a table is of what ran, whatever it says of money beside."""

JOB_WORDS: Final = words(
    "job id|jobid|job|user|username|user name|account|partition|queue|state|exit code|elapsed|submit"
    "|submit time|pod|pod name|namespace|container|node list|nodelist|task|task id|workload|pid|uid"
    "|job name|jobname|priority|cpus|req tres|alloctres|runtime|wait time|start time|end time|submitted"
    "|timestamp|req gres|jobidraw|device|uuid|resource id|usage quantity|line item"
)
"""Headings of logs and bills: two of them, and it is no table of contracts."""

ORDER_WORDS: Final = words(
    "po|po #|po number|po no|purchase order|order form|agreement|contract no|contract number|vertragsnummer"
)
"""Headings of what was ordered, which no price list has."""

PRICE_TOKENS: Final = words(
    "rate|price|preis|preise|cost|costs|kosten|tarif|fee|charge|satz|prix|precio|usd|eur|gbp|$|€|£|spend"
    "|amount|stundensatz|stundenpreis|hourly|monatspreis|monatskosten|einzelpreis|stückpreis|mietpreis"
    "|listenpreis|tarife|prezzo|coût|cout|coûts|montant|betrag"
)
PAID_TOKENS: Final = words(
    "net|netto|contracted|contract|negotiated|discounted|effective|agreed|our|final|vereinbart"
)
"""Of the price of a contract, beside which there may be that of the list."""
HOUR_TOKENS, MONTH_TOKENS, YEAR_TOKENS = map(price_words, ("hour", "month", "year"))
OTHER_PERIODS: Final = {unit: price_words(unit) for unit in ("week", "day", "minute", "second")}
"""What a price may be for beside hours, months and years."""
CENT_TOKENS: Final = frozenset(["cent", "cents", "¢", "cts"])
MACHINE_TOKENS: Final = words(
    "node|nodes|server|servers|host|hosts|machine|machines|instance|instances|instanz|vm|vms|knoten|serveur"
    "|serveurs|nœud|noeud"
)
GPU_TOKENS: Final = frozenset(["gpu", "gpus", "accelerator", "card"])
TOTAL_TOKENS: Final = words("total|sum|gesamt|upfront|tcv|deposit|value|summe")
ON_DEMAND_PHRASES: Final = phrases(
    "on demand|ondemand|pay as you go|payg|list price|listenpreis|à la demande|a la demande|auf abruf"
    "|nach bedarf"
)
SPOT_PHRASES: Final = ("spot", "preemptible", "interruptible", "low priority")
COMMITTED_PHRASES: Final = phrases(
    "reserved|reservation|committed|commitment|commit|cud|reserviert|reservierung|réservé|réservée|engagement"
)

CATEGORY_PHRASES: Final = (
    (SPOT_PHRASES, "dynamic"),
    (("on demand", "ondemand", "payg", "pay as you go", "uncommitted", "hourly", "flex"), "standard"),
    (
        (
            *COMMITTED_PHRASES,
            "ri",
            "reserve",
            "fixed",
            "term",
            "contract",
            "savings plan",
            "reservierung",
            "fest",
        ),
        "committed",
    ),
)
"""What a cell of the pricing category says, in the order in which it is looked for."""

TOTAL_ROWS: Final = phrases(
    "total|totals|subtotal|sub total|sub-total|grand total|sum|summe|zwischensumme|gesamt|gesamtsumme"
    "|insgesamt|somme|average|mean|durchschnitt|total général|sous total|sous-total|moyenne|mittelwert"
    "|endsumme"
)
"""How a row begins that adds up others."""

DAY_WORDS: Final = words("date|day|month|week|as of|datum|monat|tag|time|timestamp|quarter|observed at")
"""Headings of a column of days in a table of prices by day."""

UNIT_WORDS: Final = words(
    "usd|eur|months|monate|years|jahre|days|tage|hours|gb|pcs|stück|yyyy|mm|dd|date|datum|units|gpu|gpus|$|€"
)
"""Cells of a row of units, below a row of headings."""
