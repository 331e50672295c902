"""Artifacts with code for AMD's processors: which compiler makes it, for which of them, and what is refused. The code
compiles; it has run on no AMD hardware."""

import json
import struct
import sys

import pytest
from card_targets import ENTRIES_OF_DECAY, affine, built_for, decay, put_compiler, take_compilers_away
from device_runs import entries, every_kernel

import hawk
from hawk import HawkError, Param, Scalar
from hawk.compiling import amd, amd_search
from raptor import schema


@hawk.kernel
def joined(x: Scalar, a: Param) -> Scalar:
    return hawk.math.fma(a, x, 1.0)


@pytest.fixture
def clang(tmp_path, monkeypatch):
    """Puts a program in the compiler's place that writes how it was called."""

    def put(archs="gfx90a gfx942 gfx1100", broken="", linker=sys.executable):
        known = "\n\t".join(["Available CPUs for this target:", *archs.split()])
        answers = {"--print-supported-cpus": known, "-print-prog-name=ld.lld": linker}
        error = broken and f"here.hip:3:1: error: {broken}"
        return put_compiler(monkeypatch, tmp_path / "clang++", "HAWK_HIP_CLANG", answers, error)

    return put


@pytest.fixture
def no_compiler(tmp_path, monkeypatch):
    take_compilers_away(monkeypatch, tmp_path, ("HAWK_HIP_CLANG", "ROCM_PATH", "HAWK_HIP_ARCH"))
    monkeypatch.setattr(amd_search, "_PLACES", ("$ROCM_PATH/llvm/bin/clang++", str(tmp_path / "rocm" / "clang++")))


def built(tmp_path, **options):
    """The bytes of the file of `affine`."""
    content, record = built_for("hip", affine, tmp_path, **options)
    assert record["format"] == "hsaco" and record["artifact"] == "affine.hsaco"
    return content


def test_an_artifact_for_all_three(tmp_path, clang):
    clang()
    folder = hawk.build([affine, decay], tmp_path / "made", ("host", "cuda", "hip"), arch=["sm_90", "gfx942"]).parent
    manifest = schema.read_manifest((folder / "manifest.json").read_bytes(), "manifest.json")
    assert manifest["exec_targets"] == ["host", "device"]
    assert [(r["id"], r["artifact"], r["format"]) for r in manifest["plugins"]] == [
        ("affine.host", "affine.so", "host"),
        ("affine.cuda", "affine.cubin", "cubin"),
        ("affine.hip", "affine.hsaco", "hsaco"),
        ("decay.host", "decay.so", "host"),
        ("decay.cuda", "decay.cubin", "cubin"),
        ("decay.hip", "decay.hsaco", "hsaco"),
    ]
    sidecar = schema.read_sidecar((folder / "decay.json").read_bytes(), "decay.json")
    assert sidecar["entries"] == ENTRIES_OF_DECAY
    # One body for both kinds of cards, whose bits test_device_source.py compares with the host's.
    assert (folder / "affine.hip").read_text() == (folder / "affine.cu").read_text() == affine.device_source


def test_an_artifact_for_amd_alone(tmp_path, clang):
    clang()
    folder = affine.build(tmp_path / "made", targets=("hip",), arch="gfx90a").parent
    document = json.loads((folder / "affine.json").read_text())
    assert document["exec_targets"] == ["device"] and document["host_cpu"] == [] and document["format"] == "hsaco"
    assert hawk.load(folder) == {}


def test_the_flags_keep_the_arithmetic(tmp_path, clang):
    clang()
    assert (
        built(tmp_path, arch="gfx942")
        .decode()
        .startswith(
            "-x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -std=c++20 -O2 -ffp-contract=off "
            "-fno-math-errno -fno-strict-aliasing -fhip-fp32-correctly-rounded-divide-sqrt -fuse-cuid=none -w -I"
        )
    )


def test_several_processors_make_a_bundle(tmp_path, clang):
    """As the documentation of clang's offload bundler has it."""
    clang()
    content = built(tmp_path, arch=["gfx942", "gfx1100", "gfx942"])
    assert content.startswith(b"__CLANG_OFFLOAD_BUNDLE__")
    (count,) = struct.unpack_from("<Q", content, 24)
    at, parts = 32, {}
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", content, at)
        name = content[at + 24 : at + 24 + length].decode()
        parts[name] = content[offset : offset + size].decode()
        assert offset % 4096 == 0
        at += 24 + length
    assert list(parts) == [
        "host-x86_64-unknown-linux-gnu-", "hipv4-amdgcn-amd-amdhsa--gfx942", "hipv4-amdgcn-amd-amdhsa--gfx1100",
    ]  # fmt: skip
    texts = list(parts.values())
    assert texts[0] == "" and texts[1].endswith("--offload-arch=gfx942") and texts[2].endswith("--offload-arch=gfx1100")


def node(root, number, version, simds):
    place = root / str(number)
    place.mkdir(parents=True)
    (place / "properties").write_text(f"cpu_cores_count 0\nsimd_count {simds}\ngfx_target_version {version}\n")


def test_the_processors_of_this_machine_are_the_kernels(tmp_path, clang, monkeypatch):
    """Numbers of the kernel's list: major, minor and stepping, two decimal digits each."""
    for number, (version, simds) in enumerate([(0, 0), (90402, 304), (90010, 220), (120001, 64), (100300, 80)]):
        node(tmp_path / "nodes", number, version, simds)
    assert amd.processors(tmp_path / "nodes") == ["gfx942", "gfx90a", "gfx1201", "gfx1030"]
    assert amd.processors(tmp_path / "none") == []
    clang()
    monkeypatch.delenv("HAWK_HIP_ARCH", raising=False)
    monkeypatch.setattr(amd, "processors", lambda: ["gfx90a", "gfx90a"])
    assert built(tmp_path).endswith(b"--offload-arch=gfx90a")


def test_the_variable_names_processors(tmp_path, clang, monkeypatch):
    clang()
    monkeypatch.setenv("HAWK_HIP_ARCH", "gfx942, gfx1100")
    content = built(tmp_path)
    assert b"--offload-arch=gfx942" in content and b"--offload-arch=gfx1100" in content


def refused(tmp_path, targets=("hip",), **options):
    with pytest.raises(HawkError) as error:
        hawk.build(affine, tmp_path / "made", targets, **options)
    assert not (tmp_path / "made").exists()
    return str(error.value)


def test_a_machine_without_one_must_be_told(tmp_path, clang, monkeypatch):
    clang()
    monkeypatch.delenv("HAWK_HIP_ARCH", raising=False)
    monkeypatch.setattr(amd, "processors", lambda: [])
    assert refused(tmp_path) == (
        "kernel 'affine' is to be compiled for AMD's processors, of which this machine has none, and code for one does "
        "not run on another; name them, as arch='gfx942', or set HAWK_HIP_ARCH"
    )


@pytest.mark.parametrize("arch", ["942", "gfx", "gfx9-generic", "sm_90", "", 942, ["gfx942", None]])
def test_an_architecture_that_is_none(tmp_path, clang, arch):
    clang()
    wrong = arch[1] if isinstance(arch, list) else arch
    assert refused(tmp_path, arch=arch) == (
        f"arch is {wrong!r}; use a name such as 'gfx942' (code for that processor), or several of them"
    )


def test_an_architecture_of_no_target(tmp_path):
    assert refused(tmp_path, ("host",), arch="gfx942") == "arch is 'gfx942'; none of the targets takes architectures"


def test_a_processor_that_the_compiler_does_not_know(tmp_path, clang):
    path = clang()
    assert refused(tmp_path, arch="gfx950") == (
        f"kernel 'affine' is wanted for gfx950, which {path.name} makes no code for: take a newer compiler, with "
        "HAWK_HIP_CLANG, or another of arch"
    )


def test_what_the_compiler_says_is_told(tmp_path, clang):
    clang(broken="it is Sunday")
    words = refused(tmp_path, arch="gfx942")
    assert "kernel 'affine' was not compiled for gfx942: clang++ ended with code 2" in words and "it is Sunday" in words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"archs": "gfx906 gfx90a"}, "makes no code for gfx942; set it to a clang++ of LLVM 19 or newer"),
        ({"linker": "no-such-lld"}, "has no ld.lld; set it to a clang++ of LLVM 19 or newer that has its ld.lld"),
    ],
)
def test_a_wrong_compiler_is_not_passed_over(tmp_path, clang, options, words):
    path = clang(**options)
    assert f"$HAWK_HIP_CLANG ({path}) {words}" in refused(tmp_path, arch="gfx942")


def test_a_compiler_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("HAWK_HIP_CLANG", "no-such-clang")
    assert "$HAWK_HIP_CLANG (no-such-clang) names no program that can be run" in refused(tmp_path, arch="gfx942")


def test_no_compiler_is_said_by_name(tmp_path, no_compiler):
    words = refused(tmp_path, arch="gfx942")
    for part in (
        "kernel 'affine' cannot be compiled for AMD's processors, because no clang for them was found",
        "$HAWK_HIP_CLANG (not set)",
        f"{tmp_path / 'rocm' / 'clang++'} (not there)",
        "apt-get install --no-install-recommends clang-19 lld-19",
    ):
        assert part in words


def test_a_cached_kernel_needs_no_compiler(tmp_path, clang, monkeypatch, request):
    clang()
    first = built(tmp_path, arch="gfx942")
    monkeypatch.delenv("HAWK_HIP_CLANG")
    request.getfixturevalue("no_compiler")
    assert built(tmp_path, arch="gfx942") == first
    with pytest.raises(HawkError, match="no clang for them was found"):
        built(tmp_path, arch="gfx90a")


# Numbers of the processors in the header's flags: LLVM's "User Guide for AMDGPU Backend", e_flags.
NUMBERS = {"gfx90a": 0x3F, "gfx942": 0x4C, "gfx1100": 0x41, "gfx1201": 0x4E}
EM_AMDGPU = 224


def check_code_objects(kernels, arch):
    for kernel in kernels:
        d = kernel._description
        content = amd.compile_for_amd(d.name, d.device_source, d.operations, (arch,)).library.content()
        assert content.startswith(b"\x7fELF") and struct.unpack_from("<H", content, 18) == (EM_AMDGPU,)
        assert content[48] == NUMBERS[arch], kernel.name
        for name in entries(kernel):
            assert f"\0{name}\0".encode() in content and f"\0{name}.kd\0".encode() in content, name
        for name in (b"\0eagle_abi_tag\0", b"\0eagle_layout_sizes\0", b"aether-abi/2\0"):
            assert name in content, kernel.name
        assert struct.pack("<5Q", 40, 32, 32, 4, 24) in content


@pytest.fixture(scope="module")
def kernels():
    return list(every_kernel().values())


@pytest.mark.amd_compiler
def test_every_kernel_compiles_for_one_processor(kernels):
    assert len(kernels) >= 40
    check_code_objects(kernels, "gfx942")


@pytest.mark.soak
@pytest.mark.amd_compiler
@pytest.mark.parametrize("arch", NUMBERS)
def test_every_kernel_compiles_for_each_processor(kernels, arch):
    check_code_objects(kernels, arch)


@pytest.mark.amd_compiler
@pytest.mark.parametrize(("kernel", "is_joined"), [(affine, False), (joined, True)])
def test_sums_and_products_are_joined_where_the_kernel_says_so(kernel, is_joined):
    compiler = amd_search.find_amd_compiler()
    options = [*amd._flags(2), f"-I{amd.INCLUDE}", "-S"]
    text = compiler.make(kernel.name, kernel.device_source, options, "gfx942").decode()
    assert ("_fma_f64" in text or "_fmac_f64" in text) == is_joined
    assert ".amdhsa_float_denorm_mode_32 3" in text and ".amdhsa_float_round_mode_32 0" in text


@pytest.mark.amd_compiler
def test_the_file_does_not_tell_where_it_was_made():
    compiler = amd_search.find_amd_compiler()
    options = [*amd._flags(2), f"-I{amd.INCLUDE}"]
    first, second = (compiler.make("affine", affine.device_source, options, "gfx942") for _ in range(2))
    assert first == second and b"/hawk-" not in first
