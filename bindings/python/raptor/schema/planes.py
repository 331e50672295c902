"""The arguments of a kernel in its sidecar: roles, dtypes, widths and shapes agree with each other."""

from __future__ import annotations

from typing import Any, NoReturn

from raptor.schema.document import short
from raptor.schema.fields import Fields, show

ROLES = (
    "mutable", "out", "wide_out", "accum_out", "vec_in", "mat_in", "wide_in", "per_sample", "lookup", "terminated",
    "uniform", "nsamples",
)  # fmt: skip
MUTABLE_DTYPES = ("scalar", "vector", "matrix", "int", "int32", "uint32")
PLANE_DTYPES = ("float64", "float32", "int64", "int32", "uint32", "bool", "float", "int", "scalar", "vector", "matrix")


def check_planes(fields: Fields) -> dict[str, str]:
    """The role of every argument by name. Raises ValueError where the keys of the sidecar disagree."""
    return _Planes(fields).roles()


class _Planes:
    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.params = self._params()
        self.mutables = self._mutables()

    def refuse(self, key: str, what: str) -> NoReturn:
        raise ValueError(f"{self.fields.where}: '{key}' {what}")

    def _params(self) -> set[str]:
        fields = self.fields
        if not fields.has("params"):
            return set()
        bare = not fields.has("params_schema")
        if not bare and fields.integer("params_schema") != 2:
            fields.refuse("params_schema", "2")
        names = set()
        for item in fields.list("params"):
            if bare and isinstance(item, str):
                names.add(item)
                continue
            param = Fields(item, f"{fields.where}, params")
            param.text_of("dtype", ("float", "int"))
            names.add(param.text("name"))
        return names

    def _mutables(self) -> dict[str, Fields]:
        found: dict[str, Fields] = {}
        if not self.fields.has("mutables"):
            return found
        for item in self.fields.list("mutables"):
            entry = Fields(item, f"{self.fields.where}, mutables")
            entry.text_of("dtype", MUTABLE_DTYPES)
            if entry.has("prior"):
                entry.flag("prior")
            found[entry.text("name")] = entry
        return found

    def roles(self) -> dict[str, str]:
        roles: dict[str, str] = {}
        for item in self.fields.list("arg_spec"):
            if not (isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item)):
                self.refuse("arg_spec", f"holds {show(item)}; every entry must be [role, name]")
            role, name = item
            if not name:
                self.refuse("arg_spec", f"holds {show(item)}; the name must not be empty")
            if role not in ROLES:
                self.refuse("arg_spec", f"holds the role {show(role)}; the roles are {', '.join(ROLES)}")
            if name in roles:
                self.refuse("arg_spec", f"names '{short(name)}' twice")
            roles[name] = role
            self._check(role, name)
        return roles

    def _check(self, role: str, name: str) -> None:
        if role in ("terminated", "nsamples"):
            return
        if role == "uniform":
            if name not in self.params:
                self.refuse("arg_spec", f"has the uniform '{short(name)}', which 'params' does not declare")
        elif role == "mutable":
            self._check_mutable(name)
        else:
            self._check_plane(role, name)

    def _of_plane(self, key: str, name: str) -> Any:
        return self.fields.object(key).get(name) if self.fields.has(key) else None

    def _extent(self, key: str, name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**32:
            self.refuse(key, f"gives '{short(name)}' the extent {show(value)}; it must be an int of at least 1")
        return int(value)

    def _shape(self, key: str, name: str, value: Any) -> int:
        if not isinstance(value, list) or len(value) != 2:
            self.refuse(key, f"gives '{short(name)}' the shape {show(value)}; it must be [rows, columns]")
        size = self._extent(key, name, value[0]) * self._extent(key, name, value[1])
        if size >= 2**32:
            self.refuse(key, f"gives '{short(name)}' the shape {show(value)}; it must have fewer than 2^32 elements")
        return size

    def _check_mutable(self, name: str) -> None:
        entry = self.mutables.get(name)
        if entry is None:
            if not name.startswith("__"):
                self.refuse("arg_spec", f"has the mutable '{short(name)}', which 'mutables' does not declare")
            return
        kind = entry.text("dtype")
        width = self._extent("mutables", name, entry.at("width")) if entry.has("width") else 1
        if kind == "matrix":
            found = entry.at("shape") if entry.has("shape") else self._of_plane("mat_shapes", name)
            if found is None:
                self.refuse("mutables", f"gives the matrix '{short(name)}' no shape; it needs [rows, columns]")
            size = self._shape("mutables", name, found)
            if entry.has("width") and width != size:
                self.refuse("mutables", f"gives '{short(name)}' the width {width}, which its shape contradicts")
            width = size
        elif kind != "vector" and width != 1:
            self.refuse(
                "mutables",
                f"gives '{short(name)}' of dtype '{kind}' the width {width}; only a vector or a matrix is wider than 1",
            )
        self._check_width(name, width)

    def _check_plane(self, role: str, name: str) -> None:
        dtype = self._of_plane("arg_dtypes", name)
        if dtype is not None and dtype not in PLANE_DTYPES:
            self.refuse(
                "arg_dtypes",
                f"gives '{short(name)}' the dtype {show(dtype)}; it must be float64, float32, int64, int32, uint32, "
                "bool, float or int",
            )
        shape = self._of_plane("mat_shapes", name)
        width = self._of_plane("arg_widths", name)
        if shape is not None:
            size = self._shape("mat_shapes", name, shape)
        elif role == "mat_in":
            self.refuse("mat_shapes", f"has no shape for the matrix '{short(name)}'; it needs [rows, columns]")
        elif width is not None:
            size = self._extent("arg_widths", name, width)
        elif role == "vec_in":
            self.refuse("arg_widths", f"has no width for the vector '{short(name)}'")
        else:
            size = 1
        self._check_width(name, size)
        if role == "per_sample" and size != 1:
            self.refuse(
                "arg_widths",
                f"gives the per-sample scalar '{short(name)}' the width {size}; a wider plane has the role "
                "vec_in or mat_in",
            )

    def _check_width(self, name: str, size: int) -> None:
        width = self._of_plane("arg_widths", name)
        if width is not None and self._extent("arg_widths", name, width) != size:
            self.refuse(
                "arg_widths",
                f"gives '{short(name)}' the width {show(width)}, where the sidecar's other keys say {size}",
            )
