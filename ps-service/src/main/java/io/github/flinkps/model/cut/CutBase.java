package io.github.flinkps.model.cut;

/**
 * The cut that another is an increment of.
 *
 * @param cut an earlier one of the same run
 * @param crc32c of the bytes of its manifest
 */
public record CutBase(CutId cut, int crc32c) {}
