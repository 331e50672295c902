"""The JSON Schemas that are shipped say what `validate_*` says, but for what JSON Schema has no words for."""

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
from corpus import FILES, cases, content
from referencing import Registry, Resource

from raptor.schema import json_schema, parse, validate_manifest, validate_sidecar

NAMES = ("manifest", "sidecar", "neural_block")
REGISTRY = Registry().with_resources([(f"urn:raptor:{n}", Resource.from_contents(json_schema(n))) for n in NAMES])
# Refusals for reasons that a schema cannot give, by words of theirs.
BEYOND = (
    "keys are written as",
    "its index in the list",
    "two plugin records",
    "at most state_width",
    "(a float); it must be an int",
    "it is ordered by role, then by name",
    "must be sorted",
    "does not declare",
    "no width for",
    "no shape",
    "which its shape contradicts",
    "where the sidecar's other keys say",
    "fewer than 2^32 elements",
    "only a vector or a matrix is wider",
    "a wider plane has the role",
    "twice",
    "'finish' names the mask",
    "one of them is wrong",
    "only a finishing kernel",
    "through which a run is steered",
)


def validator(name):
    return jsonschema.Draft202012Validator(json_schema(name), registry=REGISTRY)


VALIDATORS = {"manifests.json": validator("manifest"), "texts.json": validator("manifest")}
VALIDATORS["sidecars.json"] = validator("sidecar")


@pytest.mark.parametrize("name", NAMES)
def test_they_are_schemas(name):
    jsonschema.Draft202012Validator.check_schema(json_schema(name))


def test_there_is_no_other():
    with pytest.raises(ValueError, match="there is no JSON Schema 'manifests'; there are manifest, sidecar"):
        json_schema("manifests")


@pytest.mark.parametrize("file", FILES)
def test_the_corpus(file):
    counts = Counter()
    for case in cases(file):
        if "pieces" in case:
            continue
        try:
            document = parse(content(case), "doc.json")
        except ValueError:
            continue
        right = VALIDATORS[file].is_valid(document)
        try:
            FILES[file][1](document, "doc.json")
        except ValueError as error:
            assert not right or any(words in str(error) for words in BEYOND), (case["name"], str(error))
        else:
            assert right, (case["name"], jsonschema.exceptions.best_match(VALIDATORS[file].iter_errors(document)))
        counts[right] += 1
    assert file == "texts.json" or (counts[False] >= 80 and counts[True] >= 25), counts


@pytest.mark.parametrize("folder", ["examples/c/handmade", "tests/cpp/install/oscillator"])
def test_documents_written_by_hand(folder):
    for path in (Path(__file__).resolve().parents[3] / folder).glob("*.json"):
        document = json.loads(path.read_text())
        name = "manifest" if path.name == "manifest.json" else "sidecar"
        validator(name).validate(document)
        (validate_manifest if name == "manifest" else validate_sidecar)(document, path.name)
