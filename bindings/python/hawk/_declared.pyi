# What a checker of Python, or an editor, sees in place of hawk.types' classes. A kernel's body computes with its
# arguments as numbers and assigns to them, so that to a checker they are Any: it has nothing to say of a body, and
# keeps to what is around kernels. There is no module of this name.

from typing import Annotated, Any, TypeAlias, TypeVar

from typing_extensions import TypeVar as WithDefault

_Written = TypeVar("_Written")
_Uniform = WithDefault("_Uniform", default=Any)

Scalar: TypeAlias = Any
"""One real a sample: a plane (N,) of float64 (float32 in a float32 kernel)."""

Index: TypeAlias = Any
"""One integer a sample: a plane (N,) of int64."""

Terminated: TypeAlias = Any
"""The mask (N,): a sample whose byte is set is skipped; the kernel may set it once, to a bool."""

Param: TypeAlias = Annotated[_Uniform, "uniform"]
"""One real number for the whole call; `Param[Index]` is an integer."""

Mutable: TypeAlias = Annotated[_Written, "mutable"]
"""`Mutable[Scalar]`, `Mutable[Index]`, `Mutable[Vector[w]]`: a plane that the kernel reads and writes in place."""

MYPY = False
if MYPY:
    Vector: Any  # true to mypy alone, for whom no type takes a number in brackets
else:
    class Vector(Any):
        """`Vector[w]`: w reals a sample, a plane (w, N); w is an integer from 1 to 64."""

        def __class_getitem__(cls, width: int) -> Any: ...
