"""What a column's name says: which field of a job it may be, how surely, and the unit it states."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.files.values.numbers import UNIT_OF_WORD

SUBMITTED: Final = worded(
    "this is when the job was submitted, not when it started: its waiting would count as use; "
    "map the column of the start if there is one"
)
PER_NODE: Final = worded("this is a count for each node; the total over all nodes is needed")


@dataclass(frozen=True, slots=True)
class NameRow:
    """One row of the table: a field, the names that say it (run together, lower case), how surely.

    note: a warning; unit: of --map, where such a name has one by itself.
    """

    field: str
    pattern: str
    confidence: float
    note: Message = NO_WORDS
    unit: str = ""


_WHEN: Final = r"(?:time|date|datetime|timestamp|stamp|ts|at|on|utc|gmt|epoch|unix|local|dt)*"
_WHO: Final = (
    r"(?:job|task|pod|run|workload|instance|actual|exec|execution|usage|first|last|container|real|event)?"
)
_GPU: Final = (
    r"(?:nvidia|amd|nvidiacom|amdcom|com)?"
    r"(?:gpu|accelerator|gpudevice|gpucard|grafikkarte|grafikprozessor|beschleuniger|accélérateur|accelerateur)(?:s|n|en)?"
)
_WHEN_DE: Final = r"(?:zeit|am|um|utc|datum|uhrzeit|zeitpunkt)*"
_JOB_DE: Final = r"(?:job|auftrags?|rechen)?"
_WHEN_FR: Final = r"(?:(?:date|heure|horodatage)(?:et(?:heure|date))?(?:de|d|du|la)*)?"
_OF_FR: Final = r"(?:le|du|de|la|job|travail|tâche|utc)*"
_MANY: Final = (
    r"(?:(?:num|n|no|nr|nb|number|total|count|cnt|qty|quantity|alloc|allocated|assigned|used|held|granted|sum)"
    r"(?:of)?)*"
)
_ASKED: Final = r"(?:req|requested|request|requests|asked|limit|limits|plan|planned|demand)"

NAMES: Final = (
    NameRow("start", rf"{_WHO}(?:start|started|starting|begin|began|begun|beginning){_WHEN}", 0.97),
    NameRow("start", rf"{_WHEN}(?:start|started|begin)", 0.95),
    NameRow(
        "start",
        rf"(?:scheduled|scheduling|sched|launch|launched|dispatch|dispatched|running|execute|executed){_WHEN}",
        0.85,
    ),
    NameRow("start", rf"(?:ran|runs|running|in)(?:since|from|start|started){_WHEN}", 0.85),
    NameRow("start", rf"(?:from|since){_WHEN}", 0.6),
    NameRow("start", r"(?:when|time|date|datetime|timestamp|ts|day)(?:utc|gmt)?", 0.4),
    NameRow(
        "start",
        rf"{_WHO}(?:submit|submitted|submission|subm|create|created|creation|queue|queued|enqueue|enqueued|"
        rf"arrival|arrived|arrive|eligible|request|requested|received|receive|registered){_WHEN}",
        0.3,
        SUBMITTED,
    ),
    NameRow(
        "end",
        rf"{_WHO}(?:end|ended|ending|finish|finished|stop|stopped|complete|completed|completion|"
        rf"terminate|terminated|termination|done|exit|exited|closed){_WHEN}",
        0.97,
    ),
    NameRow("end", rf"{_WHEN}(?:end|ended|finish|finished)", 0.95),
    NameRow("end", rf"(?:delete|deleted|deletion|release|released|evicted|killed){_WHEN}", 0.85),
    NameRow("end", rf"(?:to|until|till|upto){_WHEN}", 0.5),
    NameRow(
        "duration",
        rf"{_WHO}(?:duration|elapsed|elapse|runtime|walltime|wallclock|wall|runningtime|exectime|executiontime|"
        r"timeelapsed|timeused|usedtime|usedwalltime|runduration|lifetime)(?:raw|time|total|used)*",
        0.95,
    ),
    NameRow(
        "duration", r"(?:total|time)?(?:took|length|howlong|running|run|usage|taken|timetaken)(?:time)?", 0.6
    ),
    NameRow("duration", r"(?:hours|hrs)", 0.55, unit="h"),
    NameRow("duration", r"(?:minutes|mins)", 0.55, unit="min"),
    NameRow("duration", r"(?:seconds|secs)", 0.55, unit="s"),
    NameRow("start", r"trun", 0.9),  # Flux: of the events of a job
    NameRow("end", r"tcleanup", 0.9),
    NameRow("end", r"tinactive", 0.85),
    NameRow(
        "start",
        rf"{_JOB_DE}(?:beginn|beginnt|anfang|start|gestartet|begonnen|startzeitpunkt|startzeit|startdatum|anfangszeit)"
        rf"{_WHEN_DE}",
        0.95,
    ),
    NameRow(
        "start",
        rf"{_WHEN_FR}(?:debut|début|demarrage|démarrage|lancement|demarre|démarré|commencé){_OF_FR}",
        0.95,
    ),
    NameRow("start", r"(?:fecha|hora)?(?:de)?(?:inicio|comienzo)|(?:data|ora)?(?:di)?inizio", 0.9),
    NameRow("start", r"(?:von|ab|seit|de|depuis)", 0.5),
    NameRow(
        "start",
        r"(?:eingereicht|eingereichtam|übermittelt|einreichung|einreichungszeit|soumis|soumisle|soumission|"
        r"datedesoumission|erstellt|erstelltam|créé|crééle|datedecréation)",
        0.3,
        SUBMITTED,
    ),
    NameRow(
        "end",
        rf"{_JOB_DE}(?:ende|end|endet|beendet|abgeschlossen|fertig|endzeitpunkt|endzeit|enddatum){_WHEN_DE}",
        0.95,
    ),
    NameRow("end", rf"{_WHEN_FR}(?:fin|terminé|termine|arret|arrêt|achevé){_OF_FR}", 0.95),
    NameRow("end", r"(?:fecha|hora)?(?:de)?(?:fin|finalización|finalizacion)|(?:data|ora)?(?:di)?fine", 0.9),
    NameRow("end", r"(?:bis|jusque|jusqua|à)", 0.5),
    NameRow(
        "duration",
        r"(?:job|gpu)?(?:dauer|laufzeit|rechenzeit|ausführungsdauer|ausführungszeit|nutzungsdauer)|"
        r"(?:duree|durée|tempsdexecution|tempsdexécution|duréedexécution|duracion|duración|durata)",
        0.92,
    ),
    NameRow("user", r"(?:benutzer|benutzername|benutzerin|nutzer|anwender|nutzerkennung|besitzer)", 0.92),
    NameRow("user", r"(?:nomd)?(?:utilisateur|utilisatrice|usager|usuario|utente|propriétaire)", 0.92),
    NameRow(
        "account",
        r"(?:projekt|projektname|kostenstelle|projet|nomduprojet|centredecoût|proyecto|progetto)",
        0.88,
    ),
    NameRow(
        "account", r"(?:abteilung|gruppe|arbeitsgruppe|equipe|équipe|service|departement|département)", 0.75
    ),
    NameRow(
        "job_id",
        r"(?:job|auftrags?)(?:nummer|kennung|nr)|numérodu(?:job|travail)|(?:auftrag|tâche|travail)",
        0.6,
    ),
    NameRow("job_id", r"(?:identifiant|identificateur)(?:du|de|dela|d)?(?:job|tache|tâche|travail)?", 0.85),
    NameRow("name", r"(?:job|auftrags?)?(?:bezeichnung|jobname)|nomdu(?:job|travail)|nomdelatâche", 0.85),
    NameRow("name", r"(?:rechen)?(?:auftrag|auftragsname|aufgabe)|tâche|tache|travail", 0.85),
    NameRow("name", r"(?:nom|nombre)", 0.6),
    NameRow("queue", r"(?:warteschlange|fileattente|filedattente|cola|coda)", 0.8),
    NameRow("state", r"(?:zustand|jobstatus|etat|état|statut|estado|stato|ergebnis)", 0.9),
    NameRow("nodes", r"(?:anzahl(?:der)?)?(?:knoten|rechenknoten)|(?:nombrede|nb)?n(?:œ|oe)uds?", 0.9),
    NameRow(
        "gpus",
        rf"(?:anzahl|anz|stückzahl|nombre|nb|nbre|numero|número|quantité)(?:der|de|des|di)?{_GPU}",
        0.97,
    ),
    NameRow("gpus", rf"{_GPU}(?:anzahl|zahl|stückzahl|menge)", 0.97),
    NameRow(
        "gpu_model",
        rf"{_GPU}(?:typ|modell|bezeichnung|art)|(?:type|modèle|modele|modelo|tipo)(?:de|des|di)?{_GPU}|{_GPU}",
        0.93,
    ),
    NameRow("gpus", rf"{_MANY}{_GPU}{_MANY}", 0.97),
    NameRow("gpus", rf"(?:{_MANY}|{_ASKED})gres{_GPU}", 0.9),
    NameRow("gpus", rf"{_GPU}compute(?:allocation|allocated)", 0.95),
    NameRow("gpus", rf"{_GPU}compute{_ASKED}", 0.8),
    NameRow("gpus", rf"{_MANY}{_GPU}{_ASKED}{_MANY}", 0.85),
    NameRow("gpus", rf"{_ASKED}{_MANY}{_GPU}{_MANY}", 0.85),
    NameRow(
        "gpus",
        r"(?:alloctres|tresalloc|tresallocstr|allocgres|gresalloc|tres|gres|tresused|grestotal)",
        0.85,
        unit="slurm",
    ),
    NameRow("gpus", r"(?:reqtres|tresreq|tresreqstr|reqgres|gresreq|tresperjob)", 0.7, unit="slurm"),
    NameRow("gpus", rf"{_GPU}(?:ids?|list|indices|index|uuids?)", 0.85, unit="list"),
    NameRow("gpus", rf"{_MANY}(?:devices?|cards?|accelerators?){_MANY}", 0.6),
    NameRow(
        "gpus",
        rf"{_MANY}{_GPU}(?:per|each|a|by)(?:node|task|worker|replica|host|pod|instance)",
        0.45,
        PER_NODE,
    ),
    NameRow(
        "job_id",
        r"(?:job|task|pod|run|workload|execution|allocation)(?:id|uid|uuid|no|nr|number|key|sn)(?:raw)?",
        0.97,
    ),
    NameRow("job_id", r"instance(?:sn|id)", 0.75),
    NameRow("job_id", r"(?:id|uid|uuid|jid|guid|id(?:job|task|run|pod))", 0.85),
    NameRow("job_id", r"(?:\w*jobid|app(?:lication)?id|requestid|sessionid|experimentid|trialid)", 0.7),
    NameRow("job_id", r"(?:job|task|pod|run)", 0.5),
    NameRow(
        "name",
        r"(?:job|task|run|workload|experiment|app|application|display|trial|process)(?:name|title|label)",
        0.97,
    ),
    NameRow("name", r"(?:name|title|podname|metadataname)", 0.85),
    NameRow("name", r"(?:workload|experiment|application|app|comment|description|command|cmd|script)", 0.5),
    NameRow(
        "user",
        r"(?:user|username|userid|usr|owner|ownername|submitter|submittedby|createdby|startedby|runby|login|netid)",
        0.95,
    ),
    NameRow("user", r"(?:iduser|email|useremail|researcher|author|person|creator|requester|who|uname)", 0.75),
    NameRow(
        "account", r"(?:account|accountname|accountid|acct|slurmaccount|billingaccount|chargeaccount)", 0.97
    ),
    NameRow("account", r"(?:project|projectname|projectid|proj|costcent(?:er|re)|chargecode)", 0.9),
    NameRow(
        "account",
        r"(?:team|teamname|namespace|metadatanamespace|tenant|tenantname|group|groupname|department|dept|org|organi[sz]ation|lab|pi)",
        0.8,
    ),
    NameRow("queue", r"(?:queue|queuename|partition|partitionname|jobqueue|slurmpartition)", 0.97),
    NameRow(
        "queue",
        r"(?:pool|nodepool|nodegroup|vc|virtualcluster|qos|qosname|queueid|priorityclass|resourcepool)",
        0.65,
    ),
    NameRow("cluster", r"(?:cluster|clustername|clusterid|slurmcluster)", 0.97),
    NameRow("cluster", r"(?:datacent(?:er|re)|site|facility|environment|env)", 0.55),
    NameRow(
        "gpu_model",
        rf"(?:{_GPU}|devices?|cards?|accelerators?)(?:model|type|name|sku|product|arch|kind|modelname|productname|class|spec|flavor|flavour)",
        0.97,
    ),
    NameRow("gpu_model", rf"(?:model|type|kind)(?:of)?{_GPU}", 0.9),
    NameRow("gpu_model", r"(?:hardware|instancetype|machinetype|sku|flavou?r|accelerator|hw|model)", 0.55),
    NameRow("nodes", rf"{_MANY}(?:node|host|machine)s?{_MANY}", 0.95),
    NameRow("nodes", rf"(?:{_MANY}(?:replica|worker|server|instance)s?{_MANY}|allocnodes|reqnodes)", 0.7),
    NameRow(
        "state",
        r"(?:job|task|run|final|pod|current|exec|workload)?(?:state|status|phase)(?:current|name|text)?",
        0.97,
    ),
    NameRow("state", r"(?:outcome|result|conclusion|completionstatus|finalresult|reason)", 0.6),
    NameRow(
        "gpu_activity_percent",
        rf"(?:avg|average|mean)?{_GPU}(?:activity|active|util|utili[sz]ation|usage|busy|load|efficiency|eff)(?:avg|average|mean)?",
        0.9,
    ),
    NameRow(
        "gpu_activity_percent",
        r"(?:avg|average|mean)?(?:sm|dutycycle|activity)(?:active|activity|util|utili[sz]ation|avg|mean)?",
        0.7,
    ),
    NameRow("gpu_activity_percent", r"(?:avg|average|mean)?(?:util|utili[sz]ation)", 0.5),
    NameRow(
        "class", r"(?:class|workloadclass|jobclass|workloadtype|jobtype|category|jobkind|purpose|use)", 0.7
    ),
    NameRow("model", r"(?:model|modelname|basemodel|llm|foundationmodel|checkpoint)", 0.6),
)
"""Field and names, the surest first within a field; data, so that a new name is a new row."""

_LONGEST_KEY: Final = 60
_RUN_TOGETHER: Final = re.compile(
    r"^(.{3,}?)(seconds|secs|minutes|mins|hours|hrs|millis|milliseconds|milli|percent|pct)$"
)


@dataclass(frozen=True, slots=True)
class NameReading:
    """A field that a name may stand for. unit: as the name states it (s, min, h, d, ms, us, ns, milli, ...)."""

    confidence: float
    unit: str = ""
    note: Message = NO_WORDS


def words_of(heading: str) -> list[str]:
    """The words of a heading: `gpuCount`, `GPU_count` and `gpu-count (all)` all begin with gpu, count.

    >>> words_of("numGPUs"), words_of("Wall time [h]"), words_of("JobID")
    (['num', 'gpus'], ['wall', 'time', 'h'], ['job', 'id'])
    """
    plain = unicodedata.normalize("NFKC", heading).replace("%", " percent ")
    plain = re.sub(r"(?<![A-Z])(GPU|ID|CPU|POD|JOB)s\b", lambda found: f" {found[1].capitalize()}s", plain)
    split = re.sub(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", plain)
    return re.findall(r"[^\W_]+", split.lower())


@lru_cache(maxsize=4096)
def name_readings(heading: str) -> dict[str, NameReading]:
    """By field: how surely a column of this name is it. Of `spec.resources.gpus` the last parts count too."""
    found: dict[str, NameReading] = {}
    clock = _CLOCK.search(heading)
    if clock is not None:
        heading = heading.replace(clock[0], " ").strip(" ()[]")
    parts = heading.split(".")
    for taken in range(min(3, len(parts)), 0, -1):
        less = 0.0 if taken == len(parts) else 0.04
        words = words_of(".".join(parts[-taken:]))
        unit, words = _unit_of(words)
        key = "".join(words)[:_LONGEST_KEY]
        for row in NAMES:
            sure = row.confidence - less
            is_surer = sure > found.get(row.field, _NONE).confidence
            if is_surer and re.fullmatch(row.pattern, key):
                of_clock = "hm" if clock is not None and not clock[1] and row.field == "duration" else ""
                found[row.field] = NameReading(sure, of_clock or unit or row.unit, row.note)
    if "gpus" in found and found["gpus"].unit not in ("", "milli", "list", "slurm"):
        del found["gpus"]  # GPU-hours, GPU seconds or a percentage: an amount, no count
    return found


_NONE: Final = NameReading(0.0)
_CLOCK: Final = re.compile(r"(?<![(\[])[(\[]*\b(?:h{1,2}|hrs?)\]?:m{1,2}(:s{1,2})?\b[)\]]*", re.I)
"""How a spreadsheet says that durations are hours and minutes; a row of brackets is looked at once, from its start."""


def writes_day_first(heading: str) -> bool:
    """Whether a heading is in a language that writes the day before the month.

    >>> writes_day_first("Beginn"), writes_day_first("start")
    (True, False)
    """
    return not _DAY_FIRST.isdisjoint(words_of(heading))


_DAY_FIRST_WORDS: Final = """
    anzahl typ modell beginn ende startzeit endzeit dauer laufzeit benutzer nutzer auftrag gestartet beendet anfang
    knoten zustand warteschlange preis von bis nombre début debut durée duree modèle utilisateur identifiant état
    statut prix fin inicio duración usuario inizio fine durata utente
"""
_DAY_FIRST: Final = frozenset(_DAY_FIRST_WORDS.split())


def _unit_of(words: list[str]) -> tuple[str, list[str]]:
    """The unit at the end of a name, and the words without it."""
    if len(words) > 1 and words[-1] in UNIT_OF_WORD:
        return UNIT_OF_WORD[words[-1]], words[:-1]
    if len(words) > 2 and words[0] in ("milli", "pct", "percent"):
        return UNIT_OF_WORD[words[0]], words[1:]
    if words and (found := _RUN_TOGETHER.match(words[-1])):
        return UNIT_OF_WORD[found[2]], [*words[:-1], found[1]]
    return "", words
