package io.github.flinkps.flink.data;

import java.util.List;

/**
 * The state of an enumerator: the shares that no reader has taken over yet.
 *
 * @param planned whether the input has been listed; if not, nothing is pending and it is listed
 *     again
 * @param pending by the reader they are for
 */
record BlockPlan(boolean planned, List<List<BlockSplit>> pending) {}
