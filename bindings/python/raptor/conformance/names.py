"""What the names of a module stand for: imports, aliases of imports, and aliases of those, without running it."""

from __future__ import annotations

import ast


class Names:
    """Dotted paths of names and attributes. A name bound twice stands for every path that it was bound to."""

    def __init__(self, tree: ast.Module, package: str = "") -> None:
        self._paths: dict[str, set[str]] = {}
        self.stars: list[tuple[str, int]] = []
        self.imported: list[tuple[str, str, int]] = []  # path, name here, line
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self._import(node)
            elif isinstance(node, ast.ImportFrom):
                self._import_from(node, package)
        # An alias may stand above what it is an alias of, inside a function: until nothing is added.
        aliases = [node for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr))]
        while any([self._alias(node) for node in aliases]):
            continue

    def _add(self, name: str, path: str) -> bool:
        paths = self._paths.setdefault(name, set())
        grew = path not in paths and len(paths) < 32
        if grew:
            paths.add(path)
        return grew

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            here = alias.asname or alias.name.split(".")[0]
            path = alias.name if alias.asname else here
            self._add(here, path)
            self.imported.append((alias.name, here, node.lineno))

    def _import_from(self, node: ast.ImportFrom, package: str) -> None:
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        module = ".".join([*(part for part in above if part), *([node.module] if node.module else [])])
        for alias in node.names:
            if alias.name == "*":
                self.stars.append((module, node.lineno))
                continue
            path = f"{module}.{alias.name}" if module else alias.name
            self._add(alias.asname or alias.name, path)
            self.imported.append((path, alias.asname or alias.name, node.lineno))

    def _alias(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> bool:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None:
            return False
        pairs: list[tuple[ast.expr, ast.expr]] = []
        for target in targets:
            if (
                isinstance(target, (ast.Tuple, ast.List))
                and isinstance(node.value, (ast.Tuple, ast.List))
                and len(target.elts) == len(node.value.elts)
            ):
                pairs += zip(target.elts, node.value.elts, strict=True)
            else:
                pairs.append((target, node.value))
        grew = False
        for target, value in pairs:
            if isinstance(target, ast.Name):
                for path in self.paths(value):
                    grew |= self._add(target.id, path)
        return grew

    def paths(self, node: ast.AST) -> set[str]:
        """What an expression may stand for: `pt.mark.skip`, `getattr(pt, "skip")`, a call of either, an alias."""
        if isinstance(node, ast.Name):
            return self._paths.get(node.id, set())
        if isinstance(node, ast.Attribute):
            return {f"{owner}.{node.attr}" for owner in self.paths(node.value)}
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, ast.IfExp):
            return self.paths(node.body) | self.paths(node.orelse)
        if isinstance(node, ast.BoolOp):
            return set().union(*(self.paths(value) for value in node.values))
        return set()

    def _of_call(self, node: ast.Call) -> set[str]:
        if isinstance(node.func, ast.Name) and node.func.id in ("getattr", "__import__") and node.args:
            said = node.args[-1] if node.func.id == "__import__" else node.args[1] if len(node.args) > 1 else None
            if isinstance(said, ast.Constant) and isinstance(said.value, str):
                if node.func.id == "__import__":
                    return {said.value}
                return {f"{owner}.{said.value}" for owner in self.paths(node.args[0])}
        called = self.paths(node.func)
        if "importlib.import_module" in called and node.args and isinstance(node.args[0], ast.Constant):
            return {str(node.args[0].value)}
        return called
