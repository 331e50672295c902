"""Generated CUDA of every kernel of the tests: it compiles for cards, and its run on fibers has the host's bits."""

import re
import struct

import numpy as np
import pytest
from device_runs import Bundles, Fibers, arguments_of, blocks_of, entries, every_kernel, nvrtc
from elf_symbols import FUNCTION, GLOBAL, OBJECT, symbols
from hawk_oracle import bits

import hawk
from hawk.compiling.cuda import compile_for_cards

# What the issue of a card names: the oldest that is supported, and one of each generation since.
CARDS = ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120")
N = 203


@pytest.fixture(scope="module")
def kernels():
    return list(every_kernel().values())


@pytest.fixture(scope="module")
def fibers(kernels, tmp_path_factory):
    return Bundles(short(kernels), tmp_path_factory.mktemp("fibers"))


def short(kernels):
    """Without the longest: unrolled into thousands of operations, it takes the host's compiler minutes as fibers."""
    return [kernel for kernel in kernels if kernel._description.operations <= 2000]


def test_there_are_kernels_of_every_kind(kernels):
    sources = [kernel.device_source for kernel in kernels]
    assert len(sources) >= 40
    for what in (
        "faults = true",
        "finishes = true",
        "using real = float",
        "typename S::i64",
        "hawk/math.h",
        "if (any(",
    ):
        assert any(what in source for source in sources), what


def check_cubins(kernels, card):
    for kernel in kernels:
        d = kernel._description
        made = compile_for_cards(d.name, d.device_source, d.operations, (card,))
        content = made.library.content()
        assert (made.form, made.codes) == ("cubin", (card,))
        assert content.startswith(b"\x7fELF") and content[18:20] == b"\xbe\x00"  # EM_CUDA
        check_symbols(symbols(content), [*entries(kernel), MARK])


# What drivers find by name: entries have global symbols. Variables have local ones, of every compiler that was looked
# at (backends/cuda/README.md), so that their binding is not asked.
MARK = "eagle_abi_2_layout_40_32_32_4_24"
CONTENTS = {"eagle_abi_tag": b"aether-abi/2\0", "eagle_layout_sizes": struct.pack("<5Q", 40, 32, 32, 4, 24)}


def check_symbols(found, names):
    for name in names:
        symbol = found[name]
        assert (symbol.binding, symbol.kind, symbol.section) == (GLOBAL, FUNCTION, f".text.{name}"), name
        assert symbol.content, name
    for name, content in CONTENTS.items():
        symbol = found[name]
        assert (symbol.kind, symbol.section, symbol.content) == (OBJECT, ".nv.global.init", content), name


def test_every_kernel_compiles_to_a_cubin(kernels, monkeypatch):
    """By NVRTC, which needs no toolkit and a fifth of nvcc's time."""
    monkeypatch.delenv("HAWK_NVCC", raising=False)
    monkeypatch.setenv("HAWK_NVRTC", nvrtc())
    check_cubins(kernels, "sm_90")


def test_the_state_of_a_lane_stays_in_registers(kernels, monkeypatch):
    """What a thread keeps in memory instead is the code of a fault, whose address the body is given. A body that is
    compiled once for both drivers takes the state by address; a run keeps no more than what the body takes."""
    monkeypatch.delenv("HAWK_NVCC", raising=False)
    monkeypatch.setenv("HAWK_NVRTC", nvrtc())
    seen = set()
    for kernel in kernels:
        d = kernel._description
        if "HAWK_LONG" in d.device_source or not (d.run or d.signature.faults):
            continue
        made = compile_for_cards(d.name, d.device_source, d.operations, ("compute_75",))
        kept = [int(n) for n in re.findall(rb"__local_depot\d+\[(\d+)\]", made.library.content())]
        assert max(kept, default=0) <= (8 if d.signature.faults else 0), d.name
        seen.add((d.run is not None, d.signature.faults))
    assert seen == {(True, True), (True, False), (False, True)}


@pytest.mark.soak
@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("compiler", ["nvcc", "nvrtc"])
def test_every_kernel_compiles_for_each_card(kernels, card, compiler, monkeypatch):
    monkeypatch.delenv("HAWK_NVCC", raising=False)
    if compiler == "nvrtc":
        monkeypatch.setenv("HAWK_NVRTC", nvrtc())
    check_cubins(kernels, card)


def on_the_host(kernel, planes, numbers):
    """A step of the host's own path, and the lowest sample that it says is faulty."""
    try:
        given = {name: plane for name, plane in planes.items()}
        kernel(**given, **numbers)
    except (IndexError, ArithmeticError) as error:
        return int(str(error).rpartition("sample ")[2].split()[0].rstrip(".,;:"))
    return None


def same(kernel, found, wanted):
    for key in wanted:
        assert bits(found[key]) == bits(wanted[key]), f"{key} of {kernel.name}"


@pytest.mark.parametrize(("grid", "block"), [(1, 256), (3, 96), (2, 40)])
def test_a_step_has_the_bits_of_the_host(kernels, fibers, grid, block):
    """Any grid: threads go on with samples that are left over; a block's last warp may have few lanes."""
    for kernel in short(kernels):
        check_step(fibers.of(kernel), kernel, grid, block)


@pytest.mark.soak
def test_the_longest_has_them_too(kernels, tmp_path):
    longest = [kernel for kernel in kernels if kernel not in short(kernels)]
    assert longest
    fibers = Bundles(longest, tmp_path)
    for kernel in longest:
        check_step(fibers.of(kernel), kernel, 2, 40)


def check_step(fibers, kernel, grid, block):
    planes, numbers = arguments_of(kernel, N, len(kernel.name))
    wanted = {key: plane.copy() for key, plane in planes.items()}
    faulty = on_the_host(kernel, wanted, numbers)
    control = np.zeros(8, np.int64)
    blocks = blocks_of(kernel, planes | {"__control": control}, numbers, N)
    fibers.launch(kernel._description.step, blocks, 0, 100, N, grid=grid, block=block)
    fibers.launch(kernel._description.step, blocks, 100, N - 100, N, grid=grid, block=block)
    same(kernel, planes, wanted)
    assert (control[3] != 0) == (faulty is not None), kernel.name
    assert control[7] == 0 and (faulty is None or control[5] == faulty), kernel.name


def stepped(kernel, planes, numbers, cap):
    """Steps of the host until each sample is done, at the cap or faulty: (steps, total, lowest faulty sample)."""
    mask = kernel._description.mask
    steps = np.zeros(N, np.int64)
    fallen = np.zeros(N, bool)
    for _ in range(cap):
        live = ~planes[mask] & ~fallen
        if not live.any():
            break
        part = {key: np.ascontiguousarray(plane[..., live]) for key, plane in planes.items()}
        index = np.flatnonzero(live)
        done = np.ones(len(index), bool)
        faulty = on_the_host(kernel, part, numbers)
        while faulty is not None:  # the lowest one is named: it stays as it is, and the others are looked at again
            done[faulty] = False
            fallen[index[faulty]] = True
            part = {key: np.ascontiguousarray(plane[..., index[done]]) for key, plane in planes.items()}
            again = on_the_host(kernel, part, numbers)
            faulty = None if again is None else int(np.flatnonzero(done)[again])
        for key, plane in planes.items():
            plane[..., index[done]] = part[key]
        steps[index[done]] += 1
    return steps, int(steps.sum()), int(np.flatnonzero(fallen)[0]) if fallen.any() else None


@pytest.mark.parametrize(
    ("grid", "block", "cap", "supplied"), [(2, 64, 40, True), (1, 40, 7, True), (3, 32, 40, False)]
)
def test_a_run_is_the_steps_one_after_another(kernels, fibers, grid, block, cap, supplied):
    """Lanes are refilled from a cursor, given or each warp's own; steps are exact for every sample."""
    finishing = [kernel for kernel in short(kernels) if kernel._description.run is not None]
    assert len(finishing) >= 8
    for kernel in finishing:
        check_run(fibers.of(kernel), kernel, grid, block, cap, supplied)


def check_run(fibers, kernel, grid, block, cap, supplied):
    planes, numbers = arguments_of(kernel, N, len(kernel.name) + cap)
    wanted = {key: plane.copy() for key, plane in planes.items()}
    want_steps, want_total, faulty = stepped(kernel, wanted, numbers, cap)
    control, cursor, steps = np.array([0, cap, 0, 0, 0, 0, 0, 0]), np.zeros(1, np.int64), np.zeros(N, np.int64)
    own = {"__control": control, "__steps": steps} | ({"__next": cursor} if supplied else {})
    blocks = blocks_of(kernel, planes | own, numbers, N)
    fibers.launch(kernel._description.run, blocks, 0, N, N, grid=grid, block=block, seed=cap)
    same(kernel, planes, wanted)
    assert steps.tolist() == want_steps.tolist(), kernel.name
    assert control[2] == want_total and control[7] == 0, kernel.name
    assert control[5] == faulty if faulty is not None else control[3] == 0, kernel.name
    assert cursor[0] >= N or not supplied


@hawk.kernel
def walking(x: hawk.Mutable[hawk.Scalar], limit: hawk.Scalar, done: hawk.Terminated):
    x = x + 1.0
    done = x >= limit


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    return Fibers([walking], tmp_path_factory.mktemp("walk"))


def test_a_run_continues_where_the_last_one_stopped(walk):
    x, limit, done, steps = np.zeros(N), np.arange(N) + 0.5, np.zeros(N, bool), np.zeros(N, np.int64)
    for cap in (3, 50, 1000):
        control, cursor = np.array([0, cap, 0, 0, 0, 0, 0, 0]), np.zeros(1, np.int64)
        before = steps.sum()
        planes = {"x": x, "limit": limit, "done": done, "__control": control, "__next": cursor, "__steps": steps}
        walk.launch("walking_run", blocks_of(walking, planes, {}, N), 0, N, N, grid=2, block=64)
        assert steps.tolist() == np.minimum(np.arange(1, N + 1), cap).tolist()
        assert control[2] == steps.sum() - before
        assert done.tolist() == (steps == np.arange(1, N + 1)).tolist()
    assert (x == steps).all()


@pytest.mark.parametrize(("stop", "cap"), [(1, 10), (0, 0), (0, -3)])
def test_a_run_that_is_stopped_before_it_begins_does_nothing(walk, stop, cap):
    x, done, steps = np.zeros(N), np.zeros(N, bool), np.zeros(N, np.int64)
    control, cursor = np.array([stop, cap, 0, 0, 0, 0, 0, 0]), np.zeros(1, np.int64)
    planes = {"x": x, "limit": x, "done": done, "__control": control, "__next": cursor, "__steps": steps}
    walk.launch("walking_run", blocks_of(walking, planes, {}, N), 0, N, N, grid=2, block=64)
    assert not (x.any() or done.any() or steps.any() or cursor.any() or control[2])


@hawk.kernel
def dividing(x: hawk.Mutable[hawk.Index], by: hawk.Index):
    x = x // by


@pytest.fixture(scope="module")
def divide(tmp_path_factory):
    return Fibers([dividing], tmp_path_factory.mktemp("divide"))


@pytest.mark.parametrize("reported", [0, 7])
def test_a_fault_behind_the_reported_one_goes_without_the_lock(divide, reported):
    """The lock is taken for good here: a thread that wanted it would wait for ever."""
    x, by = np.full(N, 6), np.where(np.arange(N) < reported, 2, 0)
    control = np.array([0, 0, 0, -1, 0, reported, 0, 1])
    planes = {"x": x, "by": by, "__control": control}
    divide.launch("dividing_step", blocks_of(dividing, planes, {}, N), 0, N, N, grid=2, block=64)
    assert control.tolist() == [0, 0, 0, -1, 0, reported, 0, 1]
    assert x.tolist() == [3] * reported + [6] * (N - reported)


def test_a_lower_fault_takes_the_place_of_the_reported_one(divide):
    x, by = np.full(N, 6), np.where(np.arange(N) < 5, 2, 0)
    control = np.array([0, 0, 0, -2, 3, 9, 0, 0])
    planes = {"x": x, "by": by, "__control": control}
    divide.launch("dividing_step", blocks_of(dividing, planes, {}, N), 0, N, N, grid=2, block=64)
    assert control.tolist() == [0, 0, 0, -1, 0, 5, 0, 0]


def test_a_run_takes_its_part_alone(walk):
    x, done, steps = np.zeros(N), np.zeros(N, bool), np.zeros(N, np.int64)
    control, cursor = np.array([0, 5, 0, 0, 0, 0, 0, 0]), np.array([40])
    planes = {"x": x, "limit": np.full(N, 99.0), "done": done, "__control": control, "__next": cursor, "__steps": steps}
    walk.launch("walking_run", blocks_of(walking, planes, {}, N), 40, 60, N, grid=2, block=64)
    assert x.tolist() == [0.0] * 40 + [5.0] * 60 + [0.0] * (N - 100)
