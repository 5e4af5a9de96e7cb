"""Builds what is installed: wheel and sdist, a folder that needs no Python, .deb and AppImage; and checks each.

python3 packaging/build.py wheel            sdist and wheel in dist/, installed and checked in an empty environment
python3 packaging/build.py freeze           dist/gpuplanner: the program and all that it needs, checked
python3 packaging/build.py deb              dist/gpuplanner_VERSION_ARCH.deb of that folder, unpacked and checked
python3 packaging/build.py appimage         dist/gpuplanner-VERSION-ARCH.AppImage of it, started
python3 packaging/build.py start            how long the folder takes to start, beside the installed package
python3 packaging/build.py lock             packaging/locked*.txt: what a build takes, with the hash of each file
python3 packaging/build.py vulnerabilities  whether what is locked is known to be unsafe

Exit status: 0 all well; 1 a check failed; 2 usage; 3 a step failed; 4 something is missing that only the person at the
machine can bring, and for `vulnerabilities` that it could not look.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import pyexpat
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import system_packages
from dev import ROOT, DevError, call, program, provide

HERE, WORK, DIST = ROOT / "packaging", ROOT / "build", ROOT / "dist"
TOOLS, BARE, TAKEN = WORK / "tools", WORK / "bare", WORK / "taken"
"""Environments: with what builds; with the wheel alone; with exactly what is locked, of which the folder is made."""
LOCKS = {"locked.txt": "pyproject.toml", "locked-build.txt": "packaging/build.in"}
FOLDER = DIST / "gpuplanner"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
NO_DISPLAY = {"QT_QPA_PLATFORM": "offscreen"}
MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
MISSING = 4


def step(what: str, command: Sequence[str | Path], **environment: str) -> None:
    """One command; without it there is no going on."""
    print(f"--- {what}", flush=True)
    if status := call([str(word) for word in command], {**os.environ, **environment}):
        raise DevError(f"build.py: could not {what} (status {status}); its own message is above", 3)


def python_of(environment: Path) -> Path:
    """The interpreter of an environment."""
    return environment / ("Scripts" if os.name == "nt" else "bin") / program("python")


def made(environment: Path, *packages: str | Path, anew: bool = False) -> Path:
    """An environment with packages, by the machine's own pip settings; its interpreter."""
    if anew:
        shutil.rmtree(environment, ignore_errors=True)
    if not python_of(environment).exists():
        step(f"make {environment.name}", [sys.executable, "-m", "venv", environment])
    if packages:
        pip = (python_of(environment), "-m", "pip", "install", "-qq", "--disable-pip-version-check")
        step(f"install into {environment.name}", [*pip, *packages], PIP_USER="0")
    return python_of(environment)


def version() -> str:
    """Ours, as the package says it."""
    said = (ROOT / "gpuplanner" / "version.py").read_text(encoding="utf-8")
    return said.rpartition("__version__ = ")[2].strip().strip('"')


def built(suffix: str) -> Path:
    """The wheel or sdist of this version. Errors: DevError where there is none yet."""
    found = sorted(DIST.glob(f"gpuplanner-{version()}*{suffix}"))
    if not found:
        raise DevError(f"build.py: no {suffix} in dist; run `python3 packaging/build.py wheel` first", 3)
    return found[-1]


# --- Wheel and sdist -------------------------------------------------------------------------


def wheel() -> int:
    """Both, and the wheel in an empty environment: its self-test, its window, its import, with nothing of the clone."""
    tools = made(TOOLS, "--require-hashes", "-r", HERE / "locked-build.txt")
    step("build", [tools, "-m", "build", "--no-isolation", "--outdir", DIST, ROOT])
    with tarfile.open(built(".tar.gz")) as packed:
        names = set(packed.getnames())
    needed = (
        "gpuplanner/py.typed",
        "resources/offers.csv",
        "packaging/locked.txt",
        "packaging/licences/QT.txt",
    )
    lost = [name for name in needed if f"gpuplanner-{version()}/{name}" not in names]
    if lost:
        raise DevError(f"build.py: the sdist lacks {', '.join(lost)}", 1)
    bare = made(BARE, built(".whl"), anew=True)
    return checked([bare, "-m", "gpuplanner"], (bare, "-c", "import gpuplanner; gpuplanner.read"))


def checked(gpuplanner: Sequence[str | Path], *others: Sequence[str | Path]) -> int:
    """Whether a built program works: its self-test, the demo, a plan of it, its window drawn; 1 where one fails."""
    room = WORK / "room"
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    places = {"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "settings", "XDG_CACHE_HOME": "cache"}
    own = {name: str(room / folder) for name, folder in places.items()} | {"PYTHONPATH": ""}
    picture, demo = room / "window.png", room / "demo" / "demo.gpuplan"
    tables = ("--csv", room / "csv", "--parquet", room / "parquet")
    calls = (
        ("self-test", (*gpuplanner, "self-test")),
        ("demo", (*gpuplanner, "demo", room / "demo")),
        ("plan", (*gpuplanner, "plan", demo, *tables)),
        ("brief", (*gpuplanner, "export", demo, "--brief", room / "brief.pdf")),
        ("window", (*gpuplanner, demo, "--screenshot", picture)),
        *(("import", other) for other in others),
    )
    failed = []
    for name, words in calls:
        begin = time.monotonic()
        done = subprocess.run(
            [str(word) for word in words],
            cwd=room,
            env={**os.environ, **own, **NO_DISPLAY},
            capture_output=True,
            text=True,
            check=False,
        )
        print(
            f"{name:10} {'ok' if done.returncode == 0 else 'FAILED'}  {time.monotonic() - begin:6.1f} s",
            flush=True,
        )
        if name == "self-test" or done.returncode:
            print(done.stdout, done.stderr, sep="")
        failed += [name] if done.returncode else []
    if not failed and picture.stat().st_size < 50_000:
        print(f"window     FAILED: its picture has {picture.stat().st_size:,} bytes, as an empty one")
        failed.append("window")
    return 1 if failed else 0


# --- The folder that needs no Python ---------------------------------------------------------


SAFE: Final = {(3, 11): (3, 11, 14), (3, 12): (3, 12, 12), (3, 13): (3, 13, 11), (3, 14): (3, 14, 2)}
"""The last security release of each line of Python, December 2025 (python.org/downloads); look up before a release."""


def interpreter(version: tuple[int, int, int]) -> tuple[str, bool]:
    """The interpreter and its XML parser in words, and whether it is no older than the last security release."""
    least = SAFE.get(version[:2])
    is_safe = least is not None and version >= least
    named = f"Python {'.'.join(map(str, version))}, {pyexpat.EXPAT_VERSION.replace('_', ' ')}"
    newer = "a line that has security releases" if least is None else ".".join(map(str, least))
    return (named if is_safe else f"{named}: older than its last security release; take {newer}"), is_safe


def freeze() -> int:
    """The folder, by PyInstaller, of exactly what is locked; with licences and a bill of materials; checked.

    The interpreter goes with it: one with known faults is refused.
    """
    named, is_safe = interpreter(sys.version_info[:3])
    if not is_safe:
        raise DevError(f"build.py: freeze: {named}", MISSING)
    locked = [word for name in LOCKS for word in ("-r", HERE / name)]
    made(TAKEN, "--require-hashes", *locked, anew=True)
    taken = made(TAKEN, "--no-deps", built(".whl"))
    icons = WORK / "icons"
    step("draw icons", [taken, HERE / "carried.py", "icons", icons], **NO_DISPLAY)
    # By a safe path: in the clone, its own package would be frozen in place of the wheel.
    words = ("--noconfirm", "--log-level", "WARN", "--distpath", DIST, "--workpath", WORK / "frozen")
    step(
        "freeze",
        [taken, "-m", "PyInstaller", *words, HERE / "gpuplanner.spec"],
        GPUPLANNER_ICONS=str(icons),
        PYTHONPATH="",
        PYTHONSAFEPATH="1",
    )
    carried = FOLDER if sys.platform != "darwin" else DIST / "gpuplanner.app" / "Contents" / "Resources"
    step("write licences", [taken, HERE / "carried.py", "licences", carried])
    print(f"{FOLDER}: {size(FOLDER) / 1e6:,.0f} MB")
    return checked([frozen_program()])


def frozen_program() -> Path:
    """The program in the folder. Errors: DevError where there is none yet."""
    path = FOLDER / program("gpuplanner")
    if not path.exists():
        raise DevError("build.py: no folder in dist; run `python3 packaging/build.py freeze` first", 3)
    return path


def size(folder: Path) -> int:
    """Bytes of all files of a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def start() -> int:
    """Time from the call to the end of three calls, of the folder and of the package it was made of: ten of each."""
    ways = {"frozen": [frozen_program()], "source": [python_of(TAKEN), "-m", "gpuplanner"]}
    own = {"PYTHONPATH": "", "PYTHONSAFEPATH": "1", "XDG_DATA_HOME": str(WORK / "room" / "data")}
    environment = {**os.environ, **NO_DISPLAY, **own}  # by a safe path, as above: else the clone is measured
    demo = WORK / "room" / "demo" / "demo.gpuplan"
    calls = {
        "--version": ["--version"],
        "audit of the demo": ["audit", demo, "--json"],
        "window, drawn": [demo, "--screenshot", WORK / "start.png"],
    }
    for name, words in calls.items():
        said = []
        for way, begun in ways.items():
            took = []
            for _ in range(10):
                begin = time.monotonic()
                subprocess.run(
                    [str(word) for word in (*begun, *words)], env=environment, check=True, capture_output=True
                )
                took.append(time.monotonic() - begin)
            said.append(f"{way} {statistics.median(took):.2f} s ({min(took):.2f} to {max(took):.2f})")
        print(f"{name:20} {', '.join(said)}", flush=True)
    return 0


# --- Linux: one tree for .deb and AppImage -----------------------------------------------------


def tree(root: Path) -> Path:
    """The folder as it lies in a system: program, menu entry, icons, type of file, licences."""
    program_path = frozen_program()
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(FOLDER, root / "usr" / "lib" / "gpuplanner", symlinks=True)
    share, icons = root / "usr" / "share", WORK / "icons"
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / "gpuplanner").symlink_to(f"../lib/gpuplanner/{program_path.name}")
    day = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    for source, place in (
        ("gpuplanner.desktop", "applications"),
        ("gpuplanner.xml", "mime/packages"),
        ("gpuplanner.metainfo.xml", "metainfo"),
    ):
        text = (HERE / "linux" / source).read_text(encoding="utf-8")
        (share / place).mkdir(parents=True)
        (share / place / source).write_text(
            text.replace("@VERSION@", version()).replace("@DAY@", day), encoding="utf-8"
        )
    for pixels in SIZES:
        for kind, name in (
            ("apps", "gpuplanner"),
            ("mimetypes", "application-vnd.gpuplanner.project+sqlite3"),
        ):
            place = share / "icons" / "hicolor" / f"{pixels}x{pixels}" / kind
            place.mkdir(parents=True)
            shutil.copyfile(icons / f"{pixels}.png", place / f"{name}.png")
    scalable = share / "icons" / "hicolor" / "scalable" / "apps"
    scalable.mkdir(parents=True)
    shutil.copyfile(HERE / "icons" / "gpuplanner.svg", scalable / "gpuplanner.svg")
    return root


CONTROL = """Package: gpuplanner
Version: {version}
Architecture: {machine}
Maintainer: gpuplanner maintainers <maintainers@users.noreply.invalid>
Installed-Size: {kilobytes}
Section: science
Priority: optional
Depends: libc6 (>= {libc}), libegl1, libgl1, libxkbcommon0, libxkbcommon-x11-0, libdbus-1-3, libfontconfig1,
 libxcb-cursor0, libxcb-icccm4, libxcb-image0, libxcb-keysyms1, libxcb-randr0, libxcb-render-util0, libxcb-shape0,
 libxcb-xkb1
Recommends: fonts-dejavu-core | fonts-liberation, shared-mime-info, desktop-file-utils
Description: which GPUs, for which workloads, on what terms
 Reads the logs of a cluster's jobs, its contracts and offers, shows what is paid and not used, and plans which GPUs
 to commit to, how long, and from whom. Everything works without a network.
"""


def deb() -> int:
    """The package; its content is unpacked again, checked, and held against what was packed."""
    provide(system_packages.DEB)
    machine = MACHINES[platform.machine()]
    root = tree(WORK / "deb")
    (root / "DEBIAN").mkdir()
    libc = platform.libc_ver()[1]  # libraries of this machine are in the folder, and want no older one
    control = CONTROL.format(version=version(), machine=machine, libc=libc, kilobytes=size(root) // 1024)
    (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    files = sorted(path for path in (root / "usr").rglob("*") if path.is_file() and not path.is_symlink())
    sums = (f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)
    (root / "DEBIAN" / "md5sums").write_text("".join(sums), encoding="utf-8")
    documents = root / "usr" / "share" / "doc" / "gpuplanner"
    documents.mkdir(parents=True)
    shutil.copyfile(ROOT / "LICENSE", documents / "copyright")
    path = DIST / f"gpuplanner_{version()}_{machine}.deb"
    # Every dpkg that goes with that libc reads zstd. Level 9 takes half a minute; 15, seven times that for 1%.
    step("pack", ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "--build", root, path])
    unpacked = WORK / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    step("unpack", ["dpkg-deb", "-x", path, unpacked])
    print(f"{path}: {path.stat().st_size / 1e6:,.0f} MB")
    return checked([unpacked / "usr" / "bin" / "gpuplanner"])


LINKED = ("-lsquashfuse", "-lzstd", "-llzma", "-llz4", "-lz")
"""Of `system_packages.UNPACKING`, in the order in which they need each other."""


def appimage() -> int:
    """One file that runs as it is, without FUSE: our own head, which unpacks, and the folder as a squashfs image."""
    provide(system_packages.APPIMAGE)
    root = tree(WORK / "gpuplanner.AppDir")
    for name in (
        "usr/share/applications/gpuplanner.desktop",
        "usr/share/icons/hicolor/256x256/apps/gpuplanner.png",
    ):
        (root / Path(name).name).symlink_to(name)
    (root / ".DirIcon").symlink_to("gpuplanner.png")
    begin = root / "AppRun"
    begin.write_text('#!/bin/sh\nexec "$APPDIR/usr/lib/gpuplanner/gpuplanner" "$@"\n')
    begin.chmod(0o755)
    licences = root / "usr" / "share" / "doc" / "gpuplanner"
    licences.mkdir(parents=True)
    for package in system_packages.UNPACKING:
        shutil.copyfile(system_packages.licence_of(package), licences / package)
    head, image = WORK / "appimage_runtime", WORK / "gpuplanner.squashfs"
    source = HERE / "linux" / "appimage_runtime.c"
    words = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", f'-DRELEASE="{version()}"', "-o", head, source]
    step("compile its head", [*words, "-Wl,-Bstatic", *LINKED, "-Wl,-Bdynamic"])
    step(
        "pack",
        ["mksquashfs", root, image, "-comp", "zstd", "-all-root", "-noappend", "-quiet", "-no-progress"],
    )
    begun = bytearray(head.read_bytes())
    begun[8:11] = b"AI\x02"  # what tells an AppImage of type 2 from other programs
    path = DIST / f"gpuplanner-{version()}-{platform.machine()}.AppImage"
    with path.open("wb") as file, image.open("rb") as packed:
        file.write(begun)
        shutil.copyfileobj(packed, file)
    path.chmod(0o755)
    print(f"{path}: {path.stat().st_size / 1e6:,.0f} MB")
    return checked([path], (path, "--appimage-version"))


# --- What a build takes ------------------------------------------------------------------------


def lock() -> int:
    """The newest of each that the bounds and packaging/known_good.txt allow, for all three systems, with hashes."""
    uv = made(WORK / "uv", "uv")
    for name, source in LOCKS.items():
        words = (
            "pip",
            "compile",
            ROOT / source,
            "--universal",
            "--python-version",
            "3.11",
            "--generate-hashes",
        )
        quiet = ("--quiet", "--no-header", "--no-annotate", "--constraint", HERE / "known_good.txt")
        step(f"lock {name}", [uv, "-m", "uv", *words, *quiet, "-o", HERE / name])
    return 0


def vulnerabilities() -> int:
    """Whether advisories are known of what is locked: 0 none, 1 some, 4 where nobody could be asked."""
    named, is_safe = interpreter(sys.version_info[:3])
    print(named)
    audit = made(WORK / "audit", "pip-audit")
    words = ("--disable-pip", "--progress-spinner", "off", "-f", "json", "-r", HERE / "locked.txt")
    done = subprocess.run(
        [str(audit), "-m", "pip_audit", *map(str, words)], capture_output=True, text=True, check=False
    )
    try:
        parts = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        why = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise DevError(f"build.py: vulnerabilities: could not look: {why}", MISSING) from None
    for part in parts:
        for one in part.get("vulns", ()):
            mended = ", ".join(one.get("fix_versions", ())) or "no version yet"
            print(f"{part['name']} {part.get('version')}: {one['id']}; mended in {mended}")
    if not is_safe or any(part.get("vulns") for part in parts):
        return 1
    passed_over = [part["name"] for part in parts if "vulns" not in part]
    if passed_over or not parts:
        names = f"{len(passed_over)} of {len(parts)} packages: {', '.join(passed_over)}"
        raise DevError(f"build.py: vulnerabilities: could not look: nothing was said of {names}", MISSING)
    print(f"no advisory is known of the {len(parts)} packages that are locked")
    return 0


COMMANDS = {one.__name__: one for one in (wheel, freeze, deb, appimage, start, lock, vulnerabilities)}


def main(words: Sequence[str]) -> int:
    """Do what the words name, one after the other; the status of the first that fails."""
    try:
        if not words or not set(words) <= set(COMMANDS):
            usage = (__doc__ or "").partition("\n\n")[2].partition("\n\nExit")[0]
            raise DevError(f"build.py: usage:\n{usage}", 2)
        DIST.mkdir(exist_ok=True)
        WORK.mkdir(exist_ok=True)
        return next((status for word in words if (status := COMMANDS[word]())), 0)
    except DevError as reason:
        print(reason, file=sys.stderr)
        return reason.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
