"""Artifact folders: written whole and always alike, read back, refused in words."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hawk_oracle import define

import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated, Vector
from hawk.compiling import cpu
from raptor import schema


@hawk.kernel
def scale(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@hawk.kernel(dtype="float32")
def turning(
    spin: Vector[2], n: Index, k: Param[Index], r: Mutable[Vector[2]], hits: Mutable[Index], done: Terminated
) -> dict(far=Scalar, near=Vector[2]):
    r = hawk.vector(r[1] + spin[0], spin[1] - r[0])
    hits = n // k
    done = r[0] > 10
    return {"far": r[0], "near": r}


SCALE = {
    "format": "host",
    "schema_version": 2,
    "pattern": "vector",
    "aether_abi": "aether-abi/2",
    "exec_targets": ["host"],
    "exec_access": "sample_local",
    "scalar_type": "float64",
    "kernel": "scale",
    "params": [{"name": "a", "dtype": "float"}, {"name": "b", "dtype": "float"}],
    "params_schema": 2,
    "per_sample": ["x"],
    "vector_inputs": [],
    "matrix_inputs": [],
    "mat_shapes": {},
    "mutables": [],
    "arg_widths": {"out": 1, "x": 1},
    "arg_shapes": {"out": None, "x": None},
    "arg_dtypes": {"out": "float64", "x": "float64"},
    "buffers": [],
    "arg_spec": [
        ["out", "out"],
        ["per_sample", "x"],
        ["uniform", "a"],
        ["uniform", "b"],
        ["nsamples", "n_samples"],
    ],
    "terminated_readonly": False,
}


def test_the_documents_of_a_kernel(tmp_path):
    manifest = hawk.build(scale, tmp_path / "a folder é")
    assert manifest == tmp_path / "a folder é" / "manifest.json"
    folder = manifest.parent
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "scale.cpp", "scale.json", "scale.so"]
    assert manifest.read_text() == (
        '{\n  "schema_version": 2,\n  "pattern": "vector",\n  "aether_abi": "aether-abi/2",\n  "exec_targets": [\n'
        '    "host"\n  ],\n  "exec_access": "sample_local",\n  "plugins": [\n    {\n      "id": "scale",\n'
        '      "order": 0,\n      "enabled": true,\n      "artifact": "scale.so",\n      "sidecar": "scale.json",\n'
        '      "format": "host"\n    }\n  ]\n}\n'
    )
    document = json.loads((folder / "scale.json").read_text())
    own = {key: document.pop(key) for key in ("host_cpu", "digest", "entries")}
    assert list(document) == list(SCALE) and document == SCALE
    assert own["digest"] == scale.digest and len(own["digest"]) == 64
    assert own["entries"] == {"host": {"step": "scale_step"}}
    assert (folder / "scale.cpp").read_text() == scale.source


def test_what_a_finishing_kernel_declares(tmp_path):
    folder = hawk.build([turning], tmp_path).parent
    document = schema.read_sidecar((folder / "turning.json").read_bytes(), "turning.json")
    assert document["arg_spec"] == [
        ["mutable", "__control"],
        ["mutable", "__next"],
        ["mutable", "__steps"],
        ["mutable", "hits"],
        ["mutable", "r"],
        ["out", "far"],
        ["out", "near"],
        ["vec_in", "spin"],
        ["per_sample", "n"],
        ["terminated", "done"],
        ["uniform", "k"],
        ["nsamples", "n_samples"],
    ]
    assert document["scalar_type"] == "float32"
    assert document["finish"] == {"mask": "done"}
    assert document["entries"] == {"host": {"step": "turning_step", "run": "turning_run"}}
    assert document["params"] == [{"name": "k", "dtype": "int"}]
    mutables = {entry["name"]: entry for entry in document["mutables"]}
    assert mutables["r"] == {"name": "r", "dtype": "vector", "width": 2, "default": 0, "prior": True}
    assert mutables["hits"] == {"name": "hits", "dtype": "int", "width": 1, "default": 0, "prior": False}
    assert document["arg_widths"]["near"] == 2 and document["arg_shapes"]["__control"] == 8
    assert document["arg_dtypes"] | {"n": "int64", "done": "bool", "far": "float32"} == document["arg_dtypes"]


def test_the_same_bytes_every_time(tmp_path):
    first = hawk.build([scale, turning], tmp_path / "one").parent
    second = hawk.build([scale, turning], tmp_path / "two").parent
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes(), path.name
    document = json.loads((first / "manifest.json").read_text())
    assert [record["id"] for record in document["plugins"]] == ["scale", "turning"]


def test_read_back_and_called(tmp_path):
    hawk.build([scale, turning], tmp_path)
    kernels = hawk.load(tmp_path)
    assert list(kernels) == ["scale", "turning"]
    assert kernels["scale"](x=np.array([1.0, 2.0]), a=2.0, b=0.5).tolist() == [2.5, 4.5]
    r, hits, done = np.ones((2, 3), np.float32), np.zeros(3, np.int64), np.zeros(3, bool)
    spin = np.array([[0.5, 20.0, 0.5]] * 2, np.float32)
    result = kernels["turning"](spin=spin, n=np.array([7, -7, 6]), k=2, r=r, hits=hits, done=done)
    assert result["far"].tolist() == [1.5, 21.0, 1.5] and result["near"].shape == (2, 3)
    assert hits.tolist() == [3, -4, 3] and done.tolist() == [False, True, False]
    assert kernels["scale"].digest == scale.digest


def test_a_loaded_kernel_is_built_again(tmp_path):
    hawk.build(scale, tmp_path / "one")
    loaded = hawk.load(tmp_path / "one")["scale"]
    loaded.build(tmp_path / "two")
    for name in ("manifest.json", "scale.json", "scale.so"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_features_are_those_of_the_file(tmp_path):
    folder = hawk.build(scale, tmp_path, cpu="x86-64-v3").parent
    document = json.loads((folder / "scale.json").read_text())
    v3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}  # the psABI's list of that level
    assert v3 <= set(document["host_cpu"]) and not any(name.startswith("avx512") for name in document["host_cpu"])
    assert document["host_cpu"] == sorted(document["host_cpu"])
    folder = hawk.build(scale, tmp_path / "plain", cpu="x86-64").parent
    assert json.loads((folder / "scale.json").read_text())["host_cpu"] == []


def test_a_processor_that_lacks_something(tmp_path, monkeypatch):
    hawk.build(scale, tmp_path, cpu="x86-64-v3")
    monkeypatch.setattr(cpu, "description", lambda: ("old", frozenset({"pni", "sse4_1", "sse4_2", "ssse3", "popcnt"})))
    with pytest.raises(hawk.HawkError, match=r"kernel 'scale' was built for a CPU with .*lacks abm, avx, avx2.*fma"):
        hawk.load(tmp_path)


@pytest.mark.parametrize(("name", "known"), [("sse4.1", "sse4_1"), ("avx512vnni", "avx512_vnni"), ("lzcnt", "abm")])
def test_other_names_of_features(monkeypatch, name, known):
    monkeypatch.setattr(cpu, "description", lambda: ("", frozenset({known})))
    assert cpu.missing([name]) == [] and cpu.missing([name, "avx"]) == ["avx"]


def test_mixed_access_is_refused_naming_both(tmp_path):
    folder = hawk.build(scale, tmp_path / "one").parent
    for name in ("manifest.json", "scale.json"):
        text = (folder / name).read_text().replace('"sample_local"', '"cross_sample_read"')
        (folder / name).write_text(text)
    other = hawk.load(folder)["scale"]
    other.name = "blur"
    with pytest.raises(hawk.HawkError) as caught:
        hawk.build([turning, other], tmp_path / "two")
    for word in ("kernel 'turning' is sample_local", "kernel 'blur' is cross_sample_read", "two folders"):
        assert word in str(caught.value)
    assert not (tmp_path / "two").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([],), "given no kernels"),
        (([scale, 3],), "given 3, which is no kernel"),
        ((3,), "given 3, which is no kernel"),
        (([scale, scale],), "two kernels are called 'scale'"),
        ((scale,), "targets is 'cuda'"),
        ((scale,), "there is no target 'tpu'"),
        ((scale,), "cpu is 'native -O0'"),
    ],
)
def test_what_build_refuses(tmp_path, arguments, words):
    more = {"targets is 'cuda'": {"targets": "cuda"}, "there is no target 'tpu'": {"targets": ("tpu",)}}.get(words, {})
    more |= {"cpu": "native -O0"} if words.startswith("cpu") else {}
    with pytest.raises(hawk.HawkError) as caught:
        hawk.build(*arguments, tmp_path / "out", **more)
    assert words in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_an_unknown_architecture(tmp_path):
    with pytest.raises(hawk.HawkError, match=r"(?s)kernel 'scale' was not compiled.*give `cpu` another architecture"):
        hawk.build(scale, tmp_path, cpu="no-such-cpu")


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(hawk.HawkError, match=r"cannot be written to .*file"):
        hawk.build(scale, tmp_path / "file")


def test_what_load_refuses(tmp_path):
    with pytest.raises(hawk.HawkError, match=r"manifest\.json' cannot be read"):
        hawk.load(tmp_path)
    folder = hawk.build(scale, tmp_path).parent
    sidecar = folder / "scale.json"
    text = sidecar.read_text()
    sidecar.write_text(text.replace('"scalar_type": "float64"', '"scalar_type": "float16"'))
    with pytest.raises(ValueError, match=r"scale\.json: 'scalar_type' is \"float16\""):
        hawk.load(folder)
    sidecar.write_text(text.replace('"host": {', '"cuda": {'))
    with pytest.raises(hawk.HawkError, match="has entries for cuda, none for host"):
        hawk.load(folder)
    sidecar.write_text(text.replace('"sample_local"', '"cross_sample_read"'))
    with pytest.raises(ValueError, match=r"'exec_access' of kernel 'scale' is 'cross_sample_read', the manifest says"):
        hawk.load(folder)
    sidecar.write_text(text)
    (folder / "scale.so").unlink()
    with pytest.raises(hawk.HawkError, match=r"scale\.so' of kernel 'scale' is missing"):
        hawk.load(folder)


@pytest.mark.parametrize("name", ["manifest.json", "scale.json"])
def test_a_pipe_in_the_folder_is_not_waited_for(tmp_path, name):
    folder = hawk.build(scale, tmp_path).parent
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(hawk.HawkError, match=rf"{name}' cannot be read: it is no regular file; put the file itself"):
        hawk.load(folder)


MODEL = """
import hawk
from hawk import Param, Scalar

@hawk.kernel
def double(x: Scalar) -> Scalar:
    return 2 * x

@hawk.kernel
def triple(x: Scalar) -> Scalar:
    return 3 * x

other = 3
"""


def command(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "hawk", "build", *arguments], cwd=folder, capture_output=True, text=True
    )


def test_the_command(tmp_path):
    (tmp_path / "models.py").write_text(MODEL)
    made = command(tmp_path, "models:double", "models:triple", "-o", "out folder", "--cpu", "x86-64-v2")
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout == str(Path("out folder") / "manifest.json") + "\n"
    kernels = hawk.load(tmp_path / "out folder")
    assert kernels["triple"](x=np.array([2.0])).tolist() == [6.0]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("models", "names no kernel: write module:kernel"),
        ("missing:double", "module 'missing'"),
        ("models:single", "has no 'single'; its kernels: double, triple"),
        ("models:other", "is int, no kernel"),
    ],
)
def test_what_the_command_refuses(tmp_path, spec, words):
    (tmp_path / "models.py").write_text(MODEL)
    made = command(tmp_path, spec, "-o", "out")
    assert made.returncode == 1 and made.stderr.startswith("hawk: ") and words in made.stderr
    assert not (tmp_path / "out").exists()


def doubled(chunk):
    return scale(chunk, 2.0, 0.0)


def local_kernel():
    factor = 4.0
    return hawk.kernel(define("def inner(x: Scalar) -> Scalar:\n    return factor * x\n", "inner", factor=factor))


def test_kernels_pickle(tmp_path):
    assert pickle.loads(pickle.dumps(scale)) is scale
    copy = pickle.loads(pickle.dumps(local_kernel()))
    assert copy(np.array([1.5])).tolist() == [6.0] and copy.digest == local_kernel().digest
    hawk.build(scale, tmp_path)
    loaded = pickle.loads(pickle.dumps(hawk.load(tmp_path)["scale"]))
    assert loaded(x=np.array([1.0]), a=1.0, b=1.0).tolist() == [2.0]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_kernels_in_worker_processes(method):
    import multiprocessing

    kernel = local_kernel()
    kernel(np.array([1.0]))
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert [r.tolist() for r in pool.map(doubled, [np.array([1.0]), np.array([2.0])])] == [[2.0], [4.0]]
        assert [r.tolist() for r in pool.map(kernel, [np.array([1.0]), np.array([2.0])])] == [[4.0], [8.0]]
