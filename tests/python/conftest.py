"""What every Python test needs of its process."""

import signal


def pytest_configure() -> None:
    """Ctrl-C is answered, here and in the processes that tests start: a shell's background jobs begin with it ignored."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
