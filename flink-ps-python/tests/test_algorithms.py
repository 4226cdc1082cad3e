"""Algorithms and the models they make, over SQL."""

import json
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pyflink.java_gateway import get_gateway
from pyflink.table import EnvironmentSettings, Table, TableEnvironment

import flink_ps
import options
from flink_ps import (
    Algorithm,
    LinearRegression,
    LinearSvm,
    LogisticRegression,
    MultiLayerPerceptron,
    Softmax,
    TrainedModel,
)
from flink_ps.paths import local_folder
from flink_ps.statement import Place

SECONDS = 120

pytestmark = pytest.mark.filterwarnings("ignore")  # those of PyFlink are its own


@pytest.fixture(scope="module", autouse=True)
def without_functions() -> Iterator[None]:
    """Python functions need Beam, which is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("_python_worker_execution_mode", "process")
        yield


def session(settings: EnvironmentSettings, folder: Path) -> TableEnvironment:
    """A table environment with a catalog of models."""
    made = TableEnvironment.create(settings)
    made.get_config().set("parallelism.default", "1")
    flink_ps.add_to(made)
    flink_ps.register_catalog(made, "ps", folder / "models")
    return made


@pytest.fixture
def tables(tmp_path: Path) -> TableEnvironment:
    return session(EnvironmentSettings.in_streaming_mode(), tmp_path)


@pytest.fixture
def clicks(tables: TableEnvironment) -> Table:
    return tables.from_elements(
        [(n % 3 == 0, f"site{n % 3}", float(n % 7)) for n in range(90)],
        ["clicked", "site", "price"],
    )


def test_options_and_algorithms_are_those_of_java() -> None:
    for file, text in options.sources().items():
        command = [sys.executable, "-m", "ruff", "format", "-", "--stdin-filename", file.name]
        made = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        assert file.read_text() == made.stdout, "bin/options writes them anew"


def test_there_is_a_builder_for_each_algorithm() -> None:
    for name in options.algorithms(options.Java()):
        builder = getattr(flink_ps, options.class_name(name))
        assert issubclass(builder, Algorithm)
        assert builder.name == name
        assert "\n    batch_size: Rows of a mini-batch, per worker." in str(builder.__doc__)


def test_options_have_their_names_in_sql() -> None:
    made = LogisticRegression(
        label="y",
        label_values=["no", "yes"],
        learning_rate=0.5,
        linger=timedelta(seconds=2),
        save_interval="1 min",
        numeric_columns={"price": "none"},
    )
    assert made.options == {
        "algorithm": "logistic-regression",
        "label": "y",
        "label-values": "no;yes",
        "learning-rate": "0.5",
        "linger": "2000 ms",
        "save-interval": "1 min",
        "numeric.price": "none",
    }


TEXTS = [
    *("a", "a;b", "it's", "'", "''", '"', '"a;b"', "", " ", " a", "a ", "\ta", "\x01", "\u3000"),
    *("[a", "a]", "[::1]:7", "[]", "-", "- a", "-1", "--- [a]", "&a [b]", "a: b", "{a}", "a\nb"),
    *("#", "a # b", "null", ",", "\\", "\\'", "\n- a", "é;ü", "\u2028[a]"),
]


@pytest.mark.parametrize("others", [[], ["a"], TEXTS], ids=["alone", "two", "all"])
def test_texts_of_a_list_are_to_flink_what_they_were(others: list[str]) -> None:
    flink = get_gateway().jvm.org.apache.flink.configuration
    option = flink.ConfigOptions.key("texts").stringType().asList().noDefaultValue()
    configuration = flink.Configuration()
    for value in TEXTS:
        for values in ([value, *others], [*others, value]):
            configuration.setString("texts", Softmax(label_values=values).options["label-values"])
            assert [*configuration.get(option)] == values


def test_labels_are_learned_whatever_they_say(tables: TableEnvironment) -> None:
    labels = ["a;b", "it's", "[c]"]
    rows = tables.from_elements([(labels[n % 3], n % 3) for n in range(90)], ["kind", "n"])
    algorithm = Softmax(
        label="kind", label_values=labels, classes=3, categorical=["n"], batch_size=10, epochs=5
    )
    model = algorithm.fit(rows, "ps.ads.kinds")
    with model.transform(rows).execute().collect() as scored:
        assert all(scores.index(max(scores)) == n for _, n, scores in scored)
    algorithm.train(rows, "ps.ads.kinds").wait()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"lable": "y"}, "there is no option 'lable' .*; did you mean 'label'.* batch_size, "),
        ({"hidden": "8"}, "there is no option 'hidden' of logistic-regression"),
        ({"epochs": "3"}, "option 'epochs' .* must be a whole number, not '3'"),
        ({"epochs": True}, "must be a whole number"),
        ({"learning_rate": "fast"}, "must be a number"),
        ({"label": 1}, "must be a text"),
        ({"categorical": "a"}, "must be a list of texts"),
        ({"remote": ["h:1;h:2"]}, "option 'remote' .*: not an address: 'h:1;h:2'; expected host"),
        ({"remote": ["h:1", "h"]}, "option 'remote' .*: not an address: 'h'; expected host:port"),
        ({"remote": ["h:1", "h:2", "h:1"]}, "option 'remote' .*: server h:1 is named twice"),
        ({"linger": 3}, "must be a time"),
        ({"numeric_columns": {"a": 1}}, "must be texts by names"),
    ],
)
def test_wrong_options_are_refused_at_once(given: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        LogisticRegression(**given)


BUILDERS: list[Any] = sorted(Algorithm.__subclasses__(), key=lambda builder: str(builder.name))
OF_ROWS_ALONE = ("implicit-matrix-factorization", "skip-gram")


@pytest.mark.parametrize("algorithm", BUILDERS, ids=lambda builder: builder.name)
def test_each_algorithm_makes_a_model(tables: TableEnvironment, algorithm: Any) -> None:
    given: dict[str, Any] = {}
    columns = "u, i"
    if algorithm.name == "skip-gram":
        columns = "words"
    if algorithm.name not in OF_ROWS_ALONE:
        columns, given = "y, u, i", {"label": "y"}
    if algorithm is Softmax:
        given["classes"] = 3
    rows = tables.sql_query(
        f"SELECT {columns} FROM (VALUES (1, 7, 8, ARRAY['a', 'b'])) AS t (y, u, i, words)"
    )
    algorithm(**given).create(rows, "ps.ads.m")
    model = TrainedModel(tables, "ps.ads.m")
    assert model.features == [name for name in columns.split(", ") if name != "y"]


def test_trains_and_scores(tables: TableEnvironment, clicks: Table) -> None:
    algorithm = LogisticRegression(label="clicked", batch_size=10, epochs=5)
    modules = tables.list_modules()
    model = algorithm.fit(clicks, "ps.ads.ctr")
    assert model.features == ["site", "price"]
    assert model.load().parameters["optimizer"] == "adagrad"
    scored = model.transform(clicks.select(clicks.site, clicks.price), "score").to_pandas()
    assert list(scored.columns) == ["site", "price", "score"]
    by_site = scored.groupby("site")["score"].mean()
    assert by_site["site0"] > 0.6
    assert by_site["site1"] < 0.4
    assert tables.list_modules() == modules
    first = model.load().path
    algorithm.train(clicks, "ps.ads.ctr").wait()
    again = TrainedModel(tables, "ps.ads.ctr").load()
    assert again.path != first
    columns = clicks.select(clicks.price, clicks.clicked, clicks.site)  # in another order
    assert algorithm.fit(columns, "ps.ads.ctr").load().table("weights").rows == 4


def test_fits_in_batch_mode_what_pandas_has(tmp_path: Path) -> None:
    batch = session(EnvironmentSettings.in_batch_mode(), tmp_path)
    frame = pd.DataFrame({"clicked": [True, False] * 20, "site": ["a", "b"] * 20})
    rows = batch.from_pandas(frame)
    model = LogisticRegression(label="clicked", batch_size=4, epochs=3).fit(rows, "ps.ads.ctr")
    scores = model.transform(rows.select(rows.site)).to_pandas().groupby("site")["prediction"]
    assert scores.min()["a"] > 0.5
    assert scores.max()["b"] < 0.5


def test_a_frame_is_fitted_and_what_is_endless_is_not(tables: TableEnvironment) -> None:
    frame = pd.DataFrame({"clicked": [True, False], "site": ["a", "b"]})
    algorithm = LogisticRegression(label="clicked")
    fitted = algorithm.fit(tables.from_pandas(frame), "ps.ads.ctr")
    assert fitted.load().table("weights").rows == 2
    tables.execute_sql(
        "CREATE TEMPORARY TABLE endless (clicked BOOLEAN, site STRING)"
        " WITH ('connector' = 'datagen')"
    )
    endless = tables.from_path("endless")
    for tune in (True, False):
        with pytest.raises(ValueError, match=r"input.* ends, which that of"):
            algorithm.fit(endless, f"ps.ads.endless_{tune}", tune=tune)


def test_a_fit_finds_what_is_not_given(tables: TableEnvironment) -> None:
    wide = [1000.0 * (n * 37 % 101) for n in range(400)]
    rows = tables.from_elements([(x > 50_000, x, 10.04) for x in wide], ["y", "x", "same"])
    frame = pd.DataFrame({"y": [x > 50_000 for x in wide], "x": wide, "same": 10.04})
    algorithm = LogisticRegression(label="y", epochs=9)
    plain = algorithm.fit(rows, "ps.ads.plain", tune=False)
    tuned = algorithm.fit(rows, "ps.ads.tuned")
    assert tuned.evaluate(frame)["logloss"] < 0.5 * plain.evaluate(frame)["logloss"]
    options = Place(tables, "ps.ads.tuned").options()
    found = options["tuned"].split(";")
    assert {"numeric.x", "numeric.same", "learning-rate", "l2", "batch-size"} <= set(found)
    assert "epochs" not in found
    assert options["epochs"] == "9"
    assert options["numeric.same"] == "standard(10.04, 1.0)"
    assert "tuned" not in Place(tables, "ps.ads.plain").options()
    # What was found stays for further fits, and is nothing that the model is defined by otherwise.
    algorithm.fit(rows, "ps.ads.tuned")
    assert Place(tables, "ps.ads.tuned").options() == options
    assert len(tuned.versions()) == 2
    with pytest.raises(ValueError, match="is there, defined by"):
        LogisticRegression(label="y", l2=0.5).fit(rows, "ps.ads.tuned")
    with pytest.raises(ValueError, match="for a model that was not trained yet"):
        algorithm.tune(rows, "ps.ads.tuned")


def test_classes_have_scores_each(clicks: Table) -> None:
    labelled = clicks.select((clicks.price.cast(_int()) % 3).alias("kind"), clicks.site)
    model = Softmax(label="kind", classes=3, batch_size=10).fit(labelled, "ps.default.kinds")
    scores = model.transform(labelled.select(labelled.site)).to_pandas()["prediction"]
    assert {len(each) for each in scores} == {3}
    with pytest.raises(ValueError, match="makes prediction and site; the table has kind, site"):
        model.transform(labelled, label="site")


@pytest.mark.parametrize("names", [["1", "2", "3"], ["red", "sky", "a lilac"]])
def test_labels_come_as_rows_have_them(names: list[str], tables: TableEnvironment) -> None:
    kind = int if names[0] == "1" else str
    rows = [(kind(names[n % 3]), f"of{n % 3}") for n in range(90)]
    frame = pd.DataFrame(rows, columns=["kind", "sign"])
    table = tables.from_elements(rows, [*frame.columns])
    algorithm = Softmax(label="kind", classes=3, label_values=names, batch_size=10, epochs=20)
    model = algorithm.fit(table, "ps.ads.named")
    scored = model.transform(table, "scores", label="said")
    assert scored.get_schema().get_field_names() == ["kind", "sign", "scores", "said"]
    with scored.execute().collect() as found:
        assert all(row[0] == row[3] for row in found)
    confusion = model.confusion(frame)
    assert [*confusion.index] == [*confusion.columns] == names
    assert (np.diag(confusion) == [30, 30, 30]).all()
    assert confusion.to_numpy().sum() == len(frame)


def impressions(rows: int) -> pd.DataFrame:
    """Clicks that follow from the site and, with some noise, from the price."""
    n = np.arange(rows)
    return pd.DataFrame(
        {
            "clicked": np.where((n % 3 == 0) ^ (n % 11 == 0), "yes", "no"),
            "site": [f"site{each % 3}" for each in n],
            "price": n % 7,
            "importance": 1.0 + n % 2,
        }
    )


@pytest.mark.parametrize("mode", ["streaming", "batch"])
def test_predicts_and_measures_frames(mode: str, tmp_path: Path) -> None:
    settings = getattr(EnvironmentSettings, f"in_{mode}_mode")()
    tables = session(settings, tmp_path)
    tables.get_config().set("parallelism.default", "2")
    frame = impressions(200)
    names = [*frame.columns]
    rows = tables.from_elements([*frame.itertuples(index=False, name=None)], names)
    algorithm = LogisticRegression(
        label="clicked", label_values=["no", "yes"], weight="importance", epochs=10, batch_size=10
    )
    model = algorithm.fit(rows, "ps.ads.ctr")
    assert model.is_classifier
    shuffled = frame.sample(frac=1, random_state=3)
    labels = model.predict(shuffled.drop(columns="clicked"))
    assert set(labels) == {"yes", "no"}
    probabilities = model.predict_proba(shuffled)
    assert probabilities.shape == (200, 2)
    assert ((probabilities[:, 1] >= 0.5) == (labels == "yes")).all()
    found = model.evaluate(shuffled)
    right = labels == shuffled["clicked"]
    assert found["accuracy"] == pytest.approx(np.average(right, weights=shuffled["importance"]))
    assert found["accuracy"] == model.score(shuffled) > 0.85
    scored = model.transform(rows, "score")
    sql = (
        "PS_AUC(score, clicked = 'yes', importance), PS_LOGLOSS(score, clicked = 'yes', importance)"
    )
    tables.execute_sql("LOAD MODULE ps")
    with tables.sql_query(f"SELECT {sql} FROM {scored}").execute().collect() as result:
        auc, logloss = [*result][-1]
    assert found["auc"] == pytest.approx(auc)
    assert found["logloss"] == pytest.approx(logloss)
    assert model.predict(frame.head(0)).size == 0


def test_predicts_numbers_and_classes(tables: TableEnvironment) -> None:
    frame = pd.DataFrame(
        {"n": [n % 5 for n in range(200)], "kind": [2 + n % 3 for n in range(200)]}
    )
    frame["y"] = 3.0 * frame["n"] + frame["kind"]
    frame["name"] = frame["kind"].astype(str)
    rows = tables.from_elements([*frame.itertuples(index=False, name=None)], [*frame.columns])
    passes: dict[str, Any] = {"epochs": 40, "batch_size": 10, "learning_rate": 1.0}
    algorithm = LinearRegression(label="y", categorical=["n", "kind"], **passes)
    numbers = algorithm.fit(rows, "ps.ads.numbers")
    assert not numbers.is_classifier
    found = numbers.evaluate(frame)
    off = numbers.predict(frame) - frame["y"]
    assert found["rmse"] == pytest.approx(np.sqrt((off**2).mean()))
    share = (off**2).mean() / frame["y"].var(ddof=0)
    assert numbers.score(frame) == found["r2"] == pytest.approx(1 - share)
    assert found["r2"] > 0.9
    with pytest.raises(ValueError, match=r"ps\.ads\.numbers predicts no probabilities"):
        numbers.predict_proba(frame)
    of_kinds: dict[str, Any] = {"label_values": ["2", "3", "4"], "classes": 3}
    several = Softmax(label="kind", categorical=["n"], **of_kinds, **passes)
    kinds = several.fit(rows, "ps.ads.kinds")
    assert kinds.predict_proba(frame).shape == (200, 3)
    assert kinds.evaluate(frame)["accuracy"] == (kinds.predict(frame) == frame["kind"]).mean() > 0.9
    with pytest.raises(ValueError, match=r"label 7.0 is none of the model's: 2.0, 3.0, 4.0"):
        kinds.evaluate(frame.assign(kind=7))
    margins = LinearSvm(label="even", categorical=["n"], epochs=5)
    labelled = rows.select(rows.n, (rows.n % 2).alias("even"))
    sides = margins.fit(labelled, "ps.ads.sides")
    measured = sides.evaluate(frame.assign(even=frame["n"] % 2))
    assert [*measured] == ["hinge", "auc", "accuracy"]
    with pytest.raises(ValueError, match=r"ps\.ads\.numbers tells no labels apart"):
        numbers.confusion(frame)
    with pytest.raises(ValueError, match="predicts no probabilities"):
        sides.predict_proba(frame)


def test_frames_that_do_not_fit_are_refused(clicks: Table) -> None:
    model = LogisticRegression(label="clicked", batch_size=10).fit(clicks, "ps.ads.ctr")
    frame = pd.DataFrame({"site": ["a"], "price": [1.0], "clicked": [True]})
    for wrong, why in (
        (clicks, "rows must be a DataFrame, not a Table"),
        (frame.drop(columns="price"), "ps.ads.ctr needs site, price; the frame lacks price"),
        (frame.assign(price="dear"), "feature 'price' must be DOUBLE: .*dear"),
    ):
        with pytest.raises(ValueError, match=why):
            model.predict(_any(wrong))
    with pytest.raises(ValueError, match="rows lack clicked; they have site, price"):
        model.evaluate(frame.drop(columns="clicked"))
    with pytest.raises(ValueError, match=r"must be a Table, not a DataFrame: tables.from_pandas"):
        model.transform(_any(frame))


def test_a_bad_row_is_what_a_fit_says(tables: TableEnvironment) -> None:
    rows = tables.from_elements(
        [(n % 2, float("nan") if n == 7 else 1.0) for n in range(20)], ["y", "x"]
    )
    with pytest.raises(ValueError, match=r"column 'x'.*NaN") as refused:
        LogisticRegression(label="y").fit(rows, "ps.ads.ctr")
    assert "\tat " not in str(refused.value)


def test_versions_come_and_models_go(clicks: Table) -> None:
    algorithm = LogisticRegression(label="clicked", batch_size=10)
    model = algorithm.fit(clicks, "ps.ads.ctr")
    algorithm.train(clicks, "ps.ads.ctr").wait()
    assert len(model.versions()) == 2
    assert model.load().path.name == model.versions()[-1]
    LogisticRegression(label="clicked").create(clicks, "ps.ads.other")
    with pytest.raises(ValueError, match="other"):
        model.rename("other")
    model.rename("renamed")
    assert repr(model) == "TrainedModel(ps.ads.renamed)"
    assert len(TrainedModel(clicks._t_env, "ps.ads.renamed").versions()) == 2
    model.drop()
    for use in (model.drop, model.versions, lambda: model.rename("more")):
        with pytest.raises(ValueError, match=r"there is no model ps\.ads\.renamed"):
            use()


def _int() -> Any:
    from pyflink.table import DataTypes  # noqa: PLC0415 - wants the gateway

    return DataTypes.INT()


def _any(value: object) -> Any:
    """What a type checker would refuse."""
    return value


Statement = Callable[[Table], object]


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (lambda t: LogisticRegression().create(t, "ps.a.b"), "needs the option 'label'"),
        (
            lambda t: LogisticRegression(label="clicked", optimizer="sdg").create(t, "ps.a.b"),
            "sdg",
        ),
        (
            lambda t: LogisticRegression(label="clicked", beta=1).create(t, "ps.a.b"),
            "there is no option 'beta' with algorithm logistic-regression and optimizer adagrad",
        ),
        (lambda t: MultiLayerPerceptron(label="price").create(t, "ps.a.b.c"), "is named"),
        (lambda t: LogisticRegression(label="clicked").create(t, "b"), "has no models"),
        (lambda t: LogisticRegression(label="clicked").create(t, "sp.a.b"), "no catalog 'sp'"),
        (lambda t: LogisticRegression(label="clicked", batch_size=0).train(t, "ps.a.b"), "batch"),
        (lambda t: TrainedModel(t._t_env, "ps.a.b"), "there is no model ps.a.b"),
        (lambda t: LogisticRegression(label="y").create(t, "ps.a.b"), "column 'y', which is none"),
        (lambda t: LogisticRegression(label="site").train(t, "ps.a.b"), "column 'site' is text"),
        (lambda t: LogisticRegression(label="clicked").create(t, "ps.a b.c"), "name of a database"),
        (lambda t: LogisticRegression(label="clicked").create(t, "ps.sys.c"), "cannot be changed"),
        (lambda t: LogisticRegression(label="clicked").create(t, _any(5)), "be a str, not 5"),
        (lambda t: LogisticRegression(label="clicked").create(_any("t"), "ps.a.b"), "be a Table"),
        (lambda t: LogisticRegression(label="clicked").train(_any("t"), "ps.a.b"), "be a Table"),
        (lambda t: LogisticRegression(label="clicked").fit(_any(None), "ps.a.b"), "be a Table"),
        (lambda t: TrainedModel(_any(t), "ps.a.b"), "be a TableEnvironment"),
        (lambda t: TrainedModel(t._t_env, _any(None)), "be a str, not None"),
    ],
)
def test_statements_that_are_wrong_are_refused(
    clicks: Table, statement: Statement, why: str
) -> None:
    with pytest.raises(ValueError, match=why) as refused:
        statement(clicks)
    assert "\tat " not in "".join(traceback.format_exception(refused.value))


def test_a_model_is_not_defined_twice(clicks: Table) -> None:
    LogisticRegression(label="clicked").create(clicks, "ps.ads.ctr")
    model = TrainedModel(clicks._t_env, "ps.ads.ctr")
    with pytest.raises(ValueError, match="has no version yet"):
        model.load()
    with pytest.raises(ValueError, match="it has no version yet, and no servers train it"):
        model.transform(clicks)
    with pytest.raises(ValueError, match="already exists"):
        LogisticRegression(label="clicked").create(clicks, "ps.ads.ctr")
    with pytest.raises(ValueError, match="drop it, or name another"):
        LogisticRegression(label="clicked", l2=0.1).train(clicks, "ps.ads.ctr")
    with pytest.raises(ValueError, match="needs site, price and makes prediction; the table has"):
        model.transform(clicks.select(clicks.site))


def test_where_a_model_is_is_no_part_of_its_definition(
    clicks: Table, addresses: list[str], tmp_path: Path
) -> None:
    tables = clicks._t_env
    servers = {"remote": ";".join(addresses)}
    flink_ps.register_catalog(tables, "served", tmp_path / "served", servers)
    algorithm = LogisticRegression(label="clicked", batch_size=10)
    for catalog in ("ps", "served"):
        algorithm.create(clicks, f"{catalog}.ads.ctr")
        algorithm.train(clicks, f"{catalog}.ads.ctr").wait()
        assert algorithm.fit(clicks, f"{catalog}.ads.ctr").load().table("weights").rows == 4
        there = "defined by {'algorithm': 'logistic-regression', 'label': 'clicked'}, not by"
        with pytest.raises(ValueError, match=there):
            LogisticRegression(label="clicked", l1=0.1).train(clicks, f"{catalog}.ads.ctr")


def test_a_catalog_that_took_the_name_of_another_scores_by_its_own_models(
    clicks: Table, tmp_path: Path
) -> None:
    tables = clicks._t_env

    def scores(catalog: str) -> list[float]:
        scored = TrainedModel(tables, f"{catalog}.ads.ctr").transform(clicks)
        with scored.execute().collect() as rows:
            return [row[-1] for row in rows]

    found = []
    for epochs in (1, 5):
        root = tmp_path / f"after {epochs}"
        flink_ps.register_catalog(tables, "again", root)
        algorithm = LogisticRegression(label="clicked", batch_size=10, epochs=epochs)
        algorithm.fit(clicks, "again.ads.ctr")
        found.append(scores("again"))
        tables.execute_sql("DROP CATALOG again")
    flink_ps.register_catalog(tables, "fresh", root)
    assert found[1] == scores("fresh")
    assert found[1] != found[0]


def test_a_model_without_versions_scores_while_a_job_trains_it(
    tables: TableEnvironment, tmp_path: Path
) -> None:
    tables.execute_sql(
        "CREATE TEMPORARY TABLE numbers (n INT, clicked AS MOD(n, 2)) WITH"
        " ('connector' = 'datagen', 'rows-per-second' = '100', 'fields.n.min' = '0')"
    )
    endless = tables.from_path("numbers")
    job = LogisticRegression(label="clicked", save_interval="1 h").train(endless, "ps.ads.parity")
    try:
        await_servers(tmp_path / "models/ads/parity/registry")
        model = TrainedModel(tables, "ps.ads.parity")
        with model.transform(endless.select(endless.n)).execute().collect() as scored:
            assert len(next(scored)) == 2
        with pytest.raises(ValueError, match="has no version yet"):
            model.load()
    finally:
        job.get_job_client().cancel().result()


def await_servers(folder: Path) -> None:
    """Until an entry in a registry names servers: that of a job that starts names none yet."""
    end = time.monotonic() + SECONDS
    while not any(json.loads(f.read_text())["addresses"] for f in folder.glob("*.json")):
        assert time.monotonic() < end, f"nothing in {folder} names servers"
        time.sleep(0.05)


def test_a_model_trains_on_its_own_columns(clicks: Table) -> None:
    algorithm = LogisticRegression(label="clicked")
    algorithm.create(clicks, "ps.ads.ctr")
    with pytest.raises(ValueError, match="Column 'price' not found"):
        algorithm.train(clicks.select(clicks.clicked, clicks.site), "ps.ads.ctr")
    swapped = clicks.select(clicks.clicked, clicks.price.alias("site"), clicks.site.alias("price"))
    with pytest.raises(ValueError, match="Incompatible types for sink column 'site'"):
        algorithm.train(swapped, "ps.ads.ctr")


def test_a_model_scores_columns_of_its_types(clicks: Table) -> None:
    LogisticRegression(label="clicked").create(clicks, "ps.ads.ctr")
    model = TrainedModel(clicks._t_env, "ps.ads.ctr")
    swapped = clicks.select(clicks.price.alias("site"), clicks.site.alias("price"))
    with pytest.raises(ValueError, match=r"feature 'site' must be STRING.* not DOUBLE"):
        model.transform(swapped)
    with pytest.raises(ValueError, match="a name in SQL cannot be empty"):
        model.transform(clicks, "")
    with pytest.raises(ValueError, match="must be a Table"):
        model.transform(_any("clicks"))


@pytest.mark.parametrize("name", ["ha#sh", "que?ry", "pc%20nt", "a blank", "a;b'c\"d=e"])
def test_models_are_in_folders_of_any_name(clicks: Table, tmp_path: Path, name: str) -> None:
    tables = clicks._t_env
    folder = tmp_path / name
    flink_ps.register_catalog(tables, "path", folder)
    model = LogisticRegression(label="clicked", batch_size=10).fit(clicks, "path.ads.ctr")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with model.transform(clicks).execute().collect() as rows:
        assert len(list(rows)) == 90
    for catalog, root in (
        ("text", str(folder)),
        ("slash", f"{folder}/"),
        ("uri", f"file://{folder}"),
        ("short", f"file:{folder}"),
    ):
        flink_ps.register_catalog(tables, catalog, root)
        version = TrainedModel(tables, f"{catalog}.ads.ctr").load()
        assert version.path == model.load().path
        assert version.path.is_relative_to(folder / "ads" / "ctr")


def test_a_model_of_another_machine_is_not_loaded() -> None:
    assert local_folder("models") == Path("models")
    for name in ("hdfs://host/models", "s3:/models", "file://host/models", "file:models"):
        with pytest.raises(ValueError, match=f"{name} is no folder of this machine"):
            local_folder(name)


def test_what_shows_the_versions_of_a_model_is_none(clicks: Table) -> None:
    LogisticRegression(label="clicked").create(clicks, "ps.ads.ctr")
    with pytest.raises(ValueError, match=r"there is no model ps.ads.ctr.versions"):
        TrainedModel(clicks._t_env, "ps.ads.ctr$versions")


def test_a_model_may_go(tables: TableEnvironment, clicks: Table) -> None:
    LogisticRegression(label="clicked").create(clicks, "ps.ads.ctr")
    model = TrainedModel(tables, "ps.ads.ctr")
    tables.execute_sql("DROP TABLE ps.ads.ctr")
    for use in (model.load, lambda: model.features, lambda: model.transform(clicks)):
        with pytest.raises(ValueError, match=r"there is no model ps\.ads\.ctr"):
            use()
    tables.execute_sql("DROP CATALOG ps")
    with pytest.raises(ValueError, match="there is no catalog 'ps'"):
        TrainedModel(tables, "ps.ads.ctr")


def test_a_folder_that_cannot_hold_models_is_refused(
    tables: TableEnvironment, clicks: Table, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    flink_ps.register_catalog(tables, "file", file)
    file.write_text("no folder")
    with pytest.raises(ValueError, match=f"option .model-root.: {file} is a file, not a folder"):
        flink_ps.register_catalog(tables, "again", file)
    with pytest.raises(ValueError, match="a file system implementation for scheme 'nowhere'"):
        flink_ps.register_catalog(tables, "far", "nowhere://models")
    algorithm = LogisticRegression(label="clicked")
    with pytest.raises(ValueError, match=f"writing {file}/ads/database.json failed"):
        algorithm.create(clicks, "file.ads.ctr")
    with pytest.raises(ValueError, match=f"writing {file}/default/ctr/definition.json failed"):
        algorithm.train(clicks, "file.default.ctr")


def test_a_damaged_definition_is_named(clicks: Table, tmp_path: Path) -> None:
    algorithm = LogisticRegression(label="clicked")
    algorithm.create(clicks, "ps.ads.ctr")
    model = TrainedModel(clicks._t_env, "ps.ads.ctr")
    (tmp_path / "models/ads/ctr/definition.json").write_text("{")
    for use in (
        lambda: model.features,
        lambda: model.transform(clicks),
        lambda: algorithm.train(clicks, "ps.ads.ctr"),
    ):
        with pytest.raises(ValueError, match=r"models/ads/ctr/definition.json is damaged"):
            use()
