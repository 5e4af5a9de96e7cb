"""What the machine needs besides Python, on Linux: what of it is missing, and the command that brings it."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


@dataclass(frozen=True, kw_only=True)
class Need:
    """Something that no Python package brings."""

    name: str
    deb: str  # Debian's and Ubuntu's package
    rpm: str  # what dnf and zypper find it by
    is_there: Callable[[], bool]
    is_optional: bool = False  # without it some tests are skipped


def _can_load(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_font() -> bool:
    folders = (Path(folder).expanduser() for folder in FONT_FOLDERS)
    return any(
        True for folder in folders for kind in ("ttf", "otf", "ttc") for _ in folder.rglob(f"*.{kind}")
    )


def _library(soname: str, deb: str) -> Need:
    return Need(name=soname, deb=deb, rpm=f"{soname}()(64bit)", is_there=lambda: _can_load(soname))


def _tool(program: str, deb: str) -> Need:
    return Need(
        name=program, deb=deb, rpm=f"/usr/bin/{program}", is_there=lambda: shutil.which(program) is not None
    )


def _test_tool(program: str, deb: str) -> Need:
    return replace(_tool(program, deb), is_optional=True)


def licence_of(deb: str) -> Path:
    """Where Debian and its kin lay the licence of a package."""
    return Path("/usr/share/doc", deb, "copyright")


VENV = Need(
    name="the venv module of Python",
    deb=f"python3.{sys.version_info.minor}-venv",  # Debian splits it off
    rpm="python3-pip",
    is_there=lambda: importlib.util.find_spec("ensurepip") is not None,
)
WINDOW = (  # what the wheel of Qt links to and does not carry
    _library("libEGL.so.1", "libegl1"),
    _library("libGL.so.1", "libgl1"),
    _library("libX11-xcb.so.1", "libx11-xcb1"),
    _library("libdbus-1.so.3", "libdbus-1-3"),
    _library("libfontconfig.so.1", "libfontconfig1"),
    _library("libglib-2.0.so.0", "libglib2.0-0"),
    _library("libxcb-cursor.so.0", "libxcb-cursor0"),
    _library("libxcb-icccm.so.4", "libxcb-icccm4"),
    _library("libxcb-image.so.0", "libxcb-image0"),
    _library("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    _library("libxcb-randr.so.0", "libxcb-randr0"),
    _library("libxcb-render-util.so.0", "libxcb-render-util0"),
    _library("libxcb-shape.so.0", "libxcb-shape0"),
    _library("libxcb-shm.so.0", "libxcb-shm0"),
    _library("libxcb-sync.so.1", "libxcb-sync1"),
    _library("libxcb-xfixes.so.0", "libxcb-xfixes0"),
    _library("libxcb-xkb.so.1", "libxcb-xkb1"),
    _library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    _library("libxkbcommon.so.0", "libxkbcommon0"),
    Need(name="a font", deb="fonts-dejavu-core", rpm="dejavu-sans-fonts", is_there=_has_font),
)
TESTS = (
    _test_tool("Xvfb", "xvfb"),  # a display for the tests of the window
    _test_tool("xdotool", "xdotool"),  # a real drag with the mouse
    _test_tool("soffice", "libreoffice-calc"),  # a real recalculation of the workbook
)

LONG_TESTS = (
    _test_tool("java", "default-jre-headless"),  # Spark runs on it
)

DEB = (_tool("dpkg-deb", "dpkg"),)
UNPACKING = ("libsquashfuse-dev", "libzstd-dev", "liblzma-dev", "liblz4-dev", "zlib1g-dev")
"""Libraries of the AppImage's head, inside it, with their licences: what reads images, and what that unpacks by."""
APPIMAGE = (
    _tool("gcc", "gcc"),
    _tool("mksquashfs", "squashfs-tools"),
    *(Need(name=deb, deb=deb, rpm=deb, is_there=licence_of(deb).exists) for deb in UNPACKING),
)


def missing(needs: Sequence[Need]) -> list[Need]:
    """Those of the needs that this machine does not meet. None, off Linux: there Qt's wheel has all it needs."""
    if not sys.platform.startswith("linux"):
        return []
    return [need for need in needs if not need.is_there()]


def command_to_type(needs: Sequence[Need], which: Callable[[str], str | None] = shutil.which) -> str:
    """The one command with which the person at the machine gets these."""
    for tool in ("dnf", "zypper"):
        if which(tool):
            return f"sudo {tool} install {shlex.join(need.rpm for need in needs)}"
    if which("apt-get"):
        packages = " ".join(need.deb for need in needs)
        return f"sudo apt-get update && sudo apt-get install --no-install-recommends {packages}"
    return f"install with your package manager what brings: {', '.join(need.name for need in needs)}"


def way_to_apt(
    user_id: int, which: Callable[[str], str | None], may_sudo: Callable[[], bool]
) -> list[str] | None:
    """What goes before apt-get's arguments so that it may install; None where it may not, or is not there."""
    if not which("apt-get"):
        return None
    quiet_apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    if user_id == 0:
        return quiet_apt
    return ["sudo", "-n", *quiet_apt] if which("sudo") and may_sudo() else None


def install(needs: Sequence[Need]) -> list[Need]:
    """Install by apt what this user may install; returns what is missing still."""
    apt = way_to_apt(os.getuid(), shutil.which, _may_sudo)
    if apt is None:
        return list(needs)
    required = [need for need in needs if not need.is_optional]
    print(f"Installing by apt: {' '.join(need.deb for need in needs)}", flush=True)
    # A new machine may have no lists yet. One dead source need not stop the rest.
    _run_showing_failure([*apt, "update"])
    if not _apt_install(apt, needs) and 0 < len(required) < len(needs):
        _apt_install(apt, required)
    importlib.invalidate_caches()
    return missing(needs)


def _apt_install(apt: Sequence[str], needs: Sequence[Need]) -> bool:
    packages = [need.deb for need in needs]
    return _run_showing_failure([*apt, "install", "-y", "--no-install-recommends", *packages])


def _may_sudo() -> bool:
    return subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0


def _run_showing_failure(command: Sequence[str]) -> bool:
    """Run quietly; what it said is shown only if it failed."""
    with tempfile.TemporaryFile() as said:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False)
        if status.returncode:
            said.seek(0)
            sys.stderr.write(said.read().decode(errors="replace"))
    return status.returncode == 0
