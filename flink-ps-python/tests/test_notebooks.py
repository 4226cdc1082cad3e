"""The notebooks, run again: their texts must be those that are checked in."""

import pytest

import notebooks

pytestmark = pytest.mark.filterwarnings("ignore")  # those of Jupyter are its own


@pytest.mark.parametrize("name", notebooks.names())
def test_a_run_says_what_is_checked_in(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    notebooks.prepare(monkeypatch.setenv)
    again = notebooks.run(name)
    for before, after in zip(
        notebooks.code(notebooks.read(name)), notebooks.code(again), strict=True
    ):
        then, now = notebooks.said(before), notebooks.said(after)
        if notebooks.varies(before):
            then, now = notebooks.kinds(before), notebooks.kinds(after)
        assert now == then, f"bin/notebooks {name} writes it anew:\n{before.source}"


@pytest.mark.parametrize("name", notebooks.names())
def test_there_are_pictures(name: str) -> None:
    cells = notebooks.code(notebooks.read(name))
    assert sum(notebooks.said(cell).count("a picture") for cell in cells) >= 2
