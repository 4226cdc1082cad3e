package io.github.flinkps.server;

/** Receives from owner threads what becomes of cuts. Any thread may call it. */
interface CutListener {
    /** Takes note that an owner's part of a cut is durable. */
    void written(CutOutcomes.Name cut, int owner, byte[] part);

    /** Takes note that an owner has given a cut up: the others must do so too. */
    void failed(CutOutcomes.Name cut, String reason);
}
