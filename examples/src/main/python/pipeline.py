"""Fits a pipeline of Flink ML on a table of PyFlink, and predicts with what it has saved.

    $FLINK_HOME/bin/flink run -py examples/src/main/python/pipeline.py /tmp/flink-ps-models

``python`` must be one that has the package ``flink_ps``, or ``-pyclientexec`` name it. Where the
connector lies in Flink's lib, the jars of Flink ML lie there too.
"""

import sys

from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import StreamTableEnvironment

from flink_ps import ml


def main(root: str) -> None:
    """Trains the model below a folder that all processes see."""
    environment = StreamExecutionEnvironment.get_execution_environment()
    tables = StreamTableEnvironment.create(environment)
    clicks = tables.from_elements(
        [(f"site{row % 3}", float(row % 7), float(row % 3 == 0)) for row in range(300)],
        ["site", "price", "label"],
    )
    estimator = ml.LogisticRegression().set_features_cols("site", "price").set_max_iter(5)
    estimator.set_optimizer("ftrl").set_model_root(root)
    ml.Pipeline([estimator]).fit(clicks).save(f"{root}/pipeline_python")
    environment.execute("train a pipeline")
    (scored,) = ml.PipelineModel.load(tables, f"{root}/pipeline_python").transform(clicks)
    with scored.select(scored.label == scored.prediction).execute().collect() as rows:
        print(f"{sum(row[0] for row in rows)} of 300 are right")


if __name__ == "__main__":
    main(*sys.argv[1:])
