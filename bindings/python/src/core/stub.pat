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

_core\.import_buffer$:
    def import_buffer(obj: object, *, stream: int | None = None, require: Requirements | None = None, assume_writable: bool = False) -> BufferView:
        \doc

_core\.(BufferView|DeviceArray)\.__dlpack__$:
    def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None, dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> typing.Any:
        \doc

# Errors are called by the name they are used by, eagle.Busy, so the generator takes them for another module's.
_core\.__suffix__:
    class BackendUnavailable(RuntimeError): ...

    class Unsupported(RuntimeError): ...

    class Busy(RuntimeError): ...

    class BadHandle(RuntimeError): ...

    class OutOfMemory(MemoryError): ...
