"""raptor needs nothing: it is copied into an empty folder, and every import but the standard library's is blocked."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import raptor

PROGRAM = """
import sys


class Wall:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top != "raptor" and top not in sys.stdlib_module_names:
            raise ModuleNotFoundError(name)
        return None


sys.meta_path.insert(0, Wall())
import json, pkgutil, importlib
import raptor
assert raptor.__file__.startswith(sys.argv[1]), raptor.__file__
for module in pkgutil.walk_packages(raptor.__path__, "raptor."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from raptor.conformance import ROWS
from raptor.protocols import KernelProvider, faults
from raptor.schema import read_manifest, validate_manifest

text = sys.stdin.read()
validate_manifest(read_manifest(text))
try:
    read_manifest(text.replace('"vector"', '"matrix"'))
except ValueError as error:
    print(error)
print(len(ROWS), faults(3, KernelProvider))
print(sorted(name for name in sys.modules if name.split(".")[0] in ("numpy", "hawk", "eagle", "pytest")))
"""
MANIFEST = {
    "schema_version": 2,
    "pattern": "vector",
    "aether_abi": "aether-abi/2",
    "exec_targets": ["host"],
    "exec_access": "sample_local",
    "plugins": [],
}


def test_it_validates_with_nothing_beside_it(tmp_path):
    shutil.copytree(Path(raptor.__file__).parent, tmp_path / "raptor")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, sys.argv[1])\n{PROGRAM}", str(tmp_path)],
        input=json.dumps(MANIFEST),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "manifest.json: 'pattern' is \"matrix\" (a string); it must be 'vector', 'pure' or 'neural_block'",
        "23 [\"has no method 'build'\"]",
        "[]",
    ]
