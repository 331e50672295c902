"""A kernel's description as the JSON of its sidecar, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hawk.description import ABI, Description
from hawk.errors import HawkError
from hawk.signature import Signature
from hawk.types import Declaration
from raptor import dtypes


def sidecar(description: Description, host_cpu: list[str], formats: Sequence[str] = ("host",)) -> dict[str, Any]:
    """The document, keys in the order of the schema. `formats`: of the kernel's files, one a target."""
    runs = list(dict.fromkeys(runs_on(name) for name in formats))
    arguments = description.signature.arguments
    planes = [d for d in arguments if d.role not in ("uniform", "nsamples")]
    document: dict[str, Any] = {
        "format": formats[0],
        "schema_version": 2,
        "pattern": "vector",
        "aether_abi": ABI,
        "exec_targets": runs,
        "exec_access": description.access,
    }
    if description.exec_op is not None:
        document["exec_op"] = description.exec_op
    document |= {
        "scalar_type": description.scalar,
        "kernel": description.name,
        "params": [_param(d) for d in arguments if d.role == "uniform"],
        "params_schema": 2,
        "per_sample": [d.name for d in arguments if d.role == "per_sample"],
        "vector_inputs": [d.name for d in arguments if d.role == "vec_in"],
        "matrix_inputs": [],
        "mat_shapes": {},
        "mutables": [_mutable(description, d) for d in arguments if d.role == "mutable"],
        "arg_widths": {d.name: d.width or 1 for d in planes if d.name not in _LENGTHS},
        "arg_shapes": {d.name: _LENGTHS.get(d.name) for d in planes},
        "arg_dtypes": {d.name: description.dtype(d) for d in planes},
        "buffers": [],
        "arg_spec": [[d.role, d.name] for d in arguments],
        "terminated_readonly": description.terminated_readonly,
    }
    if description.mask is not None:
        document["finish"] = {"mask": description.mask}
    entries = {"step": description.step}
    if description.run is not None:
        entries["run"] = description.run
    return document | {
        "host_cpu": host_cpu,
        "digest": description.digest,
        "entries": {where: dict(entries) for where in runs},
    }


def runs_on(format_name: str) -> str:
    """`host` or `device`: where files of this format run."""
    return dtypes.FORMATS[format_name].target


# Elements of the planes that the loader supplies, where their number is known.
_LENGTHS = {"__control": 8, "__next": 1}


def _param(d: Declaration) -> dict[str, str]:
    return {"name": d.name, "dtype": "int" if d.element == "int" else "float"}


def _mutable(description: Description, d: Declaration) -> dict[str, Any]:
    kind = "int" if d.element == "int" else "scalar" if d.width is None else "vector"
    prior = d.name.startswith("__") or d.name in description.priors
    return {"name": d.name, "dtype": kind, "width": d.width or 1, "default": 0, "prior": prior}


def description_of(document: dict[str, Any], name: str) -> Description:
    """What a checked sidecar says of its host kernel. Raises HawkError for what hawk's own path does not call."""
    if document["pattern"] == "neural_block":
        raise HawkError(f"{name}: kernel '{document['kernel']}' is a neural block descriptor, which is never launched")
    if document.get("exec_access") == "mapreduce":
        raise HawkError(
            f"{name}: kernel '{document['kernel']}' is mapreduce, and hawk's own path folds nothing: run the "
            "folder with eagle.deploy"
        )
    # In version 1 the one entry has the kernel's name.
    old = document["aether_abi"] == "aether-abi/1"
    targets = {"host": {"step": document["kernel"]}} if old else document["entries"]
    entries = targets.get("host")
    if entries is None:
        found = ", ".join(targets) or "none"
        raise HawkError(f"{name}: kernel '{document['kernel']}' has entries for {found}, none for host: build for it")
    arguments = tuple(_argument(document, role, plane, name) for role, plane in document["arg_spec"])
    mutables = document.get("mutables", [])
    return Description(
        name=document["kernel"],
        scalar=document["scalar_type"],
        signature=Signature(arguments, "finish" in document, any(d.name == "__control" for d in arguments)),
        order=(),
        priors=frozenset(entry["name"] for entry in mutables if entry.get("prior", True)),
        mask=document.get("finish", {}).get("mask"),
        digest=document.get("digest", ""),
        step=entries["step"],
        run=entries.get("run"),
        access=document.get("exec_access", ""),
        exec_op=document.get("exec_op"),
        abi=document["aether_abi"],
    )


def _argument(document: dict[str, Any], role: str, plane: str, name: str) -> Declaration:
    if role not in _CALLED:
        raise HawkError(f"{name}: the argument '{plane}' has the role '{role}', which hawk's own path does not call")
    if role == "terminated":
        return Declaration(plane, role, "bool")
    if role == "nsamples":
        return Declaration(plane, role, "int")
    if role == "uniform":
        dtypes = {p["name"]: p["dtype"] for p in document["params"] if isinstance(p, dict)}
        return Declaration(plane, role, "int" if dtypes.get(plane) == "int" else "real")
    entry = next((entry for entry in document.get("mutables", []) if entry["name"] == plane), None)
    if role == "mutable":
        if entry is None:
            return Declaration(plane, role, "int")
        kind = entry["dtype"]
        if kind not in ("scalar", "vector", "int"):
            raise HawkError(f"{name}: the mutable '{plane}' is of dtype '{kind}', which hawk's own path does not call")
        return Declaration(
            plane, role, "int" if kind == "int" else "real", entry["width"] if kind == "vector" else None
        )
    dtype = document.get("arg_dtypes", {}).get(plane, document["scalar_type"])
    if dtype not in (document["scalar_type"], "int64", "int", "float", "scalar", "vector"):
        raise HawkError(f"{name}: the plane '{plane}' is of dtype '{dtype}', which hawk's own path does not call")
    width = document.get("arg_widths", {}).get(plane, 1)
    wide = role == "vec_in" or width > 1
    return Declaration(plane, role, "int" if dtype in ("int64", "int") else "real", width if wide else None)


_CALLED = frozenset({"mutable", "out", "vec_in", "per_sample", "terminated", "uniform", "nsamples"})
