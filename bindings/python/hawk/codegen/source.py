"""The whole source of a kernel: the struct that the drivers take, and its entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby

from hawk.codegen.body import Body, member
from hawk.ir import INT, REAL, Block, Program, Value, digest
from hawk.signature import Signature, signature
from hawk.types import Declaration

# Functions of hawk/math.h, and what one counts for in `vectors_for`.
LIBRARY = frozenset({"exp", "log", "sin", "cos", "tanh", "pow", "atan", "atan2"})
LIBRARY_WEIGHT = 40
# Above this many operations the body is compiled once and shared by both drivers: compile time grows faster than
# length.
LONG_BODY = 600

_MEMBER_TYPES = {REAL: "typename S::real", INT: "typename S::i64"}
_ELEMENT_TYPES = {REAL: "real", INT: "i64"}


@dataclass(frozen=True)
class Generated:
    """`text`: the C++ source; `device_text`: the same kernel for cards. `operations`: of one step, which decides how
    hard a compiler may try."""

    text: str
    device_text: str
    operations: int
    step: str
    run: str | None


@dataclass(frozen=True)
class Plane:
    """One member of the state: a plane, or one component of it."""

    declaration: Declaration
    component: int | None

    @property
    def name(self) -> str:
        return member(self.declaration.name, self.component)

    def size(self, real: int) -> int:
        return 8 if self.declaration.element == INT else real


def planes_of(program: Program, arguments: Signature) -> list[Plane]:
    """In the drivers' order: only written, read and written, only read. A plane that is not read is left out."""
    read = [d for d in arguments.of_role("vec_in", "mat_in", "per_sample") if d.name in program.read]
    order = arguments.of_role("out") + arguments.of_role("mutable") + read
    return [Plane(d, component) for d in order for component in d.components()]


def every_value(block: Block) -> Iterable[Value]:
    for op in block.ops:
        if isinstance(op, Value):
            yield op
        else:
            yield from every_value(op.then)
            yield from every_value(op.other)
            yield from op.results


def _count(program: Program) -> tuple[int, bool, bool, bool]:
    """Weighted operations; whether one divides or takes a root, hawk/math.h is needed, an integer occurs."""
    work, divides, library, integers = 0, False, False, False
    for value in every_value(program.body):
        integers |= value.type == INT or any(arg.type == INT for arg in value.args)
        if value.op == "result":
            continue
        known = value.op == "call" and value.data in LIBRARY
        library |= known
        work += LIBRARY_WEIGHT if known else 1
        divides |= value.op in ("div", "floordiv", "mod") or (value.op == "call" and value.data == "sqrt")
    return work, divides, library, integers


class _Writer:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.signature = signature(program)
        self.planes = planes_of(program, self.signature)
        self.work, self.divides, self.library, self.integers = _count(program)
        self.quotients = any(value.op in ("floordiv", "mod") for value in every_value(program.body))
        self.integers |= any(d.element == INT for d in program.declarations)
        self.lane = 4 if program.single and not self.integers else 8
        self.struct = f"{program.name}_kernel"

    def kernel(self) -> list[str]:
        """The struct that the drivers of every target take."""
        return [
            f"struct {self.struct} {{",
            *self.facts(),
            *self.uniforms(),
            *self.state(),
            *self.step(),
            *self.bind(),
            "};",
        ]

    def text(self, kernel: list[str], headers: list[str], arguments: str = "") -> str:
        """A source over these headers; `arguments`: what an entry's macro takes beside struct and name."""
        p = self.program
        lines = [
            f"// {p.name}({', '.join(f'{d.name}: {d.role} {d.type_text()}' for d in p.declarations)})",
            f"// {digest(p)}",
            *(f'#include "hawk/{header}.h"' for header in headers),
            *(['#include "hawk/math.h"'] if self.library else []),
            *(['#include "hawk/quotient.h"'] if self.quotients else []),
            "",
            "namespace hawk::kernels {",
            "namespace {",
            "",
            *kernel,
            "",
            "}  // namespace",
            "}  // namespace hawk::kernels",
            "",
            "HAWK_ARTIFACT",
            f"HAWK_STEP({self.struct}, {p.name}_step{arguments})",
            *([f"HAWK_RUN({self.struct}, {p.name}_run{arguments})"] if self.signature.finishes else []),
        ]
        return "\n".join(lines) + "\n"

    def by_value(self) -> str:
        """Parameters of a card's entry, and their addresses, as its macro takes them."""
        rows = [f"HAWK_IN {self.block(d)} a{i}" for i, d in enumerate(self.signature.arguments)]
        addresses = [f"&a{i}" for i in range(len(rows))]
        return f", ({', '.join(rows)}), ({', '.join(addresses)})"

    def block(self, d: Declaration) -> str:
        if d.role == "nsamples":
            return "hawk::u32"
        if d.role == "uniform":
            return "hawk::i64" if d.element == INT else "float" if self.program.single else "double"
        return "hawk::VectorBlock" if _has_components(d) else "hawk::ScalarBlock"

    def facts(self) -> list[str]:
        written = [plane for plane in self.planes if plane.declaration.role in ("out", "mutable")]
        fresh = [plane for plane in written if plane.declaration.role == "out"]
        real = 4 if self.program.single else 8
        sizes = ", ".join(str(plane.size(real)) for plane in self.planes)
        count = "planes" if self.planes else "1"  # an array has an element
        flag = {True: "true", False: "false"}
        return [
            f"    using real = {'float' if self.program.single else 'double'};",
            f"    static constexpr int lane = {self.lane};",
            f"    static constexpr int planes = {len(self.planes)}, written = {len(written)}, fresh = {len(fresh)};",
            f"    static constexpr u8 size[{count}] = {{{sizes}}};",
            f"    static constexpr int vectors = vectors_for({self.work}, planes, {flag[self.divides]});",
            f"    static constexpr bool finishes = {flag[self.signature.finishes]}, "
            f"faults = {flag[self.signature.faults]};",
        ]

    def uniforms(self) -> list[str]:
        found = self.signature.of_role("uniform")
        if not found:
            return ["    struct uni {};"]
        rows = _grouped(found, lambda d: _ELEMENT_TYPES[d.element], lambda d: f"{d.name}_")
        return ["    struct uni {", *(f"        {row}" for row in rows), "    };"]

    def state(self) -> list[str]:
        rows = _grouped(self.planes, lambda p: _MEMBER_TYPES[p.declaration.element], lambda p: p.name)
        visits = ", ".join(f"f(s.{plane.name})" for plane in self.planes)
        return [
            "    template <class S>",
            "    struct state {",
            *(f"        {row}" for row in rows),
            "    };",
            "    template <class T, class F>",
            "    static HAWK_FN void each(T& s, F&& f) {",
            *([f"        {visits};"] if visits else []),
            "    }",
        ]

    def step(self) -> list[str]:
        body = Body()
        body.block(self.program.body, "on", "        ")
        kind = "HAWK_LONG" if self.work > LONG_BODY else "HAWK_FN"
        finished = self.program.finished
        stores = {(name, component): body.ref(value) for name, component, value in self.program.stores}
        order = [p for p in self.planes if (p.declaration.name, p.component) in stores]
        copied, final = self.overlapping(order, stores)
        return [
            "    template <class S>",
            f"    static {kind} typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {{",
            "        using R = typename S::real;",
            *(["        using I = typename S::i64;"] if self.integers else []),
            "        using M = typename S::mask;",
            *body.lines,
            *copied,
            *(f"        s.{plane.name} = {final[plane.name]};" for plane in order),
            f"        return {'M(false)' if finished is None else body.ref(finished)};",
            "    }",
        ]

    def overlapping(
        self, order: list[Plane], stores: dict[tuple[str, int | None], str]
    ) -> tuple[list[str], dict[str, str]]:
        """Stores that read another written member (x, v = v, x) are copied first: their order must not count."""
        targets = {f"s.{plane.name}" for plane in order}
        finished = self.program.finished
        copied: list[str] = []
        final: dict[str, str] = {}
        for plane in order:
            text = stores[plane.declaration.name, plane.component]
            if text in targets and text != f"s.{plane.name}":
                type_ = "I" if plane.declaration.element == INT else "R"
                copied.append(f"        const {type_} new_{plane.name} = {text};")
                text = f"new_{plane.name}"
            final[plane.name] = text
        assert finished is None or finished.op != "load", "a mask is a comparison"
        return copied, final

    def bind(self) -> list[str]:
        lines: list[str] = []
        at = {(plane.declaration.name, plane.component): k for k, plane in enumerate(self.planes)}
        supplied = {
            "__control": "c.control = control_at(a[{}]);",
            "__next": "c.next = cursor_at(a[{}]);",
            "__steps": "c.steps = plane_at<i64>(a[{}]);",
        }
        uniforms = []
        for i, d in enumerate(self.signature.arguments):
            if d.name in supplied:
                lines.append(supplied[d.name].format(i))
            elif d.role == "terminated":
                lines.append(f"c.mask = plane_at<u8>(a[{i}]);")
            elif d.role == "uniform":
                uniforms.append(f"uniform_at<{_ELEMENT_TYPES[d.element]}>(a[{i}])")
            else:
                for component in d.components():
                    k = at.get((d.name, component))
                    if k is not None:
                        lines.append(f"c.at[{k}] = {_address(d, component, i)};")
        if uniforms:
            lines.append(f"c.uniforms = {{{', '.join(uniforms)}}};")
        return [
            f"    // {self.packing()}",
            f"    static HAWK_FN void bind(void* const* a, call<{self.struct}>& c) {{",
            *(f"        {line}" for line in lines),
            "    }",
        ]

    def packing(self) -> str:
        rows = []
        for role, group in groupby(self.signature.arguments, key=lambda d: d.role):
            rows.append(f"{role}: {' '.join(d.name for d in group)}")
        return " | ".join(rows)


def _has_components(d: Declaration) -> bool:
    """The block of an output has the form of a vector's, whatever its width."""
    return d.role == "out" or d.width is not None


def _address(d: Declaration, component: int | None, i: int) -> str:
    type_ = _ELEMENT_TYPES[d.element]
    if not _has_components(d):
        return f"plane_at<{type_}>(a[{i}])"
    return f"component_at<{type_}>(a[{i}], {component or 0})"


def _grouped(items: list, kind: Callable[..., str], name: Callable[..., str]) -> list[str]:  # type: ignore[type-arg]
    """Declarations in order, neighbours of one type on a line."""
    return [f"{key} {', '.join(name(item) for item in group)};" for key, group in groupby(items, key=kind)]


def generate(program: Program) -> Generated:
    """The sources of a kernel and the names of its entries, which are the same on every target."""
    writer = _Writer(program)
    kernel = writer.kernel()
    return Generated(
        text=writer.text(kernel, ["host_cpu", "kernel"]),
        device_text=writer.text(kernel, ["device/kernel"], writer.by_value()),
        operations=writer.work,
        step=f"{program.name}_step",
        run=f"{program.name}_run" if writer.signature.finishes else None,
    )
