#!/usr/bin/env python3
"""Writes what `arena` and the engines for a target are made of: `dependencies.py TARGET FOLDER`.

`licences-of-dependencies.txt` has the licence texts of all crates that are linked in, which most licences require of
programs that are passed on. `sbom.cdx.json` is their list for scanners, in the form CycloneDX 1.5. Cargo knows both the
crates and their licences, so no other tool is needed; `cargo-cyclonedx` would also list what only tests and builds use.
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).parent.parent
PACKAGES = ["--package", "arena", "--package", "engines"]


def said(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def linked_crates(target: str) -> list[dict]:
    """The crates in the programs, without those that only run during the build."""
    tree = ["cargo", "tree", "--locked", *PACKAGES, "--all-features", "--target", target]
    tree += ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]
    linked = {tuple(line.split()[:2]) for line in said(*tree).splitlines() if line}
    metadata = json.loads(
        said("cargo", "metadata", "--locked", "--format-version", "1", "--all-features", "--filter-platform", target)
    )
    needs = {node["id"]: node["dependencies"] for node in metadata["resolve"]["nodes"]}
    crates = [each for each in metadata["packages"] if (each["name"], "v" + each["version"]) in linked]
    ids = {each["id"] for each in crates}
    for each in crates:
        each["needs"] = [id for id in needs[each["id"]] if id in ids]
    return sorted(crates, key=lambda each: (each["name"], each["version"]))


def licence(crate: dict) -> str:
    return crate["license"].replace("/", " OR ").replace("  ", " ")


def licence_texts(crate: dict) -> list[str]:
    folder = pathlib.Path(crate["manifest_path"]).parent
    files = [file for file in folder.rglob("*") if re.match(r"(?i)(licen[cs]e|copying|notice|unlicense)", file.name)]
    # A crate without its texts is under one of ours, and names its authors in its manifest.
    authors = "".join(f"Copyright (c) {author}\n" for author in crate["authors"])
    if not files:
        files = [ROOT / "arena" / name for name in ("LICENSE-MIT", "LICENSE-APACHE")]
        if not re.search("MIT|Apache-2.0", licence(crate)):
            sys.exit(f"{crate['name']} has no text of its licence {crate['license']}; add it here")
        files = [file for file in files if file.name[8:11].lower() in licence(crate).lower()]
        return [authors + re.sub("(?m)^Copyright .*\n", "", file.read_text()).strip() for file in files]
    return [file.read_text(errors="replace").strip() for file in sorted(files) if file.is_file()]


def write_licences(target: str, crates: list[dict], file: pathlib.Path) -> None:
    under: dict[str, list[str]] = {}
    for crate in crates:
        for text in licence_texts(crate):
            under.setdefault(text, []).append(f"{crate['name']} {crate['version']} ({licence(crate)})")
    parts = ["The programs in this archive contain these crates of others, under these licences."]
    parts += [", ".join(dict.fromkeys(names)) + ":\n\n" + text for text, names in under.items()]
    if "musl" in target:
        mit = re.sub("(?m)^Copyright .*\n", "", (ROOT / "arena/LICENSE-MIT").read_text()).strip()
        parts.append(f"musl (C library):\n\nCopyright (c) 2005-2020 Rich Felker, et al.\n\n{mit}")
    if "windows" in target:
        parts.append("MinGW-w64 (C library):\n\n" + pathlib.Path("/usr/share/doc/mingw-w64-common/copyright").read_text())
    file.write_text(("\n\n" + "=" * 80 + "\n\n").join(parts) + "\n")


def write_sbom(target: str, crates: list[dict], file: pathlib.Path) -> None:
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(each["name"], each["version"]): each.get("checksum") for each in locked}

    def reference(crate: dict) -> str:
        return f"pkg:cargo/{crate['name']}@{crate['version']}"

    references = {crate["id"]: reference(crate) for crate in crates}

    def component(crate: dict) -> dict:
        checksum = checksums[crate["name"], crate["version"]]
        return {
            "type": "application" if crate["name"] in ("arena", "engines") else "library",
            "bom-ref": reference(crate),
            "name": crate["name"],
            "version": crate["version"],
            "purl": reference(crate),
            "licenses": [{"expression": licence(crate)}],
        } | ({"hashes": [{"alg": "SHA-256", "content": checksum}]} if checksum else {})

    program = next(crate for crate in crates if crate["name"] == "arena")
    made = datetime.datetime.fromisoformat(said("git", "log", "-1", "--format=%cI").strip())
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": made.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": component(program),
            "properties": [{"name": "target", "value": target}],
        },
        "components": [component(crate) for crate in crates if crate is not program],
        "dependencies": [
            {"ref": reference(crate), "dependsOn": sorted({references[id] for id in crate["needs"]})}
            for crate in crates
        ],
    }
    file.write_text(json.dumps(bill, indent=1) + "\n")


def main() -> None:
    target, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    crates = linked_crates(target)
    others = [crate for crate in crates if crate["source"]]
    write_licences(target, others, folder / "licences-of-dependencies.txt")
    write_sbom(target, crates, folder / "sbom.cdx.json")


main()
