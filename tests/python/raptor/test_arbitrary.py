"""Whatever JSON a validator is fed, and whatever object, nothing but ValueError and TypeError that names the document
leaves it. 300 examples of each here, 100,000 in `make soak`.
"""

import json
import random

import pytest
from corpus import cases, content
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from raptor.schema import (
    MANIFEST_KEYS,
    RECORD_KEYS,
    ROLES,
    SIDECAR_KEYS,
    parse,
    read_manifest,
    read_sidecar,
    validate_manifest,
    validate_sidecar,
    write,
)

PAIRS = ((read_manifest, validate_manifest), (read_sidecar, validate_sidecar))
SEEDS = [parse(content(c), "x") for f in ("manifests.json", "sidecars.json") for c in cases(f) if c["accepted"]]

KEYS = sorted(
    {*MANIFEST_KEYS, *RECORD_KEYS, *SIDECAR_KEYS, "version", "name", "dtype", "width", "mask", "kind", "step"}
)
WORDS = sorted(
    {*KEYS, *ROLES, "vector", "neural_block", "aether-abi/1", "aether-abi/2", "host", "mapreduce", "float64"}
)
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([0, 1, 2, 3, 2**32, 2**63 - 1]),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(WORDS),
)
keys = st.sampled_from(KEYS) | st.text(max_size=4)
documents = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=8), max_leaves=24
)
strange = st.recursive(
    leaves | st.binary(max_size=3) | st.tuples(st.integers()) | st.just({1, 2}) | st.builds(object),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(keys | st.integers() | st.none() | st.tuples(st.integers()), inner, max_size=4)
    ),
    max_leaves=12,
)


def refusal(call, *arguments):
    """What it refuses with, which names the document, or None."""
    try:
        call(*arguments)
    except (ValueError, TypeError) as error:
        assert type(error) in (ValueError, TypeError) and str(error).startswith("doc.json"), repr(error)
        return error
    return None


def any_json(document):
    text = json.dumps(document)
    for read, validate in PAIRS:
        said = refusal(read, text, "doc.json")
        assert said is None or type(said) is ValueError
        written = refusal(validate, document, "doc.json")
        assert type(written) is not TypeError
        # What a writer may write, a reader reads, and finds the same.
        assert written is not None or read(write(document), "doc.json") == document


def any_change(seed, steps, values):
    """A right document, changed in places: deeper than arbitrary documents come."""
    document = json.loads(json.dumps(SEEDS[seed % len(SEEDS)]))
    chance = random.Random(steps)
    for value in values:
        owner, place = None, document
        while isinstance(place, (dict, list)) and place and (owner is None or chance.random() < 0.7):
            owner, key = place, chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
            place = place[key]
        if owner is not None:
            owner[key] = value
    any_json(document)


def any_object(value):
    for _, validate in PAIRS:
        refusal(validate, value, "doc.json")


def any_bytes(data):
    for read, _ in PAIRS:
        said = refusal(read, data, "doc.json")
        assert said is None or type(said) is ValueError


PROPERTIES = {
    "any JSON": (any_json, (documents,)),
    "any change": (any_change, (st.integers(0, 999), st.integers(0, 2**32), st.lists(documents, max_size=3))),
    "any object": (any_object, (strange,)),
    "any bytes": (any_bytes, (st.binary(max_size=64) | st.text(max_size=64),)),
}


def hold(name, examples, derandomize):
    test, strategies = PROPERTIES[name]
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    options = settings(
        max_examples=examples, deadline=None, derandomize=derandomize, database=None, suppress_health_check=checks
    )
    options(given(*strategies)(test))()


@pytest.mark.parametrize("name", PROPERTIES)
def test_only_errors_that_name_the_document(name):
    hold(name, 300, True)


@pytest.mark.soak
@pytest.mark.parametrize("name", PROPERTIES)
def test_only_errors_that_name_the_document_at_length(name):
    hold(name, 100_000, False)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"plugins": {1, 2}}, "doc.json, plugins: holds a set, which JSON has no form for"),
        ({"plugins": [{3: 1}]}, "doc.json, plugins[0]: has a key of type int; keys are strings"),
        ({"a": b"x"}, "doc.json, a: holds a bytes"),
        (object(), "doc.json: holds a object"),
    ],
)
def test_objects_that_are_no_json_are_named(value, words):
    for _, validate in PAIRS:
        with pytest.raises(TypeError) as caught:
            validate(value, "doc.json")
        assert str(caught.value).startswith(words)


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"a": 2**63}, "doc.json, a: an integer that does not fit in int64"),
        ({"a": float("nan")}, "doc.json, a: nan is no JSON number"),
        ({"a": "\ud800"}, "doc.json, a: a lone surrogate"),
        ({"\udfff": 1}, "doc.json: a lone surrogate"),
        ({"a": nested(64)}, "doc.json: nested deeper than 64 levels"),
        (nested(200_000), "doc.json: nested deeper than 64 levels"),
    ],
)
def test_objects_that_no_reader_takes_are_named(value, words):
    for _, validate in PAIRS:
        with pytest.raises(ValueError) as caught:
            validate(value, "doc.json")
        assert str(caught.value).startswith(words)


def test_an_object_that_holds_itself():
    value = {}
    value["a"] = [value]
    for _, validate in PAIRS:
        with pytest.raises(ValueError, match="nested deeper than 64 levels"):
            validate(value, "doc.json")
