"""What is installed, what loads, and what a backend that does not load says."""

import sys
from pathlib import Path

import pytest
from programs import run

import eagle
from eagle import _core
from eagle._device_kind import KIND_OF_DEVICE_TYPE

CPU = Path(_core.library_path()) / "libeagle_cpu.so"

ASK = """
    import json
    import eagle
    from eagle import _core
    state = _core.cuda_backend("cpu")
    print(json.dumps([state["loaded"], state["message"], state["attempts"]]))
"""


def asked(**changes):
    import json

    return json.loads(run(ASK, **changes))


def test_the_cpu_kind_is_installed_and_usable():
    (info,) = [info for info in eagle.backends() if info.kind == "cpu"]
    assert info.loaded
    assert info.usable
    assert info.device_types == [1]
    assert info.device_count == 1
    assert Path(info.path) == CPU
    assert {"stream", "exec"} <= set(info.groups)
    assert str(info).startswith("cpu: eagle-backend/1.")


def test_a_kind_that_is_not_there_is_a_state_and_no_error():
    state = _core.cuda_backend()
    assert state["kind"] == "cuda"
    assert state["loaded"] is False
    assert state["usable"] is False
    assert "cuda" in state["message"]
    assert any(attempt["kind"] == "cuda" for attempt in state["attempts"])
    assert any(attempt["kind"] == "cuda" for attempt in eagle.backend_report())


def test_a_name_that_is_no_kind_never_raises_either():
    state = _core.cuda_backend("../cpu")
    assert state["loaded"] is False
    assert "../cpu" in state["message"]


def test_the_capability_bits_of_conditional_nodes():
    assert _core.CAP_CONDITIONAL_IF_ELSE == 8192
    assert _core.CAP_CONDITIONAL_SWITCH == 16384


def test_a_truncated_backend(tmp_path):
    file = tmp_path / "libeagle_cpu.so"
    file.write_bytes(CPU.read_bytes()[:1000])
    loaded, message, attempts = asked(EAGLE_BACKEND_CPU=file)
    assert not loaded
    assert str(file) in message
    (attempt,) = attempts
    assert attempt["path"] == str(file)
    assert attempt["source"] == "$EAGLE_BACKEND_CPU"


@pytest.mark.parametrize("foreign", ["text", "another library"])
def test_a_foreign_file(tmp_path, foreign):
    file = tmp_path / "libeagle_cpu.so"
    content = b"not a library" if foreign == "text" else (CPU.parent / "libeagle.so").read_bytes()
    file.write_bytes(content)
    loaded, message, _ = asked(EAGLE_BACKEND_CPU=file)
    assert not loaded
    assert str(file) in message
    if foreign != "text":
        assert "eagle_backend_version" in message


def test_the_variable_is_final_and_takes_no_relative_path(tmp_path):
    loaded, message, attempts = asked(EAGLE_BACKEND_CPU=tmp_path / "nowhere.so")
    assert not loaded
    assert str(tmp_path / "nowhere.so") in message
    assert len(attempts) == 1
    loaded, message, _ = asked(EAGLE_BACKEND_CPU="libeagle_cpu.so")
    assert not loaded
    assert "absolute" in message


def test_a_plan_without_its_backend_says_so(tmp_path):
    said = run(
        """
        import eagle
        from eagle_kernels import scale
        try:
            eagle.deploy(scale)
        except eagle.BackendUnavailable as error:
            print(error)
        """,
        EAGLE_BACKEND_CPU=tmp_path / "nowhere.so",
    )
    assert "nowhere.so" in said
    assert "EAGLE_BACKEND_CPU" in said


def distribution(folder, value):
    """A distribution that brings a backend of kind `other`."""
    info = folder / "bringer-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bringer\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[eagle.backends]\nother = {value}\n")
    (folder / "bringer.py").write_text(
        "def path():\n    return '/nowhere/libeagle_other.so'\n\n\nrelative = 'libeagle_other.so'\n"
    )


RESOLVED = """
    import sys
    sys.path.insert(0, sys.argv[1])
    from eagle import _core
    before = "bringer" in sys.modules
    state = _core.cuda_backend("other")
    print(before, "bringer" in sys.modules, state["message"])
"""


def test_a_distribution_may_bring_a_backend(tmp_path):
    distribution(tmp_path, "bringer:path")
    said = run(RESOLVED, tmp_path)
    assert said.startswith("False True")
    assert "/nowhere/libeagle_other.so" in said


def test_a_distribution_that_names_no_absolute_path(tmp_path):
    distribution(tmp_path, "bringer:relative")
    said = run(RESOLVED, tmp_path)
    assert "bringer:relative" in said
    assert "absolute path" in said


def test_a_relative_path_is_not_registered():
    with pytest.raises(ValueError, match="absolute"):
        eagle.register_backend_path("other", "libeagle_other.so")


def test_the_table_of_device_types():
    assert KIND_OF_DEVICE_TYPE[1] == "cpu"
    assert KIND_OF_DEVICE_TYPE[2] == KIND_OF_DEVICE_TYPE[13] == "cuda"
    assert KIND_OF_DEVICE_TYPE[10] == "hip"
    assert all(_core.kind_of_device_type(code) == kind for code, kind in KIND_OF_DEVICE_TYPE.items())
    with pytest.raises(eagle.BackendUnavailable, match="99"):
        _core.kind_of_device_type(99)


def test_the_python_of_this_test_is_the_one_that_was_installed_for():
    assert Path(_core.__file__).name.startswith("_core.cpython-")
    assert f"{sys.version_info.major}{sys.version_info.minor}" in Path(_core.__file__).name
