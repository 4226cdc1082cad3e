"""Trains liblinear's logistic regression (as scikit-learn bundles it) on train.svm: FOLDER BITS TESTED C."""

import json
import sys
import time
from pathlib import Path

from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression


def main(folder: Path, features: int, tested: bool, strength: float) -> None:
    begin = time.monotonic()
    rows, labels = load_svmlight_file(str(folder / "train.svm"), n_features=features)
    model = LogisticRegression(C=strength, solver="liblinear").fit(rows, labels)
    (folder / "report").write_text(json.dumps({"trainSeconds": time.monotonic() - begin}))
    if tested:
        rows, labels = load_svmlight_file(str(folder / "test.svm"), n_features=features)
        with open(folder / "predictions", "w") as out:
            for probability, label in zip(model.predict_proba(rows)[:, 1], labels, strict=True):
                out.write(f"{probability} {int(label)}\n")


main(Path(sys.argv[1]), 1 << int(sys.argv[2]), sys.argv[3] == "true", float(sys.argv[4]))
