"""The documents that every reader judges alike: the same file is read by the C++ tests."""

import json
from pathlib import Path

import pytest

from raptor.schema import read_manifest, read_sidecar

CORPUS = Path(__file__).parents[2] / "corpus"


def cases(file, read):
    loaded = json.loads((CORPUS / file).read_text(encoding="utf-8"))
    assert len(loaded) > 40
    return [pytest.param(read, case, id=f"{file}: {case['name']}") for case in loaded]


@pytest.mark.parametrize(
    ("read", "case"), cases("manifests.json", read_manifest) + cases("sidecars.json", read_sidecar)
)
def test_judged_alike(read, case):
    if case["accepted"]:
        read(case["text"].encode(), "doc.json")
        return
    with pytest.raises(ValueError) as caught:
        read(case["text"].encode(), "doc.json")
    assert type(caught.value) is ValueError
    for word in case["words"]:
        assert word in str(caught.value)
