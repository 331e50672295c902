"""What every Python test needs of its process."""

import signal

import pytest

pytest_plugins = ["raptor.conformance.plugin"]


def pytest_configure() -> None:
    """Answers Ctrl-C, here and in processes that tests start: background jobs of a shell begin with it ignored."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Lets go of the tests and their parameters: where torch was imported the session outlives the interpreter, and
    kernels and plans that it kept would be reported as leaks of their modules."""
    session.items.clear()
    session._collection_cache.clear()
