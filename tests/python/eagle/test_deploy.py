"""What deploy takes, and what it refuses by name."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from eagle_kernels import countdown, scale
from programs import run

import eagle


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "artifact"
    made.mkdir()
    scale.build(made)
    return made


def value(plan):
    return plan.run(x=np.ones(1), y=np.ones(1), a=4.0)[0]


def edit(path, **changes):
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, **changes}))


def test_a_folder_and_its_manifest(folder):
    assert value(eagle.deploy(folder)) == 5.0
    assert value(eagle.deploy(str(folder))) == 5.0
    assert value(eagle.deploy(folder / "manifest.json")) == 5.0


def test_an_object_that_builds_an_artifact_is_asked_once():
    class Provider:
        asked = 0

        def build(self, directory):
            self.asked += 1
            return scale.build(directory)

    provider = Provider()
    assert value(eagle.deploy(provider)) == 5.0
    assert value(eagle.deploy(provider)) == 5.0
    assert provider.asked == 1


def test_a_provider_that_returns_no_path_is_named():
    class Provider:
        def build(self, directory):
            return 3

    with pytest.raises(TypeError, match=r"Provider.build\(directory\) returned 3"):
        eagle.deploy(Provider())


def test_a_kernel_says_what_it_takes():
    kernel = eagle.deploy(scale).kernel
    roles = {p.name: (p.role, p.dtype, p.shape) for p in kernel.parameters if not p.supplied and p.role != "nsamples"}
    assert roles == {
        "out": ("out", "float64", ()),
        "x": ("per_sample", "float64", ()),
        "y": ("per_sample", "float64", ()),
        "a": ("uniform", "float64", ()),
    }
    assert kernel.kind == "cpu"
    assert kernel.exec_access == "sample_local"
    assert not kernel.finishes
    assert eagle.deploy(countdown).kernel.finishes


def named(x):
    return x


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (lambda x: x, "cannot deploy a lambda"),
        (named, "cannot deploy the plain function 'named'"),
        (3, "cannot deploy 3 .int."),
        (None, "cannot deploy None"),
        (dict, "cannot deploy <class 'dict'>"),
        ([scale], "cannot deploy \\["),
    ],
)
def test_what_is_no_kernel_is_refused_by_name(source, words):
    with pytest.raises(TypeError, match=words) as caught:
        eagle.deploy(source)
    assert "@hawk.kernel" in str(caught.value)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises((RuntimeError, ValueError), match="nowhere"):
        eagle.deploy(tmp_path / "nowhere")


def test_a_path_with_spaces_and_unicode(folder, tmp_path):
    place = tmp_path / "ein Ordner" / "計算 🦅"
    place.parent.mkdir()
    shutil.move(folder, place)
    assert value(eagle.deploy(place)) == 5.0
    assert Path(eagle.deploy(place).kernel.folder) == place


def test_a_wrong_tag_in_the_manifest(folder):
    edit(folder / "manifest.json", aether_abi="aether-abi/1")
    with pytest.raises(ValueError, match="aether_abi") as caught:
        eagle.deploy(folder)
    assert "aether-abi/1" in str(caught.value)


def test_a_manifest_of_a_later_schema(folder):
    edit(folder / "manifest.json", schema_version=3)
    with pytest.raises(ValueError, match="was built for plugin schema v3, but this loader supports v2; upgrade eagle"):
        eagle.deploy(folder)


def compiled(folder, old, new):
    """The folder's shared object with `old` replaced once, byte for byte."""
    file = next(folder.glob("*.so"))
    content = file.read_bytes()
    assert content.count(old) == 1
    file.write_bytes(content.replace(old, new))


def test_a_wrong_tag_in_the_compiled_file(folder):
    compiled(folder, b"aether-abi/2\0", b"aether-abi/7\0")
    with pytest.raises(ValueError, match="aether-abi/7") as caught:
        eagle.deploy(folder)
    assert "aether-abi/2" in str(caught.value)


def test_a_wrong_layout_in_the_compiled_file(folder):
    def sizes(*values):
        return b"".join(value.to_bytes(8, "little") for value in values)

    compiled(folder, sizes(40, 32, 32, 4, 24), sizes(48, 32, 32, 4, 24))
    with pytest.raises(ValueError, match="48") as caught:
        eagle.deploy(folder)
    assert "40" in str(caught.value)


def test_a_compiled_file_that_is_cut_short(folder):
    file = next(folder.glob("*.so"))
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises((RuntimeError, ValueError), match=file.name):
        eagle.deploy(folder)


def test_a_machine_without_a_compiler(tmp_path):
    said = run(
        """
        import eagle, hawk
        from eagle_kernels import scale
        try:
            eagle.deploy(scale)
        except hawk.HawkError as error:
            print("compiler" in str(error), "HAWK_CXX" in str(error))
        """,
        PATH=tmp_path,
        HAWK_CXX=None,
        CXX=None,
        HAWK_CACHE_DIR=tmp_path / "cache",
    )
    assert said == "True True"


def test_a_cache_that_cannot_be_written(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    said = run(
        """
        import warnings
        import eagle, numpy as np
        from eagle_kernels import scale
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            made = eagle.deploy(scale).run(x=np.ones(1), y=np.ones(1), a=4.0)
        print(made[0], any("cache" in str(warning.message) for warning in told))
        """,
        HAWK_CACHE_DIR=blocked / "cache",
    )
    assert said == "5.0 True"


def test_an_artifact_runs_where_there_is_no_compiler(folder, tmp_path):
    said = run(
        """
        import sys
        import eagle, numpy as np
        print(eagle.deploy(sys.argv[1]).run(x=np.ones(1), y=np.ones(1), a=4.0)[0], "hawk" in sys.modules)
        """,
        folder,
        PATH=tmp_path / "empty",
        HAWK_CXX=None,
        CXX=None,
    )
    assert said == "5.0 False"


def test_a_provider_without_a_hash_is_built_every_time():
    class Provider:
        __hash__ = None
        asked = 0

        def build(self, directory):
            self.asked += 1
            return scale.build(directory)

    provider = Provider()
    assert value(eagle.deploy(provider)) == value(eagle.deploy(provider)) == 5.0
    assert provider.asked == 2


@pytest.mark.parametrize("name", ["manifest.json", "scale.json", "scale.so"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(folder, name):
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(
        RuntimeError, match=rf"cannot read '.*{name}': it is no regular file; put the file itself there"
    ):
        eagle.deploy(folder)


def test_a_folder_whose_name_is_no_text(folder):
    named = os.fsdecode(os.fsencode(folder.parent) + b"/\xff")
    shutil.copytree(folder, named)
    assert value(eagle.deploy(named)) == 5.0
    assert repr(eagle.registry.load_manifest(named)).endswith(r"/\xff>")
    (Path(named) / "scale.so").unlink()
    with pytest.raises(RuntimeError, match=r"cannot read '.*/\\xff/scale.so': No such file"):
        eagle.plan(eagle.registry.load_manifest(named))


def test_a_name_with_a_nul_is_no_folder():
    with pytest.raises(ValueError, match=r"path is 'a\\x00b', which holds a NUL; it needs the name of a folder"):
        eagle.deploy("a\0b")
