"""The page about the language: its examples run as they stand there."""

import re
from pathlib import Path

import numpy as np
from hawk_oracle import define

import hawk
from hawk import math

PAGE = (Path(__file__).parents[3] / "docs" / "hawk.md").read_text()


def test_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    body = "\n".join(blocks).replace("\n", "\n    ")
    names = define(f"def page():\n    {body}\n    return locals()\n", "page")()
    assert names["y"].tolist() == [1.0, 3.0, 5.0, 7.0]
    assert names["loaded"](x=np.ones(1), a=2.0, b=1.0).tolist() == [3.0]
    # A circular orbit of mu = 1 keeps its radius and its speed.
    r, v = np.array([[1.0] * 3, [0.0] * 3]), np.array([[0.0] * 3, [1.0] * 3])
    for _ in range(1000):
        names["orbit"](mu=np.ones(3), dt=0.001, r=r, v=v)
    np.testing.assert_allclose(r, [[np.cos(1.0)] * 3, [np.sin(1.0)] * 3], atol=1e-6)


def test_the_list_of_functions():
    listed = PAGE.split("`hawk.math`: ")[1].split(". A kernel")[0]
    assert re.findall(r"`(\w+)`", listed) == math.__all__


def test_limits():
    from hawk.frontend.arithmetic import MOST_POWER
    from hawk.frontend.statements import MOST_ITERATIONS
    from hawk.ir.build import MOST_OPERATIONS

    assert f"{MOST_ITERATIONS:,} iterations each, {MOST_OPERATIONS:,} operations" in PAGE
    assert f"from -{MOST_POWER} to {MOST_POWER}" in PAGE
    assert hawk.types.MOST_COMPONENTS == 64
