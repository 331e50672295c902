"""The protocols: members and signatures, with everything that is wrong said at once."""

import pytest

import hawk
from raptor import protocols
from raptor.errors import CapabilityError
from raptor.protocols import Backend, Executable, KernelLauncher, KernelProvider, Marshal, faults, require


class Program:
    def forward(self, inputs):
        return inputs

    def vjp(self, cotangents):
        return cotangents

    def jvp(self, tangents):
        raise CapabilityError("no jvp")

    def parameters(self):
        return {}


class Plain:
    name = "plain"

    def capabilities(self):
        return frozenset({"forward", "vjp"})

    def compile(self, program, *, level=0):
        return Program()


class Launcher:
    def launch(self, planes, /):
        return None


class Packer:
    def marshal(self, arrays):
        return []


@pytest.mark.parametrize(
    ("value", "protocol"),
    [(Program(), Executable), (Plain(), Backend), (Launcher(), KernelLauncher), (Packer(), Marshal)],
)
def test_who_is_one(value, protocol):
    assert isinstance(value, protocol) and faults(value, protocol) == []
    require(value, protocol)
    for other in protocols.PROTOCOLS:
        assert isinstance(value, other) is (other is protocol)


def test_a_kernel_of_hawk_is_a_provider():
    @hawk.kernel
    def double(x: hawk.Scalar) -> hawk.Scalar:
        return 2.0 * x

    require(double, KernelProvider)


def changed(base, **members):
    return type("Changed", (base,), members)()


@pytest.mark.parametrize(
    ("value", "protocol", "words"),
    [
        (3, KernelProvider, "int is no KernelProvider: it has no method 'build'"),
        (changed(Program, vjp=3), Executable, "it has 'vjp', which cannot be called (int)"),
        (changed(Program, vjp=lambda self: 0), Executable, "cannot be called by position as vjp(cotangents)"),
        (changed(Program, forward=lambda self, x: 0), Executable, "cannot be called by name as forward(inputs)"),
        (changed(Program, jvp=lambda self, tangents, more: 0), Executable, "missing a required argument: 'more'"),
        (changed(Program, parameters=lambda self, all: 0), Executable, "as parameters()"),
        (changed(Plain, name=3), Backend, "it has 'name' of type int; it must be a str"),
        (changed(Plain, capabilities=lambda self: {"vjp"}), Backend, "returned a set; it must be a frozenset"),
        (changed(Plain, capabilities=lambda self: frozenset({"hvp"})), Backend, "the unknown capability 'hvp'"),
        (Program(), Backend, "it has no attribute 'name'; it has no method 'capabilities'; it has no method 'compile'"),
    ],
)
def test_who_is_none_is_told_why(value, protocol, words):
    with pytest.raises(TypeError) as caught:
        require(value, protocol)
    assert words in str(caught.value)


def test_only_protocols_are_asked_about():
    with pytest.raises(TypeError, match="none of the protocols KernelProvider, Executable"):
        faults(3, int)


def test_a_missing_capability_is_not_implemented():
    with pytest.raises(NotImplementedError, match="no jvp"):
        Program().jvp({})
    assert protocols.CapabilityError is CapabilityError
