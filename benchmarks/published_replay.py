"""Prints the seconds that the published package takes to replay ten launches on one sample: the fastest of five rounds.

Runs with the interpreter of `published.py`: eagle and hawk are that package's, used by their public names.
"""

import timeit

import numpy as np

import eagle
import hawk
from hawk import Mutable, Param, Scalar

ROUNDS, REPLAYS = 5, 1000


@hawk.kernel
def grow(x: Mutable[Scalar], rate: Param):
    x += rate


x = np.ones(1)
plan = eagle.deploy(grow)
graph = eagle.Graph()
for _ in range(10):
    graph.add(plan.bind(x=x, rate=1.0))
replay = graph.build(backend="cpu").launch
seconds = min(timeit.repeat(replay, number=REPLAYS, repeat=ROUNDS)) / REPLAYS
assert x[0] == 1.0 + 10 * ROUNDS * REPLAYS
print(seconds)
