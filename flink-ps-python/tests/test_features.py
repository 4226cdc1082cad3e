"""Keys of features, which must be those of the JVM."""

import json
from typing import Any

import pandas as pd
import pytest

from flink_ps import feature_key
from flink_ps.features import ANY_NUMBER, Space


def test_keys_are_those_of_the_jvm() -> None:
    # docs/python.md shows the same for a model that was trained
    assert feature_key("site", "news") == 5797259831120118751
    assert feature_key("price") == feature_key("price", ANY_NUMBER) == -7879675108616446055
    assert feature_key("price", None, bits=20) == feature_key("price", "", bits=20) == 123519
    assert feature_key("site", "news", bits=7) == 5797259831120118751 % 128
    long = "a name of a column that is longer than a block of sixteen bytes"
    assert len({feature_key(long[:n], long[n:]) for n in range(1, len(long))}) == len(long) - 1


@pytest.mark.parametrize(
    ("arguments", "bits", "why"),
    [
        ((3,), 64, "the column must be"),
        (("site", 3), 64, "the value of a category must be"),
        (("site",), 0, "bits must be 1 to 64, not 0"),
        (("site",), 65, "bits must be 1 to 64, not 65"),
        (("site",), "8", "the bits must be"),
    ],
)
def test_what_is_wrong_is_named(arguments: Any, bits: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        feature_key(*arguments, bits=bits)


def test_a_model_knows_its_features() -> None:
    table = {
        "format": "table",
        "columns": [{"name": name, "type": "STRING"} for name in ("y", "site", "w", "x")],
        "options": {"label": "y", "weight": "w", "hash-bits": "9"},
    }
    recipe = json.dumps(table)
    assert Space.of(recipe, {}).key("site", "news") == feature_key("site", "news", bits=9)
    assert Space.of(recipe, {"features": "2"}).key("x", ANY_NUMBER) == 1
    csv = {"format": "csv", "features": [{"columns": ["a"]}, {"columns": ["b", "c"]}]}
    recipe_of_csv = json.dumps(csv | {"hashBits": 12})
    assert Space.of(recipe_of_csv, {}).key("a", None) == feature_key("a", None, bits=12)
    for recipe_, column, why in (
        (recipe, "y", r"no feature 'y'; it has \['site', 'x'\]"),
        (recipe_of_csv, "b", r"no feature 'b'; it has \['a'\]"),
        ('{"format": "libsvm"}', "a", "rows are libsvm, whose keys are what they say themselves"),
        ("", "a", "rows are unknown"),
    ):
        with pytest.raises(ValueError, match=why):
            Space.of(recipe_, {}).key(column, ANY_NUMBER)


def test_names_are_those_of_columns_and_of_rows_that_are_shown() -> None:
    types = {"y": "INT", "site": "STRING", "hour": "INT", "x": "DOUBLE", "tags": "ARRAY<STRING>"}
    table = {
        "format": "table",
        "columns": [{"name": name, "type": kind} for name, kind in types.items()],
        "options": {"label": "y", "categorical": "hour; site"},
    }
    space = Space.of(json.dumps(table), {})
    plain = [("site", None), ("hour", None), ("x", ANY_NUMBER), ("x", None)]
    assert [*space.names(None)] == plain
    rows = pd.DataFrame({"site": ["b", "a", None], "hour": [1, None, 2], "x": [1, 2, 3]})
    assert [*space.names(rows)] == [
        *(("site", each) for each in (None, "a", "b")),
        *(("hour", each) for each in (None, "1", "2")),
        *plain[2:],
    ]
    csv = {"format": "csv", "hashBits": 9, "missing": ["NA"]}
    csv["features"] = [{"columns": ["on"]}, {"columns": ["n"], "scale": {}}]
    shown = pd.DataFrame({"on": [True, "NA", "", False]})
    assert [*Space.of(json.dumps(csv), {}).names(shown)] == [
        ("on", None),
        ("on", "false"),
        ("on", "true"),
        ("n", ANY_NUMBER),
        ("n", None),
    ]
