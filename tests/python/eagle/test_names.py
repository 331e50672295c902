"""Names that are none of those there are: the refusal lists them, and says which was probably meant."""

import numpy as np
import pytest
from eagle_kernels import countdown, scale

import eagle

OPTIONS = "max_steps, until, every, record, progress, timeout, structure, layout, planes"


def counting(n=4):
    return {"left": np.full(n, 3.0), "ticks": np.zeros(n)}


@pytest.mark.parametrize(
    ("misspelt", "nearest"),
    [("evry", "every"), ("timout", "timeout"), ("max_step", "max_steps"), ("plane", "planes"), ("tiks", "ticks")],
)
def test_a_misspelt_option_of_simulate(misspelt, nearest):
    planes = counting()
    words = (
        f"argument '{misspelt}' is unknown to 'countdown'; the model takes left, ticks, terminated, and the call "
        f"{OPTIONS}: give it one of these names, or leave it out; the nearest name is '{nearest}'$"
    )
    with pytest.raises(TypeError, match=words):
        eagle.simulate(countdown, max_steps=3, **{misspelt: 1.0}, **planes)
    assert not planes["ticks"].any()


def test_a_name_that_is_near_nothing():
    with pytest.raises(TypeError, match=f"and the call {OPTIONS}: give it one of these names, or leave it out$"):
        eagle.simulate(countdown, max_steps=3, temperature=1.0, **counting())
    with pytest.raises(TypeError, match=r"argument 'z{57}\.\.\.' is unknown to 'countdown'"):
        eagle.simulate(countdown, max_steps=3, **{"z" * 100_000: 1.0}, **counting())


def test_half_a_character_in_a_name():
    half = {"\ud800": 1.0}
    with pytest.raises(TypeError, match=r"argument '\\ud800' is unknown to 'countdown'; the model takes left"):
        eagle.simulate(countdown, max_steps=3, planes=half, **counting())
    words = r"unknown argument '\\ud800' for kernel 'scale'; it takes out, x, y, a$"
    with pytest.raises(TypeError, match=words):
        eagle.deploy(scale).run(x=np.ones(2), y=np.ones(2), a=1.0, **half)
    with pytest.raises(TypeError, match=words):
        scale(np.ones(2), np.ones(2), 1.0, **half)
    with pytest.raises(TypeError, match=r"record names '\\ud800', which is no plane of the model"):
        eagle.simulate(countdown, max_steps=3, record="\ud800", every=1, **counting())
    with pytest.raises(
        ValueError, match=r"backend is '\\ud800', with half of a surrogate pair, .* that UTF-8 can hold"
    ):
        eagle.deploy(scale, backend="\ud800")


@pytest.mark.parametrize("call", [eagle.deploy(scale).run, eagle.deploy(scale).bind, scale])
def test_a_misspelt_argument_of_a_kernel(call):
    with pytest.raises(
        TypeError, match=r"unknown argument 'uot' for kernel 'scale'; it takes out, x, y, a; the nearest name is 'out'$"
    ):
        call(uot=np.ones(2))


def test_a_misspelt_plane():
    result = eagle.simulate(countdown, max_steps=3, **counting())
    with pytest.raises(AttributeError, match=r"SimResult has no 'tick'; its .*; the nearest name is 'ticks'"):
        result.tick  # noqa: B018
    with pytest.raises(KeyError, match=r"no plane 'lefft'; the planes are .*; the nearest name is 'left'"):
        result["lefft"]
    with pytest.raises(KeyError, match=r"no plane 3; the planes are terminated, left, ticks"):
        result[3]
    with pytest.raises(TypeError, match=r"record names 'tcks', .*; its planes are .*; the nearest name is 'ticks'"):
        eagle.simulate(countdown, max_steps=3, record="tcks", every=1, **counting())


def test_record_and_until_need_every():
    with pytest.raises(ValueError, match=r"record names 'ticks' and every is not given; record needs .* as every=10$"):
        eagle.simulate(countdown, max_steps=3, record="ticks", **counting())
    with pytest.raises(ValueError, match=r"until is given without every; it needs every, .* such as every=10$"):
        eagle.simulate(countdown, max_steps=3, until=lambda state: False, **counting())


def test_what_until_done_steps_is_bound():
    plan = eagle.deploy(countdown)
    words = (
        r"until_done was given the plan of kernel 'countdown', which is not bound, and no ticks, terminated; it needs "
        r"a bound plan: call plan.bind\(left=..., ticks=..., terminated=...\) first and give what that returns, or "
        "give the arguments here, by name$"
    )
    with pytest.raises(TypeError, match=words):
        eagle.until_done(plan, max_steps=3, left=np.ones(3))
    words = (
        "argument 'evry' is unknown to the plans; they take left, ticks, terminated, and the call max_steps, every, "
        "reorder, theta, on_step, when_finished, progress, timeout: .*; the nearest name is 'every'$"
    )
    with pytest.raises(TypeError, match=words):
        eagle.until_done(plan, max_steps=3, evry=1, **counting())
    words = r"was given Kernel; it needs a bound plan, as plan.bind\(...\) makes \(of a kernel, eagle.deploy\(kernel\)"
    with pytest.raises(TypeError, match=words):
        eagle.until_done(countdown, max_steps=3)


def gpu_refusal(call):
    with pytest.raises(eagle.BackendUnavailable) as refused:
        call()
    return str(refused.value)


def test_no_gpu_is_told_in_one_wording(monkeypatch):
    """A kind `gpu` of no file stands for whichever is installed; none is here, or it has no device."""
    for name in ("EAGLE_BACKEND_CUDA", "EAGLE_BACKEND_HIP"):
        monkeypatch.setenv(name, "/nowhere/libeagle_none.so")
    said = gpu_refusal(lambda: eagle.empty(3, device="gpu:0"))
    assert said.startswith("eagle: backend='gpu' found no GPU kind; ")
    assert gpu_refusal(lambda: eagle.device_props("gpu")) == said
    assert gpu_refusal(lambda: eagle.pinned(3, backend="gpu")) == said
    assert gpu_refusal(lambda: eagle.deploy(scale, backend="gpu")) == said
    assert gpu_refusal(lambda: eagle.exec.DeviceKernel("gpu")) == said


def test_a_kind_that_is_not_there_is_told_before_what_was_tried():
    said = gpu_refusal(lambda: eagle.empty(3, device="cpuu"))
    hint, tried = said.split("Tried, in order:\n")
    assert hint.startswith("eagle: no usable backend of kind 'cpuu'; the nearest name is 'cpu'; installed are ")
    assert "; needs a file libeagle_cpuu.so that answers the seam eagle-backend/1: put it beside libeagle or" in hint
    assert "  beside libeagle: " in tried
    metal = "no usable backend of kind 'metal'; it is not part of this installation, and installed are .*devices.md"
    with pytest.raises(eagle.BackendUnavailable, match=metal):
        eagle.device_props("metal")


def test_long_names_of_devices_are_cut():
    long = "x" * 100_000
    cut = r"'x{57}\.\.\.'"
    with pytest.raises(
        ValueError, match=rf"device is {cut}; it must be a kind and a number, such as 'cuda:0' or 'cpu'$"
    ):
        eagle.empty(3, device=long)
    with pytest.raises(ValueError, match=rf"{cut} is no name of a backend kind"):
        eagle.device_props(long)
    with pytest.raises(ValueError, match=rf"{cut} is no name of a backend kind"):
        eagle.pinned(3, backend=long)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: eagle.device_props(device=None), r"device is None \(NoneType\); it must be a whole number from 0"),
        (lambda: eagle.exec.DeviceKernel(None), r"kind is None \(NoneType\); it must be the name of a kind, such as"),
        (lambda: eagle.Partition(None, 1, 2), r"base is None \(NoneType\); it must be a whole number"),
    ],
)
def test_nothing_in_the_place_of_a_number_or_name(call, words):
    with pytest.raises(TypeError, match=words):
        call()
