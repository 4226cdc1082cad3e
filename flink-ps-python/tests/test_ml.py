"""Estimators, models and pipelines of Flink ML."""

import math
import os
import random
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import pyflink
import pytest
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.java_gateway import get_gateway
from pyflink.table import (
    DataTypes,
    EnvironmentSettings,
    StreamTableEnvironment,
    Table,
    TableEnvironment,
)
from pyflink.table.expressions import col
from pyflink.table.types import DataType

import built
import flink_ps
import stages
from flink_ps import ml

pytestmark = pytest.mark.filterwarnings("ignore")  # those of PyFlink are its own


@pytest.fixture(scope="module", autouse=True)
def without_functions() -> Iterator[None]:
    """Python functions need Beam, which is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("_python_worker_execution_mode", "process")
        yield


@dataclass(frozen=True)
class Algorithm:
    """What an estimator is to learn.

    Attributes:
        name: Of its class; ``Online`` before it and ``Model`` after it are the others.
        frame: The rows.
        bound: Of the mean error of predictions.
        error: Of a row with its prediction.
        params: Those that it is to have.
        online: Those that its Online form is to have.
    """

    name: str
    frame: pd.DataFrame
    bound: float
    error: Callable[[pd.DataFrame], "pd.Series[float]"]
    params: dict[str, object] = field(default_factory=dict)
    online: dict[str, object] = field(default_factory=dict)

    def estimator(self) -> Any:
        return getattr(ml, self.name)().set_params(seed=1, workers=1, **self.params)

    def __str__(self) -> str:
        return self.name


def wrong(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["label"] != rows["prediction"]).astype(float)


def square(rows: pd.DataFrame) -> "pd.Series[float]":
    squares: pd.Series[float] = (rows["label"] - rows["prediction"]) ** 2
    return squares


def negative(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["prediction"] <= 0).astype(float)


def points(truth: Callable[[float, float], float]) -> pd.DataFrame:
    """Points of the plane."""
    chance = random.Random(7)
    plane = [(chance.uniform(-1, 1), chance.uniform(-1, 1)) for _ in range(200)]
    return pd.DataFrame(
        {"features": [[x, y, 1.0] for x, y in plane], "label": [float(truth(*p)) for p in plane]}
    )


def fields() -> pd.DataFrame:
    """Rows of two columns whose pairs decide."""
    rows = [(a, b) for a in range(3) for b in range(3)] * 20
    return pd.DataFrame(
        {
            "a": [f"a{a}" for a, _ in rows],
            "b": [f"b{b}" for _, b in rows],
            "label": [float((a + b) % 2) for a, b in rows],
        }
    )


def ratings(*, met: bool) -> pd.DataFrame:
    """What users of two tastes give to items, or those items that they took."""
    rows = [(n % 10, n * 7 % 13) for n in range(200)]
    rows = [(user, item) for user, item in rows if not met or (user + item) % 2 == 0]
    frame = pd.DataFrame(
        {"user": [f"u{user}" for user, _ in rows], "item": [item for _, item in rows]}
    )
    if not met:
        frame["label"] = [2.0 if (user + item) % 2 else 4.0 for user, item in rows]
    return frame


BY_PLACE: dict[str, object] = {"num_features": 3}
TWO: dict[str, object] = {"features_cols": ["a", "b"]}
FAST: dict[str, object] = {"learning_rate": 0.3, "max_iter": 20, **BY_PLACE}

KINDS: dict[type, DataType] = {
    int: DataTypes.BIGINT(),
    float: DataTypes.DOUBLE(),
    str: DataTypes.STRING(),
}

ALGORITHMS = [
    Algorithm(
        "LogisticRegression",
        points(lambda x, y: x + y > 0),
        0.1,
        wrong,
        {"max_iter": 10} | BY_PLACE,
    ),
    Algorithm("LinearSvm", points(lambda x, y: x + y > 0), 0.1, wrong, {"max_iter": 10} | BY_PLACE),
    Algorithm("LinearRegression", points(lambda x, y: 2 * x - y + 0.5), 0.1, square, FAST),
    Algorithm("PoissonRegression", points(lambda x, _: round(math.exp(x + 1))), 0.5, square, FAST),
    Algorithm(
        "Softmax",
        points(lambda x, y: 2 if x > 0.3 else y > 0),
        0.2,
        wrong,
        FAST | {"classes": 3},
        {"classes": 3},
    ),
    Algorithm(
        "FactorizationMachine",
        points(lambda x, y: x * y > 0),
        0.2,
        wrong,
        {"factors": 4, "max_iter": 30} | BY_PLACE,
    ),
    Algorithm(
        "MultiLayerPerceptron",
        points(lambda x, y: x * y > 0),
        0.2,
        wrong,
        {"hidden": "16", "max_iter": 30} | BY_PLACE,
        BY_PLACE,
    ),
    Algorithm("FieldAwareFactorizationMachine", fields(), 0.2, wrong, TWO, TWO),
    Algorithm("WideAndDeep", fields(), 0.2, wrong, TWO, TWO),
    Algorithm("DeepFm", fields(), 0.2, wrong, TWO, TWO),
    Algorithm("MatrixFactorization", ratings(met=False), 0.3, square, {"max_iter": 30}),
    Algorithm("ImplicitMatrixFactorization", ratings(met=True), 0.3, negative),
    Algorithm(
        "SkipGram",
        pd.DataFrame({"features": [["a", "b", "c"], ["x", "y"]] * 100}),
        0.1,
        negative,
    ),
]
each = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    made = StreamExecutionEnvironment.get_execution_environment()
    made.set_parallelism(1)
    return made


@pytest.fixture
def tables(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    return StreamTableEnvironment.create(env)


def table_of(tables: StreamTableEnvironment, frame: pd.DataFrame) -> Table:
    return tables.from_elements([*frame.itertuples(index=False, name=None)], [*frame.columns])


def collect(table: Table) -> pd.DataFrame:
    with table.execute().collect() as rows:
        return pd.DataFrame(
            [tuple(row) for row in rows], columns=table.get_schema().get_field_names()
        )


def test_sources_are_those_of_java() -> None:
    for file, source in stages.sources().items():
        command = [sys.executable, "-m", "ruff", "format", "-", "--stdin-filename", file.name]
        made = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
        assert file.read_text() == made.stdout, "bin/options writes them anew"


def test_there_are_three_classes_for_each_algorithm() -> None:
    made = stages.Stages()
    names = {algorithm.name for algorithm in ALGORITHMS}
    assert {*made.estimators} == names | {f"Online{name}" for name in names}
    assert {*made.models} == {f"{name}Model" for name in names}
    assert made.evaluators == ["ClassificationEvaluator", "RankingEvaluator"]
    for name in (*made.estimators, *made.models, *made.evaluators):
        assert name in ml.__all__
        assert getattr(ml, name).java_name == f"io.github.flinkps.flink.ml.{name}"
    builders = {builder.__name__ for builder in flink_ps.Algorithm.__subclasses__()}
    assert names == builders


def test_evaluators_measure_tables(tables: StreamTableEnvironment, tmp_path: Path) -> None:
    rows = [("red", "red", [0.5, 0.5], 1), ("sky", "red", [0.5, 0.5], 3)]
    scored = tables.from_elements(rows, ["label", "prediction", "rawPrediction", "w"])
    evaluator = ml.ClassificationEvaluator().set_label_values("red", "sky")
    evaluator.set_weight_col("w").set_metrics_names("accuracy", "confusion", "logloss")
    evaluator.save(tmp_path / "evaluator")
    loaded = ml.ClassificationEvaluator.load(tables, tmp_path / "evaluator")
    (found,) = collect(loaded.transform(scored)[0]).to_dict("records")
    assert found["accuracy"] == 0.25
    assert found["logloss"] == pytest.approx(math.log(2))
    assert [[*row] for row in found["confusion"]] == [[1, 0], [3, 0]]
    with pytest.raises(ValueError, match="there is no metric 'f1'; there are accuracy, logloss"):
        evaluator.set_metrics_names("f1").transform(scored)
    ranked = tables.from_elements(
        [("ann", 0.9, 0), ("ann", 0.8, 1)], ["user", "prediction", "label"]
    )
    assert ml.RankingEvaluator().get_k() == 10
    (found,) = collect(ml.RankingEvaluator().set_k(2).transform(ranked)[0]).to_dict("records")
    assert found == {"precision": 0.5, "ndcg": pytest.approx(math.log(2, 3))}


@each
def test_params_have_setters_and_getters_and_are_saved(
    algorithm: Algorithm, tables: StreamTableEnvironment, tmp_path: Path
) -> None:
    for kind, given in (("", algorithm.params), ("Online", algorithm.online)):
        estimator = getattr(ml, kind + algorithm.name)()
        values: dict[str, object] = {
            "seed": 1 << 40,
            "global_batch_size": 7,
            "reg": 1,
            "elastic_net": 0.25,
            "optimizer": "ftrl",
            "workers": None,
            "weight_col": "w",
            "remote": ["localhost:7070", "localhost:7071"],
            "options": [],
            **given,
        }
        before = estimator.get_params()
        for name, value in values.items():
            setter = getattr(estimator, f"set_{name}")
            assert (setter(*value) if isinstance(value, list) else setter(value)) is estimator
        assert estimator.get_params() == before | values
        for name, value in estimator.get_params().items():
            assert getattr(estimator, f"get_{name}")() == value
        assert ("max_iter" in before) == (kind == "")
        assert ("save_interval" in before) == (kind == "Online")
        folder = tmp_path / f"estimator{kind}"
        estimator.save(folder)
        loaded = type(estimator).load(tables, folder)
        assert type(loaded) is type(estimator)
        assert loaded.get_params() == estimator.get_params()
        assert repr(loaded) == repr(estimator)
        assert f"{kind}{algorithm.name}(" in repr(loaded)


def likeliest(raw: list[float]) -> float:
    return float(raw.index(max(raw)))


@each
def test_models_predict_what_they_learned_when_saved_and_loaded(
    algorithm: Algorithm,
    env: StreamExecutionEnvironment,
    tables: StreamTableEnvironment,
    tmp_path: Path,
) -> None:
    table = table_of(tables, algorithm.frame)
    estimator = algorithm.estimator().set_model_root(str(tmp_path / "root"))
    online = getattr(ml, f"Online{algorithm.name}")().set_params(workers=1, **algorithm.online)
    kind = getattr(ml, f"{algorithm.name}Model")
    for each_estimator in (estimator, online):
        model = each_estimator.fit(table)
        assert type(model) is kind
        assert each_estimator.get_params().items() >= model.get_params().items()
        model.save(tmp_path / type(each_estimator).__name__)
    env.execute()
    loaded = kind.load(tables, str(tmp_path / algorithm.name))
    assert estimator.get_params().items() >= loaded.get_params().items()
    kind.load(tables, tmp_path / f"Online{algorithm.name}").transform(table)

    (predicted,) = loaded.transform(table)
    (data,) = loaded.get_model_data()
    assert data.get_schema().get_field_names() == ["path", "version", "checksum"]
    given = kind().set_params(**loaded.get_params()).set_prediction_col("again")
    raw = "raw_prediction_col" in loaded.get_params()
    if raw:
        given.set_raw_prediction_col("rawAgain")
    rows = collect(given.set_model_data(data).transform(predicted)[0])
    assert len(rows) == len(algorithm.frame)
    assert algorithm.error(rows).mean() < algorithm.bound
    if algorithm.error is not negative:  # others draw at random what they compare with
        assert rows["again"].equals(rows["prediction"])
    if raw:
        assert rows["rawPrediction"].map(likeliest).equals(rows["prediction"])


@each
def test_what_cannot_work_is_a_value_error(
    algorithm: Algorithm, tables: StreamTableEnvironment
) -> None:
    table = table_of(tables, algorithm.frame)
    first = algorithm.frame.columns[0]
    without = table.rename_columns(col(first).alias("other"))
    with pytest.raises(ValueError, match=f"names '{first}', which is none of the table's columns"):
        algorithm.estimator().fit(without)
    model = algorithm.estimator().fit(table)
    with pytest.raises(ValueError, match=f"names '{first}', which is none of the table's columns"):
        model.transform(without)
    with pytest.raises(ValueError, match="must be a whole number, not 'one'"):
        algorithm.estimator().set_seed("one")
    with pytest.raises(ValueError, match="Parameter globalBatchSize is given an invalid value 0"):
        algorithm.estimator().set_global_batch_size(0)
    with pytest.raises(ValueError, match="there is no option 'learnin-rate'"):
        algorithm.estimator().set_options("learnin-rate=1").fit(table)
    with pytest.raises(ValueError, match="Model has no model data"):
        type(model)().transform(table)


def test_predictions_are_the_users_own_labels(tables: StreamTableEnvironment) -> None:
    """Numbers from one on, others and texts."""
    rows = [([float(n % 3 == k) for k in range(3)], n % 3) for n in range(90)]
    for labels in ([1, 2, 3], [7.5, -1.0, 2.0], ["ham", "2", "it's; spam"]):
        table = tables.from_elements(
            [(features, labels[kind]) for features, kind in rows],
            DataTypes.ROW(
                [
                    DataTypes.FIELD("features", DataTypes.ARRAY(DataTypes.DOUBLE())),
                    DataTypes.FIELD("label", KINDS[type(labels[0])]),
                ]
            ),
        )
        estimator = ml.Softmax().set_classes(3).set_num_features(3).set_max_iter(20)
        estimator.set_label_values(*labels)
        assert estimator.get_label_values() == [*map(str, labels)]
        (predicted,) = estimator.fit(table).transform(table)
        frame = collect(predicted)
        assert len(frame) == len(rows)
        assert (frame["label"] == frame["prediction"]).all()
        of_raw = [labels[int(likeliest(raw))] for raw in frame["rawPrediction"]]
        assert (frame["prediction"] == of_raw).all()
    assert estimator.set_params(label_values=[1, 2, 3]).get_label_values() == ["1", "2", "3"]
    with pytest.raises(ValueError, match=r"'label_values' of Softmax must be a list of texts"):
        estimator.set_label_values(True, False, "x")


def test_labels_from_one_on_are_refused_unless_they_are_named(
    tables: StreamTableEnvironment,
) -> None:
    table = table_of(tables, pd.DataFrame({"features": [[1.0], [2.0]], "label": [1, 2]}))
    (predicted,) = ml.Softmax().set_classes(2).fit(table).transform(table)
    with pytest.raises(Exception, match="label-values names other labels, such as those from 1"):
        collect(predicted)


@pytest.fixture
def parity(tables: StreamTableEnvironment) -> Table:
    """Rows whose label a feature says."""
    rows = [([1.0, float(n % 2)], float(n % 2)) for n in range(100)]
    return tables.from_elements(rows, ["features", "label"])


def test_a_pipeline_of_two_stages_is_saved_and_loaded(
    env: StreamExecutionEnvironment, tables: StreamTableEnvironment, parity: Table, tmp_path: Path
) -> None:
    first = ml.LinearRegression().set_prediction_col("first").set_max_iter(5)
    second = ml.LogisticRegression().set_features_cols("features", "first").set_max_iter(5)
    ml.Pipeline([first, second]).save(tmp_path / "pipeline")
    pipeline = ml.Pipeline.load(tables, tmp_path / "pipeline")
    assert repr(pipeline) == "Pipeline()"
    fitted = pipeline.fit(parity)
    assert type(fitted) is ml.PipelineModel
    fitted.save(tmp_path / "model")
    env.execute()
    (predicted,) = ml.PipelineModel.load(tables, tmp_path / "model").transform(parity)
    names = ["features", "label", "first", "prediction", "rawPrediction"]
    assert predicted.get_schema().get_field_names() == names
    rows = collect(predicted)
    assert len(rows) == 100
    assert rows["label"].equals(rows["prediction"])


def test_fit_finds_options_by_the_rows(tables: StreamTableEnvironment) -> None:
    rows = [(50_000.0 + 1000 * (n % 90), 20.0 + n % 7, 100.0 * (n % 90)) for n in range(630)]
    table = tables.from_elements(rows, ["income", "age", "rent"])
    estimator = ml.LinearRegression().set_features_cols("income", "age").set_label_col("rent")
    plain = collect(estimator.fit(table).transform(table)[0])
    tuned = collect(estimator.set_tune(True).fit(table).transform(table)[0])
    assert (plain["prediction"] - plain["rent"]).abs().mean() > 1000
    assert (tuned["prediction"] - tuned["rent"]).abs().mean() < 30
    wrong = ml.LogisticRegression().set_features_cols("income").set_label_col("rent")
    with pytest.raises(ValueError, match=r"the search of param tune for options failed: .*label"):
        wrong.set_tune(True).fit(table)


def test_models_are_stages_of_pipelines(parity: Table) -> None:
    one = ml.LogisticRegression().set_max_iter(3).fit(parity)
    two = (
        ml.LinearSvm()
        .set_max_iter(3)
        .set_prediction_col("p")
        .set_raw_prediction_col("r")
        .fit(parity)
    )
    for pipeline in (ml.PipelineModel([one, two]), ml.Pipeline([one, two]).fit(parity)):
        rows = collect(pipeline.transform(parity)[0])
        assert rows["prediction"].equals(rows["label"])
        assert rows["p"].equals(rows["label"])
        assert {len(raw) for raw in rows["r"]} == {2}


def test_vectors_are_features_and_can_be_looked_into(parity: Table) -> None:
    vectors = parity.select(ml.array_to_vector(col("features")).alias("features"), col("label"))
    model = ml.LogisticRegression().set_max_iter(5).fit(vectors)
    (predicted,) = model.transform(vectors)
    seen = predicted.add_or_replace_columns(ml.vector_to_array(col("features")).alias("features"))
    rows = collect(seen)
    assert rows["prediction"].equals(rows["label"])
    assert rows["features"].tolist() == [[1.0, label] for label in rows["label"]]


def test_what_is_no_expression_is_no_column() -> None:
    name: Any = "features"
    for function in (ml.array_to_vector, ml.vector_to_array):
        with pytest.raises(ValueError, match=r"must be an Expression such as .* not 'features'"):
            function(name)


def test_an_online_model_predicts_of_a_table_without_end(
    tables: StreamTableEnvironment, tmp_path: Path
) -> None:
    tables.execute_sql(
        "CREATE TEMPORARY TABLE numbers (n INT) WITH ('connector' = 'datagen',"
        " 'rows-per-second' = '1000', 'fields.n.min' = '0')"
    )
    endless = tables.sql_query(
        "SELECT ARRAY[MOD(n, 2)] AS features, MOD(n, 2) = 1 AS label FROM numbers"
    )
    with pytest.raises(ValueError, match="OnlineLogisticRegression trains on one that does not"):
        ml.LogisticRegression().fit(endless)
    online = ml.OnlineLogisticRegression().set_save_interval("100 ms")
    model = online.set_model_root(str(tmp_path)).fit(endless)
    with model.get_model_data()[0].execute().collect() as versions:
        numbers = [next(versions)[1] for _ in range(2)]
    assert numbers == sorted(numbers)
    with model.transform(endless)[0].execute().collect() as rows:
        assert len(next(rows)) == 4


def test_training_goes_on_from_a_model(
    env: StreamExecutionEnvironment, tables: StreamTableEnvironment, parity: Table, tmp_path: Path
) -> None:
    first = ml.LogisticRegression().set_max_iter(1).fit(parity)
    first.save(tmp_path / "model")
    env.execute()
    data = collect(ml.LogisticRegressionModel.load(tables, tmp_path / "model").get_model_data()[0])
    further = ml.LogisticRegression().set_initial_model(data["path"][0]).set_max_iter(5)
    rows = collect(further.fit(parity).transform(parity)[0])
    assert rows["prediction"].equals(rows["label"])
    with pytest.raises(ValueError, match="trained by the algorithm logistic-regression, not by"):
        ml.LinearSvm().set_initial_model(data["path"][0]).fit(parity)


@pytest.mark.parametrize(
    ("params", "why"),
    [
        (
            {"max_itr": 3},
            "there is no param 'max_itr' of LogisticRegression; did you mean 'max_iter'",
        ),
        ({"classes": 3}, "there is no param 'classes' of LogisticRegression"),
        ({"max_iter": 2.5}, "param 'max_iter' .* must be a whole number, not 2.5"),
        ({"max_iter": True}, "must be a whole number, not True"),
        ({"max_iter": 1 << 31}, "must be a whole number of 32 bits, not 2147483648"),
        ({"seed": -(1 << 63) - 1}, "must be a whole number of 64 bits, not -9223372036854775809"),
        ({"prediction_col": None}, "Parameter predictionCol's value should not be null"),
        ({"reg": "much"}, "must be a number, not 'much'"),
        ({"reg": -1}, "Parameter reg is given an invalid value -1.0"),
        ({"label_col": 1}, "must be a text, not 1"),
        ({"features_cols": "ab"}, "must be a list of texts, not 'ab'"),
        ({"remote": ["h:1", "h"]}, "param 'remote' .*: not an address: 'h'; expected host:port"),
        ({"remote": ["h:1", "h:1"]}, "param 'remote' .*: server h:1 is named twice"),
        ({"consistency": "SOMETIMES"}, "Parameter consistency is given an invalid value SOMETIMES"),
    ],
)
def test_wrong_params_are_refused_at_once(params: dict[str, object], why: str) -> None:
    estimator = ml.LogisticRegression()
    before = estimator.get_params()
    with pytest.raises(ValueError, match=why) as refused:
        estimator.set_params(**params)
    assert "\tat " not in "".join(traceback.format_exception(refused.value))
    assert estimator.get_params() == before


@pytest.mark.parametrize(
    ("params", "why"),
    [
        ({"label_col": "lable"}, "labelCol names 'lable', which is none of the table's columns"),
        ({"weight_col": "w"}, "weightCol names 'w', which is none of the table's columns"),
        ({"optimizer": "sgdd"}, "unknown update function 'sgdd'; known: "),
        ({"options": ["init-std"]}, "options must be given as name=value, not 'init-std'"),
        ({"options": ["label=y"]}, "option 'label' is said by a param of its own"),
        (
            {"initial_model": "/nowhere"},
            r"^initialModel: /nowhere is not a model: there is no manifest\.json$",
        ),
    ],
)
def test_params_that_do_not_fit_the_table_are_refused(
    parity: Table, params: dict[str, object], why: str
) -> None:
    with pytest.raises(ValueError, match=why) as refused:
        ml.LogisticRegression().set_params(**params).fit(parity)
    assert "\tat " not in "".join(traceback.format_exception(refused.value))


def test_wrong_tables_are_refused(tables: StreamTableEnvironment, parity: Table) -> None:
    estimator = ml.LogisticRegression()
    with pytest.raises(ValueError, match="there must be a table"):
        estimator.fit()
    with pytest.raises(ValueError, match="there must be one table, not 2"):
        estimator.fit(parity, parity)
    other: Any = "table"
    with pytest.raises(ValueError, match="must be a Table, not 'table'"):
        estimator.fit(other)
    with pytest.raises(ValueError, match="must be a Table, not 'table'"):
        estimator.fit(parity).transform(other)
    model = estimator.fit(parity)
    with pytest.raises(ValueError, match="has a column 'prediction' already"):
        model.transform(model.transform(parity)[0])
    with pytest.raises(
        ValueError, match="model data must have the columns path, version, checksum"
    ):
        model.set_model_data(parity)
    with pytest.raises(ValueError, match="LogisticRegressionModel has no model data"):
        ml.LogisticRegressionModel().get_model_data()
    rows = [([1.0], 1.0)]
    settings = EnvironmentSettings.in_streaming_mode()
    for made in (
        TableEnvironment.create(settings),
        StreamTableEnvironment.create(environment_settings=settings),
    ):
        with pytest.raises(ValueError, match="StreamTableEnvironment"):
            estimator.fit(made.from_elements(rows, ["features", "label"]))


def test_wrong_stages_of_pipelines_are_refused() -> None:
    other: Any = "stage"
    with pytest.raises(ValueError, match="a stage of a Pipeline must be a Stage, not 'stage'"):
        ml.Pipeline([other])
    estimator: Any = ml.LogisticRegression()
    kinds: Any = (ml.Pipeline, ml.PipelineModel)
    for kind in kinds:
        for none in (None, estimator, iter([estimator])):
            with pytest.raises(ValueError, match=f"the stages of a {kind.__name__} must be a list"):
                kind(none)
    with pytest.raises(ValueError, match="a stage of a PipelineModel must be a Transformer, not "):
        ml.PipelineModel([estimator])


def test_wrong_folders_are_refused(
    tables: StreamTableEnvironment, parity: Table, tmp_path: Path
) -> None:
    estimator = ml.LogisticRegression()
    estimator.save(tmp_path / "saved")
    ml.Pipeline([estimator]).save(tmp_path / "pipeline")
    with pytest.raises(ValueError, match="saved/metadata already exists"):
        estimator.save(tmp_path / "saved")
    with pytest.raises(ValueError, match="nowhere/metadata"):
        ml.LogisticRegression.load(tables, tmp_path / "nowhere")
    for kind in (ml.Softmax, ml.LogisticRegressionModel, ml.Pipeline):
        with pytest.raises(ValueError, match=f"saved is no {kind.__name__}: "):
            kind.load(tables, tmp_path / "saved")
    with pytest.raises(ValueError, match="pipeline is no LogisticRegression: "):
        ml.LogisticRegression.load(tables, tmp_path / "pipeline")
    model = estimator.fit(parity)
    model.save(tmp_path / "model")
    with pytest.raises(ValueError, match="holds params, but no model: the job that was to save it"):
        ml.LogisticRegressionModel.load(tables, tmp_path / "model")
    for path in ("", None):
        wrong_path: Any = path
        with pytest.raises(ValueError, match="path must be a text or a Path"):
            estimator.save(wrong_path)
    no_tables: Any = "tables"
    with pytest.raises(ValueError, match="must be a StreamTableEnvironment, not 'tables'"):
        ml.LogisticRegression.load(no_tables, tmp_path / "saved")


def test_jobs_get_the_jars_once_beside_others(
    env: StreamExecutionEnvironment, tables: StreamTableEnvironment, parity: Table
) -> None:
    env.add_jars("file:///tmp/other.jar")
    flink_ps.add_to(env)
    for _ in range(2):
        ml.LogisticRegression().fit(parity)
    option = get_gateway().jvm.org.apache.flink.configuration.PipelineOptions.JARS
    ours = [path.as_uri() for path in ml.jar_paths()]
    for configuration in (
        env._j_stream_execution_environment.getConfiguration(),
        tables.get_config()._j_table_config,
    ):
        assert [*configuration.get(option)] == ["file:///tmp/other.jar", *ours]


def test_threads_of_java_have_one_loader_of_the_jars(parity: Table) -> None:
    java = get_gateway().jvm.java.lang
    thread = java.Thread.currentThread()
    before = thread.getContextClassLoader()
    try:
        model = ml.LogisticRegression().fit(parity)
        EnvironmentSettings.in_streaming_mode()  # makes one below it
        assert not thread.getContextClassLoader().equals(before)
        model.transform(parity)
        thread.setContextClassLoader(java.ClassLoader.getSystemClassLoader())  # as of a new thread
        model.transform(parity)
        ml.PipelineModel([model, ml.LogisticRegression().fit(parity)])
    finally:
        thread.setContextClassLoader(before)


PARITY = """
import warnings; warnings.simplefilter("ignore")
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import StreamTableEnvironment
from pyflink.table.expressions import col
from flink_ps import ml
env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
tables = StreamTableEnvironment.create(env)
rows = tables.from_elements([([n % 2.0], n % 2) for n in range(20)], ["features", "label"])
first = ml.LogisticRegression().set_num_features(1)
second = ml.LogisticRegression().set_features_cols("rawPrediction", "features")
second.set_prediction_col("again").set_raw_prediction_col("rawAgain")
(scored,) = ml.Pipeline([first, second]).fit(rows).transform(rows)
frame = scored.select(col("label"), col("again"), col("rawAgain")).to_pandas()
print(len(frame), (frame["label"] == frame["again"]).all(), len(frame["rawAgain"][0]))
"""


def test_the_jars_of_flink_ml_join_the_connector() -> None:
    """Also where a program has added that to a loader above the one of its thread."""
    code = """
import warnings; warnings.simplefilter("ignore")
from pyflink.table import EnvironmentSettings, TableEnvironment
import flink_ps
from flink_ps import ml
tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
flink_ps.add_to(tables)
tables.execute_sql("LOAD MODULE ps")
EnvironmentSettings.in_streaming_mode()
print(ml.LogisticRegression().set_max_iter(3).get_max_iter())
"""
    assert built.said(code) == "3\n"


def test_an_environment_made_before_the_jars_were_there_plans_with_vectors() -> None:
    assert built.said(PARITY) == "20 True 2\n"


def flink_with(home: Path, *jars: Path) -> Path:
    """A Flink of its own that has jars in its lib folder; returns its program."""
    flink = Path(pyflink.__file__).parent
    shutil.copytree(flink / "bin", home / "bin")
    shutil.copytree(flink / "conf", home / "conf")
    for folder, files in (
        ("lib", [*(flink / "lib").glob("*.jar"), *jars]),
        ("opt", [*(flink / "opt").glob("*.jar")]),
        ("log", []),
    ):
        (home / folder).mkdir()
        for file in files:
            (home / folder / file.name).symlink_to(file)
    return home / "bin" / "flink"


def run_by(flink: Path, program: Path) -> "subprocess.CompletedProcess[str]":
    """Runs a program of Python by ``flink run``."""
    python = ("-pyexec", sys.executable, "-pyclientexec", sys.executable)
    # PyFlink names the folders of its own Flink
    clean = {key: value for key, value in os.environ.items() if not key.startswith("FLINK_")}
    return subprocess.run(
        [str(flink), "run", "--target", "local", *python, "--python", str(program)],
        env=clean | {"PYTHONPATH": "src", "FLINK_HOME": str(flink.parents[1])},
        cwd=built.ROOT / "flink-ps-python",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_jars_in_the_lib_folder_of_flink_are_used_from_there(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PARITY)
    done = run_by(flink_with(tmp_path / "flink", *ml.jar_paths()), program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("20 True 2\n")


def test_a_lib_folder_with_the_connector_alone_is_named(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("from flink_ps import ml; ml.LogisticRegression()")
    done = run_by(flink_with(tmp_path / "flink", flink_ps.jar_path()), program)
    names = ", ".join(path.name for path in ml.jar_paths()[1:])
    why = f"ValueError: the connector is in Flink's own lib folder: {names} must be, too"
    assert why in done.stdout + done.stderr
