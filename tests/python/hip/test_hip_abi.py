"""What backends/hip declares of HIP's interface, beside AMD's own Python bindings.

The bindings are made from the header of a newer HIP than any distribution brings; they are installed for this test
alone and need no ROCm.
"""

import re
from pathlib import Path

import pytest
from rocm.bindings import hip

BACKEND = Path(__file__).resolve().parents[3] / "backends/hip"
ABI = (BACKEND / "hip_abi.h").read_text(encoding="utf-8")
ENTRIES = re.findall(
    r"^HIP_ENTRY\((.*?),\s*(hip\w+),.*?, *\((.*)\)\)$",
    (BACKEND / "runtime_entries.def").read_text(encoding="utf-8"),
    re.MULTILINE,
)
DECLARED = (Path(hip.__file__).parent / "cyhip.pxd").read_text(encoding="utf-8")

ENUMS = {
    name: re.findall(r"(hip\w+) = (\d+)", body)
    for name, body in re.findall(r"^enum (hip\w+) : unsigned \{(.*?)\};", ABI, re.MULTILINE | re.DOTALL)
}


def plain(type_and_name: str) -> str:
    """A parameter's type without its name, and without the words that both sides write their own way."""
    words = re.sub(r"\bstd::|\bstruct\b|\benum\b", "", type_and_name).replace("unsigned int", "unsigned")
    words = words.replace("hipDevice_t ", "int ").replace("hipDevice_t*", "int*").replace("hipDeviceptr_t", "void*")
    words = re.sub(r"(?<=[\w*])\s+\w+$|(?<=\*)\w+$", "", words.strip())
    return re.sub(r"\s+", " ", re.sub(r"\s*\*\s*", "*", words)).strip()


def parameters(text: str) -> list[str]:
    return [plain(p) for p in text.split(",")] if text.strip() else []


def fields(name: str, text: str, pattern: str) -> list[str]:
    """Names of a struct's fields, in their order."""
    body = re.search(pattern.format(name), text, re.MULTILINE | re.DOTALL)
    assert body, f"{name} is not declared"
    lines = (line.split("//")[0].strip().rstrip(";") for line in body[1].splitlines())
    return [re.sub(r"\[\d+\]", "", line.split()[-1]) for line in lines if line]


def test_the_lists_were_read() -> None:
    assert len(ENTRIES) > 45
    assert sum(map(len, ENUMS.values())) > 40


@pytest.mark.parametrize(("enum", "name", "value"), [(e, n, int(v)) for e, all_ in ENUMS.items() for n, v in all_])
def test_a_value_is_amds(enum: str, name: str, value: int) -> None:
    assert getattr(hip, enum)[name].value == value


@pytest.mark.parametrize(("returns", "name", "taken"), ENTRIES, ids=[name for _, name, _ in ENTRIES])
def test_a_function_takes_what_amds_takes(returns: str, name: str, taken: str) -> None:
    declared = re.search(rf"^cdef (.*?)\b{name}\((.*)\) ", DECLARED, re.MULTILINE)
    assert declared, f"HIP has no {name}"
    assert plain(returns + " x") == plain(declared[1] + " x")
    assert parameters(taken) == parameters(declared[2])


@pytest.mark.parametrize("name", ["hipKernelNodeParams", "hipPointerAttribute_t"])
def test_a_struct_has_amds_fields_in_their_order(name: str) -> None:
    ours = fields(name, ABI, r"^struct {0} \{{\n(.*?)^\}};")
    assert ours == fields(name, DECLARED, r"^    cdef struct {0}:\n(.*?)\n\n")


def test_no_runtime_of_this_version_has_conditional_nodes() -> None:
    # Where this fails, HIP has got them: the group conditional is to be written for it.
    assert not re.search(r"\bhip\w*Conditional", DECLARED)
