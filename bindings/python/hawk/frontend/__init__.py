"""From a decorated Python function to a Program."""

from hawk.frontend.calls import vector
from hawk.frontend.reader import trace

__all__ = ["trace", "vector"]
