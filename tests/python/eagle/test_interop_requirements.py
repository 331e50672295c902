"""What a caller requires of an array: every clause of a refusal alone, all together; arguments that make no sense."""

import numpy as np
import pytest
from producers import Producer

from eagle.interop import BufferRefused, Requirements, import_buffer

MEMORY = np.zeros(64)
OFF_64 = (8 - MEMORY.ctypes.data // 8 % 8) % 8 + 2  # elements to an address that 16 divides and 32 does not
X = MEMORY[OFF_64 : OFF_64 + 6].reshape(2, 3).T  # (3, 2), strides (8, 24)

CLAUSES = {
    "dtype": ("int32", "dtype is float64, needed is int32"),
    "count": (7, "count is 6, needed is 7"),
    "shape": ((6,), r"shape is (3, 2), needed is (6,)"),
    "contiguous": (True, "layout is strided by (8, 24) bytes, needed is dense and row-major"),
    "alignment": (64, "alignment is 16 bytes, needed is 64 bytes"),
    "device": ("cuda", "device is DLPack device type 1 (cpu), needed is DLPack device type 2 (cuda)"),
    "device_id": (1, "device_id is 0, needed is 1"),
    "writable": (True, "access is unknown, needed is read-write"),
}
OPENING = "argument 'obj' does not meet what is required: "
ADVICE = ". Pass an array that does, or convert or copy this one first"


def refusal(**needed):
    with pytest.raises(BufferRefused) as caught:
        import_buffer(Producer(X, legacy=True), require=Requirements(**needed))
    return str(caught.value)


@pytest.mark.parametrize("name", CLAUSES)
def test_each_clause_alone(name):
    needed, clause = CLAUSES[name]
    assert refusal(**{name: needed}) == OPENING + clause + ADVICE


def test_all_clauses_together():
    everything = {name: needed for name, (needed, _) in CLAUSES.items()}
    assert refusal(**everything) == OPENING + "; ".join(clause for _, clause in CLAUSES.values()) + ADVICE


def test_what_is_met_is_let_through():
    needed = Requirements(np.float64, 6, (3, 2), False, 16, "cpu", 0, True)
    assert import_buffer(X, require=needed).ptr == X.ctypes.data
    assert import_buffer(X.T, require=Requirements(contiguous=True)).contiguous
    assert import_buffer(X, require=None).size == 6
    assert import_buffer(X, require=Requirements()).size == 6


def test_unknown_access_may_be_taken_for_writable():
    needed = Requirements(writable=True)
    assert import_buffer(Producer(X, legacy=True), require=needed, assume_writable=True).access == "unknown"
    with pytest.raises(BufferRefused, match="access is read-only, needed is read-write"):
        import_buffer(Producer(X, flags=1), require=needed, assume_writable=True)


def test_a_refused_array_is_let_go():
    producer = Producer(X, legacy=True)
    with pytest.raises(BufferRefused):
        import_buffer(producer, require=Requirements(count=1))
    assert producer.taken_back == 1


def test_requirements_say_what_they_are():
    made = Requirements(dtype="<f4", shape=5, device="cuda:1")
    assert (made.dtype, made.shape, made.device_type, made.device_id) == ("float32", (5,), 2, 1)
    assert (made.count, made.contiguous, made.alignment, made.writable) == (None, False, 0, False)
    assert Requirements(dtype=np.int32).dtype == "int32"
    assert Requirements(dtype="bfloat16").dtype == "bfloat16"
    assert Requirements(dtype=bool).dtype == "bool"
    assert Requirements(device=10, device_id=2).device_type == 10


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"dtype": "nonsense"}, ValueError, "dtype is 'nonsense'; it must name a number type"),
        ({"dtype": "U3"}, ValueError, "dtype is 'U3'; it must name a number type"),
        ({"count": -1}, ValueError, "count is -1; it must be at least 0"),
        ({"alignment": -8}, ValueError, "alignment is -8; it must be at least 0 bytes"),
        ({"shape": (2, -3)}, ValueError, r"shape is \(2, -3\); its extents must be at least 0"),
        ({"shape": "ab"}, TypeError, "shape is 'ab'; it needs an integer or a tuple of integers"),
        ({"device": "abacus"}, ValueError, "the device is 'abacus', a kind whose DLPack device type is not known"),
        ({"device": "cuda:x"}, ValueError, "device is 'cuda:x'; it must be a kind such as 'cuda'"),
        ({"device": 2.5}, TypeError, r"device is 2\.5; it needs a kind"),
        ({"device": "cuda:0", "device_id": 1}, ValueError, "device is 'cuda:0' and device_id is 1; they must agree"),
    ],
)
def test_requirements_that_no_array_meets_are_refused(options, error, words):
    with pytest.raises(error, match=words):
        Requirements(**options)
