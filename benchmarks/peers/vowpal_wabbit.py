"""Trains Vowpal Wabbit on train.vw and writes what it takes and predicts: FOLDER BITS TESTED [OPTION ..]."""

import json
import sys
import time
from pathlib import Path

import vowpalwabbit


def main(folder: Path, bits: str, tested: bool, options: list[str]) -> None:
    begin = time.monotonic()
    model = folder / "model.vw"
    train = f"--quiet --loss_function logistic -b {bits} -d {folder}/train.vw -f {model} {' '.join(options)}"
    vowpalwabbit.Workspace(train).finish()
    (folder / "report").write_text(json.dumps({"trainSeconds": time.monotonic() - begin}))
    if not tested:
        return
    scores = folder / "scores"
    test = f"--quiet -t -i {model} -d {folder}/test.vw -p {scores} --link logistic"
    vowpalwabbit.Workspace(test).finish()
    with open(scores) as probabilities, open(folder / "test.vw") as rows, open(folder / "predictions", "w") as out:
        for probability, row in zip(probabilities, rows, strict=True):
            out.write(f"{float(probability)} {'0' if row.startswith('-') else '1'}\n")


main(Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "true", sys.argv[4:])
