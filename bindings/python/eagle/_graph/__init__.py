"""Graphs: record once, replay.

`recorder` holds what a recording function gets, `handles` what its planes and numbers are while it records, `flow` the
`with` blocks of control flow, `built` what `Graph.build` returns.
"""

from .built import BuiltGraph
from .graph import Graph, graph
from .handles import Cell, Node, Number, Plane
from .recorder import Recorder

__all__ = ["BuiltGraph", "Cell", "Graph", "Node", "Number", "Plane", "Recorder", "graph"]
