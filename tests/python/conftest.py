"""What every Python test needs of its process."""

import signal

pytest_plugins = ["raptor.conformance.plugin"]


def pytest_configure() -> None:
    """Answers Ctrl-C, here and in processes that tests start: background jobs of a shell begin with it ignored."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
