"""Fields of jobs, contracts and price lists, each declared once: what its cells hold, and the headings that mean it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from gpuplanner.files.values.gpu_names import MILLI_PER


class Holds(Enum):
    """What the cells of a field hold: by that it is told how they look, are written and are read.

    COUNT: how many GPUs, maybe with their model (8 x H100). NUMBER, MONEY, DATE: as the column writes them, decided
    over all of its cells; PLAIN_NUMBER, PLAIN_MONEY, PLAIN_DATE: cell by cell. PART: of one, or in percent. RATE: the
    price of a GPU-hour, WAY: the same for one way to pay. UNIT: what the price of a row is for. Of jobs: TIME: an
    instant, LENGTH: of time, GPUS: of a job, SHARE: how busy its GPUs were, WHOLE: a count.
    """

    TEXT = auto()
    ID = auto()
    MODEL = auto()
    COUNT = auto()
    NODES = auto()
    NUMBER = auto()
    PLAIN_NUMBER = auto()
    PART = auto()
    MONEY = auto()
    PLAIN_MONEY = auto()
    RATE = auto()
    WAY = auto()
    UNIT = auto()
    CURRENCY = auto()
    CATEGORY = auto()
    TERM = auto()
    DAYS = auto()
    DATE = auto()
    PLAIN_DATE = auto()
    FLAG = auto()
    INTERCONNECT = auto()
    REMARK = auto()
    TIME = auto()
    LENGTH = auto()
    GPUS = auto()
    SHARE = auto()
    WHOLE = auto()
    STATE = auto()
    CLASS = auto()


STYLED: Final = frozenset(
    (Holds.COUNT, Holds.NUMBER, Holds.MONEY, Holds.LENGTH, Holds.GPUS, Holds.SHARE, Holds.WHOLE)
)
"""Numbers of which the whole column tells whether they have points or commas."""

UNITS: Final[Mapping[Holds, tuple[str, ...]]] = {
    Holds.TIME: ("iso", "epoch_s", "epoch_ms", "epoch_us", "epoch_ns", "ymd", "dmy", "mdy", "serial"),
    Holds.LENGTH: ("s", "min", "h", "d", "ms", "hm"),
    Holds.GPUS: (*MILLI_PER, "slurm", "list", "per_node"),
    Holds.SHARE: ("percent", "share"),
}
"""The units that a field of a job is offered in, the first where none is stated."""


@dataclass(frozen=True, slots=True)
class Field:
    """name: as --map takes it, and the heading of our own tables. words: headings that mean it, apart by `|`.

    is_ours: our own tables have it; others are turned into those. is_needed: our own tables must have it.
    """

    name: str
    holds: Holds
    words: str = ""
    is_ours: bool = True
    is_needed: bool = False


def _needed(field: Field) -> Field:
    """The field as one that every table must have."""
    return replace(field, is_needed=True)


_PROVIDER: Final = Field(
    "provider",
    Holds.TEXT,
    "provider|vendor|supplier|cloud|cloud provider|csp|seller|service provider|anbieter|lieferant"
    "|verkäufer|fournisseur|proveedor|hyperscaler|company|publisher"
    "|cloudanbieter|dienstleister|hersteller|fournisseur de cloud|prestataire|fournisseur cloud|proveedor de nube",
)
_GPU_MODEL: Final = Field(
    "gpu_model",
    Holds.MODEL,
    "gpu model|gpu type|gpu|gpu name|gpu description|model|accelerator|accelerator type|gpu sku|hardware|chip"
    "|gpu typ|gpu modell|modell|card|grafikkarte|product|produkt|item|type|sku|description|beschreibung|gpu class"
    "|resource|resource type|capacity type|node type|server type|configuration|konfiguration|karte|karten"
    "|gpu bezeichnung|gpu art|grafikprozessor|beschleuniger|grafikkarten typ|type de gpu|type gpu|modèle de gpu"
    "|modele de gpu|modèle gpu|modèle|modele|carte graphique|accélérateur|tipo de gpu|modelo de gpu|modello gpu",
)
_GPUS: Final = Field(
    "gpus",
    Holds.COUNT,
    "gpus|gpu|# gpus|# gpu|# of gpus|gpu count|gpus count"
    "|count of gpus|number of gpus|num gpus|num gpu|no of gpus"
    "|no gpus|nr gpus|gpu qty|gpu quantity|quantity|qty|count|anzahl|anzahl gpus|anzahl der gpus|gpu anzahl"
    "|anz gpus|menge|stück|stückzahl|stk"
    "|units|committed gpus|reserved gpus|gpus committed|gpus reserved|total gpus"
    "|quantity gpus|qty gpus|amount of gpus|nombre de gpu|nombre de gpus|número de gpus"
    "|gpu zahl|anz gpu|anzahl gpu|zahl der gpus|gpu menge|nb gpu|nb de gpu|nb gpus|nb de gpus|nombre gpu|quantité"
    "|quantite|quantité de gpu|cantidad|número de gpu|gpus gesamt|gpus insgesamt",
)
_PRICING_CATEGORY: Final = Field(
    "pricing_category",
    Holds.CATEGORY,
    "pricing category|pricing|pricing model|price model|purchase model|purchase type|category"
    "|purchase option|commitment type|reserved on demand|reserved on demand spot|reserved spot|contract type"
    "|billing model|billing type|consumption model|type|plan|art|kategorie|preismodell|vertragsart|payment model"
    "|abrechnungsmodell|preisart|kaufoption|type de contrat|type d engagement|mode de facturation"
    "|modèle de tarification|type de tarif|catégorie|categorie",
)
_TERM_MONTHS: Final = Field(
    "term_months",
    Holds.TERM,
    "term months|term|commit|commitment|commitment term|commit term|term length|contract term"
    "|contract length|contract duration|length|duration|laufzeit|vertragslaufzeit|commitment length"
    "|commitment period|commit period|lock in|lock in period|tenor|reservation term|durée|bindung|vertragsdauer"
    "|bindungsdauer|bindefrist|laufzeit in monaten|laufzeit monate|durée d engagement|durée de l engagement"
    "|durée du contrat|durée en mois|engagement|dauer|duree",
)
_MIN_TERM_MONTHS: Final = Field(
    "min_term_months",
    Holds.TERM,
    "min term months|min term|minimum term|mindestlaufzeit|min commitment|minimum commitment|min commit|minimum commit"
    "|durée minimale|engagement minimum|mindestvertragslaufzeit",
)
_REGION: Final = Field(
    "region",
    Holds.TEXT,
    "region|region name|region id|region code"
    "|location|datacenter|data center|data centre|dc|standort|zone|availability zone|az|site|geo"
    "|rechenzentrum|ort|région|localisation|centre de données|emplacement|zone géographique|región|verfügbarkeitszone",
)
_INTERCONNECT: Final = Field(
    "interconnect",
    Holds.INTERCONNECT,
    "interconnect|network|networking|fabric|netzwerk|interconnection|network fabric"
    "|vernetzung|réseau|interconnexion|verbindung",
)
_GPU_MEMORY_GB: Final = Field(
    "gpu_memory_gb",
    Holds.NUMBER,
    "gpu memory gb|gpu memory|vram gb|gpu vram gb|vram per gpu in gb|gpu ram gb|gpu memory gib"
    "|memory per gpu|vram|vram per gpu|gpu ram|gpu vram|gpu speicher"
    "|grafikspeicher|speicher pro gpu|mémoire gpu|mémoire par gpu|vram par gpu",
)
_BARE_METAL: Final = Field(
    "bare_metal", Holds.FLAG, "bare metal|baremetal|bare metal or vm|bare metal oder vm"
)
_EGRESS_USD_PER_GB: Final = Field(
    "egress_usd_per_gb",
    Holds.MONEY,
    "egress usd per gb|egress|egress fee|egress price|egress per gb|egress cost|data egress"
    "|ausgehender datenverkehr|datenausgang|trafic sortant|transfert sortant",
)
_CURRENCY: Final = Field(
    "currency",
    Holds.CURRENCY,
    "currency|currency code|currency of price|price currency|billing currency|ccy|währung|waehrung|devise"
    "|monnaie|moneda|valuta",
)
_NOTES: Final = Field(
    "notes",
    Holds.REMARK,
    "notes|note|comment|comments|remark|remarks|bemerkung|bemerkungen|anmerkung|anmerkungen|hinweis|hinweise"
    "|remarque|remarques|commentaire|commentaires|observations",
    is_ours=False,
)
_PRICE_UNIT: Final = Field(
    "price_unit",
    Holds.UNIT,
    "price unit|unit|pricing unit|billing unit|rate unit|unit of measure|uom|unit of price|price per|charge unit"
    "|rate basis|price basis|pricing basis|billing basis|basis|preiseinheit|einheit|preisbasis",
    is_ours=False,
)
_GPUS_PER_NODE: Final = Field(
    "gpus_per_node",
    Holds.PLAIN_NUMBER,
    "gpus per node|gpus node|# gpus per node|gpu per node|gpus per server|gpus server|gpus per machine"
    "|gpus pro knoten|gpus pro server|gpus je knoten|gpus je server",
    is_ours=False,
)
_RATE: Final = Field("rate_usd_per_gpu_hour", Holds.RATE)

DURATION: Final = "duration"
ACTIVITY: Final = "gpu_activity_percent"
TIME_LIMIT: Final = "time_limit"

JOB_FIELDS: Final = (
    Field("job_id", Holds.ID, is_needed=True),
    Field("cluster", Holds.TEXT),
    Field("name", Holds.TEXT),
    Field("account", Holds.TEXT),
    Field("user", Holds.TEXT),
    Field("queue", Holds.TEXT),
    Field("gpu_model", Holds.MODEL),
    Field("gpus", Holds.GPUS, is_needed=True),
    Field("nodes", Holds.WHOLE),
    Field("submit", Holds.TIME),
    Field("eligible", Holds.TIME),
    Field("start", Holds.TIME, is_needed=True),
    Field("end", Holds.TIME, is_needed=True),
    Field(TIME_LIMIT, Holds.LENGTH),
    Field("priority", Holds.TEXT),
    Field("state", Holds.STATE),
    Field(ACTIVITY, Holds.SHARE),
    Field("class", Holds.CLASS),
    Field("model", Holds.TEXT),
    Field(DURATION, Holds.LENGTH, is_ours=False),
)
"""Of which headings mean them, `column_names.py` has the table: names of logs are put together of parts."""

CONTRACT_FIELDS: Final = (
    Field(
        "contract_id",
        Holds.ID,
        "contract id|contract ref|contract ref #|contract reference|ref #|ref no|reference no|agreement ref"
        "|contract|contract no|contract number|contract #|contract nr|contract name|agreement|agreement id"
        "|agreement no|agreement number|order|order id|order form|order no|order number|po|po #|po number"
        "|po nr|po id|purchase order|purchase order #|purchase order no|purchase order number|order #"
        "|order form #|order form no|order form number|agreement #|po no|reservation|reservation id"
        "|reservation name|commitment id|commitment name|deal|deal id|vertrag|vertragsnummer|vertrags nr"
        "|vertragsnr|vertrag nr|vertrags id|bestellnummer|reference|ref|id|name|contrat|vertragsbezeichnung"
        "|auftragsnummer|rahmenvertrag|numéro de contrat|n de contrat|no de contrat|référence|réf"
        "|bon de commande|référence du contrat|identifiant du contrat",
        is_needed=True,
    ),
    _PROVIDER,
    Field(
        "cluster",
        Holds.TEXT,
        "cluster|cluster name|environment|env|system|hpc system|partition|partition name"
        "|umgebung|système|environnement|grappe",
    ),
    _GPU_MODEL,
    _needed(_GPUS),
    _RATE,
    Field(
        "start",
        Holds.DATE,
        "start|start date|effective|effective date|effective from|from|begin|begin date|begins|beginning"
        "|commencement|commencement date|go live"
        "|go live date|term start|contract start|contract start date|service start|valid from|starts"
        "|von|ab|beginn|startdatum|start datum|vertragsbeginn|laufzeit von|laufzeitbeginn|gültig ab|début|starting"
        "|start of term|activation date|live date|inicio"
        "|anfang|anfangsdatum|vertragsstart|laufzeitstart|gültig von|date de début|date début|début du contrat"
        "|date d effet|à partir de|du|depuis|fecha de inicio|entrée en vigueur",
        is_needed=True,
    ),
    Field(
        "end",
        Holds.DATE,
        "end|end date|last day|last date|last day of term|thru|thru date|through date|renewal|renews on|letzter tag"
        "|dernier jour|expiry|expiry date|expires|expiration|expiration date|to|until|through|till|ends|term end"
        "|contract end|contract end date|valid to|valid until|valid till|bis|ende|enddatum|end datum|vertragsende"
        "|laufzeit bis|laufzeitende|gültig bis|end of term|termination date|expire|expires on|fin|renewal date"
        "|vertragsablauf|ablauf|ablaufdatum|date de fin|date fin|fin du contrat|échéance|date d échéance|jusqu au|au"
        "|fecha de fin",
    ),
    _PRICING_CATEGORY,
    _TERM_MONTHS,
    _MIN_TERM_MONTHS,
    Field(
        "notice_days",
        Holds.DAYS,
        "notice days|notice|notice period|kündigungsfrist|cancellation notice|termination notice"
        "|frist|kündigung|notice required|kündigungsfrist tage|kündigungsfrist in tagen|préavis|délai de préavis"
        "|préavis jours",
    ),
    _REGION,
    _BARE_METAL,
    _INTERCONNECT,
    _GPU_MEMORY_GB,
    _EGRESS_USD_PER_GB,
    Field("pool", Holds.TEXT, "pool"),
    _CURRENCY,
    Field("sla_percent", Holds.PLAIN_NUMBER),
    Field("owner", Holds.TEXT),
    Field(
        "renews_months",
        Holds.TERM,
        "renews months|renewal term|renewal period|renews for|renewal length|renewal months|auto renewal|auto renews"
        "|auto renew|automatic renewal|renewal term months|verlängerung um|verlängerungszeitraum|reconduction"
        "|automatische verlängerung|tacite reconduction|durée de reconduction",
    ),
    Field("grid_kg_co2_per_kwh", Holds.PLAIN_NUMBER),
    Field(
        "nodes",
        Holds.NODES,
        "nodes|instances|# instances|number of instances|instance count"
        "|# nodes|# of nodes|number of nodes|num nodes|no of nodes|node count|servers|# servers|server count"
        "|number of servers|anzahl knoten|knoten|anzahl server|machines|number of machines"
        "|anzahl der knoten|anzahl der server|nœuds|noeuds|nombre de nœuds|nombre de noeuds|nombre de serveurs|serveurs"
        "|anzahl instanzen",
        is_ours=False,
    ),
    _GPUS_PER_NODE,
    Field(
        "instance",
        Holds.TEXT,
        "instance type|machine type|vm size|instance sku|instance"
        "|instanztyp|vm typ|type d instance|type de machine|maschinentyp",
        is_ours=False,
    ),
    _PRICE_UNIT,
    Field(
        "status",
        Holds.REMARK,
        "status|contract status|vertragsstatus|statut|option|options|stage",
        is_ours=False,
    ),
    _NOTES,
)

PRICE_FIELDS: Final = (
    Field(
        "offer_id",
        Holds.ID,
        "offer id|offer|offer name|quote id|quote no|angebot|angebotsnummer|id"
        "|angebots id|angebot nr|offre|numéro d offre|devis|n de devis",
        is_needed=True,
    ),
    _PROVIDER,
    _needed(_GPU_MODEL),
    _needed(_PRICING_CATEGORY),
    _TERM_MONTHS,
    _RATE,
    Field("rate_low", Holds.MONEY, "rate low"),
    Field("rate_high", Holds.MONEY, "rate high"),
    Field(
        "max_gpus",
        Holds.NUMBER,
        "max gpus|available gpus|gpus available|capacity|maximum gpus|verfügbare gpus|gpus disponibles",
    ),
    Field("min_gpus", Holds.PLAIN_NUMBER, "min gpus|minimum gpus|minimum order gpus|at least gpus"),
    Field("unit_gpus", Holds.PLAIN_NUMBER, "unit gpus|sold in units of gpus|gpus per unit of sale"),
    Field("upfront_usd", Holds.PLAIN_MONEY, "upfront usd|upfront usd per gpu|upfront per gpu"),
    Field("sla_percent", Holds.PLAIN_NUMBER, "sla percent|sla|sla %|uptime sla|availability sla"),
    Field("lead_time_hours", Holds.PLAIN_NUMBER, "lead time hours"),
    _MIN_TERM_MONTHS,
    Field(
        "term_days",
        Holds.PLAIN_NUMBER,
        "term days|days of term|duration days|commitment days|duration d|commit days",
    ),
    Field("starts", Holds.PLAIN_DATE, "starts|available from"),
    Field("ends", Holds.PLAIN_DATE, "ends|available until|available to"),
    Field(
        "valid_until",
        Holds.PLAIN_DATE,
        "valid until|quote valid until|offer valid until|gültig bis|valid thru|valid through|valid to"
        "|valid till|expires|expires on|expiry|expiry date|expiration|expiration date|quote expires"
        "|quote expiry|offer expires|valable jusqu au",
    ),
    _GPU_MEMORY_GB,
    _BARE_METAL,
    _INTERCONNECT,
    _EGRESS_USD_PER_GB,
    _REGION,
    _CURRENCY,
    Field("source", Holds.TEXT, "source|url|link|quelle|website"),
    Field(
        "as_of",
        Holds.DATE,
        "timestamp|timestamp utc|observed at|observed at utc|fetched at|fetched at utc|collected at|collected at utc"
        "|scraped at|scraped at utc|captured at|recorded at|retrieved at|crawled at|snapshot date|observed on"
        "|observation date|collected on|scrape date|date utc|snapshot at|checked at|generated at|updated at"
        "|day|as of|price date|stand|updated"
        "|last updated|quote date|as of date|preisstand|date|datum"
        "|preisdatum|date du prix|date du tarif|à jour au|mise à jour|gültig ab",
    ),
    Field("capex_usd_per_gpu", Holds.PLAIN_MONEY, "capex usd per gpu|capex per gpu"),
    Field("life_months", Holds.PLAIN_NUMBER, "life months|useful life months"),
    Field("residual_share", Holds.PART, "residual share|residual value share"),
    Field("kw_per_gpu", Holds.PLAIN_NUMBER, "kw per gpu"),
    Field("pue", Holds.PLAIN_NUMBER, "pue"),
    Field("usd_per_kwh", Holds.PLAIN_MONEY, "usd per kwh"),
    Field("space_usd_per_kw_month", Holds.PLAIN_MONEY, "space usd per kw month"),
    Field("staff_usd_per_gpu_month", Holds.PLAIN_MONEY, "staff usd per gpu month"),
    Field("variant", Holds.TEXT, is_ours=False),
    Field("rate_on_demand", Holds.WAY, is_ours=False),
    Field("rate_spot", Holds.WAY, is_ours=False),
    replace(_GPUS, is_ours=False),
    _GPUS_PER_NODE,
    Field(
        "instance",
        Holds.TEXT,
        "name|instance|instance type|instance name|flavor|flavour|machine type|sku name|vm|vm size|shape"
        "|instanztyp|instanz|vm typ|type d instance|type de machine|maschinentyp|instance vm",
        is_ours=False,
    ),
    _PRICE_UNIT,
    _NOTES,
)

FIELDS: Final[Mapping[str, tuple[Field, ...]]] = {"contracts": CONTRACT_FIELDS, "prices": PRICE_FIELDS}
"""By kind of table, our own first and in their order."""

FIELD_NAMES: Final = {kind: tuple(field.name for field in fields) for kind, fields in FIELDS.items()}
JOB_HOLDS: Final = {field.name: field.holds for field in JOB_FIELDS}
"""What the texts of a field of a job hold."""

HOLDS: Final[Mapping[str, Holds]] = {
    field.name: field.holds for fields in FIELDS.values() for field in fields
}
"""What the cells of a field hold, in whichever kind of table."""

OWN_COLUMNS: Final = {
    kind: tuple(field.name for field in fields if field.is_ours) for kind, fields in FIELDS.items()
}
OWN_NEEDED: Final = {
    kind: tuple(field.name for field in fields if field.is_needed) for kind, fields in FIELDS.items()
}
ALSO_SHOWN: Final = {
    kind: tuple(field.name for field in fields if not field.is_ours and field.holds is not Holds.REMARK)
    for kind, fields in FIELDS.items()
}
"""Fields that tables of others have, to be chosen when one is read."""

NEEDED_OF_OTHERS: Final = {"contracts": ("gpus", "start"), "prices": ("gpu_model",)}
"""What tables of others must have: the rest is made up for."""
