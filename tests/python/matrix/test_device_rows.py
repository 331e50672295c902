"""Rows about structures of a device, on the simulated one: what is shown here is shown of no card."""

import os
from pathlib import Path

import placements
import pytest
from test_rank_rows import on_ranks

from raptor.conformance import register_row

BUILT = Path(__file__).parents[3] / "build" / "dev" / "lib" / "test_backends" / "libeagle_sim.so"
PROGRAM = """
import pickle
from pathlib import Path
import placements
rank, made = placements.ranks_told({device!r}, Path({folder!r}))
Path(sys.argv[1], f"rank{{rank}}").write_bytes(pickle.dumps(made))
"""


@pytest.fixture
def simulated(monkeypatch):
    """The C++ build leaves it there; a row without its device fails."""
    file = Path(os.environ.get("EAGLE_BACKEND_SIM") or BUILT)
    assert file.is_file(), f"{file} is not built: cmake --build --preset dev --target eagle_sim"
    monkeypatch.setenv("EAGLE_BACKEND_SIM", str(file))
    return "sim:0"


def two_ranks(device, folder):
    return lambda: on_ranks(PROGRAM.format(device=device, folder=str(folder)), folder)


@register_row("execution_partition_identity", device="sim")
def test_a_device_whole_in_two_parts_and_on_two_ranks_gives_the_same_bits(simulated, tmp_path):
    placements.partition_identity(simulated, tmp_path, two_ranks(simulated, tmp_path))


@register_row("execution_host_device_twin", device="sim")
def test_a_team_and_a_device_agree_within_the_band(simulated):
    placements.host_device_twin(simulated)


@register_row("execution_partition_identity", device="cuda")
def test_a_card_whole_in_two_parts_and_on_two_ranks_gives_the_same_bits(tmp_path):
    placements.partition_identity("cuda:0", tmp_path, two_ranks("cuda:0", tmp_path))


@register_row("execution_host_device_twin", device="cuda")
def test_a_team_and_a_card_agree_within_the_band():
    placements.host_device_twin("cuda:0")


@register_row("HAWK-EXEC-REFERENCE-HOST", device="sim")
def test_a_device_agrees_with_the_serial_path(simulated):
    placements.reference_host(simulated)


@register_row("HAWK-EXEC-REFERENCE-HOST", device="cuda")
def test_a_card_agrees_with_the_serial_path():
    placements.reference_host("cuda:0")
