"""manifest.json: what readers take and what writers must do."""

import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raptor.schema import read_manifest, validate_manifest


def record(order=0, **other):
    name = f"k{order}"
    base = {"id": name, "order": order, "enabled": True, "artifact": f"{name}.so", "sidecar": f"{name}.json"}
    return base | {"format": "host"} | other


V1 = {"schema_version": 1, "pattern": "vector", "aether_abi": "aether-abi/1", "plugins": [record()]}
V2 = {
    "schema_version": 2,
    "pattern": "vector",
    "aether_abi": "aether-abi/2",
    "exec_targets": ["host"],
    "exec_access": "sample_local",
    "plugins": [record(), record(1, format="cubin")],
}
MAPREDUCE = {key: V2[key] for key in list(V2)[:4]} | {"exec_access": "mapreduce", "exec_op": "sum", "plugins": []}
BLOCK = {
    # Nested references before the parent's own key: a reader must not take them for it.
    "forward_exec": {"kind": "kernel", "kernel": "inner"},
    "vjp_exec": {"kernel": "inner_vjp", "kind": "kernel"},
    "kernel": "outer",
    "scalar_type": "float32",
    "arg_spec": [],
    "in_degree": 2,
    "out_degree": 1,
    "input_width": 3,
    "output_width": 2,
    "state_width": 2,
    "param_width": 0,
    "scatter_policy": "accumulate",
}
NEURAL = {
    "schema_version": 2,
    "pattern": "neural_block",
    "aether_abi": "aether-abi/2",
    "exec_targets": ["device"],
    "exec_access": "sample_local",
    "blocks": [BLOCK],
    "plugins": [],
}
GOOD = {"v1": V1, "v2": V2, "mapreduce": MAPREDUCE, "neural": NEURAL}


def said(document):
    with pytest.raises(ValueError) as caught:
        read_manifest(json.dumps(document))
    assert type(caught.value) is ValueError
    return str(caught.value)


@pytest.mark.parametrize("name", GOOD)
def test_good_ones(name):
    validate_manifest(GOOD[name])
    assert read_manifest(json.dumps(GOOD[name])) == GOOD[name]


@pytest.mark.parametrize("name", GOOD)
def test_readers_take_any_order_and_unknown_keys_and_writers_do_not(name):
    items = list(GOOD[name].items())
    random.Random(1).shuffle(items)
    shuffled = dict(items)
    assert read_manifest(json.dumps(shuffled)) == GOOD[name]
    with pytest.raises(ValueError, match=r"keys are written as .*; their order is schema_version, pattern"):
        validate_manifest(shuffled)
    more = {**GOOD[name], "remark": 1}
    assert read_manifest(json.dumps(more))["remark"] == 1
    with pytest.raises(ValueError, match="unknown key 'remark'"):
        validate_manifest(more)


def test_the_order_inside_a_record():
    turned = {**V2, "plugins": [dict(reversed(record().items()))]}
    read_manifest(json.dumps(turned))
    with pytest.raises(ValueError, match=r"plugins\[0\]: keys are written as format"):
        validate_manifest(turned)


def test_version_is_an_alias_for_readers_alone():
    aliased = {("version" if key == "schema_version" else key): value for key, value in V2.items()}
    read_manifest(json.dumps(aliased))
    with pytest.raises(ValueError, match="'schema_version' is missing"):
        validate_manifest(aliased)


@pytest.mark.parametrize("value", [0, -1, True, "2", 2.0, None, [2]])
def test_wrong_versions(value):
    message = said({**V2, "schema_version": value})
    assert "'schema_version' is " in message and json.dumps(value) in message


def test_a_later_version():
    assert said({**V2, "schema_version": 3}) == (
        "manifest.json was built for plugin schema v3, but this loader supports v2; upgrade eagle to load it"
    )


@pytest.mark.parametrize("name", ["v1", "v2"])
def test_every_key_is_required(name):
    for key in GOOD[name]:
        document = {k: v for k, v in GOOD[name].items() if k != key}
        assert f"the key '{key}' is missing" in said(document)
    for key in record():
        document = {**GOOD[name], "plugins": [{k: v for k, v in record().items() if k != key}]}
        message = said(document)
        assert f"the key '{key}' is missing" in message and "plugins[0]" in message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pattern": "matrix"}, "'pattern' is \"matrix\" (a string); it must be 'vector', 'pure' or 'neural_block'"),
        ({"aether_abi": "aether-abi/1"}, "it must be 'aether-abi/2' in schema v2"),
        ({"aether_abi": None}, "'aether_abi' is null"),
        ({"exec_targets": []}, "a non-empty list drawn from 'device' and 'host'"),
        ({"exec_targets": ["gpu"]}, "drawn from 'device' and 'host'"),
        ({"exec_targets": ["host", "host"]}, "a list without duplicates"),
        ({"exec_targets": "host"}, "'exec_targets' is \"host\" (a string); it must be a list"),
        ({"exec_targets": [1]}, "a list of strings"),
        ({"exec_access": "anything"}, "'sample_local', 'cross_sample_read', 'cross_sample_write' or 'mapreduce'"),
        ({"exec_op": "sum"}, "belongs to exec_access 'mapreduce' only (here it is 'sample_local')"),
        ({"exec_access": "mapreduce"}, "the key 'exec_op' is missing"),
        ({"exec_access": "mapreduce", "exec_op": "min"}, "'sum', 'times', 'max' or 'land'"),
        ({"blocks": []}, "belongs to pattern 'neural_block' only (here it is 'vector')"),
        ({"plugins": {}}, "'plugins' is {} (an object); it must be a list"),
        ({"plugins": [3]}, "plugins[0]: holds 3 (an int); it must hold an object"),
        ({"plugins": [record(), record(1, id="k0")]}, "two plugin records have the id 'k0'"),
        ({"plugins": [record(1)]}, "'order' is 1 (an int); it must be its index in the list, 0"),
        ({"plugins": [record(order=False)]}, "'order' is false (a bool); it must be an int"),
        ({"plugins": [record(enabled=1)]}, "'enabled' is 1 (an int); it must be true or false"),
        ({"plugins": [record(id="")]}, "'id' is \"\" (a string); it must be a non-empty string"),
        ({"plugins": [record(artifact="../x.so")]}, "the name of a file inside the artifact folder"),
        ({"plugins": [record(artifact="/x.so")]}, "the name of a file inside the artifact folder"),
        ({"plugins": [record(sidecar="..")]}, "the name of a file inside the artifact folder"),
        ({"plugins": [record(sidecar="")]}, "the name of a file inside the artifact folder"),
        ({"plugins": [record(sidecar="a\0b")]}, "the name of a file inside the artifact folder"),
        ({"plugins": [record(format="dll")]}, "'ptx', 'cubin', 'fatbin', 'hsaco' or 'host'"),
    ],
)
def test_wrong_values_name_the_key_and_show_the_value(change, words):
    assert words in said({**V2, **change})


@pytest.mark.parametrize("key", ["exec_targets", "exec_access", "exec_op"])
def test_v1_has_no_execution_keys(key):
    assert f"carries '{key}'" in said({**V1, key: "host"})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kernel": ""}, "'kernel'"),
        ({"arg_spec": [["out", "x"]]}, "empty in a neural block"),
        ({"state_width": 0}, "from 1 to 2^32 - 1"),
        ({"param_width": -1}, "from 0 to 2^32 - 1"),
        ({"in_degree": True}, "'in_degree' is true (a bool); it must be an int"),
        ({"in_degree": 2**32}, "from 1 to 2^32 - 1"),
        ({"output_width": 3}, "at most state_width, 2"),
        ({"scatter_policy": "add"}, "'unique_write' or 'accumulate'"),
        ({"forward_exec": {"kind": "graph", "kernel": "x"}}, "forward_exec: 'kind'"),
        ({"forward_exec": {"kind": "kernel", "kernel": "x", "more": 1}}, "unknown key 'more'"),
        ({"jvp_exec": "inner"}, "jvp_exec: holds"),
        ({"aether_abi": "aether-abi/2"}, "a neural block must not have"),
        ({"mutables": [1]}, "a neural block must not have"),
        ({"schema_version": 9, "kernel": ""}, "plugin schema v9"),
    ],
)
def test_wrong_blocks(change, words):
    assert words in said({**NEURAL, "blocks": [{**BLOCK, **change}]})


def test_empty_forbidden_keys_of_a_block_are_allowed():
    read_manifest(json.dumps({**NEURAL, "blocks": [{**BLOCK, "mutables": [], "mat_shapes": {}, "aether_abi": ""}]}))


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.sampled_from(sorted(GOOD)), st.data())
def test_only_value_errors_come_out(name, data):
    """Any value at any place of a good document is read, or refused by a ValueError that names the document."""
    document = copy.deepcopy(GOOD[name])
    target = data.draw(st.sampled_from(list(places(document))))
    value = data.draw(anything)
    if not target:
        document = value
    else:
        owner = document
        for part in target[:-1]:
            owner = owner[part]
        owner[target[-1]] = value
    try:
        read_manifest(json.dumps(document))
        validate_manifest(document)
    except ValueError as error:
        assert type(error) is ValueError and str(error).startswith("manifest.json")


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))
