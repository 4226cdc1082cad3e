"""Trains a click-through model on a table of PyFlink and looks at what it has learned.

    $FLINK_HOME/bin/flink run -py examples/src/main/python/clicks.py /tmp/flink-ps-models

``python`` must be one that has the package ``flink_ps``, or ``-pyclientexec`` name it.
"""

import sys

from pyflink.table import EnvironmentSettings, TableEnvironment

import flink_ps


def main(root: str) -> None:
    """Trains the model below a folder that all processes see."""
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    flink_ps.add_to(tables)
    flink_ps.register_catalog(tables, "ps", root)
    impressions = tables.from_elements(
        [(row % 3 == 0, f"site{row % 3}", float(row % 7)) for row in range(300)],
        ["clicked", "site", "price"],
    )
    algorithm = flink_ps.LogisticRegression(label="clicked", batch_size=16, epochs=3)
    model = algorithm.fit(impressions, "ps.ads.ctr_python").load()
    print(f"trained {model.path.name}: {model.table('weights').rows} weights")


if __name__ == "__main__":
    main(*sys.argv[1:])
