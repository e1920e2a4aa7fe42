"""Case 35, which needs 16 s and nothing else: begun at the start of the session (conftest.py), looked at in the end."""

import subprocess

import pytest
from faults import arena


@pytest.mark.parametrize("layer", arena.LAYERS)
def test_35_a_bot_lives_on(layer: str, long_lives: dict[str, "subprocess.Popen[str]"]) -> None:
    if layer not in long_lives:
        arena.layer(layer)
    _, stderr = long_lives[layer].communicate(timeout=60 * arena.slowness())
    assert long_lives[layer].returncode == 0, stderr
