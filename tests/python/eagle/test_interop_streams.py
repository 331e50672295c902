"""Stream codes: every code on every device type, on the way in and on the way out. Devices are stand-ins: what a
producer is asked for is looked at, nothing runs on them.
"""

import numpy as np
import pytest
from dlpack_structures import read_capsule
from producers import Interface, Producer

import eagle
from eagle.interop import InteropError, import_buffer

RAW = 0x5500_1230
REFUSED = object()

# What the view's stream is for each code that is given; the words of DLPack's Python specification.
CODES = {
    1: {None: None, -1: REFUSED, 0: REFUSED, 1: REFUSED, 2: REFUSED, RAW: REFUSED},
    2: {None: 1, -1: -1, 0: REFUSED, 1: 1, 2: 2, RAW: RAW},
    3: {None: 1, -1: -1, 0: REFUSED, 1: 1, 2: 2, RAW: RAW},
    13: {None: 1, -1: -1, 0: REFUSED, 1: 1, 2: 2, RAW: RAW},
    10: {None: 0, -1: -1, 0: 0, 1: REFUSED, 2: REFUSED, RAW: RAW},
    11: {None: 0, -1: -1, 0: 0, 1: REFUSED, 2: REFUSED, RAW: RAW},
    8: {None: None, -1: -1, 0: REFUSED, 1: REFUSED, 2: REFUSED, RAW: RAW},
    12: {None: None, -1: -1, 0: REFUSED, 1: REFUSED, 2: REFUSED, RAW: RAW},
}
EVERY = [(device, code, wanted) for device, row in CODES.items() for code, wanted in {**row, -2: REFUSED}.items()]


@pytest.mark.parametrize(("device", "code", "wanted"), EVERY)
def test_every_code_on_every_type_on_the_way_in(device, code, wanted):
    producer = Producer(np.zeros(4), (device, 0))
    if wanted is REFUSED:
        with pytest.raises(InteropError, match=rf"stream is {code}; .*DLPack device type {device}"):
            import_buffer(producer, stream=code)
        assert producer.asked == [], "a producer is asked for nothing that is refused"
        return
    assert import_buffer(producer, stream=code).stream == wanted
    assert [options.get("stream") for options in producer.asked] == [code]


@pytest.mark.parametrize(("device", "code", "wanted"), EVERY)
def test_every_code_on_every_type_on_the_way_out(device, code, wanted):
    """The view's own stream is unordered, so that no code has to be waited for."""
    view = import_buffer(Producer(np.zeros(4), (device, 0)), stream=None if device == 1 else -1)
    if wanted is REFUSED:
        with pytest.raises(InteropError, match=rf"stream is {code}; .*DLPack device type {device}"):
            view.__dlpack__(stream=code, max_version=(1, 0))
    else:
        assert read_capsule(view.__dlpack__(stream=code, max_version=(1, 0)))[0] == "dltensor_versioned"


def test_the_words_of_a_refused_code():
    with pytest.raises(InteropError) as caught:
        import_buffer(Producer(np.zeros(4), (2, 0)), stream=0)
    assert str(caught.value) == (
        "stream is 0; on DLPack device type 2 it must be none or 1 (legacy default), 2 (per-thread default), -1 "
        "(unordered) or a raw stream"
    )
    with pytest.raises(InteropError, match="is on the host and takes no stream: pass None"):
        import_buffer(np.zeros(4), stream=1)


def test_a_producer_that_is_older_than_versions_is_told_the_stream_too():
    class Older(Producer):
        def __dlpack__(self, stream=None):
            return super().__dlpack__(stream=stream)

    producer = Older(np.zeros(4), (2, 0), legacy=True)
    assert import_buffer(producer, stream=2).access == "unknown"
    assert producer.asked == [{"stream": 2}]


def test_a_stream_that_has_to_be_waited_for_needs_the_backend():
    """Type 77 is served by nobody, so that order is asked for and cannot be had; equal and unordered need none."""
    view = import_buffer(Producer(np.zeros(4), (77, 0)), stream=RAW)
    for code in (RAW, -1):
        view.__dlpack__(stream=code, max_version=(1, 0))
    with pytest.raises(eagle.BackendUnavailable, match="DLPack device type 77 is served by no backend"):
        view.__dlpack__(stream=RAW + 16, max_version=(1, 0))
    with pytest.raises(eagle.BackendUnavailable, match="DLPack device type 77"):
        import_buffer(view, stream=RAW + 16)


def test_the_stream_of_a_cuda_array_interface_is_waited_for():
    told = lambda **changes: Interface(np.zeros(4), "__cuda_array_interface__", **changes)  # noqa: E731
    assert import_buffer(told()).stream == 1
    assert import_buffer(told(stream=None), stream=RAW).stream == RAW  # nothing is pending
    assert import_buffer(told(stream=1)).stream == 1  # the same stream
    assert import_buffer(told(stream=RAW), stream=RAW).stream == RAW
    assert import_buffer(told(stream=RAW), stream=-1).stream == -1
    with pytest.raises(InteropError, match="the producer's stream is 0; on DLPack device type 2 it must be"):
        import_buffer(told(stream=0), stream=1)
