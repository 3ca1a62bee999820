"""What the cache on the disk has is marked, so that nobody compiles it again."""

from pathlib import Path

import numba
import pytest

from ludoteca.search.compiling import BOTS, RULES, compile_part, is_compiled

KEY = "pinpoint"


def test_a_compiled_part_is_marked_for_this_processor_and_this_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert not is_compiled(RULES, KEY)
    compile_part(RULES, KEY)
    assert is_compiled(RULES, KEY)
    assert not is_compiled(BOTS, KEY)
    assert not is_compiled(RULES, "aftaebr")
    monkeypatch.setattr(numba, "__version__", "0.0")
    assert not is_compiled(RULES, KEY)
