"""What builds take and carry: locks, licences, icons, what a desktop is told; the wheel itself in the long run."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from configparser import ConfigParser
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import gpuplanner

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MIME = "application/vnd.gpuplanner.project+sqlite3"


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A script of packaging as a module: by its path, for it is no part of the package."""
    monkeypatch.syspath_prepend(str(PACKAGING))
    spec = importlib.util.spec_from_file_location(f"gpuplanner_{name}", PACKAGING / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def locked(name: str) -> dict[str, Version]:
    """Packages of a lock, by name."""
    found = re.findall(r"^([a-z0-9.-]+)==(\S+)", (PACKAGING / name).read_text(encoding="utf-8"), re.MULTILINE)
    return {package: Version(version) for package, version in found}


@pytest.mark.parametrize("name", ["locked.txt", "locked-build.txt"])
def test_every_locked_package_has_hashes(name: str) -> None:
    text = (PACKAGING / name).read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 10
    for entry in entries:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.splitlines()[0]
    assert "://" not in text  # where packages come from is the machine's affair


def test_what_is_locked_is_what_we_depend_on() -> None:
    versions = locked("locked.txt")
    for said in PROJECT["dependencies"]:
        wanted = Requirement(said)
        assert versions[wanted.name.lower()] in wanted.specifier, said
    build = [line for line in (PACKAGING / "build.in").read_text().splitlines() if not line.startswith("#")]
    for said in build:
        wanted = Requirement(said)
        assert locked("locked-build.txt")[wanted.name] in wanted.specifier, said


def test_the_licence_of_all_that_is_carried_is_listed() -> None:
    listed = (PACKAGING / "licences.md").read_text(encoding="utf-8").lower().replace("_", "-")
    assert [name for name in locked("locked.txt") if name not in listed] == []
    for name in ("LGPL-3.0.txt", "GPL-3.0.txt", "QT.txt"):
        assert (PACKAGING / "licences" / name).stat().st_size > 1000


def test_the_version_is_one() -> None:
    assert PROJECT["version"] == gpuplanner.__version__


def test_a_desktop_is_told_of_the_program_and_its_files() -> None:
    entry = ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment, method-assign]
    entry.read(PACKAGING / "linux" / "gpuplanner.desktop", encoding="utf-8")
    said = entry["Desktop Entry"]
    assert said["Exec"] == "gpuplanner %f" and said["MimeType"] == f"{MIME};" and said["Icon"] == "gpuplanner"
    names = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    (kind,) = ET.parse(PACKAGING / "linux" / "gpuplanner.xml").getroot().findall("m:mime-type", names)
    glob = kind.find("m:glob", names)
    assert kind.get("type") == MIME and glob is not None and glob.get("pattern") == "*.gpuplan"
    component = ET.parse(PACKAGING / "linux" / "gpuplanner.metainfo.xml").getroot()
    assert component.findtext("launchable") == "gpuplanner.desktop"
    assert MIME in (PACKAGING / "windows" / "gpuplanner.iss").read_text(encoding="utf-8")


def test_the_deb_depends_on_what_the_window_needs_and_on_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build = script("build", monkeypatch)
    depends = re.search(r"^Depends: (.*?)^Recommends", build.CONTROL, re.MULTILINE | re.DOTALL)
    assert depends is not None
    libc, *others = [one.strip() for one in depends[1].split(",")]
    assert libc == "libc6 (>= {libc})"
    assert set(others) <= {one.deb for one in build.system_packages.WINDOW}


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="no dpkg-deb here")
def test_the_deb_is_packed_in_seconds_and_holds_the_sums_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = script("build", monkeypatch)
    for name in ("DIST", "WORK"):
        (tmp_path / name).mkdir()
        monkeypatch.setattr(build, name, tmp_path / name)
    monkeypatch.setattr(build, "provide", lambda needs: None)
    monkeypatch.setattr(build.platform, "machine", lambda: "x86_64")

    def tree(root: Path) -> Path:
        (root / "usr" / "bin").mkdir(parents=True)
        (root / "usr" / "bin" / "gpuplanner").write_text("a program\n", encoding="utf-8")
        return root

    monkeypatch.setattr(build, "tree", tree)
    monkeypatch.setattr(build, "checked", lambda words: 0 if words[0].read_text() == "a program\n" else 1)
    assert build.main(["deb"]) == 0
    (packed,) = (tmp_path / "DIST").glob("gpuplanner_*_amd64.deb")
    assert b"data.tar.zst" in packed.read_bytes()  # xz takes ten minutes for the whole folder
    sums = (tmp_path / "WORK" / "deb" / "DEBIAN" / "md5sums").read_text(encoding="utf-8")
    assert sums.endswith("  usr/bin/gpuplanner\n")


@pytest.mark.long
def test_icons_have_all_sizes(tmp_path: Path) -> None:
    from PIL import Image

    own = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, PACKAGING / "carried.py", "icons", tmp_path], check=True, env=own)
    for pixels in (16, 22, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024):
        with Image.open(tmp_path / f"{pixels}.png") as picture:
            assert picture.size == (pixels, pixels)
            colours = picture.convert("RGBA").getcolors(pixels * pixels)
            assert colours is not None and len(colours) > 3  # something is drawn
    with Image.open(tmp_path / "gpuplanner.ico") as picture:
        assert {(16, 16), (256, 256)} <= set(picture.info["sizes"])
    assert (tmp_path / "gpuplanner.icns").read_bytes()[:4] == b"icns"


def test_a_build_carries_licences_and_a_bill_of_materials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried = script("carried", monkeypatch)
    carried.licences(tmp_path)
    bill = json.loads((tmp_path / "sbom.cdx.json").read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "gpuplanner")
    parts = {part["name"].lower().replace("_", "-"): part for part in bill["components"]}
    assert {"numpy", "duckdb", "pyside6-essentials", "pandas", "cpython"} <= set(parts)
    assert "pyinstaller" not in parts and parts["duckdb"]["purl"].startswith("pkg:pypi/duckdb@")
    assert all(part["licenses"][0]["license"] for part in parts.values())
    texts = tmp_path / "licences"
    assert "Lesser" in (texts / "LGPL-3.0.txt").read_text() and "replace" in (texts / "QT.txt").read_text()
    for name, part in parts.items():
        if name != "cpython":
            assert any((texts / f"{part['name']}-{part['version']}").iterdir()), name


def test_libraries_of_the_building_machine_are_in_the_bill_with_their_licences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    carried = script("carried", monkeypatch)
    (tmp_path / "_internal").mkdir()
    for name in ("libone.so.1", "libtwo.so.2"):
        (tmp_path / "_internal" / name).write_bytes(b"")
    (tmp_path / "_internal" / "libwheel.so").symlink_to("wheel.libs/libwheel.so")
    copyright = tmp_path / "copyright"
    copyright.write_text("LGPL-2.1+, and GPL-3 for the tools\n", encoding="utf-8")
    monkeypatch.setattr(carried.system_packages, "licence_of", lambda _: copyright)
    monkeypatch.setattr(carried.shutil, "which", str)
    asked: list[list[str]] = []

    def answer(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(words)
        found = "libone1:amd64: /usr/lib/x/libone.so.1\nlibone1:amd64: /lib/x/libone.so.1\n"
        return subprocess.CompletedProcess(words, 1, found if "-S" in words else "libone1 1.2-3\n")

    monkeypatch.setattr(carried.subprocess, "run", answer)
    carried.licences(tmp_path)
    assert sorted(asked[0][2:]) == ["/*lib/*/libone.so.1", "/*lib/*/libtwo.so.2"]  # none that a wheel brought
    bill = json.loads((tmp_path / "sbom.cdx.json").read_text(encoding="utf-8"))
    (part,) = (one for one in bill["components"] if one["name"] == "libone1")
    assert part["purl"] == "pkg:deb/debian/libone1@1.2-3"
    assert (tmp_path / part["licenses"][0]["license"]["name"]).read_text().startswith("LGPL-2.1+")
    assert "libtwo.so.2\n" in capsys.readouterr().out


def test_gtk_and_what_is_under_the_gpl_are_not_frozen() -> None:
    text = (PACKAGING / "gpuplanner.spec").read_text(encoding="utf-8")
    names: dict[str, object] = {"re": re}
    exec(text[text.index("NEVER = [") : text.index("def kept")], names)
    unused, never = names["UNUSED"], names["NEVER"]
    assert isinstance(unused, re.Pattern) and isinstance(never, list) and "readline" in never
    for name in (
        "gtk-3.so.0",
        "gdk_pixbuf-2.0.so.0",
        "atk-bridge-2.0.so.0",
        "pangoft2-1.0.so.0",
        "Xext.so.6",
    ):
        assert unused.search(f"lib{name}"), name
    for name in (
        "libglib-2.0.so.0",
        "libX11.so.6",
        "libharfbuzz-fb49c9fc.so.0.61450.0",
        "PySide6/libqxcb.so",
    ):
        assert not unused.search(name), name


@pytest.mark.long
def test_what_is_portable_keeps_to_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = script("frozen", monkeypatch)
    assert (
        frozen.portable_folder(tmp_path / "gpuplanner" / "gpuplanner") == tmp_path / "gpuplanner" / "portable"
    )
    inside = tmp_path / "gpuplanner.app" / "Contents" / "MacOS" / "gpuplanner"
    assert frozen.portable_folder(inside) == tmp_path / "portable"
    code = f"""
import sys
sys.path.insert(0, {str(PACKAGING)!r})
from pathlib import Path
import frozen
frozen.keep_to(Path({str(tmp_path)!r}))
from gpuplanner.app.settings import user_settings
from gpuplanner.files.system.user_files import data_folder
print(data_folder(), user_settings()._store.fileName())
"""
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": path},
    )  # fmt: skip
    data, settings = done.stdout.split()
    assert Path(data).is_relative_to(tmp_path) and Path(settings).is_relative_to(tmp_path)


def test_a_build_says_what_it_can_do_and_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = script("build", monkeypatch)
    monkeypatch.setattr(build, "DIST", tmp_path / "dist")
    monkeypatch.setattr(build, "WORK", tmp_path / "build")
    monkeypatch.setattr(build, "FOLDER", tmp_path / "dist" / "gpuplanner")
    assert build.main([]) == 2 and build.main(["freze"]) == 2
    assert "build.py vulnerabilities" in capsys.readouterr().err
    assert build.main(["start"]) == 3
    assert "build.py freeze" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build.main(["deb"]) == 4
    assert "dpkg-deb" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "fault", "status", "words"),
    [
        (
            '{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}',
            "",
            0,
            "no advisory is known of the 1",
        ),
        (
            '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1"}]}]}',
            "",
            1,
            "a 1: X-1; mended in",
        ),
        ("", "warning\nConnectionError: no route", 4, "could not look: ConnectionError: no route"),
        (
            '{"dependencies": [{"name": "a", "vulns": []}, {"name": "b", "skip_reason": "?"}]}',
            "",
            4,
            "1 of 2 packages: b",
        ),
        ('{"dependencies": []}', "", 4, "could not look"),
    ],
)
def test_a_check_that_could_not_look_says_so(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    said: str,
    fault: str,
    status: int,
    words: str,
) -> None:
    build = script("build", monkeypatch)
    for name in ("DIST", "WORK"):
        monkeypatch.setattr(build, name, tmp_path / name)
    monkeypatch.setattr(build, "made", lambda *packages, **how: Path(sys.executable))
    done = subprocess.CompletedProcess([], 1 if status else 0, said, fault)
    monkeypatch.setattr(build.subprocess, "run", lambda *words, **how: done)
    monkeypatch.setattr(build, "SAFE", {sys.version_info[:2]: sys.version_info[:3]})
    assert build.main(["vulnerabilities"]) == status
    shown = capsys.readouterr()
    assert words in shown.out + shown.err
    assert "expat" in shown.out


def test_an_old_interpreter_is_not_frozen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = script("build", monkeypatch)
    for name in ("DIST", "WORK"):
        monkeypatch.setattr(build, name, tmp_path / name)
    assert build.interpreter((3, 11, 7))[1] is False and build.interpreter((3, 9, 30))[1] is False
    assert build.interpreter((3, 11, 14))[1] and build.interpreter((3, 13, 12))[1]
    monkeypatch.setattr(build, "SAFE", {sys.version_info[:2]: (9, 9, 9)})
    assert build.main(["freeze"]) == build.MISSING
    assert "take 9.9.9" in capsys.readouterr().err


@pytest.mark.long
def test_the_wheel_works_in_an_empty_environment() -> None:
    done = subprocess.run(
        [sys.executable, PACKAGING / "build.py", "wheel"], capture_output=True, text=True, check=False
    )
    if done.returncode == 3 and "could not install" in done.stderr:
        pytest.skip("packages cannot be had here")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok  ") >= 10


def test_what_packs_is_installed_or_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build = script("build", monkeypatch)
    monkeypatch.setattr(build.system_packages.shutil, "which", {"apt-get": "/usr/bin/apt-get"}.get)
    monkeypatch.setattr(build.system_packages, "install", lambda needs: needs)  # this user may not
    monkeypatch.setattr(build, "tree", lambda root: pytest.fail("without what packs it"))
    monkeypatch.setattr(build.system_packages.sys, "platform", "linux")
    assert build.main(["appimage"]) == 4
    said = capsys.readouterr().err
    assert "mksquashfs" in said and "apt-get install --no-install-recommends gcc squashfs-tools" in said


def test_start_measures_the_package_and_not_the_clone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    build = script("build", monkeypatch)
    monkeypatch.setattr(build, "frozen_program", lambda: tmp_path / "gpuplanner")
    monkeypatch.chdir(ROOT)
    found = []

    def run(command: list[str], *, env: dict[str, str], **_: object) -> None:
        if command[0] != str(tmp_path / "gpuplanner") and not found:  # where `-m` would look first
            ask = [sys.executable, "-c", "import sys; print(sys.path[0])"]
            found.append(original(ask, env=env, check=True, capture_output=True, text=True).stdout.strip())

    original = subprocess.run
    monkeypatch.setattr(build.subprocess, "run", run)
    assert build.start() == 0
    assert found and found[0] not in ("", str(ROOT))
