"""The C++ reader and raptor's give one verdict on documents that nobody wrote down: right ones, changed at random."""

import copy
import json
import random
from pathlib import Path

import pytest

import eagle
from raptor.schema import read_manifest, read_sidecar

SEEDS = Path(__file__).parents[2] / "corpus" / "seeds"
VALUES = json.loads("""
[null, true, false, 0, 1, 2, 3, -1, 4294967295, 4294967296, 65536, 9223372036854775807, 2.0, 0.5, "", "x", "host",
 "device", "vector", "neural_block", "mapreduce", "sum", "aether-abi/1", "aether-abi/2", "matrix", "int", "uint32",
 "out", "mutable", "__steps", "float32", "float", "../x", [], {}, [1], ["x"], [2, 2], [65536, 65536], ["out", "x"],
 {"mask": "done"}, {"kind": "vjp", "primal": "k", "wrt": []}, {"step": "a", "run": "b"}, {"x": null}, {"x": 1}]
""")


def changed(document, chance):
    """A copy with one to three values replaced, keys taken away, or keys added."""
    made = json.loads(json.dumps(document))
    for _ in range(chance.randint(1, 3)):
        owner, place = None, made
        while isinstance(place, (dict, list)) and place and (owner is None or chance.random() < 0.7):
            owner, key = place, chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
            place = place[key]
        if owner is None:
            continue
        action = chance.randint(0, 5)
        if action == 0 and isinstance(owner, dict):
            del owner[key]
        elif action == 1 and isinstance(owner, dict):
            owner[chance.choice(["derivative", "finish", "exec_op", "version", "shape", "width", "x"])] = chance.choice(
                VALUES
            )
        else:
            owner[key] = copy.deepcopy(chance.choice(VALUES))
    return made


def said(call, *arguments):
    try:
        call(*arguments)
    except ValueError as error:
        return str(error)
    return None


def read_in_cpp(folder, name, text):
    """What the C++ reader says of this document. A sidecar that differs from its manifest is right in itself; so is a
    manifest whose sidecars cannot be read.
    """
    (folder / name).write_text(text)
    try:
        refusal = said(eagle.registry.load_manifest, folder)
    except RuntimeError:
        return None
    if refusal is None or "the manifest says" in refusal or f"/{name}" not in refusal:
        return None
    return refusal


MANIFEST = {
    "schema_version": 2,
    "pattern": "vector",
    "aether_abi": "aether-abi/2",
    "exec_targets": ["host"],
    "exec_access": "sample_local",
    "plugins": [
        {"id": "k", "order": 0, "enabled": True, "artifact": "k.so", "sidecar": "k.json", "format": "host"},
    ],
}


def compare(folder, examples, seed):
    chance = random.Random(seed)
    verdicts = {True: 0, False: 0}
    for path in sorted(SEEDS.glob("*.json")):
        document = json.loads(path.read_text())
        is_manifest = path.name.startswith("manifest")
        if not is_manifest:
            (folder / "manifest.json").write_text(json.dumps(MANIFEST))
        for _ in range(examples):
            text = json.dumps(changed(document, chance))
            if is_manifest:
                ours, theirs = said(read_manifest, text), read_in_cpp(folder, "manifest.json", text)
            else:
                ours, theirs = said(read_sidecar, text, "k.json"), read_in_cpp(folder, "k.json", text)
            assert (ours is None) == (theirs is None), f"{text}\nPython: {ours}\nC++: {theirs}"
            verdicts[ours is None] += 1
    assert min(verdicts.values()) > examples


def test_changed_documents(tmp_path):
    compare(tmp_path, 100, 1)


@pytest.mark.soak
def test_changed_documents_at_length(tmp_path):
    compare(tmp_path, 8_000, None)
