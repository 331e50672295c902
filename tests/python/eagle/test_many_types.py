"""Arrays of classes of a program's own: more of them than are remembered, and what becomes of them at the end."""

import gc
import subprocess
import sys

import numpy as np
from eagle_kernels import scale
from programs import environment

import eagle

X = np.arange(7.0)
MORE = 100  # than the 64 that a module remembers


def own_array(before=lambda: None):
    """An array of a class of its own. `before` runs where its memory is asked for."""

    def exported(self, **options):
        before()
        return X.__dlpack__(**options)

    members = {"__dlpack__": exported, "__dlpack_device__": lambda self: (1, 0), "is_neg": lambda self: False}
    return type("Own", (), members)()


def scaled(x):
    return scale(x, np.ones_like(X), 2.0).tolist()


def test_more_types_than_are_remembered():
    for _ in range(MORE):
        assert scaled(own_array()) == (2.0 * X + 1.0).tolist()
        assert eagle.interop.import_buffer(own_array()).shape == X.shape


def test_an_array_in_whose_export_arrays_of_other_types_are_used():
    """What is known of its own type outlives theirs."""
    for _ in range(MORE):
        scaled(own_array())

    def others():
        for _ in range(MORE):
            assert scaled(own_array()) == (2.0 * X + 1.0).tolist()
        gc.collect()

    for _ in range(3):
        assert scaled(own_array(others)) == (2.0 * X + 1.0).tolist()
        assert eagle.interop.import_buffer(own_array(others)).shape == X.shape


PROGRAM = """
import numpy as np
import eagle
from eagle_kernels import scale

class Own:
    def __dlpack_device__(self):
        return 1, 0
    def __dlpack__(self, **options):
        return kept.__dlpack__(**options)

kept, kernel, plan = np.arange(7.0), scale, eagle.deploy(scale)
print(kernel(Own(), np.ones(7), 2.0).tolist(), eagle.interop.import_buffer(Own()).shape)
"""


def test_a_class_of_the_program_holds_nothing_beyond_its_end(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    done = subprocess.run([sys.executable, script], env=environment(), capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{(2.0 * X + 1.0).tolist()} (7,)\n"
