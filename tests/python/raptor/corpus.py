"""The documents that every reader judges alike (tests/corpus), as bytes."""

import json
from pathlib import Path

from raptor.schema import read_manifest, read_sidecar, validate_manifest, validate_sidecar

CORPUS = Path(__file__).parents[2] / "corpus"
FILES = {
    "manifests.json": (read_manifest, validate_manifest),
    "texts.json": (read_manifest, validate_manifest),
    "sidecars.json": (read_sidecar, validate_sidecar),
}


def cases(file):
    return json.loads((CORPUS / file).read_text(encoding="utf-8"))


def content(case):
    """A case holds its bytes as text, in hexadecimal, or as pieces that are repeated."""
    if "text" in case:
        return case["text"].encode()
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    return b"".join(text.encode() * times for text, times in case["pieces"])
