"""Users' cities, sites, measured ways and data residency as files: every row has one fate, and a reason."""

from decimal import Decimal
from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import NO_PLACES, MeasuredTransit, ResidencyRule, Site, UserCity
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.lists.place_tables import import_places
from gpuplanner.files.lists.regions import COUNTRIES, REGIONS

USERS = "city,country,latitude,longitude,users\nOslo,NO,59.9,10.7,5\n"
SITES = "site_id,city,country,latitude,longitude,usd_per_month,current\neu,Frankfurt,DE,50.1,8.7,100,true\n"
MEASURED = "city,site_id,one_way_ms\nOslo,eu,12.5\n"
RESIDENCY = "country,allowed_site_countries\nNO,NO;DE\n"


@pytest.fixture
def put(tmp_path: Path):
    def one(text, name="file.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return one


def rows_add_up(file):
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    return file.rows_read == sum(ends)


@pytest.mark.parametrize(
    ("text", "kind"), [(USERS, "users"), (SITES, "sites"), (MEASURED, "measured"), (RESIDENCY, "residency")]
)
def test_each_kind_is_recognised_by_its_header_whatever_its_name(put, text, kind):
    found = recognise(put(text, "export (3).txt"))
    assert (found.kind, found.format) == (kind, f"own_{kind}")
    (file,) = check_file(put(text))
    assert (file.kind, file.rows_read, file.rows_accepted, file.issues) == (kind, 1, 1, ())
    assert file.facts


@pytest.mark.parametrize(
    ("text", "regions", "countries"),
    [
        ('{"eu-1": {"latitude": 50.1, "longitude": 8.7}}', 0.95, 0.0),
        ('[{"latitude": 50.1, "longitude": 8.7}]', 0.0, 0.0),
        ('{"eu-1": {"longitude": 8.7}}', 0.0, 0.0),
        ('[{"country": "DE", "name": "Germany", "latitude": 51, "longitude": 9}]', 0.0, 0.95),
        ('[{"country": "DE", "latitude": 51, "longitude": 9}]', 0.0, 0.0),
    ],
)
def test_coordinates_of_regions_and_countries_are_told_apart(text, regions, countries):
    assert (REGIONS.sniff(text), COUNTRIES.sniff(text)) == (regions, countries)


def test_values_are_read_as_they_stand(put):
    read = import_places([put(USERS, "u")], [put(SITES, "s")], [put(MEASURED, "m")], [put(RESIDENCY, "r")])
    assert read.cities == (
        UserCity(city="Oslo", country="NO", latitude=59.9, longitude=10.7, users=Decimal(5)),
    )
    assert read.sites == (
        Site(
            site_id="eu",
            city="Frankfurt",
            country="DE",
            latitude=50.1,
            longitude=8.7,
            usd_per_month=Decimal(100),
            is_current=True,
        ),
    )
    assert read.measured == (MeasuredTransit("Oslo", "eu", Decimal("12.5")),)
    assert read.residency == (ResidencyRule("NO", ("NO", "DE")),)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffUsers,LONGITUDE,Latitude,country,City\n5,10.7,59.9,NO,Oslo\n",
        "\n\ncity;country;latitude;longitude;users\nOslo;NO;59,9;10,7;5\n",
        "city\tcountry\tlat\tlon\tusers\nOslo\tNO\t59.9\t10.7\t5\n",
        "city,country,latitude,longitude,users,remark\r\n Oslo , NO ,59.9,10.7,5,=1+1\r\n",
    ],
)
def test_headers_in_any_case_and_order_and_numbers_as_people_write_them(put, text):
    assert import_places([put(text)]).cities == (
        UserCity(city="Oslo", country="NO", latitude=59.9, longitude=10.7, users=Decimal(5)),
    )


def test_thousands_are_read_with_their_separators(put):
    text = 'city,country,latitude,longitude,users\nA,NO,1,2,"1,310,000"\nB,NO,1,3,"2,500"\nC,NO,1,4,12\n'
    assert [city.users for city in import_places([put(text)]).cities] == [1_310_000, 2_500, 12]


def test_rows_that_cannot_be_taken_say_why(put):
    text = (
        "city,country,latitude,longitude,users\n"
        "Oslo,NO,59.9,10.7,5\n"
        "Oslo,no,59.9,10.7,7\n"
        ",NO,59.9,10.7,5\n"
        "Pole,NO,91,10.7,5\n"
        "Nowhere,NO,,10.7,5\n"
        "Minus,NO,59.9,10.7,-1\n"
        "Text,NO,59.9,10.7,many\n"
        "Oslo,NO,60.9,10.7,7\n"
        "\n"
        "Windhoek,NA,22.6,17.1,1\n"
    )
    read = import_places([put(text)])
    (file,) = read.intake
    assert rows_add_up(file) and (file.rows_read, file.rows_accepted, file.rows_rejected) == (9, 3, 5)
    assert file.rows_duplicate == 1
    assert [(row.row, row.code) for row in file.rejected] == [
        (4, "missing_column"), (5, "bad_number"), (6, "missing_column"), (7, "bad_number"), (8, "bad_number"),
    ]  # fmt: skip
    said = str(file.rejected[1].message)
    assert all(part in said for part in ("latitude", "'91'", "\u221290", " 90"))
    assert [city.country for city in read.cities][-1] == "NA"  # Namibia is a country
    (issue,) = [issue for issue in file.issues if issue.code == "wrong_place"]
    assert "Windhoek, NA" in str(issue.message) and issue.first_row == 11


@pytest.mark.parametrize("column", ["one_way_ms", "round_trip_ms", "latency_ms"])
def test_a_way_takes_a_million_ms_at_most(put, column):
    text = f"city,site_id,{column}\nOslo,eu,1000000\nOslo,us,1000001\n"
    (file,) = import_places(measured=[put(text, "m")]).intake
    assert (file.rows_accepted, [row.row for row in file.rejected]) == (1, [3])


def test_a_site_without_a_price_is_taken_and_its_price_is_unknown(put):
    text = "site_id,latitude,longitude,usd_per_month,current\na,1,2,,yes\nb,1,2,cheap,\nc,1,2,0,perhaps\n"
    read = import_places(sites=[put(text)])
    assert [(site.usd_per_month, site.is_current) for site in read.sites] == [
        (None, True), (None, False), (0, False),
    ]  # fmt: skip
    assert {issue.code: issue.first_row for issue in read.intake[0].issues} == {
        "no_site_price": 2, "bad_number": 3, "unknown_value": 4,
    }  # fmt: skip


def test_a_round_trip_is_halved_and_that_is_said(put):
    read = import_places(measured=[put("city,site,rtt_ms\nOslo,eu,25\n")])
    assert read.measured == (MeasuredTransit("Oslo", "eu", Decimal("12.5")),)
    assert read.intake[0].issues[0].code == "computed"


@pytest.mark.parametrize("text", ["NO,NO;DE;FR", "NO,NO ; DE;FR;;de"])
def test_countries_are_split_at_semicolons(put, text):
    read = import_places(residency=[put(f"country,allowed_site_countries\n{text}\n")])
    assert [name.casefold() for name in read.residency[0].allowed_site_countries][:3] == ["no", "de", "fr"]


def test_countries_may_share_the_separator_of_the_columns(put):
    read = import_places(residency=[put("country;allowed_site_countries\nNO;NO;DE\nSE;SE\n")])
    assert read.residency == (ResidencyRule("NO", ("NO", "DE")), ResidencyRule("SE", ("SE",)))


def test_a_rule_that_allows_nowhere_is_kept_and_said_and_rules_of_one_country_are_joined(put):
    text = "country,allowed_site_countries\nIN,\nDE,DE\nde,FR\nDE,DE\n"
    read = import_places(residency=[put(text)])
    places = read.over(NO_PLACES)
    assert places.residency == (ResidencyRule("DE", ("DE", "FR")), ResidencyRule("IN", ()))
    assert (read.intake[0].issues[0].code, read.intake[0].rows_duplicate) == ("allowed_nowhere", 1)


def test_of_two_files_the_first_row_of_a_place_is_kept(put):
    more = USERS + "Bergen,NO,60.4,5.3,2\n"
    read = import_places([put(USERS, "one"), put(more.replace(",5\n", ",9\n"), "two")])
    assert [(city.city, city.users) for city in read.cities] == [("Oslo", 5), ("Bergen", 2)]
    assert [file.rows_duplicate for file in read.intake] == [0, 1]
    assert all(map(rows_add_up, read.intake))


def test_what_is_read_takes_the_place_of_its_kind_alone_or_joins_it(put):
    loaded = import_places([put(USERS)], [put(SITES, "s")]).over(NO_PLACES)
    new = import_places(
        [put("city,country,latitude,longitude,users\nOslo,NO,59.9,10.7,8\nRome,IT,42,12,9\n")]
    )
    assert [(city.city, city.users) for city in new.over(loaded).cities] == [("Rome", 9), ("Oslo", 8)]
    assert new.over(loaded).sites == loaded.sites
    bergen = import_places([put("city,country,latitude,longitude,users\nBergen,NO,60.4,5.3,2\n")])
    assert [city.city for city in bergen.over(loaded, adding=True).cities] == ["Oslo", "Bergen"]
    assert import_places().over(loaded) is loaded


def test_a_file_without_a_column_is_refused_and_the_others_go_on(put):
    read = import_places([put("city,users\nOslo,5\n", "bad"), put(USERS, "good")])
    assert len(read.cities) == 1
    (fault,) = read.refused
    assert fault.code == "missing_column" and "latitude, longitude" in str(fault.what)
    assert [file.rows_read for file in read.intake] == [0, 1]


def test_a_file_of_another_kind_says_how_to_give_it(put):
    (fault,) = import_places(sites=[put(USERS)]).refused
    assert "--users" in str(fault.remedy) and "--sites" not in str(fault)


def test_a_file_that_is_not_there_is_an_error():
    with pytest.raises(PlannerError, match="file_missing"):
        import_places(["/nowhere/users.csv"])


def test_the_carbon_of_grids_says_how_many_regions_and_how_far_apart(put):
    """Five rows, two of one region: one without a region's name, one whose carbon is below nothing."""
    text = (
        "region,gco2_per_kwh,carbon_free_share\neu-1,100,0.9\neu-1,300.5,0.25\nno-2,20,\n,5,\nus-2,-1,0.1\n"
    )
    (file,) = check_file(put(text))
    assert (file.rows_read, file.rows_accepted, [one.code for one in file.issues]) == (5, 4, ["bad_number"])
    assert dict(file.facts) == {
        "regions": 3,
        "lowest_gco2_per_kwh": 5.0,
        "highest_gco2_per_kwh": 300.5,
        "lowest_carbon_free_share": 0.25,
        "highest_carbon_free_share": 0.9,
    }


BY_HAND = (
    "City;Country;{users};Lat;Lng\nAmsterdam;Netherlands;41.200;52,37;4,90\nBergen;Norway;900;60,39;5,32\n"
)


@pytest.mark.parametrize("heading", ["Users", "Monthly active users", "Number of users", "MAU"])
def test_one_cell_proves_how_all_numbers_of_a_file_are_written(put, heading):
    """52,37 has a decimal comma, so 41.200 is 41,200: 42,100 users."""
    read = import_places([put(BY_HAND.format(users=heading))], refuses_unread=True)
    assert [city.users for city in read.cities or ()] == [41_200, 900] and not read.refused


def test_users_without_a_proof_are_read_in_the_style_in_which_they_are_whole(put):
    text = "city,latitude,longitude,users\nOslo,59,10,{}\nRome,41,12,{}\n"
    read = import_places([put(text.format("41.200", "9.000"))])
    assert [city.users for city in read.cities or ()] == [41_200, 9_000]
    halves = import_places([put(text.format("41.2", "9.5"))]).intake[0]
    assert (halves.rows_rejected, [issue.code for issue in halves.issues]) == (2, ["bad_number"])


def test_users_and_sites_are_mapped_by_their_fields(put):
    users = put("Town,Latitude,Longitude,Heads\nOslo,59.9,10.7,5\n", "users.csv")
    sites = put("Place,Latitude,Longitude,Cost\neu,50.1,8.7,100\n", "sites.csv")
    mappings = {"users": "+users=Heads", "sites": "+site_id=Place,usd_per_month=Cost,current==yes"}
    read = import_places([users], [sites], mappings=mappings, refuses_unread=True)
    assert [(city.city, city.users) for city in read.cities or ()] == [("Oslo", 5)]
    assert [(site.site_id, site.usd_per_month, site.is_current) for site in read.sites or ()] == [
        ("eu", 100, True)
    ]
    assert [fault.code for fault in import_places([users], mappings={"users": "+users=Head"}).refused] == [
        "missing_column"
    ]


def test_a_column_of_sites_that_may_change_the_result_is_a_question(put):
    sites = put("site_id,latitude,longitude,Yearly fee,Color\neu,50.1,8.7,100,red\nus,40.1,-8.7,200,blue\n")
    assert [fault.code for fault in import_places((), [sites], refuses_unread=True).refused] == [
        "column_unread"
    ]
    read = import_places((), [sites], mappings={"sites": "+-=Yearly fee"}, refuses_unread=True)
    assert {issue.code for issue in read.intake[0].issues} == {"no_site_price", "unknown_column"}


def test_sites_by_hand_are_read_by_what_their_headings_mean(put):
    """9.000 beside 52,37 is $9,000 a month."""
    text = (
        "Site;City;Country;Lat;Lng;Monthly cost USD;In use\n"
        "tern;Amsterdam;Netherlands;52,37;4,9;9.000;yes\nlark;Frankfurt;Germany;50,11;8,68;6000;no\n"
    )
    sites = import_places((), [put(text)], refuses_unread=True).sites or ()
    assert [(site.site_id, site.usd_per_month, site.is_current) for site in sites] == [
        ("tern", 9000, True),
        ("lark", 6000, False),
    ]
