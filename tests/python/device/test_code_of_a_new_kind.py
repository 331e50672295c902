"""A kind whose memory no format of files belongs to: its code comes from a target of its own, and is found by name.

The simulated device stands for it, behind a library that runs no host files and keeps variables in device memory. What
its target writes is a host's file all the same: that is what the simulated device runs.
"""

import os
import subprocess
import sys
from pathlib import Path

from test_first_plan import GROUPS, NAMES, ROOT, with_only

OWN = """
#include <eagle/seam/eagle_backend.h>
#include <string.h>

static void* behind(const char* name) { return dlsym(dlopen("%s", RTLD_NOW | RTLD_LOCAL), name); }

eagle_backend_status eagle_backend_build_info(struct eagle_backend_build_info* info) {
    eagle_backend_status (*build_info)(struct eagle_backend_build_info*) = behind("eagle_backend_build_info");
    const eagle_backend_status status = build_info(info);
    if (status == 0) strcpy(info->archs, "plum-1");
    return status;
}

eagle_backend_status eagle_backend_sdk_module_global(uint64_t module, const char* name, uint64_t* address,
                                                     uint64_t* nbytes) {
    eagle_backend_status (*global)(uint64_t, const char*, uint64_t*, uint64_t*) =
        behind("eagle_backend_sdk_module_global");
    struct eagle_backend_stream_desc desc = {sizeof desc};
    eagle_backend_stream stream;
    uint64_t number, on_host;
    eagle_backend_status status = global(module, name, &on_host, nbytes);
    if (status == 0) status = eagle_backend_stream_create(&desc, &stream);
    if (status == 0) status = eagle_backend_stream_ptr(stream, &number);
    if (status == 0) status = eagle_backend_sdk_device_alloc(0, *nbytes, number, address);
    if (status == 0) status = eagle_backend_memcpy(*address, on_host, *nbytes, 0, number);
    if (status == 0) status = eagle_backend_stream_synchronize(stream);
    return status;
}
"""
TARGET = """
from dataclasses import replace
from hawk.targets import Target, target_of

def compile_kernel(description, options):
    return replace(target_of("host").compile(description, options), suffix="plum", format="fatbin")

plum = Target("sim", "sim", compile_kernel, arch=None)
"""
RUN = """
import numpy as np
import eagle, hawk
from device_kernels import scale
x = eagle.empty((1000,), "float64", "sim:0")
eagle.copy(np.arange(1000.0), into=x)
def check(plan):
    y = plan.run(x=x, a=2.0, b=1.0)
    assert (y.to_host() == 2.0 * np.arange(1000.0) + 1.0).all()
check(eagle.deploy(scale))
check(eagle.deploy(hawk.build(scale, "both", targets=("host", "sim")).parent))
try:
    check(eagle.deploy(hawk.build(scale, "host").parent))
except ValueError as error:
    print(error)
"""


def test_a_file_of_its_target_is_found_by_name(tmp_path: Path) -> None:
    library = with_only(NAMES, GROUPS, tmp_path, OWN % os.environ["EAGLE_BACKEND_SIM"])
    (tmp_path / "plum_target.py").write_text(TARGET)
    installed = tmp_path / "plum_target.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: plum-target\nVersion: 0\n")
    (installed / "entry_points.txt").write_text("[hawk.targets]\nsim = plum_target:plum\n")
    paths = os.pathsep.join([str(tmp_path), *sys.path, str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=tmp_path,
        env={**os.environ, "EAGLE_BACKEND_SIM": str(library), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert (
        "kernel 'scale' has files of format host; kind 'sim' takes none, and device code whose id ends in '.sim'; "
        "build the artifact for that target"
    ) in done.stdout
