"""Random finishing programs: eagle's runs bring every sample to where single calls of hawk's own path bring it."""

import math

import numpy as np
from hawk_oracle import bits, define, planes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_random import helper, indent, samples, statements

import eagle
import hawk

CAP = 9

PROGRAM = """
def f(x: Scalar, y: Scalar, i: Index, j: Index, a: Param, z: Mutable[Scalar], m: Mutable[Index], w: Mutable[Vector[2]],
      turn: Mutable[Index], done: Terminated):
    t0, t1, t2 = x, y, z
    n0, n1, k = i, m, 1
    turn += 1
    done = turn * 7 % 11 > 3 + i or z > 40
{body}
    z = 0.5 * z + t2 - t1
    m = m % 1000 + n1 % 17
    w[0] = t0 - w[1]
    w[1] = n0
"""


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(statements(2), min_size=2, max_size=6))
def test_run_and_step_agree(parts):
    body = "\n".join(indent([row for part in parts for row in part]))
    kernel = hawk.kernel(define(PROGRAM.format(body=body), math=math, helper=helper))
    given_samples = [{**sample, "turn": index % 5, "done": index % 9 == 8} for index, sample in enumerate(samples())]
    whole, single = planes(given_samples), planes(given_samples)
    steps = np.zeros(len(given_samples), np.int64)
    for _ in range(CAP):
        steps += ~single["done"]
        kernel(**single, a=0.75)
    result = eagle.simulate(kernel, max_steps=CAP, a=0.75, **whole)
    for name in ("z", "m", "w", "turn", "done"):
        assert bits(whole[name]) == bits(single[name]), name
    assert result.steps_per_sample.tolist() == steps.tolist() and result.steps == steps.sum()
