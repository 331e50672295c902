"""docs/artifacts.md: an artifact that is written from the page alone is one that raptor accepts and eagle runs."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numpy as np

import eagle
from raptor.schema import check_folder
from raptor.schema.sidecar import SIDECAR_KEYS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "artifacts.md").read_text()

# One argument of each block: o[c] = dt * r * w[c], then p += o[0] and q[c] += o[c]. `w` and `q` have two components.
KERNEL = """
const char eagle_abi_tag[] = "aether-abi/2";
const uint64_t eagle_layout_sizes[5] = {40, 32, 32, 4, 24};
#define AT(v, c) ((double*)(v)->data)[(c) * (v)->comp_stride + i * (v)->sample_stride]
void blocks_step(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    struct SCALAR* p = params[0];
    struct VECTOR *q = params[1], *n = params[2], *o = params[3], *w = params[4];
    struct SCALAR* r = params[5];
    double dt = *(double*)params[6];
    for (int64_t i = base; i < base + count; ++i) {
        for (int c = 0; c < 2; ++c) {
            AT(o, c) = dt * ((double*)r->data)[i * r->stride] * AT(w, c);
            AT(q, c) += AT(o, c);
        }
        AT(n, 0) = n_samples;
        ((double*)p->data)[i * p->stride] += AT(o, 0);
    }
}
"""

AXIS = {
    "schema_version": 2,
    "pattern": "vector",
    "aether_abi": "aether-abi/2",
    "exec_targets": ["host"],
    "exec_access": "sample_local",
}
WIDTHS = {"p": 1, "q": 2, "n": 1, "o": 2, "w": 2, "r": 1}
SIDECAR = {
    "format": "host",
    **AXIS,
    "scalar_type": "float64",
    "kernel": "blocks",
    "params": [{"name": "dt", "dtype": "float"}],
    "params_schema": 2,
    "per_sample": ["r"],
    "vector_inputs": ["w"],
    "matrix_inputs": [],
    "mat_shapes": {},
    "mutables": [
        {"name": "p", "dtype": "scalar", "width": 1, "default": 0, "prior": True},
        {"name": "q", "dtype": "vector", "width": 2, "default": 0, "prior": True},
    ],
    "arg_widths": WIDTHS,
    "arg_dtypes": dict.fromkeys(WIDTHS, "float64"),
    "arg_shapes": {},
    "buffers": [],
    "arg_spec": [
        ["mutable", "p"], ["mutable", "q"], ["out", "n"], ["out", "o"], ["vec_in", "w"],
        ["per_sample", "r"], ["uniform", "dt"],
    ],
    "terminated_readonly": False,
    "host_cpu": [],
    "digest": "",
    "entries": {"host": {"step": "blocks_step"}},
}  # fmt: skip


def keys_of_the_page() -> list[str]:
    """In the order of the page, with `arg_spec` where the page's sentence puts it."""
    rows = re.findall(r"^\| (`.+?) \|", PAGE.split("The other keys")[1].split("## The host file")[0], re.MULTILINE)
    keys = [key for row in rows for key in re.findall(r"`(\w+)`", row)]
    keys.insert(keys.index("buffers") + 1, "arg_spec")
    return keys


def test_the_keys_stand_in_the_order_in_which_writers_keep_them() -> None:
    assert "(`arg_spec` stands between `buffers` and `terminated_readonly`)" in PAGE
    assert keys_of_the_page() == list(SIDECAR_KEYS)


def block_of(role: str) -> str:
    (block,) = re.findall(rf"^\| (?:`\w+`, )*`{role}`(?:, `\w+`)* \| .+? \| (.+?) \|$", PAGE, re.MULTILINE)
    return block


def test_the_blocks_of_the_page_are_those_of_a_call(tmp_path: Path) -> None:
    assert block_of("out").startswith("vector view") and block_of("vec_in") == "vector view"
    assert block_of("per_sample") == "scalar view"
    assert (
        block_of("mutable") == "vector view where its `dtype` in `mutables` is `vector` or `matrix`, else scalar view"
    )
    (structs,) = re.findall(r"```c\n(struct .+?)```", PAGE, re.DOTALL)
    kernel = KERNEL.replace("SCALAR", "scalar_view").replace("VECTOR", "vector_view")
    (tmp_path / "blocks.c").write_text(f"#include <stdint.h>\n{structs}{kernel}")
    subprocess.run(["cc", "-shared", "-fPIC", tmp_path / "blocks.c", "-o", tmp_path / "blocks.so"], check=True)
    record = {"id": "blocks", "order": 0, "enabled": True, "artifact": "blocks.so", "sidecar": "blocks.json"}
    (tmp_path / "manifest.json").write_text(json.dumps({**AXIS, "plugins": [{**record, "format": "host"}]}))
    written = {key: SIDECAR[key] for key in keys_of_the_page() if key in SIDECAR}
    (tmp_path / "blocks.json").write_text(json.dumps(written))
    assert len(check_folder(tmp_path)["plugins"]) == 1

    p, q = np.zeros(5), np.ones((2, 5))
    r, w = np.arange(5.0), np.arange(10.0).reshape(2, 5)
    made = eagle.deploy(tmp_path).run(p=p, q=q, r=r, w=w, dt=0.5)
    assert (made["o"] == 0.5 * r * w).all() and (made["n"] == 5.0).all()
    assert (p == 0.5 * r * w[0]).all() and (q == 1.0 + 0.5 * r * w).all()
