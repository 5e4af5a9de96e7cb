"""Contracts, price lists and bills with headings in German and French: the same figures as in English."""

from pathlib import Path

import pytest

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts, import_prices

CONTRACTS = {
    "German": "Vertragsnummer;Anbieter;GPU-Typ;Anzahl GPUs;Preis pro GPU-Stunde (USD);Beginn;Ende\n"
    "A;X;H100;64,0;2,50;01.01.2026;01.01.2027\nSumme;;;64;;;\n",
    "French": "N° de contrat;Fournisseur;Modèle de GPU;Nombre de GPU;Prix par GPU-heure ($);Date de début;Date de fin\n"
    "A;X;H100;64;2,50;01/01/2026;01/01/2027\n",
    "by the month": "Vertrag;Anbieter;GPU-Modell;GPU-Anzahl;Monatspreis ($);Vertragsbeginn;Vertragsende\n"
    "A;X;H100;64;116,8k;01.01.2026;01.01.2027\n",
}
PRICES = {
    "German": "Anbieter;GPU-Typ;Laufzeit (Monate);Preis pro GPU-Stunde ($)\nX;H100;0;3,25\nX;H100;12;2,10\n",
    "French": "Fournisseur;Type de GPU;À la demande ($/h);Réservé 1 an ($/h)\nX;H100;3,25;2,10\n",
}
AZURE = (
    "Name des Abonnements (SubscriptionName),UsageDateTime (UsageDateTime),"
    "Kategorie der Verbrauchseinheit (MeterCategory),"
    "ID der Verbrauchseinheit (MeterId),Name der Verbrauchseinheit (MeterName),Maßeinheit (UnitOfMeasure),"
    "UsageQuantity (UsageQuantity),PreTaxCost (PreTaxCost),Zusätzliche Informationen (AdditionalInfo)\n"
    'a,2026-05-01,Virtual Machines,m,ND96asr v4,1 Hour,24,652.8,"{""ServiceType"":""Standard_ND96asr_v4""}"\n'
)


def _put(folder: Path, text: str) -> str:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("language", CONTRACTS)
def test_contracts(tmp_path: Path, language: str) -> None:
    (contract,) = import_contracts([_put(tmp_path, CONTRACTS[language])]).contracts
    assert (contract.contract_id, contract.provider, contract.gpu_model) == ("A", "X", "H100")
    assert contract.milli_gpus == 64_000 and contract.rate == pytest.approx(2.5)


@pytest.mark.parametrize("language", PRICES)
def test_prices(tmp_path: Path, language: str) -> None:
    offers = import_prices([_put(tmp_path, PRICES[language])]).offers
    assert {(offer.term_months, offer.rate) for offer in offers} == {(0, 3.25), (12, 2.1)}


def test_azure_writes_its_own_names_behind_those_of_a_language(tmp_path: Path) -> None:
    (file,) = check_file(_put(tmp_path, AZURE))
    assert (file.kind, file.format, file.rows_accepted) == ("billing", "azure", 1)
    assert dict(file.facts)["gpu_hours"] == 24 * 8
