"""Rows that exist because hawk exists: its artifacts load elsewhere, and every structure agrees with its own path."""

import json

import numpy as np
import pytest
from matrix_kernels import KERNELS, affine, planes

import eagle
import hawk
from raptor.conformance import register_row
from raptor.schema import read_manifest, read_sidecar


def bits(arguments, result):
    """Every array of a call, written in place or returned, as bytes by name."""
    returned = result if isinstance(result, dict) else {"out": result}
    arrays = {**{k: v for k, v in arguments.items() if isinstance(v, np.ndarray)}, **returned}
    return {name: (np.shape(a), np.asarray(a).tobytes()) for name, a in arrays.items() if a is not None}


@register_row("HAWK-EXEC-REFERENCE-HOST")
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("count", [1, 5, 10_007])
def test_every_host_structure_agrees_with_the_serial_path(name, count):
    """hawk's own path is the reference: one thread, one range, no eagle in it. The inner structure is the host's, so
    that the bits are the same.
    """
    kernel = KERNELS[name]
    arguments = planes(name, count)
    wanted = bits(arguments, kernel(**arguments))
    for threads in (1, 2, 3):
        for npartitions in (1, 2, 5):
            plan = eagle.plan(kernel, structure=eagle.exec.HostTeam(threads), npartitions=npartitions)
            again = planes(name, count)
            assert bits(again, plan.run(**again)) == wanted, (threads, npartitions)


def as_v1(folder):
    """The folder's documents as version 1 has them: no execution axis, the tag of v1."""
    for path in folder.glob("*.json"):
        document = json.loads(path.read_text())
        document |= {"schema_version": 1, "aether_abi": "aether-abi/1"}
        for key in ("exec_targets", "exec_access", "exec_op", "entries"):
            document.pop(key, None)
        path.write_text(json.dumps(document))


@register_row("HAWK-EXEC-DEPLOY-LOADABLE")
def test_an_artifact_of_hawk_is_planned_by_eagle_and_versions_are_not_mixed(tmp_path):
    manifest = hawk.build([affine, KERNELS["turned"]], tmp_path / "v2")
    artifact = eagle.registry.load_manifest(manifest.parent)
    assert (artifact.kernels, artifact.schema_version) == (["affine", "turned"], 2)
    x = np.linspace(-2.0, 2.0, 1001)
    made = eagle.plan(artifact, name="affine").run(x=x, a=2.0, b=0.5)
    np.testing.assert_array_equal(made, 2.0 * x + 0.5)

    for path, read in ((manifest, read_manifest), (manifest.parent / "affine.json", read_sidecar)):
        with pytest.raises(ValueError, match=r"was built for plugin schema v2, but this loader supports v1; upgrade"):
            read(path.read_bytes(), path.name, supported=1)

    hawk.build(affine, tmp_path / "v1")
    as_v1(tmp_path / "v1")
    assert read_manifest((tmp_path / "v1" / "manifest.json").read_bytes(), supported=1)["schema_version"] == 1
    old = eagle.registry.load_manifest(tmp_path / "v1" / "manifest.json")
    assert old.schema_version == 1
    # The documents are of version 1, the file's entry is of version 2: it is not called as the other.
    with pytest.raises(ValueError, match=r"eagle_abi_tag is 'aether-abi/2', the manifest says 'aether-abi/1'"):
        eagle.plan(old)
    with pytest.raises(ValueError, match=r"eagle_abi_tag is 'aether-abi/2'; it must be 'aether-abi/1'"):
        hawk.load(tmp_path / "v1")["affine"](x=x, a=2.0, b=0.5)


def total(hi, lo):
    return hi + lo


split = hawk.Quantity("split", {"hi": hawk.Scalar, "lo": hawk.Scalar}, total)


@hawk.kernel
def carried(x: split, kept: hawk.Mutable[split]) -> dict(hi=hawk.Scalar, lo=hawk.Scalar, whole=hawk.Scalar):
    kept.hi, kept.lo = x.hi, x.lo
    return {"hi": x.hi, "lo": x.lo, "whole": x}


@register_row("HAWK-DIFF-POSITIVE-ROUNDTRIP")
def test_both_wires_of_a_quantity_come_back_on_the_host_path():
    slots = [d.name for d in carried._description.signature.arguments]
    assert [slots.count(name) for name in ("x_hi", "x_lo", "kept_hi", "kept_lo")] == [1, 1, 1, 1]
    made = np.random.default_rng(4)
    hi, lo = made.standard_normal(10_007), made.standard_normal(10_007) * 2.0**-60
    kept_hi, kept_lo = np.zeros(10_007), np.zeros(10_007)
    result = carried(x_hi=hi, x_lo=lo, kept_hi=kept_hi, kept_lo=kept_lo)
    for wire, given, kept in (("hi", hi, kept_hi), ("lo", lo, kept_lo)):
        assert result[wire].tobytes() == kept.tobytes() == given.tobytes()
    assert (result["whole"] == hi + lo).all() and (hi != lo).all()
    with pytest.raises(TypeError, match=r"quantity 'x' .* is carried on x_hi, x_lo, and x_lo is missing"):
        carried(x_hi=hi, kept_hi=kept_hi, kept_lo=kept_lo)
