"""What people call the columns of contracts and price lists: our field, and the headings that mean it."""

import re
from collections.abc import Mapping
from typing import Final

_SHARED: Final = {
    "provider": "provider|vendor|supplier|cloud|cloud provider|csp|seller|service provider|anbieter|lieferant"
    "|verkäufer|fournisseur|proveedor|hyperscaler|company|publisher"
    "|cloudanbieter|dienstleister|hersteller|fournisseur de cloud|prestataire|fournisseur cloud|proveedor de nube",
    "gpu_model": "gpu model|gpu type|gpu|gpu name|model|accelerator|accelerator type|gpu sku|hardware|chip"
    "|gpu typ|gpu modell|modell|card|grafikkarte|product|produkt|item|type|sku|description|beschreibung|gpu class"
    "|gpu bezeichnung|gpu art|grafikprozessor|beschleuniger|grafikkarten typ|type de gpu|type gpu|modèle de gpu"
    "|modele de gpu|modèle gpu|modèle|modele|carte graphique|accélérateur|tipo de gpu|modelo de gpu|modello gpu",
    "gpus": "gpus|gpu|# gpus|# gpu|# of gpus|gpu count|gpus count"
    "|count of gpus|number of gpus|num gpus|num gpu|no of gpus"
    "|no gpus|nr gpus|gpu qty|gpu quantity|quantity|qty|count|anzahl|anzahl gpus|anzahl der gpus|gpu anzahl"
    "|anz gpus|menge|stück|stückzahl|stk"
    "|units|committed gpus|reserved gpus|gpus committed|gpus reserved|total gpus"
    "|quantity gpus|qty gpus|amount of gpus|nombre de gpu|nombre de gpus|número de gpus"
    "|gpu zahl|anz gpu|anzahl gpu|zahl der gpus|gpu menge|nb gpu|nb de gpu|nb gpus|nb de gpus|nombre gpu|quantité"
    "|quantite|quantité de gpu|cantidad|número de gpu|gpus gesamt|gpus insgesamt",
    "pricing_category": "pricing category|pricing|pricing model|price model|purchase model|purchase type|category"
    "|purchase option|commitment type|reserved on demand|reserved on demand spot|reserved spot|contract type"
    "|billing model|billing type|consumption model|type|plan|art|kategorie|preismodell|vertragsart|payment model"
    "|abrechnungsmodell|preisart|kaufoption|type de contrat|type d engagement|mode de facturation"
    "|modèle de tarification|type de tarif|catégorie|categorie",
    "term_months": "term months|term|commit|commitment|commitment term|commit term|term length|contract term"
    "|contract length|contract duration|length|duration|laufzeit|vertragslaufzeit|commitment length"
    "|commitment period|commit period|lock in|lock in period|tenor|reservation term|durée|bindung|vertragsdauer"
    "|bindungsdauer|bindefrist|laufzeit in monaten|laufzeit monate|durée d engagement|durée de l engagement"
    "|durée du contrat|durée en mois|engagement|dauer|duree",
    "min_term_months": "min term months|min term|minimum term|mindestlaufzeit|min commitment|minimum commitment"
    "|durée minimale|engagement minimum|mindestvertragslaufzeit",
    "region": "region|location|datacenter|data center|data centre|dc|standort|zone|availability zone|az|site|geo"
    "|rechenzentrum|ort|région|localisation|centre de données|emplacement|zone géographique|región|verfügbarkeitszone",
    "interconnect": "interconnect|network|networking|fabric|netzwerk|interconnection|network fabric"
    "|vernetzung|réseau|interconnexion|verbindung",
    "gpu_memory_gb": "gpu memory gb|gpu memory|memory per gpu|vram|vram per gpu|gpu ram|gpu vram|gpu speicher"
    "|grafikspeicher|speicher pro gpu|mémoire gpu|mémoire par gpu|vram par gpu",
    "bare_metal": "bare metal|baremetal|bare metal or vm|bare metal oder vm",
    "egress_usd_per_gb": "egress usd per gb|egress|egress fee|egress price|egress per gb|egress cost|data egress"
    "|ausgehender datenverkehr|datenausgang|trafic sortant|transfert sortant",
    "currency": "currency|currency code|currency of price|price currency|billing currency|ccy|währung|waehrung|devise"
    "|monnaie|moneda|valuta",
    "notes": "notes|note|comment|comments|remark|remarks|bemerkung|bemerkungen|anmerkung|anmerkungen|hinweis|hinweise"
    "|remarque|remarques|commentaire|commentaires|observations",
}

_PRICE_UNIT: Final = (
    "price unit|unit|pricing unit|billing unit|rate unit|unit of measure|uom|unit of price|price per|charge unit"
    "|preiseinheit|einheit"
)

_GPUS_PER_NODE: Final = (
    "gpus per node|gpus node|# gpus per node|gpu per node|gpus per server|gpus server|gpus per machine"
    "|gpus pro knoten|gpus pro server|gpus je knoten|gpus je server"
)

CONTRACT_WORDS: Final[Mapping[str, str]] = {
    "contract_id": "contract id|contract ref|contract ref #|contract reference|ref #|ref no|reference no|agreement ref"
    "|contract|contract no|contract number|contract #|contract nr|contract name|agreement"
    "|agreement id|agreement no|agreement number|order|order id|order form|order no|order number|po|po number"
    "|po no|reservation|reservation id|reservation name|commitment id|commitment name|deal|deal id|vertrag"
    "|vertragsnummer|vertrags nr|vertragsnr|vertrag nr|vertrags id|bestellnummer|reference|ref|id|name|contrat"
    "|vertragsbezeichnung|auftragsnummer|rahmenvertrag|numéro de contrat|n de contrat|no de contrat|référence|réf"
    "|bon de commande|référence du contrat|identifiant du contrat",
    "cluster": "cluster|cluster name|environment|env|system|hpc system|umgebung|système|environnement|grappe",
    "start": "start|start date|effective|effective date|effective from|from|begin|begin date|begins|beginning"
    "|commencement|commencement date|term start|contract start|contract start date|service start|valid from|starts"
    "|von|ab|beginn|startdatum|start datum|vertragsbeginn|laufzeit von|laufzeitbeginn|gültig ab|début|starting"
    "|start of term|activation date|live date|inicio"
    "|anfang|anfangsdatum|vertragsstart|laufzeitstart|gültig von|date de début|date début|début du contrat"
    "|date d effet|à partir de|du|depuis|fecha de inicio|entrée en vigueur",
    "end": "end|end date|expiry|expiry date|expires|expiration|expiration date|to|until|through|till|ends|term end"
    "|contract end|contract end date|valid to|valid until|valid till|bis|ende|enddatum|end datum|vertragsende"
    "|laufzeit bis|laufzeitende|gültig bis|end of term|termination date|expire|expires on|fin|renewal date"
    "|vertragsablauf|ablauf|ablaufdatum|date de fin|date fin|fin du contrat|échéance|date d échéance|jusqu au|au"
    "|fecha de fin",
    "notice_days": "notice days|notice|notice period|kündigungsfrist|cancellation notice|termination notice"
    "|kündigungsfrist tage|kündigungsfrist in tagen|préavis|délai de préavis|préavis jours",
    "pool": "pool",
    "nodes": "nodes|instances|# instances|number of instances|instance count"
    "|# nodes|# of nodes|number of nodes|num nodes|no of nodes|node count|servers|# servers|server count"
    "|number of servers|anzahl knoten|knoten|anzahl server|machines|number of machines"
    "|anzahl der knoten|anzahl der server|nœuds|noeuds|nombre de nœuds|nombre de noeuds|nombre de serveurs|serveurs"
    "|anzahl instanzen",
    "instance": "instance type|machine type|vm size|instance sku|instance"
    "|instanztyp|vm typ|type d instance|type de machine|maschinentyp",
    "price_unit": _PRICE_UNIT,
    "gpus_per_node": _GPUS_PER_NODE,
    **_SHARED,
}

PRICE_WORDS: Final[Mapping[str, str]] = {
    "price_unit": _PRICE_UNIT,
    "gpus_per_node": _GPUS_PER_NODE,
    "offer_id": "offer id|offer|offer name|quote id|quote no|angebot|angebotsnummer|id"
    "|angebots id|angebot nr|offre|numéro d offre|devis|n de devis",
    "instance": "name|instance|instance type|instance name|flavor|flavour|machine type|sku name|vm|vm size|shape"
    "|instanztyp|instanz|vm typ|type d instance|type de machine|maschinentyp|instance vm",
    "max_gpus": "max gpus|available gpus|gpus available|capacity|maximum gpus"
    "|verfügbare gpus|gpus disponibles",
    "min_gpus": "min gpus|minimum gpus|minimum order gpus|at least gpus",
    "unit_gpus": "unit gpus|sold in units of gpus|gpus per unit of sale",
    "upfront_usd": "upfront usd|upfront usd per gpu|upfront per gpu",
    "sla_percent": "sla percent|sla|sla %|uptime sla|availability sla",
    "term_days": "term days|days of term",
    "starts": "starts|available from",
    "ends": "ends|available until|available to",
    "valid_until": "valid until|quote valid until|offer valid until|gültig bis",
    "lead_time_hours": "lead time hours",
    "as_of": "as of|price date|stand|updated|last updated|quote date|as of date|preisstand|date|datum"
    "|preisdatum|date du prix|date du tarif|à jour au|mise à jour|gültig ab",
    "source": "source|url|link|quelle|website",
    "rate_low": "rate low",
    "rate_high": "rate high",
    **_SHARED,
}

WEAK_WORDS: Final = frozenset(
    [
        "type",
        "model",
        "sku",
        "product",
        "produkt",
        "item",
        "description",
        "beschreibung",
        "plan",
        "art",
        "category",
        "kategorie",
        "commitment",
        "commit",
        "pricing",
        "length",
        "duration",
        "count",
        "units",
        "company",
        "publisher",
        "contract",
        "order",
        "reservation",
        "from",
        "to",
        "through",
        "until",
        "von",
        "ab",
        "bis",
        "start",
        "end",
        "name",
        "id",
        "hardware",
        "quantity",
        "qty",
        "anzahl",
        "menge",
        "gpu",
        "renewal date",
        "date",
        "datum",
        "payment model",
        "unit",
        "einheit",
        "uom",
        "begin",
        "capacity",
        "memory",
        "site",
        "system",
        "effective",
        "fin",
        "card",
        "chip",
        "azure",
        "modèle",
        "modele",
        "engagement",
        "dauer",
        "duree",
        "quantité",
        "quantite",
        "cantidad",
        "ort",
        "du",
        "au",
        "depuis",
        "à partir de",
        "expiration",
        "ablauf",
        "anfang",
        "devis",
        "offre",
        "référence",
        "réf",
        "system",
        "système",
        "instanz",
        "hersteller",
    ]
)
"""Headings that mean this only where the cells below agree."""

RUN_WORDS: Final = frozenset(
    ["job", "jobid", "job id", "job name", "run id", "task", "experiment", "pod", "pod name"]
)
"""Headings by one of which a table is of what ran, whatever it says of money beside."""

JOB_WORDS: Final = frozenset(
    [
        "job id",
        "jobid",
        "job",
        "user",
        "username",
        "user name",
        "account",
        "partition",
        "queue",
        "state",
        "exit code",
        "elapsed",
        "submit",
        "submit time",
        "pod",
        "pod name",
        "namespace",
        "container",
        "node list",
        "nodelist",
        "task",
        "task id",
        "workload",
        "pid",
        "uid",
        "job name",
        "jobname",
        "priority",
        "cpus",
        "req tres",
        "alloctres",
        "runtime",
        "wait time",
        "start time",
        "end time",
        "submitted",
        "timestamp",
        "req gres",
        "jobidraw",
        "device",
        "uuid",
        "resource id",
        "usage quantity",
        "line item",
    ]
)
"""Headings of logs and bills: two of them, and it is no table of contracts."""

PRICE_TOKENS: Final = frozenset(
    [
        "rate",
        "price",
        "preis",
        "preise",
        "cost",
        "costs",
        "kosten",
        "tarif",
        "fee",
        "charge",
        "satz",
        "prix",
        "precio",
        "usd",
        "eur",
        "gbp",
        "$",
        "€",
        "£",
        "spend",
        "amount",
        "stundensatz",
        "stundenpreis",
        "hourly",
        "monatspreis",
        "monatskosten",
        "einzelpreis",
        "stückpreis",
        "mietpreis",
        "listenpreis",
        "tarife",
        "prezzo",
        "coût",
        "cout",
        "coûts",
        "montant",
        "betrag",
    ]
)
HOUR_TOKENS: Final = frozenset(
    [
        "hour",
        "hours",
        "hourly",
        "hr",
        "hrs",
        "h",
        "stunde",
        "stunden",
        "std",
        "heure",
        "heures",
        "horaire",
        "gpustunde",
        "gpustunden",
        "hora",
        "stundensatz",
        "stundenpreis",
    ]
)
MONTH_TOKENS: Final = frozenset(
    [
        "month",
        "months",
        "monthly",
        "mo",
        "mth",
        "monat",
        "monate",
        "monatlich",
        "mtl",
        "mois",
        "mensuel",
        "mensuelle",
        "monatliche",
        "monatlicher",
        "mes",
        "monatspreis",
        "monatskosten",
    ]
)
YEAR_TOKENS: Final = frozenset(
    [
        "year",
        "years",
        "yearly",
        "yr",
        "annual",
        "annually",
        "annum",
        "jahr",
        "jahre",
        "jährlich",
        "an",
        "ans",
        "annuel",
        "annuelle",
        "pa",
    ]
)
PROVIDERS: Final[Mapping[str, str]] = {
    "AWS": "aws|amazon|amazon web services|ec2|amazon ec2",
    "Azure": "azure|microsoft|microsoft azure|ms azure",
    "Google Cloud": "gcp|google|google cloud|google cloud platform|gce",
    "Oracle": "oracle|oci|oracle cloud",
    "IBM": "ibm|ibm cloud",
    "Alibaba": "alibaba|alibaba cloud|aliyun",
    "Lambda": "lambda|lambda labs|lambdalabs|lambda cloud",
    "RunPod": "runpod|run pod",
    "Vast.ai": "vast|vast ai|vastai",
    "CoreWeave": "coreweave",
    "Nebius": "nebius",
    "Crusoe": "crusoe|crusoe cloud",
    "Together": "together|together ai",
    "Voltage Park": "voltage park|voltagepark",
    "FluidStack": "fluidstack|fluid stack",
    "Vultr": "vultr",
    "DigitalOcean": "digitalocean|digital ocean|do",
    "Paperspace": "paperspace",
    "Hyperstack": "hyperstack|nexgen cloud",
    "Verda": "verda|datacrunch|data crunch",
    "Scaleway": "scaleway",
    "OVHcloud": "ovh|ovhcloud",
    "Genesis Cloud": "genesis cloud",
    "Cudo": "cudo|cudo compute",
    "Jarvislabs": "jarvislabs|jarvis labs",
    "TensorDock": "tensordock",
    "Modal": "modal",
    "Baseten": "baseten",
    "Prime Intellect": "prime intellect|primeintellect",
    "SF Compute": "sf compute|sfcompute|san francisco compute",
    "Shadeform": "shadeform",
    "Hyperbolic": "hyperbolic",
    "Mithril": "mithril|foundry",
    "Lium": "lium",
    "Seeweb": "seeweb",
    "Samsung Cloud Platform": "scp",
    "Spheron": "spheron",
    "SimplePod": "simplepod",
    "Yotta": "yotta",
    "Massed Compute": "massed compute|massedcompute",
    "Oblivus": "oblivus|oblivus cloud",
    "Thunder Compute": "thunder compute",
    "Lightning": "lightning|lightning ai",
    "Hot Aisle": "hot aisle|hotaisle",
    "TensorWave": "tensorwave",
    "Gcore": "gcore",
    "Denvr": "denvr|denvr dataworks",
    "Cirrascale": "cirrascale",
    "Firmus": "firmus",
    "Nscale": "nscale",
    "Sesterce": "sesterce",
    "Latitude": "latitude|latitude sh",
    "Hetzner": "hetzner",
    "Leaseweb": "leaseweb",
    "Akamai": "akamai|linode",
    "Replicate": "replicate",
    "Civo": "civo",
    "Exoscale": "exoscale",
}
"""Clouds, and the words by which headings and files name them."""

_PROVIDER_OF_WORD: Final = {word: name for name, words in PROVIDERS.items() for word in words.split("|")}


def provider_named(text: str) -> str:
    """The cloud that a heading or the name of a file is; empty where it is none.

    >>> provider_named("Google Cloud"), provider_named("vast.ai"), provider_named("H100")
    ('Google Cloud', 'Vast.ai', '')
    """
    return _PROVIDER_OF_WORD.get(" ".join(re.findall(r"[a-z0-9]+", text.lower())), "")


OTHER_PERIODS: Final = {
    "week": frozenset(["week", "weekly", "woche"]),
    "day": frozenset(["day", "daily"]),
    "minute": frozenset(["minute", "minutes", "minutely"]),
    "second": frozenset(["second", "seconds", "sec", "secs", "sekunde"]),
}
"""What a price may be for beside hours, months and years."""
CENT_TOKENS: Final = frozenset(["cent", "cents", "¢", "cts"])
MACHINE_TOKENS: Final = frozenset(
    [
        "node",
        "nodes",
        "server",
        "servers",
        "host",
        "hosts",
        "machine",
        "machines",
        "instance",
        "instances",
        "instanz",
        "vm",
        "vms",
        "knoten",
        "serveur",
        "serveurs",
        "nœud",
        "noeud",
    ]
)
GPU_TOKENS: Final = frozenset(["gpu", "gpus", "accelerator", "card"])
TOTAL_TOKENS: Final = frozenset(["total", "sum", "gesamt", "upfront", "tcv", "deposit", "value", "summe"])
ON_DEMAND_PHRASES: Final = (
    "on demand",
    "ondemand",
    "pay as you go",
    "payg",
    "list price",
    "listenpreis",
    "à la demande",
    "a la demande",
    "auf abruf",
    "nach bedarf",
)
SPOT_PHRASES: Final = ("spot", "preemptible", "interruptible", "low priority")
COMMITTED_PHRASES: Final = (
    "reserved",
    "reservation",
    "committed",
    "commitment",
    "commit",
    "cud",
    "reserviert",
    "reservierung",
    "réservé",
    "réservée",
    "engagement",
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

TOTAL_ROWS: Final = (
    "total",
    "totals",
    "subtotal",
    "sub total",
    "sub-total",
    "grand total",
    "sum",
    "summe",
    "zwischensumme",
    "gesamt",
    "gesamtsumme",
    "insgesamt",
    "somme",
    "average",
    "mean",
    "durchschnitt",
    "total général",
    "sous total",
    "sous-total",
    "moyenne",
    "mittelwert",
    "endsumme",
)
"""How a row begins that adds up others."""
