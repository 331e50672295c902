"""Artifacts with code for NVIDIA's cards: which compiler makes it, for which cards, and what is refused."""

import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from card_targets import ENTRIES_OF_DECAY, affine, built_for, decay, put_compiler, take_compilers_away
from device_runs import nvrtc

import hawk
from hawk import HawkError
from hawk.compiling import cuda, cuda_search
from raptor import schema


@pytest.fixture
def nvcc(tmp_path, monkeypatch):
    """Puts a program in nvcc's place that writes how it was called."""

    def put(archs="75 80 90", broken=""):
        known = "\n".join(f"compute_{number}" for number in archs.split())
        error = broken and f"here.cu(3): error: {broken}"
        return put_compiler(monkeypatch, tmp_path / "nvcc", "HAWK_NVCC", {"--list-gpu-arch": known}, error)

    return put


@pytest.fixture
def no_compiler(tmp_path, monkeypatch):
    """Neither nvcc nor NVRTC, and no card."""
    variables = ("HAWK_NVCC", "HAWK_NVRTC", "CUDA_HOME", "CUDA_PATH", "HAWK_CUDA_ARCH")
    take_compilers_away(monkeypatch, tmp_path, variables)
    monkeypatch.setattr(cuda_search, "_PLACES", ("$CUDA_HOME", "$CUDA_PATH", str(tmp_path / "toolkit")))
    monkeypatch.setattr(cuda_search.sysconfig, "get_paths", lambda: {"purelib": str(tmp_path / "site")})
    monkeypatch.setattr(cuda._native, "cuda_cards", lambda: [])


def built(tmp_path, **options):
    """The file of `affine`, and its format."""
    content, record = built_for("cuda", affine, tmp_path, **options)
    return content, record["format"]


def test_an_artifact_for_both(tmp_path):
    folder = hawk.build([affine, decay], tmp_path, ("host", "cuda"), arch="sm_90").parent
    manifest = schema.read_manifest((folder / "manifest.json").read_bytes(), "manifest.json")
    assert manifest["exec_targets"] == ["host", "device"]
    assert [(r["id"], r["artifact"], r["format"]) for r in manifest["plugins"]] == [
        ("affine.host", "affine.so", "host"),
        ("affine.cuda", "affine.cubin", "cubin"),
        ("decay.host", "decay.so", "host"),
        ("decay.cuda", "decay.cubin", "cubin"),
    ]
    assert {r["sidecar"] for r in manifest["plugins"]} == {"affine.json", "decay.json"}
    sidecar = schema.read_sidecar((folder / "decay.json").read_bytes(), "decay.json")
    assert sidecar["exec_targets"] == ["host", "device"] and sidecar["format"] == "host"
    assert sidecar["entries"] == ENTRIES_OF_DECAY
    assert (folder / "affine.cu").read_text() == affine.device_source
    assert (folder / "affine.cpp").read_text() == affine.source
    kernels = hawk.load(folder)
    assert kernels["affine"](x=np.array([1.0, 2.0]), a=2.0).tolist() == [3.0, 5.0]


def test_an_artifact_for_cards_alone(tmp_path):
    folder = affine.build(tmp_path, targets=("cuda",), arch="sm_80").parent
    document = json.loads((folder / "affine.json").read_text())
    assert document["exec_targets"] == ["device"] and document["host_cpu"] == [] and document["format"] == "cubin"
    assert sorted(os.listdir(folder)) == ["affine.cu", "affine.cubin", "affine.json", "manifest.json"]
    assert hawk.load(folder) == {}


def test_the_flags_keep_the_arithmetic(tmp_path, nvcc):
    nvcc()
    said, form = built(tmp_path, arch="sm_90")
    assert form == "cubin"
    assert said.decode().startswith(
        "-cubin -arch=sm_90 -allow-unsupported-compiler -std=c++20 -fmad=false -prec-div=true -prec-sqrt=true "
        "-ftz=false -w -I"
    )


@pytest.mark.parametrize(
    ("cards", "arch", "form", "words"),
    [
        ([], None, "ptx", ["-arch=compute_75"]),  # none here: PTX for the oldest that the compiler knows
        ([90], None, "cubin", ["-arch=sm_90"]),
        ([90, 90], None, "cubin", ["-arch=sm_90"]),
        ([103], None, "ptx", ["-arch=compute_90"]),  # newer than the compiler
        ([80, 90], None, "fatbin", ["-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90"]),
        ([90], ["sm_75", "compute_80"], "fatbin", ["code=sm_75", "-gencode=arch=compute_80,code=compute_80"]),
        ([90], "compute_80", "ptx", ["-arch=compute_80"]),
    ],
)
def test_which_code_is_made(tmp_path, nvcc, monkeypatch, cards, arch, form, words):
    nvcc()
    monkeypatch.delenv("HAWK_CUDA_ARCH", raising=False)
    monkeypatch.setattr(cuda._native, "cuda_cards", lambda: cards)
    said, found = built(tmp_path, arch=arch)
    assert found == form and all(word in said.decode() for word in words), said


def test_the_variable_names_cards(tmp_path, nvcc, monkeypatch):
    nvcc()
    monkeypatch.setenv("HAWK_CUDA_ARCH", "sm_75, sm_80")
    said, form = built(tmp_path)
    assert form == "fatbin" and b"code=sm_75" in said and b"code=sm_80" in said


def test_the_cards_of_this_machine_are_asked_of_nvml(tmp_path):
    assert hawk._native.cuda_cards(str(tmp_path / "none.so")) == []
    assert hawk._native.cuda_cards(hawk._native.__file__) == []  # a library that is not NVML


def test_a_variable_that_names_none_is_told(tmp_path, nvcc, monkeypatch):
    nvcc()
    monkeypatch.setenv("HAWK_CUDA_ARCH", "sm_75 ampere")
    with pytest.raises(HawkError, match=r"^\$HAWK_CUDA_ARCH names 'ampere'; use a name such as 'sm_90'"):
        built(tmp_path)


@pytest.mark.parametrize("arch", ["90", "sm_9", "sm_\u0669\u0660", "gfx942", "", 90, ["sm_90", None]])
def test_an_architecture_that_is_none(tmp_path, arch):
    with pytest.raises(HawkError, match=r"arch is .*; use a name such as 'sm_90'"):
        hawk.build(affine, tmp_path, ("cuda",), arch=arch)


def test_a_card_that_is_too_old(tmp_path, nvcc):
    path = nvcc()
    with pytest.raises(HawkError) as refused:
        hawk.build(affine, tmp_path / "made", ("cuda",), arch="sm_70")
    assert str(refused.value) == (
        f"kernel 'affine' is wanted for sm_70, and {path.name} makes code from sm_75 on: take an older toolkit for "
        "that card, with HAWK_NVCC"
    )
    assert not (tmp_path / "made").exists()


def test_what_the_compiler_says_is_told(tmp_path, nvcc):
    nvcc(broken="it is Sunday")
    with pytest.raises(HawkError) as refused:
        hawk.build(affine, tmp_path / "made", ("cuda",), arch="sm_90")
    for words in ("kernel 'affine' was not compiled for CUDA: nvcc ended with code 2", "it is Sunday", "HAWK_NVRTC"):
        assert words in str(refused.value)


@pytest.mark.parametrize(("end", "words"), [("0", "ended with code 0 and made nothing"), ("9", "signal 9 (Killed)")])
@pytest.mark.parametrize("made", ["", 'open(made, "w")'], ids=["no file", "an empty file"])
def test_a_compiler_that_makes_nothing(tmp_path, nvcc, made, end, words):
    path = nvcc()
    path.write_text(path.read_text().rpartition("open(made")[0] + f"{made}\nimport os\nos.kill(os.getpid(), {end})\n")
    with pytest.raises(HawkError) as refused:
        hawk.build(affine, tmp_path / "made", ("cuda",), arch="sm_90")
    assert "kernel 'affine' was not compiled for CUDA: nvcc " in str(refused.value)
    assert words in str(refused.value) and not (tmp_path / "made").exists()
    assert not list((tmp_path / "cache").glob("*.cubin"))


def test_a_compiler_that_speaks_no_text(tmp_path, nvcc):
    path = nvcc()
    path.write_text(f"#!{sys.executable}\nimport sys\nsys.stdout.buffer.write(bytes(range(128, 256)))\n")
    with pytest.raises(HawkError, match="the compiler nvcc names no architectures"):
        hawk.build(affine, tmp_path / "made", ("cuda",), arch="sm_90")


def test_a_pipe_in_the_place_of_nvrtc_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.delenv("HAWK_NVCC", raising=False)
    os.mkfifo(tmp_path / "libnvrtc.so")
    monkeypatch.setenv("HAWK_NVRTC", str(tmp_path / "libnvrtc.so"))
    with pytest.raises(
        HawkError, match=r"\$HAWK_NVRTC cannot be used: '.*libnvrtc.so' is no file of a library; set it"
    ):
        hawk.build(affine, tmp_path / "made", ("cuda",), arch="sm_90")


def test_an_empty_variable_names_no_folder(tmp_path, no_compiler, monkeypatch):
    """What lies in the folder of today is nobody's toolkit."""
    program = tmp_path / "bin" / "nvcc"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUDA_HOME", "")
    with pytest.raises(HawkError, match="neither nvcc nor NVRTC was found"):
        hawk.build(affine, tmp_path / "made", ("cuda",), arch="sm_90")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("HAWK_NVCC", "no-such-nvcc", "$HAWK_NVCC (no-such-nvcc) names no program that can be run"),
        ("HAWK_NVCC", sys.executable, "names no architectures"),
        ("HAWK_NVRTC", "/no/libnvrtc.so", "$HAWK_NVRTC cannot be used: cannot open '/no/libnvrtc.so'"),
        ("HAWK_NVRTC", hawk._native.__file__, "has no nvrtcVersion, so it is no NVRTC"),
    ],
)
def test_a_wrong_compiler_is_not_passed_over(tmp_path, monkeypatch, name, value, words):
    monkeypatch.delenv("HAWK_NVCC", raising=False)
    monkeypatch.setenv(name, value)
    with pytest.raises(HawkError) as refused:
        hawk.build(affine, tmp_path, ("cuda",), arch="sm_90")
    assert words in str(refused.value)


def test_no_compiler_is_said_by_name(tmp_path, no_compiler):
    with pytest.raises(HawkError) as refused:
        hawk.build(affine, tmp_path / "made", ("cuda",))
    for words in (
        "kernel 'affine' cannot be compiled for CUDA, because neither nvcc nor NVRTC was found",
        "$HAWK_NVCC and $HAWK_NVRTC (not set)",
        str(tmp_path / "toolkit"),
        "pip install nvidia-cuda-nvrtc",
    ):
        assert words in str(refused.value)


def test_a_cached_kernel_needs_no_compiler(tmp_path, nvcc, monkeypatch, request):
    nvcc()
    first = built(tmp_path, arch="sm_90")
    monkeypatch.delenv("HAWK_NVCC")
    request.getfixturevalue("no_compiler")
    assert built(tmp_path, arch="sm_90") == first
    with pytest.raises(HawkError, match="neither nvcc nor NVRTC"):
        built(tmp_path, arch="sm_80")


def test_the_compiler_runs_once(tmp_path, nvcc):
    path = nvcc()

    def entries():
        return len(list((tmp_path / "cache").glob("*.cubin")))

    for _ in range(2):
        built(tmp_path, arch="sm_90")
        assert entries() == 1
    path.write_text(path.read_text() + "# another program is another compiler\n")
    built(tmp_path, arch="sm_90")
    assert entries() == 2


def test_a_script_that_is_run_by_a_program_is_the_compiler(tmp_path, nvcc, monkeypatch):
    path = nvcc()
    path.chmod(0o644)
    monkeypatch.setenv("HAWK_NVCC", f"{sys.executable} {path}")
    for made in (1, 2):
        for _ in range(2):
            built(tmp_path, arch="sm_90")
            assert len(list((tmp_path / "cache").glob("*.cubin"))) == made
        path.write_text(path.read_text() + "# another compiler\n")


@pytest.mark.parametrize(("arch", "form", "begins"), [("sm_90", "cubin", b"\x7fELF"), ("compute_75", "ptx", b"//")])
def test_nvrtc_compiles_without_a_toolkit(tmp_path, monkeypatch, arch, form, begins):
    monkeypatch.delenv("HAWK_NVCC", raising=False)
    monkeypatch.setenv("HAWK_NVRTC", nvrtc())
    monkeypatch.setenv("HAWK_CACHE_DIR", str(tmp_path / "cache"))
    folder = hawk.build([affine, decay], tmp_path / "made", ("cuda",), arch=arch).parent
    for kernel in ("affine", "decay"):
        content = (folder / f"{kernel}.{form}").read_bytes()
        assert content.startswith(begins)
        for name in (f"{kernel}_step", "eagle_abi_tag", "eagle_layout_sizes"):
            assert name.encode() in content


def test_nvrtc_makes_ptx_for_cards_of_two_kinds(tmp_path, monkeypatch):
    monkeypatch.delenv("HAWK_NVCC", raising=False)
    monkeypatch.setenv("HAWK_NVRTC", nvrtc())
    content, form = built(tmp_path, arch=["sm_90", "sm_80"])
    assert form == "ptx" and b".target sm_80" in content


def test_nvrtc_says_what_it_refuses():
    code, said = hawk._native.Nvrtc(nvrtc()).compile("int f( {", name="f.cu", options=["-arch=sm_90"], ptx=False)
    assert code is None and "f.cu(1): error" in said


def test_a_loaded_kernel_has_no_source_for_cards(tmp_path):
    hawk.build(affine, tmp_path / "one")
    loaded = hawk.load(tmp_path / "one")["affine"]
    with pytest.raises(HawkError) as refused:
        loaded.build(tmp_path / "two", targets=("cuda",), arch="sm_90")
    assert str(refused.value) == (
        f"kernel 'affine' was loaded from '{tmp_path / 'one'}', where its code for hosts is all there is; build it for "
        "'cuda' where it is written"
    )


@pytest.mark.parametrize("targets", ["cuda", (), (1,)])
def test_targets_that_are_none(tmp_path, targets):
    with pytest.raises(HawkError, match=r"targets is .*: use a tuple of 'host', 'cuda'"):
        hawk.build(affine, tmp_path, targets)


def test_a_target_that_there_is_none_of(tmp_path):
    with pytest.raises(HawkError, match=r"there is no target 'metal'; the targets are 'host', 'cuda'"):
        hawk.build(affine, tmp_path, ("metal",))


class _EntryPoint:
    def __init__(self, name, value, loaded):
        self.name, self.value, self._loaded = name, value, loaded

    def load(self):
        return self._loaded


def test_a_target_of_another_package(tmp_path, monkeypatch):
    """It is asked for the file and names its format, one that raptor knows."""
    from hawk import targets

    def compile_(description, options):
        return targets.Built(b"code", "hsaco", "hsaco", description.device_source, "hip")

    there = [
        _EntryPoint("other", "pkg:other", targets.Target("other", "hip", compile_)),
        _EntryPoint("odd", "pkg:x", 3),
    ]
    monkeypatch.setattr(targets, "entry_points", lambda group: there if group == "hawk.targets" else [])
    folder = hawk.build(affine, tmp_path / "made", ("host", "other")).parent
    manifest = schema.read_manifest((folder / "manifest.json").read_bytes(), "manifest.json")
    assert [(r["id"], r["format"]) for r in manifest["plugins"]] == [("affine.host", "host"), ("affine.other", "hsaco")]
    assert (folder / "affine.hsaco").read_bytes() == b"code"
    with pytest.raises(
        HawkError, match=r"the entry point 'pkg:x' of hawk.targets gives 3; it must be a hawk.targets.T"
    ):
        hawk.build(affine, tmp_path / "made", ("odd",))


def _other(monkeypatch, suffix, name="other"):
    from hawk import targets

    built = targets.Built(b"code", suffix, "fatbin", "", "txt")
    there = [_EntryPoint(name, "pkg:other", targets.Target(name, name, lambda description, options: built))]
    monkeypatch.setattr(targets, "entry_points", lambda group: there if group == "hawk.targets" else [])


def test_a_file_of_another_target_has_its_name_even_where_it_is_alone(tmp_path, monkeypatch):
    """libeagle finds the code of a kind by it."""
    _other(monkeypatch, "plum", "plum")
    folder = hawk.build(affine, tmp_path / "made", ("plum",)).parent
    manifest = schema.read_manifest((folder / "manifest.json").read_bytes(), "manifest.json")
    assert [(r["id"], r["artifact"]) for r in manifest["plugins"]] == [("affine.plum", "affine.plum")]


@pytest.mark.parametrize("suffix", [".plum", "", "a/b", "a b"])
def test_an_ending_that_is_none_is_refused(tmp_path, monkeypatch, suffix):
    _other(monkeypatch, suffix)
    words = (
        rf"target 'other' gives the file of kernel 'affine' the ending {re.escape(repr(suffix))}; a hawk.targets.Built"
    )
    with pytest.raises(HawkError, match=words):
        hawk.build(affine, tmp_path / "made", ("other",))
    assert not (tmp_path / "made").exists()


def test_two_targets_that_write_one_file_are_refused(tmp_path, monkeypatch):
    _other(monkeypatch, "so")
    with pytest.raises(HawkError, match=r"targets 'host' and 'other' both write 'affine.so': give one of them another"):
        hawk.build(affine, tmp_path / "made", ("host", "other"))
    assert not (tmp_path / "made").exists()


def test_from_a_shell(tmp_path, nvcc, monkeypatch, capsys):
    from hawk.__main__ import main

    nvcc()
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    assert (
        main(["build", "test_cuda_target:affine", "-o", str(tmp_path / "made"), "--target", "cuda", "--arch", "sm_90"])
        == 0
    )
    assert (tmp_path / "made" / "affine.cubin").exists()
    assert capsys.readouterr().out.strip() == str(tmp_path / "made" / "manifest.json")
    assert main(["build", "test_cuda_target:affine", "-o", str(tmp_path), "--target", "cuda", "--arch", "sm"]) == 1
    assert "arch is 'sm'" in capsys.readouterr().err
