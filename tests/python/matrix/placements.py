"""The bodies of the matrix's kernels on a device, whole, in partitions, and on two ranks."""

import json

import numpy as np
from matrix_kernels import KERNELS, affine, planes

import eagle
import hawk

COUNTS = (1, 5, 10_007)


def reading(folder):
    """The artifact of a kernel that says it reads other samples."""
    hawk.build(affine, folder)
    for name in ("manifest.json", "affine.json"):
        document = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(document | {"exec_access": "cross_sample_read"}))
    return folder


def up(arguments, device):
    """The same arguments with their arrays on the device."""
    made = {}
    for name, value in arguments.items():
        made[name] = value
        if isinstance(value, np.ndarray):
            made[name] = eagle.empty(value.shape, str(value.dtype), device=device)
            eagle.copy(value, into=made[name])
    return made


def down(array):
    if isinstance(array, np.ndarray | np.generic):
        return np.asarray(array)
    made = np.empty(array.shape, array.dtype)
    eagle.copy(array, into=made)
    return made


def arrays(body, count, structure, device=None, npartitions=1):
    """Every array of a call, written in place or returned, by name, on the host."""
    name, kernel = body
    given = planes(name, count)
    arguments = up(given, device) if device else given
    plan = eagle.plan(kernel, structure=structure, npartitions=npartitions)
    result = plan.run(**arguments)
    plan.synchronize()
    returned = result if isinstance(result, dict) else {"out": result}
    every = {name: value for name, value in arguments.items() if name in given and isinstance(given[name], np.ndarray)}
    return {name: down(value) for name, value in (every | returned).items() if value is not None}


def bits(found):
    return {name: (array.shape, array.tobytes()) for name, array in found.items()}


def bodies(folder):
    """By name in `planes`: sample_local ones, and one that reads other samples."""
    return [*KERNELS.items(), ("affine", reading(folder))]


def partition_identity(device, folder, on_ranks):
    """`on_ranks()`: what each of two ranks told of `ranks_told`."""
    kind = device.split(":")[0]
    whole = {}
    for k, body in enumerate(bodies(folder / "reads")):
        for count in COUNTS:
            whole[k, count] = bits(arrays(body, count, eagle.exec.DeviceKernel(kind), device))
            halves = bits(arrays(body, count, eagle.exec.DeviceKernel(kind), device, npartitions=2))
            assert halves == whole[k, count], (body, count)
    for told in on_ranks():
        assert told == whole


def ranks_told(device, folder):
    """The same calls on one rank of several."""
    kind = device.split(":")[0]
    ranks = eagle.exec.RankPartition(structure=eagle.exec.DeviceKernel(kind))
    made = {
        (k, count): bits(arrays(body, count, ranks, device))
        for k, body in enumerate([*KERNELS.items(), ("affine", folder / "reads")])
        for count in COUNTS
    }
    return ranks.rank, made


# Relative, by the kernels' own scale: what two machines' functions may differ by, over seven applications of one.
BAND = {"float64": 1e-12, "float32": 1e-5}


def agree(found, wanted, what):
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        band = BAND.get(str(array.dtype), 0.0)
        np.testing.assert_allclose(found[name], array, rtol=band, atol=band, err_msg=f"{what}, {name}")


def reference_host(device):
    """hawk's own path is the reference."""
    kind = device.split(":")[0]
    for name, kernel in KERNELS.items():
        for count in COUNTS:
            given = planes(name, count)
            result = kernel(**given)
            returned = result if isinstance(result, dict) else {"out": result}
            written = {key: value for key, value in given.items() if isinstance(value, np.ndarray)}
            wanted = {key: down(value) for key, value in (written | returned).items() if value is not None}
            for parts in (1, 2):
                found = arrays((name, kernel), count, eagle.exec.DeviceKernel(kind), device, npartitions=parts)
                agree(found, wanted, name)


def host_device_twin(device):
    """Whole numbers and masks are equal; reals agree within BAND."""
    kind = device.split(":")[0]
    for body in KERNELS.items():
        for count in COUNTS:
            host = arrays(body, count, eagle.exec.HostTeam())
            there = arrays(body, count, eagle.exec.DeviceKernel(kind), device)
            agree(there, host, body[0])
