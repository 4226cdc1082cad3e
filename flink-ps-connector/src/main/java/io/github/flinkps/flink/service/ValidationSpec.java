package io.github.flinkps.flink.service;

import java.io.Serializable;

/**
 * Rows that do not train but measure the model after each pass; the model of the pass that did best
 * is the one that is saved.
 *
 * @param share of the rows, between 0 and 1
 * @param patience training ends after so many passes without a lower loss
 * @param epochs passes at most
 */
public record ValidationSpec(double share, int patience, int epochs) implements Serializable {}
