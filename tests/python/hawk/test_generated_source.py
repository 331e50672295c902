"""The generated C++: kernels written out by hand in the header set's tests are what the generator must emit."""

from pathlib import Path

import numpy as np
import pytest
from hawk_oracle import define

import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated

WRITTEN = Path(__file__).parents[2] / "cpp" / "hawk" / "kernels"


def code(text):
    return [line for line in text.splitlines() if not line.lstrip().startswith(("//", "#include"))]


@pytest.mark.parametrize("name", ["oscillator", "scale"])
def test_written_kernels(name):
    text = (WRITTEN / f"{name}.cpp").read_text()
    source = "\n".join(line[3:] for line in text.split("#include")[0].splitlines())
    assert code(hawk.kernel(define(source, name)).source) == code(text)


@hawk.kernel(dtype="float32")
def odd(a: Param, n: Param[Index], unused: Scalar, x: Scalar, i: Mutable[Index], z: Mutable[Scalar], end: Terminated):
    if x > 0:
        i = i // n
        z = x % a
    end = z != z


def test_what_the_struct_states():
    lines = [line.strip() for line in odd.source.splitlines()]
    for line in (
        "using real = float;",
        "static constexpr int lane = 8;",
        "static constexpr int planes = 3, written = 2, fresh = 0;",  # i, z, x: what is not read is no plane
        "static constexpr u8 size[planes] = {8, 4, 4};",
        "static constexpr bool finishes = true, faults = true;",
        "real a_;",
        "i64 n_;",
        '#include "hawk/quotient.h"',
        "HAWK_STEP(odd_kernel, odd_step)",
        "HAWK_RUN(odd_kernel, odd_run)",
    ):
        assert line in lines, line
    assert '#include "hawk/math.h"' not in lines
    assert sum("floor_div" in line and ", m0, f)" in line for line in lines) == 1


def test_an_unread_plane_may_still_be_given():
    i, z, end = np.array([7, 7]), np.array([0.0, 1.5], np.float32), np.zeros(2, bool)
    x = np.array([2.5, -1.0], np.float32)
    odd(a=2.0, n=2, unused=np.zeros(2, np.float32), x=x, i=i, z=z, end=end)
    assert (i.tolist(), z.tolist(), end.tolist()) == ([3, 7], [0.5, 1.5], [False, False])


@hawk.kernel
def only_a_mask(x: Scalar, limit: Param, over: Terminated):
    over = x > limit


def test_a_kernel_that_only_finishes():
    over = np.zeros(11, bool)
    only_a_mask(x=np.arange(11.0), limit=6.5, over=over)
    assert over.tolist() == [False] * 7 + [True] * 4


@hawk.kernel
def without_planes(limit: Param, over: Terminated):
    over = limit > 1


def test_a_kernel_without_planes():
    over = np.zeros(5, bool)
    without_planes(limit=2.0, over=over)
    assert over.all()


def test_a_long_body_is_compiled_lightly():
    from hawk.compiling.make import flags_for

    assert "-O2" in flags_for(2000, "native") and "-O1" in flags_for(2001, "native")
    assert "-march=x86-64-v3" in flags_for(1, "x86-64-v3")
    assert not any("CACHE_BYTES" in flag for flag in flags_for(1, "x86-64-v3"))
