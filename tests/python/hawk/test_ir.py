"""The canonical form: what it holds, what it leaves out, and that it is the same everywhere."""

import math
import subprocess
import sys

import pytest
from hawk_oracle import define

import hawk

OSCILLATOR = """
def oscillator(omega: Scalar, t_end: Param, dt: Param, terminated: Terminated,
               x: Mutable[Scalar], v: Mutable[Scalar], t: Mutable[Scalar]):
    x0, v0 = x, v
    x = x0 + dt * v0
    v = v0 - dt * omega * omega * x0
    t += dt
    terminated = t >= t_end
"""

# Written from the language's description, not from what the compiler prints.
OSCILLATOR_IR = """\
kernel oscillator float64
per_sample omega: real
uniform t_end: real
uniform dt: real
terminated terminated: bool
mutable x: real
mutable v: real
mutable t: real
  v0:real = mul($dt, %v)
  v1:real = add(%x, v0)
  v2:real = mul($dt, %omega)
  v3:real = mul(v2, %omega)
  v4:real = mul(v3, %x)
  v5:real = sub(%v, v4)
  v6:real = add(%t, $dt)
  v7:bool = ge(v6, $t_end)
store t v6
store v v5
store x v1
finish v7
"""


def kernel(source, name="f", **names):
    return hawk.kernel(define(source, name, math=math, **names))


def operations(made):
    return [line.split(" = ")[1] for line in made.ir.splitlines() if " = " in line]


def test_the_text_of_a_kernel():
    assert kernel(OSCILLATOR, "oscillator").ir == OSCILLATOR_IR


def test_the_digest_is_the_same_in_every_process():
    code = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1]); from test_ir import *; "
        "print(kernel(OSCILLATOR, 'oscillator').digest)"
    )
    found = set()
    for seed in ("0", "1"):
        made = subprocess.run(
            [sys.executable, "-c", code, __file__.rpartition("/")[0]],
            capture_output=True,
            text=True,
            check=True,
            env={**__import__("os").environ, "PYTHONHASHSEED": seed},
        )
        found.add(made.stdout.strip())
    found.add(kernel(OSCILLATOR, "oscillator").digest)
    assert len(found) == 1


def test_names_of_temporaries_do_not_count():
    renamed = OSCILLATOR.replace("x0", "before").replace("v0", "speed")
    assert kernel(OSCILLATOR, "oscillator").digest == kernel(renamed, "oscillator").digest


def test_names_of_planes_and_constants_do():
    other = OSCILLATOR.replace("omega", "frequency")
    assert kernel(OSCILLATOR, "oscillator").digest != kernel(other, "oscillator").digest
    one = kernel("def f(x: Scalar):\n    return x * 0.5\n")
    assert one.digest != kernel("def f(x: Scalar):\n    return x * 0.25\n").digest
    assert one.digest != hawk.kernel(dtype="float32")(one.function).digest


def test_zero_has_a_sign():
    made = kernel("def f(x: Scalar):\n    return x + 0.0, x + -0.0, x + 0\n")
    assert len(operations(made)) == 2


def test_equal_operations_are_one():
    made = kernel("def f(x: Scalar, y: Scalar):\n    a = x * y + 1\n    return a * a, (x * y + 1) * (1 + x * y)\n")
    assert operations(made) == [
        "mul(%x, %y)",
        "add(v0, real(0x1.0000000000000p+0))",
        "mul(v1, v1)",
        "add(real(0x1.0000000000000p+0), v0)",
        "mul(v1, v3)",
    ]


def test_what_an_outer_block_has_is_used_in_a_branch():
    made = kernel(
        "def f(x: Scalar):\n    a = math.exp(x)\n    if x > 1:\n        a = math.exp(x) * math.sin(x)\n    return a\n"
    )
    assert sum("exp" in line for line in operations(made)) == 1


def test_a_branch_keeps_its_operations_to_itself():
    made = kernel(
        "def f(x: Scalar):\n    if x > 1:\n        a = math.exp(x)\n"
        "    else:\n        a = math.exp(x) + 1\n    return a\n"
    )
    assert sum("exp" in line for line in operations(made)) == 2


def test_dead_code_is_left_out():
    made = kernel(
        "def f(x: Scalar, n: Index):\n    y = math.exp(x)\n    if x > 0:\n        y = math.sin(y)\n"
        "    z = n // 0 if False else x\n    return z\n"
    )
    assert operations(made) == []
    assert "$" not in made.ir and "__control" not in made.source


def test_constants_are_folded_where_the_bits_are_the_same():
    made = kernel("def f(x: Scalar):\n    return x + (0.1 + 0.2) * 3 / 7 - 2**10 + 7 // 2 + -7 % 3\n")
    value = (0.1 + 0.2) * 3 / 7
    assert operations(made) == [
        f"add(%x, real({value.hex()}))",
        f"sub(v0, real({(1024.0).hex()}))",
        f"add(v1, real({(3.0).hex()}))",
        f"add(v2, real({(2.0).hex()}))",
    ]


def test_functions_of_constants_are_left_to_the_kernel():
    assert operations(kernel("def f(x: Scalar):\n    return x + math.exp(1.0)\n"))[0].startswith("call.exp")


def test_float32_constants_round_first():
    made = hawk.kernel(dtype="float32")(define("def f(x: Scalar):\n    return x * (0.1 * 0.1)\n"))
    import numpy as np

    assert operations(made) == [f"mul(%x, real({float(np.float32(0.1) * np.float32(0.1)).hex()}))"]


def test_small_branches_are_selections_and_long_ones_jumps():
    small = kernel("def f(x: Scalar):\n    if x > 0:\n        x2 = x + 1\n    else:\n        x2 = x\n    return x2\n")
    assert [line.split("(")[0] for line in operations(small)] == ["gt", "add", "sel"]
    long = kernel("def f(x: Scalar):\n    return math.exp(x) if x > 0 else x\n")
    assert "if v0 {" in long.ir and "if (any(m0)) {" in long.source


def test_ways_that_return_need_no_selection():
    made = kernel("def f(x: Scalar):\n    if x > 0:\n        return x\n    return -x\n")
    assert [line.split("(")[0] for line in operations(made)] == ["gt", "neg", "sel"]


@pytest.mark.parametrize("shape", ["statements", "one loop", "one expression"])
def test_five_thousand_operations(shape):
    if shape == "statements":
        body = "    y = x\n" + "    y = y * a + x\n" * 2500
    elif shape == "one loop":
        body = "    y = x\n    for i in range(2500):\n        y = y * a + x\n"
    else:
        body = "    y = " + " + ".join(["x * a"] * 2) + " - x" * 1200 + "\n"
    made = kernel(f"def f(x: Scalar, a: Param) -> Scalar:\n{body}    return y\n")
    assert len(operations(made)) == {"statements": 5000, "one loop": 5000, "one expression": 1202}[shape]
    assert made.source.count("HAWK_LONG") == 1


def test_bodies_grow_as_their_operations():
    """Work is counted, not timed: twice the statements make twice the text, within the header's share."""
    sizes = []
    for n in (500, 1000, 2000):
        body = "    y = x\n" + "    if y > 1:\n        y = math.sin(y)\n" * n
        sizes.append(len(kernel(f"def f(x: Scalar) -> Scalar:\n{body}    return y\n").source))
    assert sizes[2] - sizes[1] < 2.2 * (sizes[1] - sizes[0])
