"""The kernel object: results, faults, threads, memory, the files it opens."""

import contextlib
import ctypes
import gc
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from native_kernels import KERNELS, Compiled, program

from hawk import _native

Kernels = Callable[..., Any]


# ---- results ----


def test_a_tuple_and_a_dict(kernel: Kernels) -> None:
    x = np.arange(5)
    quotient, remainder = kernel("halves")(x)
    np.testing.assert_array_equal(quotient, [0, 0, 1, 1, 2])
    np.testing.assert_array_equal(remainder, [0, 1, 0, 1, 0])
    assert kernel("halves")(7) == (3, 1)
    named = kernel("halves", result="dict", outputs=[("out1", "remainder"), ("out0", "quotient")])(7)
    assert list(named.items()) == [("remainder", 1), ("quotient", 3)]
    assert type(named["quotient"]) is np.int64


def test_given_and_allocated_outputs_together(kernel: Kernels) -> None:
    given = np.zeros(3, dtype=np.int64)
    quotient, remainder = kernel("halves")(np.arange(3), out1=given)
    assert remainder is given
    np.testing.assert_array_equal(quotient, [0, 0, 1])


def test_state_is_written_in_place_and_a_masked_sample_is_left(kernel: Kernels) -> None:
    n, done = np.array([3, 1, 5]), np.array([False, False, True])
    assert kernel("countdown")(n, done) is None
    np.testing.assert_array_equal(n, [2, 0, 5])
    np.testing.assert_array_equal(done, [False, True, True])


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_masks_are_bytes(kernel: Kernels, dtype: type) -> None:
    n, done = np.array([3, 3]), np.array([0, 7], dtype=dtype)
    kernel("countdown")(n, done)
    np.testing.assert_array_equal(n, [2, 3])


def test_a_large_output_is_zero_filled_memory_of_its_own(kernel: Kernels) -> None:
    x = np.ones(100_000)
    first, second = kernel("scale")(x, 2.0, 0.0), kernel("scale")(x, 3.0, 0.0)
    assert first.flags.owndata
    assert first.sum() == 200_000
    assert second.sum() == 300_000


# ---- faults ----


def test_division_by_zero_names_kernel_and_lowest_sample(kernel: Kernels) -> None:
    out = np.full(4, -7)
    with pytest.raises(ZeroDivisionError, match=r"'divide', sample 1 "):
        kernel("divide")(np.array([6, 5, 9, 8]), np.array([2, 0, 3, 0]), out=out)
    np.testing.assert_array_equal(out, [3, -7, 3, -7])


def test_the_overflowing_quotient(kernel: Kernels) -> None:
    with pytest.raises(OverflowError, match=r"'divide', sample 0 "):
        kernel("divide")(np.iinfo(np.int64).min, -1)


def test_an_index_outside_a_table(kernel: Kernels) -> None:
    table = np.array([1.5, 2.5])
    np.testing.assert_array_equal(kernel("pick")(np.array([1, 0, 1]), table), [2.5, 1.5, 2.5])
    with pytest.raises(IndexError, match=r"index 9 is outside table 0 in kernel 'pick', sample 2 "):
        kernel("pick")(np.array([1, 0, 9, -1]), table)


# ---- the compiled object ----


def test_it_compiles_at_the_first_call_and_once(kernel: Kernels) -> None:
    scale = kernel("scale")
    assert scale._program is None
    assert scale.compilations == 0
    for _ in range(3):
        assert scale(1.0, 2.0, 3.0) == 5.0
    assert scale.compilations == 1
    assert scale._program.kernel == "scale"


def test_the_first_program_stays(library: Path, kernel: Kernels) -> None:
    scale = kernel("scale")
    assert scale(1.0, 2.0, 3.0) == 5.0
    first = scale._program
    scale._install(program(library, "scale"))
    assert scale._program is first


def test_a_compilation_that_fails_says_so_each_time() -> None:
    def fails() -> _native.Program:
        raise OSError("no compiler here")

    broken = Compiled(fails)
    for _ in range(2):
        with pytest.raises(OSError, match=r"no compiler here"):
            broken(1.0)


def test_a_compilation_without_a_program_is_named() -> None:
    class Lazy(_native.Kernel):
        def _compile(self) -> None:
            pass

    with pytest.raises(RuntimeError, match=r"_compile.*without calling _install"):
        Lazy()(1.0)
    with pytest.raises(TypeError, match=r"_install.*str.*Program"):
        Lazy()._install("program")  # type: ignore[arg-type]


def test_subclasses_are_called_without_a_detour() -> None:
    """A call of a class written in Python is a vectorcall: type flag 11."""
    assert Compiled.__flags__ & (1 << 11)
    assert type("Further", (Compiled,), {}).__flags__ & (1 << 11)


# ---- files ----


def test_an_entry_that_is_not_there(library: Path) -> None:
    with pytest.raises(ValueError, match=r"no entry 'nowhere'"):
        program(library, "scale", entry="nowhere")


def test_a_file_of_another_interface(library: Path) -> None:
    with pytest.raises(ValueError, match=r"eagle_abi_tag is 'aether-abi/2'; it must be 'aether-abi/1'"):
        program(library, "scale", abi="aether-abi/1")


def test_files_that_are_no_kernels(library: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read.*No such file"):
        program(tmp_path / "absent.so", "scale")
    text = tmp_path / "text.so"
    text.write_text("not a library")
    with pytest.raises(ValueError, match=r"no shared library.*13 bytes"):
        program(text, "scale")
    foreign = Path(np.__file__).parent.parent / "numpy" / "_core"
    module = next(foreign.glob("_multiarray_umath*.so"))
    with pytest.raises(ValueError, match=r"eagle_abi_tag is missing|cannot open"):
        program(module, "scale")


@pytest.mark.parametrize("part", [0.05, 0.3, 0.6])
def test_a_truncated_file_is_refused_before_it_is_mapped(library: Path, tmp_path: Path, part: float) -> None:
    short = tmp_path / "short.so"
    whole = library.read_bytes()
    short.write_bytes(whole[: int(len(whole) * part)])
    with pytest.raises(ValueError, match=r"truncated|no shared library"):
        program(short, "scale")


def test_a_path_object_a_string_and_bytes(library: Path, tmp_path: Path) -> None:
    copy = tmp_path / "kérnel one.so"
    shutil.copy(library, copy)
    for path in (copy, str(copy), os.fsencode(copy)):
        kernel = Compiled(lambda path=path: program(path, "scale"))  # type: ignore[misc]
        assert kernel(1.0, 2.0, 3.0) == 5.0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scalar": "double"}, "'scale' is 'double'.*float64"),
        ({"result": "list"}, "'list'.*none, one, tuple or dict"),
        ({"order": ["x", "q"]}, "'q'.*no parameter"),
        ({"outputs": [("x", None)]}, "'x'.*per_sample.*must be out"),
        ({"outputs": []}, "0 outputs.*'one'"),
        ({"parameters": [("x", "input", "float64", 1, 1, False, False, False)]}, "role of parameter 'x' is 'input'"),
        ({"parameters": [("x", "per_sample", "double", 1, 1, False, False, False)]}, "dtype of parameter 'x'"),
        ({"parameters": [("x", "per_sample", "float64", 0, 1, False, False, False)]}, "0 rows"),
    ],
)
def test_a_wrong_description(library: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        program(library, "scale", **changes)


# ---- threads, memory, environment ----


def test_two_threads_call_one_kernel(kernel: Kernels) -> None:
    scale = kernel("scale")
    failures: list[Any] = []

    def work(seed: int) -> None:
        x = np.random.default_rng(seed).standard_normal(50)
        out = np.empty(50)
        for k in range(2000):
            if not np.array_equal(scale(x, float(k), 1.0, out=out), k * x + 1.0):
                failures.append((seed, k))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


def test_long_work_gives_up_the_gil(kernel: Kernels) -> None:
    """The calls return only after another Python thread has written into their arrays."""
    waiter = kernel("waiter")
    planes = [np.zeros(1) for _ in range(2)]
    results = [np.zeros(1) for _ in range(2)]
    threads = [threading.Thread(target=waiter, args=(planes[k],), kwargs={"out": results[k]}) for k in range(2)]
    for t in threads:
        t.start()
    while waiter._program is None:
        time.sleep(0.001)
    time.sleep(0.05)
    for plane in planes:
        plane[0] = 4.0
    for t in threads:
        t.join()
    assert [r[0] for r in results] == [4.0, 4.0]


def test_an_interrupt_stops_a_long_call_at_a_whole_sample(kernel: Kernels) -> None:
    slow, x, out = kernel("slow"), np.full(60_000, 3.0), np.zeros(60_000)
    slow(x[:5])
    timer = threading.Timer(0.1, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        slow(x, out=out)
    timer.join()
    done = np.count_nonzero(out)
    assert 0 < done < len(out)
    np.testing.assert_array_equal(out[:done], x[:done])


def test_short_work_keeps_the_gil(kernel: Kernels) -> None:
    third = kernel("third", ns_per_sample=1.0)
    third(np.ones(10))
    assert third._program.ns_per_sample == 1.0  # never timed, so never released


@pytest.fixture
def upward_rounding() -> Iterator[None]:
    libm = ctypes.CDLL("libm.so.6")
    libm.fesetround(0x800)
    yield
    libm.fesetround(0)


def test_the_rounding_mode_of_the_process_does_not_matter(kernel: Kernels, upward_rounding: None) -> None:
    x = np.array([1.0, 2.0, 5.0])
    result = kernel("third")(x)
    assert ctypes.CDLL("libm.so.6").fegetround() == 0x800
    ctypes.CDLL("libm.so.6").fesetround(0)
    assert [float(r).hex() for r in result] == [(1 / 3).hex(), (2 / 3).hex(), (5 / 3).hex()]


def test_references_and_memory_stay_level(kernel: Kernels) -> None:
    scale, x, a = kernel("scale"), np.zeros(3), 2.5
    out = np.zeros(3)
    bad = np.zeros(2)
    scale(x, a, 1.0, out=out)

    def turn() -> None:
        scale(x, a, 1.0, out=out)
        scale(x, a, 1.0)
        scale(1.0, a, 1.0)
        scale(memoryview(x), a, 1.0)

    def refused() -> None:
        for wrong in ({"out": bad}, {"out": x}, {"c": 1}):
            with contextlib.suppress(ValueError, TypeError):
                scale(x, a, 1.0, **wrong)

    turn()
    refused()
    gc.collect()
    watched = (x, a, out, bad, scale, np.float64, type(scale))
    before = [sys.getrefcount(o) for o in watched]
    blocks = sys.getallocatedblocks()
    for _ in range(25_000):
        turn()
    for _ in range(1000):
        refused()
    gc.collect()
    assert [sys.getrefcount(o) for o in watched] == before
    assert abs(sys.getallocatedblocks() - blocks) < 200


def test_dlpack_tensors_are_given_back(kernel: Kernels) -> None:
    class Producer:
        def __init__(self, values: np.ndarray) -> None:
            self.values = values

        def __dlpack__(self, **options: Any) -> Any:
            return self.values.__dlpack__(**options)

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    values = np.zeros(4)
    producer = Producer(values)
    before = sys.getrefcount(values)
    for _ in range(1000):
        kernel("scale")(producer, 1.0, 1.0)
    assert sys.getrefcount(values) == before


def test_a_kernel_and_its_program_end(library: Path) -> None:
    held = program(library, "scale")
    before = sys.getrefcount(held)
    for _ in range(10):
        kernel = Compiled(lambda: held)
        kernel(1.0, 1.0, 1.0)
        del kernel
    gc.collect()
    assert sys.getrefcount(held) == before


# ---- arrays on a device ----


class OnDevice:
    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 3)

    def __dlpack__(self, **options: Any) -> Any:
        raise AssertionError("the hook takes the call; nobody else asks for the memory")


@pytest.fixture
def device_hook() -> Iterator[list[Any]]:
    calls: list[Any] = []

    def hook(*call: Any) -> str:
        calls.append(call)
        return "done there"

    before = _native.set_device_hook(hook)
    yield calls
    assert _native.set_device_hook(before) is hook


def test_the_device_hook_takes_the_call(kernel: Kernels, device_hook: list[Any]) -> None:
    scale, x = kernel("scale"), OnDevice()
    assert scale(x, 2.0, b=1.0) == "done there"
    assert device_hook == [(scale, (x, 2.0), {"b": 1.0}, "x", 2, 3)]
    assert scale(1.0, 2.0, 1.0) == 3.0


def test_a_mix_is_refused_though_there_is_a_hook(kernel: Kernels, device_hook: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"'y'.*'x'.*one device"):
        kernel("add")(np.zeros(1), OnDevice())
    assert device_hook == []


def test_the_hook_must_be_callable() -> None:
    with pytest.raises(TypeError, match=r"not callable"):
        _native.set_device_hook(5)


def test_every_hand_written_kernel_is_called_above() -> None:
    text = "".join(p.read_text() for p in Path(__file__).parent.glob("test_*.py"))
    assert [name for name in KERNELS if f'kernel("{name}"' not in text] == []
