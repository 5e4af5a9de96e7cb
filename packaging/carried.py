"""What a build carries besides the program: icons in all sizes, the text of every licence, a bill of materials.

Run by build.py with the interpreter of the environment that is frozen: what is installed there is what is carried.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

import system_packages

HERE = Path(__file__).resolve().parent
TOOLS = frozenset(
    line.split("==")[0]
    for line in (HERE / "locked-build.txt").read_text(encoding="utf-8").splitlines()
    if "==" in line
) - {"colorama"} | {"pip", "wheel"}
"""What builds and is not carried: all that is locked for it, but what pyqtgraph needs too."""
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)


def icons(folder: Path) -> None:
    """PNG of each size, and all of them as .ico and .icns, drawn from the one picture."""
    from PIL import Image
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    folder.mkdir(parents=True, exist_ok=True)
    _application = QGuiApplication.instance() or QGuiApplication(sys.argv[:1])
    renderer = QSvgRenderer(str(HERE / "icons" / "gpuplanner.svg"))
    for pixels in SIZES:
        image = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        painter = QPainter(image)
        renderer.render(painter, QRectF(0, 0, pixels, pixels))
        painter.end()
        if not image.save(str(folder / f"{pixels}.png")):
            raise SystemExit(f"could not write {folder / f'{pixels}.png'}")
    largest = Image.open(folder / "1024.png")
    largest.save(folder / "gpuplanner.ico", sizes=[(one, one) for one in SIZES if one <= 256])
    largest.save(folder / "gpuplanner.icns")


def carried() -> list[Distribution]:
    """What is installed beside the tools, by name."""
    found = {one.metadata["Name"].lower().replace("_", "-"): one for one in distributions()}
    return [found[name] for name in sorted(found) if name not in TOOLS]


def licences(folder: Path) -> None:
    """The texts that each part brings, those of Qt and of Python, and sbom.cdx.json."""
    texts = folder / "licences"
    shutil.rmtree(texts, ignore_errors=True)
    shutil.copytree(HERE / "licences", texts)
    shutil.copyfile(HERE / "licences.md", texts / "licences.md")
    shutil.copyfile(HERE.parent / "LICENSE", folder / "LICENSE")
    for one in carried():
        files = [path for path in one.files or () if _is_licence(path.parts)]
        place = texts / f"{one.metadata['Name']}-{one.version}"
        for path in files:
            inside = (
                path.parts[path.parts.index("licenses") + 1 :] if "licenses" in path.parts else (path.name,)
            )
            place.joinpath(*inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(one.locate_file(path), place.joinpath(*inside))
        if not files:
            place.mkdir(parents=True)
            said = f"{_licence(one)}\n\nIts wheel brings no text of it; its home is {_home(one)}\n"
            (place / "NOTICE.txt").write_text(said, encoding="utf-8")
    of_python = [Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt"]
    found = next((path for path in of_python if path.is_file()), None)
    (texts / "Python.txt").write_text(
        found.read_text(encoding="utf-8") if found else "https://docs.python.org/3/license.html\n",
        encoding="utf-8",
    )
    system = of_system(folder)
    for package in system:
        text = system_packages.licence_of(package).read_text(encoding="utf-8")
        (texts / "system").mkdir(exist_ok=True)
        (texts / "system" / f"{package}.txt").write_text(text, encoding="utf-8")
        for common in set(re.findall(r"/usr/share/common-licenses/[\w.-]*\w", text)):
            shutil.copyfile(common, texts / "system" / Path(common).name)
    bill = json.dumps(materials(system), indent=1, ensure_ascii=False)
    (folder / "sbom.cdx.json").write_text(bill + "\n", encoding="utf-8")


def of_system(folder: Path) -> dict[str, str]:
    """Debian packages of the building machine whose libraries lie in the folder, with their versions."""
    libraries = [path.name for path in folder.glob("_internal/lib*.so*") if not path.is_symlink()]
    ask = ["dpkg-query", "-S", *(f"/*lib/*/{name}" for name in libraries)]
    is_there = bool(libraries) and shutil.which("dpkg-query") is not None
    said = subprocess.run(ask, capture_output=True, text=True, check=False).stdout if is_there else ""
    if lost := [name for name in libraries if f"/{name}\n" not in said]:
        print(
            f"carried.py: add their licences by hand, no package of this machine has {', '.join(sorted(lost))}"
        )
    packages = {line.partition(":")[0] for line in said.splitlines()}
    show = ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *sorted(packages)]
    versions = subprocess.run(show, capture_output=True, text=True, check=True).stdout if packages else ""
    return dict(line.split() for line in versions.splitlines())


def _is_licence(parts: tuple[str, ...]) -> bool:
    """Whether a file of a wheel is about its licence: in the folder of its metadata."""
    words = ("licen", "copying", "notice", "authors")
    return ".dist-info" in parts[0] and (
        "licenses" in parts[1:-1] or any(parts[-1].lower().startswith(word) for word in words)
    )


def _licence(one: Distribution) -> str:
    """As the package states it."""
    said = one.metadata.get("License-Expression") or one.metadata.get("License") or ""
    classifiers = [line for line in one.metadata.get_all("Classifier") or () if line.startswith("License")]
    return said.splitlines()[0] if said else "; ".join(line.rpartition(":: ")[2] for line in classifiers)


def _home(one: Distribution) -> str:
    """Where it comes from, as it states that."""
    links = one.metadata.get_all("Project-URL") or ()
    return one.metadata.get("Home-page") or (links[0].rpartition(", ")[2] if links else "not stated")


def materials(system: Mapping[str, str]) -> dict[str, object]:
    """The bill of materials, CycloneDX 1.6: all packages that are carried, those of the system too, and the Python."""
    python = platform.python_version()
    parts = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{one.metadata['Name'].lower()}@{one.version}",
            "name": one.metadata["Name"],
            "version": one.version,
            "purl": f"pkg:pypi/{one.metadata['Name'].lower()}@{one.version}",
            "licenses": [{"license": {"name": _licence(one) or "not stated"}}],
        }
        for one in carried()
        if one.metadata["Name"] != "gpuplanner"
    ]
    parts += [
        {
            "type": "library",
            "bom-ref": f"pkg:deb/{name}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:deb/debian/{name}@{version}",
            "licenses": [{"license": {"name": f"licences/system/{name}.txt"}}],
        }
        for name, version in system.items()
    ]
    parts.append(
        {
            "type": "platform",
            "bom-ref": "python",
            "name": "CPython",
            "version": python,
            "licenses": [{"license": {"id": "PSF-2.0"}}],
        }
    )
    ours = next(one for one in carried() if one.metadata["Name"] == "gpuplanner")
    about = {
        "type": "application",
        "bom-ref": "gpuplanner",
        "name": "gpuplanner",
        "version": ours.version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": about},
        "components": parts,
        "dependencies": [{"ref": "gpuplanner", "dependsOn": [part["bom-ref"] for part in parts]}],
    }


if __name__ == "__main__":
    {"icons": icons, "licences": licences}[sys.argv[1]](Path(sys.argv[2]))
