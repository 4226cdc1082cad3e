"""The notebooks, run again: their texts must be those that are checked in."""

import os

import pytest

import built
import notebooks

pytestmark = pytest.mark.filterwarnings("ignore")  # those of Jupyter are its own


@pytest.mark.parametrize("name", notebooks.names())
def test_a_run_says_what_is_checked_in(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    checked_in = notebooks.read(name)
    if file := notebooks.missing(checked_in):
        notes = built.ROOT / "target" / "missing-data.txt"
        notes.parent.mkdir(exist_ok=True)
        with notes.open("a") as out:
            out.write(f"{checked_in.metadata.data}\n")
        assert os.environ.get("FLINK_PS_REQUIRE_DATA") != "1", f"{file} is required"
        pytest.skip(f"{file} is not there")
    notebooks.prepare(monkeypatch.setenv)
    again = notebooks.run(name)
    cells = zip(notebooks.code(checked_in), notebooks.code(again), strict=True)
    for before, after in cells:
        why = f"bin/notebooks {name} writes it anew:\n{before.source}"
        assert notebooks.said(after) == notebooks.said(before), why


@pytest.mark.parametrize("name", notebooks.names())
def test_there_are_pictures(name: str) -> None:
    cells = notebooks.code(notebooks.read(name))
    assert sum(notebooks.said(cell).count("a picture") for cell in cells) >= 2
