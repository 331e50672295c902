"""`<kernel>.json`: arguments, masks, entries, and how they must agree."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raptor.schema import read_sidecar, validate_sidecar

SIDECAR = {
    "format": "host",
    "schema_version": 2,
    "pattern": "vector",
    "aether_abi": "aether-abi/2",
    "exec_targets": ["host"],
    "exec_access": "sample_local",
    "scalar_type": "float64",
    "kernel": "k",
    "params": [{"name": "dt", "dtype": "float"}, {"name": "n", "dtype": "int"}],
    "params_schema": 2,
    "per_sample": ["w"],
    "vector_inputs": ["u"],
    "matrix_inputs": ["m"],
    "mat_shapes": {"m": [2, 3]},
    "mutables": [
        {"name": "__control", "dtype": "int", "width": 1, "default": 0, "prior": True},
        {"name": "__next", "dtype": "int", "width": 1, "default": 0, "prior": True},
        {"name": "__steps", "dtype": "int", "width": 1, "default": 0, "prior": True},
        {"name": "q", "dtype": "matrix", "width": 4, "default": 0, "shape": [2, 2], "prior": False},
        {"name": "r", "dtype": "vector", "width": 3, "default": 0, "prior": True},
        {"name": "x", "dtype": "scalar", "width": 1, "default": 0, "prior": True},
    ],
    "arg_widths": {"q": 4, "r": 3, "x": 1, "out": 1, "u": 2, "m": 6, "w": 1, "done": 1},
    "arg_shapes": {"__control": 8, "x": None},
    "arg_dtypes": {"x": "float64", "w": "int64", "done": "bool"},
    "buffers": [],
    "arg_spec": [
        ["mutable", "__control"],
        ["mutable", "__next"],
        ["mutable", "__steps"],
        ["mutable", "q"],
        ["mutable", "r"],
        ["mutable", "x"],
        ["out", "out"],
        ["vec_in", "u"],
        ["mat_in", "m"],
        ["per_sample", "w"],
        ["terminated", "done"],
        ["uniform", "dt"],
        ["uniform", "n"],
        ["nsamples", "n_samples"],
    ],
    "terminated_readonly": False,
    "finish": {"mask": "done"},
    "host_cpu": ["avx2", "fma"],
    "digest": "0" * 64,
    "entries": {"host": {"step": "k_step", "run": "k_run"}},
}


def said(document, read=True):
    with pytest.raises(ValueError) as caught:
        if read:
            read_sidecar(json.dumps(document), "k.json")
        else:
            validate_sidecar(document, "k.json")
    assert type(caught.value) is ValueError
    return str(caught.value)


def changed(**keys):
    return {**copy.deepcopy(SIDECAR), **keys}


def without(*keys):
    return {key: value for key, value in copy.deepcopy(SIDECAR).items() if key not in keys}


def test_a_good_one():
    validate_sidecar(SIDECAR, "k.json")
    assert read_sidecar(json.dumps(SIDECAR), "k.json") == SIDECAR


def test_readers_take_any_order_and_writers_keep_it():
    turned = dict(reversed(SIDECAR.items()))
    assert read_sidecar(json.dumps(turned), "k.json") == SIDECAR
    assert "their order is format, schema_version, pattern" in said(turned, read=False)
    assert said(turned, read=False).endswith(": 'entries' stands where 'format' belongs")
    assert "unknown key 'more'" in said(changed(more=1), read=False)


@pytest.mark.parametrize("key", [k for k in SIDECAR if k not in ("finish", "exec_op", "derivative")])
def test_writers_write_every_key(key):
    assert f"'{key}'" in said(without(key), read=False)


@pytest.mark.parametrize("key", ["per_sample", "buffers", "host_cpu", "digest", "arg_shapes", "format"])
def test_readers_do_without_what_they_do_not_need(key):
    read_sidecar(json.dumps(without(key)), "k.json")


@pytest.mark.parametrize(
    "key", ["schema_version", "pattern", "aether_abi", "scalar_type", "kernel", "arg_spec", "entries"]
)
def test_readers_need_these(key):
    assert f"the key '{key}' is missing" in said(without(key))


def spec(*entries):
    return changed(arg_spec=[list(entry) for entry in entries], finish={"mask": "done"}) if entries else SIDECAR


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (changed(kernel=""), "'kernel'"),
        (changed(scalar_type="float16"), "'float64' or 'float32'"),
        (changed(arg_spec={}), "'arg_spec' is {}"),
        (changed(arg_spec=[["out"]]), "every entry must be [role, name]"),
        (changed(arg_spec=[["out", 3]]), "every entry must be [role, name]"),
        (changed(arg_spec=[["out", ""]]), "the name must not be empty"),
        (changed(arg_spec=[["output", "x"]]), 'holds the role "output"'),
        (changed(arg_spec=[["out", "x"], ["out", "x"]]), "names 'x' twice"),
        (changed(arg_spec=[["uniform", "g"]]), "the uniform 'g', which 'params' does not declare"),
        (changed(arg_spec=[["mutable", "g"]]), "the mutable 'g', which 'mutables' does not declare"),
        (changed(arg_spec=[["vec_in", "g"]]), "no width for the vector 'g'"),
        (changed(arg_spec=[["mat_in", "g"]]), "no shape for the matrix 'g'"),
        (changed(params_schema=3), "'params_schema' is 3"),
        (changed(params=["dt"]), "params: holds"),
        (changed(params=[{"name": "dt", "dtype": "double"}]), "'float' or 'int'"),
        (changed(mutables=[{"name": "x", "dtype": "float64"}]), "'dtype'"),
        (changed(mutables=[{"dtype": "int"}]), "the key 'name' is missing"),
        (changed(mutables=[{"name": "x", "dtype": "scalar", "prior": 1}]), "'prior' is 1"),
        (changed(arg_widths={"w": 2, "u": 2}), "the per-sample scalar 'w' the width 2"),
        (changed(arg_widths={"r": 4, "u": 2}), "where the sidecar's other keys say 3"),
        (changed(arg_widths={"x": 0, "u": 2}), "an int of at least 1"),
        (changed(arg_widths=[]), "'arg_widths' is [] (a list); it must be an object"),
        (changed(arg_dtypes={"w": "complex"}), "gives 'w' the dtype \"complex\""),
        (changed(mat_shapes={"m": [2]}), "it must be [rows, columns]"),
        (changed(mat_shapes={"m": [2, 0]}), "an int of at least 1"),
        (changed(terminated_readonly=1), "'terminated_readonly' is 1"),
        (changed(terminated_readonly=True), "one of them is wrong"),
        (changed(finish={"mask": "x"}), "names the mask 'x'"),
        (changed(finish="done"), "finish: holds"),
        (changed(host_cpu="avx2"), "'host_cpu'"),
        (changed(digest=1), "'digest'"),
        (changed(entries=[]), "'entries'"),
        (changed(entries={"host": {}}), "the key 'step' is missing"),
        (changed(entries={"host": {"step": "k_step", "run": ""}}), "'run'"),
        (without("finish"), "only a finishing kernel can run to its end"),
        (changed(arg_spec=[["terminated", "done"]]), "no plane '__control'"),
        (changed(derivative={"kind": "grad", "primal": "k", "wrt": []}), "'vjp' or 'jvp'"),
        (changed(derivative={"kind": "vjp", "primal": "k", "wrt": [1]}), "a list of strings"),
    ],
)
def test_wrong_values_name_the_key_and_show_the_value(document, words):
    message = said(document)
    assert words in message and message.startswith("k.json")


def matrix(**other):
    entries = copy.deepcopy(SIDECAR["mutables"])
    entries[3] = {"name": "q", "dtype": "matrix", **other}
    return changed(mutables=entries)


def test_shapes_of_mutable_matrices():
    assert "gives the matrix 'q' no shape" in said(matrix(width=4))
    assert "which its shape contradicts" in said(matrix(width=3, shape=[2, 2]))
    document = matrix()
    document["mat_shapes"]["q"] = [2, 2]
    read_sidecar(json.dumps(document), "k.json")
    entries = copy.deepcopy(SIDECAR["mutables"])
    entries[5]["width"] = 2
    assert "only a vector or a matrix is wider than 1" in said(changed(mutables=entries))


def test_what_writers_must_sort():
    assert "'host_cpu'" in said(changed(host_cpu=["fma", "avx2"]), read=False)
    turned = copy.deepcopy(SIDECAR["arg_spec"])
    turned[4], turned[5] = turned[5], turned[4]
    message = said(changed(arg_spec=turned), read=False)
    assert '["mutable", "x"] (a list) where ["mutable", "r"] (a list) belongs' in message
    read_sidecar(json.dumps(changed(arg_spec=turned)), "k.json")


def test_v1_has_bare_parameter_names():
    document = without("exec_targets", "exec_access", "params_schema", "entries", "finish")
    document |= {"schema_version": 1, "aether_abi": "aether-abi/1", "params": ["dt", "n"]}
    assert read_sidecar(json.dumps(document), "k.json")["params"] == ["dt", "n"]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_only_value_errors_come_out(data):
    from test_manifest import anything, places

    document = copy.deepcopy(SIDECAR)
    target = data.draw(st.sampled_from([path for path in places(document) if path]))
    owner = document
    for part in target[:-1]:
        owner = owner[part]
    owner[target[-1]] = data.draw(anything)
    try:
        read_sidecar(json.dumps(document), "k.json")
        validate_sidecar(document, "k.json")
    except ValueError as error:
        assert type(error) is ValueError and str(error).startswith("k.json")
