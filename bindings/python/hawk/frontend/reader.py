"""Reads a whole kernel: its declarations, its body, its outputs."""

from __future__ import annotations

import ast
import inspect
import re
from types import FunctionType
from typing import Any

from hawk.errors import HawkError
from hawk.frontend.bindings import NONE, Binding, Missing, Static, Vec, describe
from hawk.frontend.context import MASK_SET, RESULT, RETURNED, frame_of
from hawk.frontend.source import Source, source_of
from hawk.frontend.statements import Statements
from hawk.ir import INT, REAL, Program, Value
from hawk.ir.build import MOST_OPERATIONS, TooLong
from hawk.ir.canonical import inspect_block, live_values, prune, roots
from hawk.signature import NSAMPLES
from hawk.types import Declaration, Quantity, Spec, input_spec, output_spec

Outputs = dict[str, Spec]


def trace(function: object, name: str | None = None, dtype: str = "float64") -> Program:
    """The kernel that this function describes. Raises HawkError with file, line, construct and what to write."""
    if not isinstance(function, FunctionType):
        raise HawkError(
            f"@hawk.kernel is given {type(function).__name__} {function!r}, a Python function is needed: "
            "put it directly above a `def`"
        )
    if dtype not in ("float64", "float32"):
        raise HawkError(f"dtype is {dtype!r}: use 'float64' or 'float32'")
    return _Kernel(function, source_of(function), name or function.__name__, dtype == "float32").program()


class _Kernel:
    def __init__(self, function: FunctionType, source: Source, name: str, single: bool) -> None:
        self.function = function
        self.source = source
        self.name = name
        self.single = single
        # Arguments that are carried on wires: what they are, and their planes.
        self.quantities: dict[str, tuple[Quantity, tuple[str, ...]]] = {}

    def fail(self, message: str, node: ast.AST | None = None, construct: str | None = None) -> HawkError:
        line = getattr(node, "lineno", self.source.node.lineno)
        return HawkError(message, file=self.source.file, line=line, construct=construct or self.name)

    def program(self) -> Program:
        if not (isinstance(self.name, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,127}", self.name)):
            raise self.fail(
                f"a kernel is called `{self.name}`, and names files and symbols: use ASCII letters, digits and `_` "
                "after a letter, at most 128 (`@hawk.kernel(name='...')` gives one of its own)"
            )
        declared = self.declarations()
        outputs = self.declared_outputs()
        try:
            return self.read(declared, outputs)
        except TooLong:
            raise self.fail(
                f"the kernel has more than {MOST_OPERATIONS} operations: make one iteration of its longest loop the "
                "kernel's step"
            ) from None
        except RecursionError:
            raise self.fail(
                "an expression or a chain of branches is nested too deeply: split it with names of its own"
            ) from None

    # ------------------------------------------------------------------ declarations

    def annotation(self, value: object, node: ast.AST, what: str) -> object:
        """The object that an annotation names; strings (postponed annotations) are evaluated where the function is."""
        if not isinstance(value, str):
            return value
        names = {**self.function.__globals__, **frame_of(self.function, self.source).outer}
        try:
            found = eval(value, names)
            return eval(found, names) if isinstance(found, str) else found  # text within postponed text
        except Exception as error:
            raise self.fail(
                f"the annotation `{value}` of {what} cannot be evaluated ({type(error).__name__}: {error}): import "
                "the name it uses",
                node,
                value,
            ) from None

    def declarations(self) -> list[Declaration]:
        arguments = self.source.node.args
        for star in (arguments.vararg, arguments.kwarg):
            if star is not None:
                raise self.fail(f"`*{star.arg}` declares no plane: name each argument", star, star.arg)
        nodes = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        if self.function.__defaults__ or self.function.__kwdefaults__:
            raise self.fail("an argument of a kernel has a default: give the value in the call", nodes[-1])
        declared = [d for node in nodes for d in self.declaration(node)]
        names = [d.name for d in declared]
        for argument, planes in self.quantities.items():
            for plane in planes[1]:
                if names.count(plane) > 1 or plane in self.function.__code__.co_varnames:
                    raise self.fail(f"`{plane}` is a wire of `{argument}`, and a name of its own: use another name")
        masks = [d.name for d in declared if d.role == "terminated"]
        if len(masks) > 1:
            raise self.fail(f"{' and '.join(masks)} are both Terminated: a kernel has one mask")
        return declared

    def declaration(self, node: ast.arg) -> list[Declaration]:
        """The planes of an argument: one, or as many as its quantity has wires."""
        name = node.arg
        self.refuse_taken(name, node)
        kinds = "Scalar, Index, Vector[w], Param, Mutable[...], Terminated or a Quantity"
        if name not in self.function.__annotations__:
            raise self.fail(f"`{name}` is not declared: write `{name}: Scalar`, or one of {kinds}", node, name)
        value = self.annotation(self.function.__annotations__[name], node, f"`{name}`")
        if isinstance(value, Quantity):
            planes = value.planes(name)
            self.quantities[name] = (value, tuple(d.name for d in planes.values()))
            return list(planes.values())
        spec = input_spec(value)
        if spec is None:
            raise self.fail(f"`{name}` is declared {value!r}: use one of {kinds}", node, name)
        return [spec.named(name)]

    def refuse_taken(self, name: str, node: ast.AST) -> None:
        """The loader packs planes of its own beside the kernel's, by name."""
        if name.startswith("__"):
            raise self.fail(f"`{name}`: names that begin with two underscores belong to the loader", node, name)
        if name == NSAMPLES.name:
            raise self.fail(f"`{name}` is what the loader calls the number of samples: use another name", node, name)

    def declared_outputs(self) -> Outputs | None:
        """Output planes by name, as the return annotation gives them; None when there is none."""
        if "return" not in self.function.__annotations__:
            return None
        node = self.source.node.returns or self.source.node
        value = self.annotation(self.function.__annotations__["return"], node, "the result")
        if value is None:
            return {}
        return {key: self.output(key, part, node) for key, part in _named(_unfold(value)).items()}

    def output(self, name: str, annotation: object, node: ast.AST) -> Spec:
        spec = output_spec(annotation)
        if not isinstance(name, str) or not name.isidentifier():
            raise self.fail(f"{name!r} is no name of an output: use an identifier", node)
        if spec is None:
            raise self.fail(f"the output `{name}` is declared {annotation!r}: use Scalar, Index or Vector[w]", node)
        return spec

    # ------------------------------------------------------------------ body

    def read(self, declared: list[Declaration], outputs: Outputs | None) -> Program:
        reader = Statements(self.single, {d.name: d for d in declared})
        reader.quantities = {argument: quantity for argument, (quantity, _) in self.quantities.items()}
        frame = frame_of(self.function, self.source)
        reader.frames.append(frame)
        builder = reader.builder
        for d in declared:
            frame.env[d.name] = self.at_launch(reader, d)
        frame.kept = frozenset(d.name for d in declared if d.role in ("mutable", "terminated"))
        frame.env |= {RETURNED: builder.false, MASK_SET: Static(False)}
        reader.statements(self.source.node.body)
        stores = self.stores(reader, declared)
        made = self.outputs(reader, outputs)
        taken = {d.name for d in declared}
        for d, value in made:
            self.refuse_taken(d.name, self.source.node)
            if d.name in taken:
                raise self.fail(f"the output `{d.name}` has the name of an argument: return a dict with other names")
            stores += _components(d, value)
        if not stores and not self.sets_mask(frame.env):
            raise self.fail("the kernel writes nothing: assign to a Mutable or return a value")
        return self.finish(reader, declared + [d for d, _ in made], tuple(sorted(stores, key=_order)))

    @staticmethod
    def at_launch(reader: Statements, d: Declaration) -> Binding:
        builder = reader.builder
        if d.role == "uniform":
            return builder.param(d.name, d.element)
        if d.role == "terminated":
            return builder.false
        if d.width is None:
            return builder.load(d.name, None, d.element)
        return Vec(tuple(builder.load(d.name, k, d.element) for k in range(d.width)))

    @staticmethod
    def sets_mask(env: dict[str, Binding]) -> bool:
        return bool(env[MASK_SET].value)

    def stores(self, reader: Statements, declared: list[Declaration]) -> list[tuple[str, int | None, Value]]:
        stores: list[tuple[str, int | None, Value]] = []
        for d in declared:
            if d.role != "mutable":
                continue
            value = reader.frame.env[d.name]
            if isinstance(value, Missing):
                raise self.fail(f"`{d.name}` {value.why}: give it one value of its kind on every way")
            if d.name not in reader.written and d.name not in _assigned(self.source.node):
                kind = "Index" if d.element == INT else "Scalar" if d.width is None else f"Vector[{d.width}]"
                raise self.fail(f"`{d.name}` is declared Mutable and never assigned: declare it {kind}")
            stores += _components(d, value)
        return stores

    def outputs(self, reader: Statements, outputs: Outputs | None) -> list[tuple[Declaration, Binding]]:
        env, node = reader.frame.env, self.source.node
        result = env.get(RESULT, NONE)
        if isinstance(result, Missing):
            raise self.fail(f"the returned value {result.why}: return the same kind on every way")
        if result is NONE and not outputs:
            return []
        if env[RETURNED] is not reader.builder.true or result is NONE:
            raise self.fail("the kernel returns a value on some ways only: end it with a `return` of the value")
        found = result if isinstance(result, dict) else _named(result)
        if outputs is None:
            outputs = {name: self.inferred(name, value) for name, value in found.items()}
        if list(outputs) != list(found):
            raise self.fail(f"the kernel returns {_list(found)}, its annotation says {_list(outputs)}: make them agree")
        declared = [outputs[name].named(name) for name in outputs]
        return [(d, reader.fit(node, d, found[d.name])) for d in declared]

    def inferred(self, name: str, value: Binding) -> Spec:
        if isinstance(value, Vec):
            return Spec(f"Vector[{len(value.parts)}]", "out", REAL, len(value.parts))
        if isinstance(value, Value) and value.type in (REAL, INT):
            return Spec("Scalar" if value.type == REAL else "Index", "out", value.type)
        instead = (
            "return a number, as in `1 if ... else 0`" if isinstance(value, Value) else "return numbers and vectors"
        )
        raise self.fail(f"the output `{name}` is {describe(value)}: {instead}")

    def finish(
        self, reader: Statements, declared: list[Declaration], stores: tuple[tuple[str, int | None, Value], ...]
    ) -> Program:
        mask = next((d.name for d in declared if d.role == "terminated"), None)
        env = reader.frame.env
        finished = env[mask] if mask is not None and mask in reader.written else None
        live = live_values(roots(stores, finished))
        body = prune(reader.builder.root, live)
        count, faults = inspect_block(body)
        leaves = [value for value in reader.builder.root.table.values() if id(value) in live]
        names = {v.data if v.op == "param" else v.data[0] for v in leaves if v.op in ("param", "load")}
        return Program(
            self.name,
            self.single,
            tuple(declared),
            body,
            stores,
            finished,
            frozenset(map(str, names)),
            faults,
            count,
            tuple((argument, planes) for argument, (_, planes) in self.quantities.items()),
        )


def _order(store: tuple[str, int | None, Value]) -> tuple[str, int]:
    return store[0], store[1] or 0


def _components(d: Declaration, value: Binding) -> list[tuple[str, int | None, Value]]:
    parts = [value] if d.width is None else value.parts
    return [(d.name, component, part) for component, part in zip(d.components(), parts, strict=True)]


def _unfold(annotation: object) -> Any:
    """`tuple[Scalar, Scalar]` as the tuple it stands for."""
    if getattr(annotation, "__origin__", None) is tuple and inspect.isclass(tuple):
        return tuple(annotation.__args__)  # type: ignore[attr-defined]
    return annotation


def _named(value: Any) -> dict[str, Any]:
    """Output names: of a dict its keys, of a tuple out0, out1, ..., else `out`."""
    if isinstance(value, dict):
        return value
    if isinstance(value, tuple):
        return {f"out{k}": part for k, part in enumerate(value)}
    return {"out": value}


def _list(names: object) -> str:
    return ", ".join(names) or "nothing"  # type: ignore[arg-type]


def _assigned(node: ast.FunctionDef) -> set[str]:
    """Names that some statement of the function assigns to, components included."""
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            found.add(part.id)
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name):
            found.add(part.value.id)
        elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name):
            found.add(f"{part.value.id}_{part.attr}")
    return found
