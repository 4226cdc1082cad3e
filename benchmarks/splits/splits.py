"""Writes NAME.SEED.train and NAME.SEED.test of data sets, each split five times into 80 % and 20 %.

Prints NAME,ROWS,SEED,LOSS on standard output: what scikit-learn reaches on the test rows. The strength of its
regularisation is chosen by cross-validation on the training rows.

Arguments: the folder to write to, that of the data sets, and the names of those to write.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import vstack
from sklearn import datasets
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, RidgeCV
from sklearn.metrics import log_loss, root_mean_squared_error
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SEEDS = range(5)
STRENGTHS = np.logspace(-3, 3, 13)
BUNDLED = {
    "cancer": datasets.load_breast_cancer,
    "wine": datasets.load_wine,
    "digits": datasets.load_digits,
    "iris": datasets.load_iris,
    "diabetes": datasets.load_diabetes,
}


def a9a(data):
    """The census: all rows, those that are published for tests as well."""
    parts = [
        datasets.load_svmlight_file(str(data / "a9a" / file), n_features=123)
        for file in ("a9a.libsvm", "a9a.t.libsvm")
    ]
    return vstack([rows for rows, _ in parts]).tocsr(), np.concatenate([y for _, y in parts]) > 0


def write(path, rows, labels):
    """Writes a file of CSV, or of libsvm where the rows are sparse."""
    if hasattr(rows, "tocsr"):
        datasets.dump_svmlight_file(rows, labels.astype(int), str(path), zero_based=False)
        return
    names = [f"c{column}" for column in range(rows.shape[1])] + ["y"]
    with path.open("w") as out:
        out.write(",".join(names) + "\n")
        for row, label in zip(rows, labels, strict=True):
            out.write(",".join(map(repr, [*row.tolist(), label.item()])) + "\n")


def reference(name, train, trained, test, tested):
    """What scikit-learn reaches."""
    if name == "diabetes":
        model = make_pipeline(StandardScaler(), RidgeCV(alphas=np.logspace(-2, 4, 25)))
        return root_mean_squared_error(tested, model.fit(train, trained).predict(test))
    if name == "a9a":
        search = GridSearchCV(
            LogisticRegression(max_iter=1000),
            {"C": [0.1, 0.3, 1, 3]},
            scoring="neg_log_loss",
            cv=3,
        )
        return log_loss(tested, search.fit(train, trained).predict_proba(test))
    model = make_pipeline(
        StandardScaler(),
        LogisticRegressionCV(Cs=STRENGTHS, cv=5, scoring="neg_log_loss", max_iter=10_000),
    )
    return log_loss(tested, model.fit(train, trained).predict_proba(test))


def main():
    """Writes the sets that are named."""
    warnings.filterwarnings("ignore")
    folder, data = Path(sys.argv[1]), Path(sys.argv[2])
    for name in sys.argv[3:]:
        rows, labels = BUNDLED[name](return_X_y=True) if name in BUNDLED else a9a(data)
        classes = None if name == "diabetes" else labels
        for seed in SEEDS:
            train, test, trained, tested = train_test_split(
                rows, labels, test_size=0.2, random_state=seed, stratify=classes
            )
            write(folder / f"{name}.{seed}.train", train, trained)
            write(folder / f"{name}.{seed}.test", test, tested)
            loss = reference(name, train, trained, test, tested)
            print(f"{name},{rows.shape[0]},{seed},{loss}", flush=True)


if __name__ == "__main__":
    main()
