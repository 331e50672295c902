"""import_buffer: every route in, what the view says, and how long it keeps the producer."""

import array
import ctypes
import gc
import sys
import weakref

import numpy as np
import pytest
from producers import Interface, Producer

import eagle
from eagle.interop import BufferRefused, BufferView, InteropError, import_buffer


def test_a_numpy_array_is_viewed_where_it_lies():
    x = np.arange(12.0).reshape(3, 4)[:, ::2]
    view = import_buffer(x)
    assert isinstance(view, BufferView)
    assert (view.ptr, view.shape, view.strides) == (x.ctypes.data, (3, 2), (32, 16))
    assert (view.ndim, view.size, view.dtype, view.contiguous) == (2, 6, "float64", False)
    assert (view.device, view.device_type, view.device_id, view.stream) == ("cpu", 1, 0, None)
    assert (view.access, view.writable, view.route) == ("read-write", True, "buffer")
    assert view.owner is x and view.producer == "numpy.ndarray"
    assert repr(view) == "<BufferView (3, 2) float64 on cpu, read-write, of numpy.ndarray>"


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "uint32", "bool", "complex128"])
def test_every_type_of_number_comes_in(dtype):
    assert import_buffer(np.zeros(3, dtype)).dtype == dtype
    assert import_buffer(Producer(np.zeros(3, dtype))).dtype == dtype
    assert import_buffer(Interface(np.zeros(3, dtype))).dtype == dtype


def frozen(values):
    values.flags.writeable = False
    return values


READ_ONLY = 1


@pytest.mark.parametrize(
    ("make", "access", "route"),
    [
        (lambda: frozen(np.zeros(4)), "read-only", "buffer"),
        (lambda: array.array("d", [0, 0, 0, 0]), "read-write", "buffer"),
        (lambda: memoryview(bytes(32)).cast("d"), "read-only", "buffer"),
        (lambda: (ctypes.c_double * 4)(), "read-write", "buffer"),
        (lambda: Producer(np.zeros(4)), "read-write", "dlpack"),
        (lambda: Producer(np.zeros(4), flags=READ_ONLY), "read-only", "dlpack"),
        (lambda: Producer(np.zeros(4), legacy=True), "unknown", "dlpack-legacy"),
        (lambda: Interface(np.zeros(4)), "read-write", "array_interface"),
        (lambda: Interface(frozen(np.zeros(4))), "read-only", "array_interface"),
        (lambda: Interface(np.zeros(4), "__cuda_array_interface__"), "read-write", "cuda_array_interface"),
        (lambda: Interface(frozen(np.zeros(4)), "__cuda_array_interface__"), "read-only", "cuda_array_interface"),
    ],
)
def test_the_route_says_what_may_be_written(make, access, route):
    view = import_buffer(make())
    assert (view.access, view.route, view.dtype, view.shape) == (access, route, "float64", (4,))
    assert view.writable == (access == "read-write")
    assert import_buffer(make(), assume_writable=True).writable == (access != "read-only")
    assert import_buffer(make(), assume_writable=True).access == access


def test_a_write_through_the_view_is_seen_by_the_producer():
    x = np.zeros(4)
    for producer in (x, Producer(x), Interface(x), memoryview(x)):
        view = import_buffer(producer)
        assert view.ptr == x.ctypes.data
        (ctypes.c_double * 4).from_address(view.ptr)[2] += 1.0
    assert x.tolist() == [0.0, 0.0, 4.0, 0.0]


def test_memory_of_a_device_says_where_it_lies():
    view = import_buffer(Producer(np.zeros(4), (2, 3)))
    assert (view.device, view.device_type, view.device_id, view.stream) == ("cuda:3", 2, 3, 1)
    assert import_buffer(Producer(np.zeros(4), (10, 0))).device == "hip:0"
    assert import_buffer(Producer(np.zeros(4), (77, 2))).device == "DLPack device type 77, number 2"
    assert import_buffer(Interface(np.zeros(4), "__cuda_array_interface__")).device == "cuda:0"


def test_a_view_of_a_view_is_of_the_same_memory():
    first = import_buffer(Producer(np.zeros((2, 3)), legacy=True), assume_writable=True)
    second = import_buffer(first)
    assert (second.ptr, second.shape, second.access, second.writable) == (first.ptr, (2, 3), "unknown", True)
    assert second.owner is first and second.route == "dlpack-legacy"


# ---- lifetimes ----


def test_the_producer_lives_as_long_as_the_view():
    class Array(np.ndarray):
        pass

    x = np.zeros(4).view(Array)
    alive = weakref.ref(x)
    view = import_buffer(x)
    del x
    gc.collect()
    assert alive() is view.owner
    del view
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("legacy", [False, True])
def test_a_tensor_is_given_back_once_when_the_view_goes(legacy):
    producer = Producer(np.zeros(4), legacy=legacy)
    view = import_buffer(producer)
    assert producer.taken_back == 0
    del view
    gc.collect()
    assert (producer.taken_back, len(producer.given)) == (1, 1)


def test_a_refused_tensor_is_given_back_too():
    producer = Producer(np.zeros(4), major=2)
    with pytest.raises(InteropError, match="DLPack tensor of major version 2; version 1 is understood"):
        import_buffer(producer)
    gc.collect()
    assert producer.taken_back == 1


def test_cycles_through_a_view_are_collected():
    class Array(np.ndarray):
        pass

    class Told(Interface):
        pass

    for make in (lambda: np.zeros(4).view(Array), lambda: Told(np.zeros(4))):
        x = make()
        x.view_of_me = import_buffer(x)
        alive = weakref.ref(x)
        del x
        gc.collect()
        assert alive() is None


def test_a_pinned_array_cannot_be_resized_away():
    x = np.zeros(4)
    view = import_buffer(x)
    with pytest.raises(ValueError, match="resize"):
        x.resize(10_000_000)
    assert view.size == 4


def test_many_views_leave_nothing_behind():
    x = np.zeros(4)
    before = sys.getrefcount(x)
    views = [import_buffer(x) for _ in range(1000)]
    assert sys.getrefcount(x) > before
    del views
    assert sys.getrefcount(x) == before


# ---- refusals ----


@pytest.mark.parametrize("thing", [3, 2.5, None, "text", [1.0, 2.0], np.float64(1.0), object()])
def test_what_is_no_array_is_refused(thing):
    with pytest.raises(TypeError, match=r"argument 'obj' is of type .*it needs an array"):
        import_buffer(thing)


def test_what_cannot_be_viewed_says_which_call_makes_it_an_array():
    with pytest.raises(BufferRefused, match=r"masked array.*x\.filled"):
        import_buffer(np.ma.zeros(3))
    with pytest.raises(BufferRefused, match="gives no buffer: cannot include dtype 'M' in a buffer"):
        import_buffer(np.zeros(3, "datetime64[s]"))
    with pytest.raises(eagle.LayoutError, match="has 9 dimensions; at most 8"):
        import_buffer(np.zeros((1,) * 9))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"shape": [4]}, "'shape' is not a tuple"),
        ({"shape": (-4,)}, "'shape' is not of extents of at least 0"),
        ({"shape": (1 << 70,)}, "'shape' is not an integer of 64 bits"),
        ({"strides": (8, 8)}, "'strides' is not as long"),
        ({"strides": (-(1 << 70),)}, "'strides' is not an integer of 64 bits"),
        ({"data": 7}, r"'data' is not a pair \(address, read-only\)"),
        ({"data": (None, False)}, r"'data' is not a pair \(address, read-only\) with an integer for an address"),
        ({"data": (1 << 70, False)}, r"'data' is not a pair \(address, read-only\) with an address of 64 bits"),
        ({"typestr": "f"}, "'typestr' is not a type such as '<f8'"),
    ],
)
def test_an_interface_that_is_wrong_is_refused(changes, words):
    for name in ("__array_interface__", "__cuda_array_interface__"):
        with pytest.raises(InteropError, match=words + ": its producer is at fault"):
            import_buffer(Interface(np.zeros(4), name, **changes))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"shape": (1 << 62, 8)}, rf"shape \({1 << 62}, 8\) and strides of \(64, 8\) bytes"),
        ({"shape": ((1 << 63) - 1,)}, rf"shape \({(1 << 63) - 1},\) and strides of \(8,\) bytes"),
        ({"strides": (1 << 62,)}, rf"shape \(4,\) and strides of \({1 << 62},\) bytes"),
        ({"strides": (-(1 << 63),)}, rf"shape \(4,\) and strides of \({-(1 << 63)},\) bytes"),
        ({"data": ((1 << 64) - 5, False)}, r"shape \(4,\) and strides of \(8,\) bytes"),
        ({"data": (8, False), "strides": (-8,)}, r"shape \(4,\) and strides of \(-8,\) bytes"),
    ],
)
def test_an_interface_beyond_all_addresses_is_refused(changes, words):
    for name in ("__array_interface__", "__cuda_array_interface__"):
        with pytest.raises(InteropError, match=words + ", which reach beyond all addresses; they must lie in memory"):
            import_buffer(Interface(np.zeros(4), name, **changes))


def test_what_lies_in_memory_is_taken_whatever_its_extents():
    x = np.arange(4.0)
    assert import_buffer(Interface(x, shape=(1 << 62, 0))).size == 0
    assert import_buffer(Interface(x, shape=(1, 4), strides=(-(1 << 63), 8))).strides == (-(1 << 63), 8)
    backwards = import_buffer(Interface(x, data=(x.ctypes.data + 24, False), strides=(-8,)))
    assert list(np.asarray(backwards)) == [3.0, 2.0, 1.0, 0.0]


def test_elements_without_memory_are_refused():
    words = r"argument 'obj' has elements and no memory; it needs real data \(a fake or meta array\?\): materialise it"
    for name in ("__array_interface__", "__cuda_array_interface__"):
        with pytest.raises(BufferRefused, match=words):
            import_buffer(Interface(np.zeros(4), name, data=(0, False)))

    class Fake(Producer):
        def describe(self, tensor):
            super().describe(tensor)
            tensor.data = None

    with pytest.raises(BufferRefused, match=words):
        import_buffer(Fake(np.zeros(4)))
    assert import_buffer(Fake(np.zeros((0, 4)))).size == 0


def test_integers_of_numpy_are_integers_in_an_interface():
    x = np.arange(4.0)
    told = {"shape": (np.int64(2),), "strides": (np.int32(16),), "data": (np.uint64(x.ctypes.data), False)}
    assert list(np.asarray(import_buffer(Interface(x, **told)))) == [0.0, 2.0]


@pytest.mark.parametrize("name", ["__array_interface__", "__cuda_array_interface__"])
def test_what_a_producer_raises_instead_of_an_interface_comes_through(name):
    class Interrupted:
        def interface(self):
            raise KeyboardInterrupt("now")

    class Absent:
        def interface(self):
            raise AttributeError(name)

    setattr(Interrupted, name, property(Interrupted.interface))
    setattr(Absent, name, property(Absent.interface))
    with pytest.raises(KeyboardInterrupt, match="now"):
        import_buffer(Interrupted())
    with pytest.raises(TypeError, match="argument 'obj' is of type Absent; it needs an array"):
        import_buffer(Absent())


def test_a_read_only_that_is_neither_true_nor_false_is_refused():
    x = np.zeros(4)
    with pytest.raises(ValueError, match="truth value of an array"):
        import_buffer(Interface(x, data=(x.ctypes.data, np.zeros(2))))


def test_a_mask_is_refused():
    with pytest.raises(BufferRefused, match="has a mask; it needs plain values: fill it first"):
        import_buffer(Interface(np.zeros(4), mask=np.zeros(4, bool)))


def test_producers_that_break_dlpack_are_refused():
    class NoCapsule(Producer):
        def __dlpack__(self, **options):
            return 3

    class OddDevice(Producer):
        def __dlpack_device__(self):
            return "cpu"

    class Negative(Producer):
        def describe(self, tensor):
            super().describe(tensor)
            self.extents[0] = -4

    class NoShape(Producer):
        def describe(self, tensor):
            super().describe(tensor)
            tensor.shape = None

    class NoLanes(Producer):
        def describe(self, tensor):
            super().describe(tensor)
            tensor.lanes = 0

    class NoBits(Producer):
        def describe(self, tensor):
            super().describe(tensor)
            tensor.bits = 0

    class FarApart(Producer):
        def describe(self, tensor):
            super().describe(tensor)
            self.steps[0] = 1 << 62

    class Endless(Producer):
        def describe(self, tensor):
            super().describe(tensor)
            self.extents[0] = 1 << 61

    class WideDevice(Producer):
        def __dlpack_device__(self):
            return (1 << 32) + 1, 0

    class HugeDevice(Producer):
        def __dlpack_device__(self):
            return 1, 1 << 80

    class NegativeDimensions(Producer):
        def describe(self, tensor):
            super().describe(tensor)
            tensor.ndim = -1

    wide = (
        r"answers __dlpack_device__ with a pair that holds int outside 32 bits; it must be \(type, id\), two integers "
        "of 32 bits: its producer is at fault"
    )
    for form, words in (
        (NoCapsule, "answers __dlpack__ with int; a fresh capsule named dltensor or dltensor_versioned is needed"),
        (
            OddDevice,
            r"answers __dlpack_device__ with str; it must be \(type, id\), a tuple of two integers: its producer",
        ),
        (Negative, "DLPack tensor with an extent of -4: its producer is at fault"),
        (NoShape, "DLPack tensor with dimensions and no shape: its producer is at fault"),
        (NoLanes, "DLPack tensor with elements of 0 lanes of 64 bits: its producer is at fault"),
        (NoBits, "DLPack tensor with elements of 1 lanes of 0 bits: its producer is at fault"),
        (
            FarApart,
            rf"DLPack tensor with a stride of {1 << 62} elements of 8 bytes, more than memory has: its producer",
        ),
        (Endless, rf"shape \({1 << 61},\) and strides of \(8,\) bytes, which reach beyond all addresses"),
        (WideDevice, wide),
        (HugeDevice, wide),
        (NegativeDimensions, "DLPack tensor with -1 dimensions: its producer is at fault"),
    ):
        with pytest.raises(InteropError, match=words):
            import_buffer(form(np.zeros(4)))
    with pytest.raises(InteropError, match="names DLPack device type 2 and hands out memory of type 1"):
        import_buffer(Producer(np.zeros(4), claims=(2, 0)))


def test_strides_of_several_lanes_count_whole_elements():
    class Pairs(Producer):
        def describe(self, tensor):
            super().describe(tensor)
            tensor.lanes, self.extents[0], self.steps[0] = 2, 2, 1

    view = import_buffer(Pairs(np.zeros(4)))
    assert (view.dtype, view.shape, view.strides, view.contiguous) == ("float64 x 2", (2,), (16,), True)
    out = import_buffer(view).__dlpack__(max_version=(1, 0))
    assert "dltensor_versioned" in repr(out)


def test_an_error_of_the_producer_comes_through():
    class Failing(Producer):
        def __dlpack__(self, **options):
            raise RuntimeError("no memory to give")

    with pytest.raises(RuntimeError, match="no memory to give"):
        import_buffer(Failing(np.zeros(4)))


def test_arguments_of_the_call_are_checked():
    x = np.zeros(4)
    with pytest.raises(TypeError, match="import_buffer got 2 positional arguments; it takes one array"):
        import_buffer(x, 1)
    with pytest.raises(TypeError, match="import_buffer got 0 positional arguments"):
        import_buffer()
    with pytest.raises(TypeError, match="unknown argument 'streams'; it takes an array, stream, require"):
        import_buffer(x, streams=1)
    with pytest.raises(TypeError, match="stream is of type str; it needs None or an integer"):
        import_buffer(x, stream="main")
    with pytest.raises(TypeError, match="stream is of type bool"):
        import_buffer(x, stream=True)
    with pytest.raises(InteropError, match="stream is an integer outside 64 bits"):
        import_buffer(x, stream=1 << 80)
    with pytest.raises(TypeError, match=r"require is of type dict; it needs an eagle\.interop\.Requirements"):
        import_buffer(x, require={"dtype": "float64"})
