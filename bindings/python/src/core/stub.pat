# Signatures of the methods that are plain C functions.
_core\.Plan\.run$:
    def run(self, *, out: object = None, layout: str | None = None, **arguments: object) -> typing.Any:
        \doc

_core\.Plan\.bind$:
    def bind(self, *, out: object = None, layout: str | None = None, **arguments: object) -> BoundPlan:
        \doc

_core\.BoundPlan\.launch$:
    def launch(self) -> BoundPlan:
        \doc

_core\.BoundPlan\.rebind$:
    def rebind(self, *, layout: str | None = None, **arguments: object) -> BoundPlan:
        \doc
