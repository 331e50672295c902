"""Rows about what eagle refuses before it runs anything."""

import json

import numpy as np
import pytest
from matrix_kernels import affine

import eagle
import hawk
from raptor.conformance import register_row

X = np.arange(5.0)


def with_access(folder, access, operation=None):
    """The folder of a kernel, its documents declaring another access class."""
    hawk.build(affine, folder)
    for name in ("manifest.json", "affine.json"):
        document = json.loads((folder / name).read_text())
        keys = list(document)
        document["exec_access"] = access
        if operation is not None:
            document["exec_op"] = operation
            keys.insert(keys.index("exec_access") + 1, "exec_op")
        (folder / name).write_text(json.dumps({key: document[key] for key in keys}))
    return eagle.registry.load_manifest(folder)


@register_row("execution_illegal_placement_refused")
def test_a_placement_that_the_access_class_forbids_is_refused_when_it_is_planned(tmp_path):
    written = with_access(tmp_path / "write", "cross_sample_write")
    with pytest.raises(ValueError) as caught:
        eagle.plan(written, npartitions=2)
    assert "'affine' has exec_access 'cross_sample_write' and the plan has 2 partitions" in str(caught.value)
    assert "the rule: cross_sample_write runs on one partition of one device or team" in str(caught.value)
    np.testing.assert_array_equal(eagle.plan(written).run(x=X, a=2.0, b=1.0), 2.0 * X + 1.0)
    two_ranks = eagle._core.RankPartition(0, 2, lambda *_: None, None, None)
    with pytest.raises(ValueError) as caught:
        eagle.plan(written, structure=two_ranks)
    assert "'affine' has exec_access 'cross_sample_write' and the plan has 2 ranks; the rule: " in str(caught.value)
    for access in ("sample_local", "cross_sample_read"):
        allowed = with_access(tmp_path / access, access)
        np.testing.assert_array_equal(eagle.plan(allowed, npartitions=2).run(x=X, a=2.0, b=1.0), 2.0 * X + 1.0)
    folded = with_access(tmp_path / "mapreduce", "mapreduce", "sum")
    assert eagle.plan(folded, npartitions=2).run(x=X, a=2.0, b=1.0) == 2.0 * 10.0 + 5.0


SIZES = {"vector view": 40, "float view": 32, "int view": 32, "nsamples": 4, "partition triple": 24}


def replaced(folder, old, new):
    file = folder / "affine.so"
    content = file.read_bytes()
    assert content.count(old) == 1 and len(old) == len(new)
    file.unlink()  # a process that has it loaded keeps it
    file.write_bytes(content.replace(old, new))


def packed(sizes):
    return b"".join(size.to_bytes(8, "little") for size in sizes)


@register_row("execution_layout_selfcheck_refused")
def test_a_file_whose_tag_or_sizes_disagree_is_refused_by_both_loaders(tmp_path):
    for field, (name, size) in enumerate(SIZES.items()):
        sizes = list(SIZES.values())
        sizes[field] += 8
        folder = hawk.build(affine, tmp_path / str(field)).parent
        replaced(folder, packed(SIZES.values()), packed(sizes))
        for load in (lambda place: eagle.plan(place), lambda place: hawk.load(place)["affine"](X, 2.0, 1.0)):
            with pytest.raises(ValueError, match="eagle_layout_sizes") as caught:
                load(folder)
            assert name in str(caught.value) and str(size + 8) in str(caught.value), caught.value

    folder = hawk.build(affine, tmp_path / "tag").parent
    replaced(folder, b"aether-abi/2\0", b"aether-abi/3\0")
    for load in (lambda place: eagle.plan(place), lambda place: hawk.load(place)["affine"](X, 2.0, 1.0)):
        with pytest.raises(ValueError, match="aether-abi/3") as caught:
            load(folder)
        assert "aether-abi/2" in str(caught.value)

    whole = hawk.build(affine, tmp_path / "whole").parent
    np.testing.assert_array_equal(eagle.plan(whole).run(x=X, a=2.0, b=1.0), 2.0 * X + 1.0)
