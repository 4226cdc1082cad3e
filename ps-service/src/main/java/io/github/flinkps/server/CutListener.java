package io.github.flinkps.server;

/** Receives from owner threads what becomes of cuts. Any thread may call it. */
interface CutListener {
    /** An owner's part of a cut is durable. */
    void written(CutOutcomes.Name cut, int owner, byte[] part);

    /** An owner has given a cut up: so must the others. */
    void failed(CutOutcomes.Name cut, String reason);
}
