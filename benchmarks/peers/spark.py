"""Trains Spark MLlib's logistic regression on train.svm: FOLDER BITS TESTED ITERATIONS."""

import json
import sys
import time
from pathlib import Path

from pyspark.ml.classification import LogisticRegression
from pyspark.sql import SparkSession


def main(folder: Path, features: int, tested: bool, iterations: int) -> None:
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "8g")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    begin = time.monotonic()
    reader = session.read.format("libsvm").option("numFeatures", str(features))
    model = LogisticRegression(maxIter=iterations).fit(reader.load(str(folder / "train.svm")))
    (folder / "report").write_text(json.dumps({"trainSeconds": time.monotonic() - begin}))
    if tested:
        predicted = model.transform(reader.load(str(folder / "test.svm"))).select("probability", "label").collect()
        with open(folder / "predictions", "w") as out:
            for row in predicted:
                out.write(f"{row.probability[1]} {int(row.label)}\n")
    session.stop()


main(Path(sys.argv[1]), 1 << int(sys.argv[2]), sys.argv[3] == "true", int(sys.argv[4]))
