package io.github.flinkps.server;

/**
 * A user's own bound in place of BSP, SSP and ASP; found by {@link java.util.ServiceLoader}.
 * Stateless; called by owner threads for every pull that waits, so it must be quick.
 */
public interface ReadPredicate {
    /** Returns the name by which a model asks for it. */
    String name();

    /**
     * Returns whether a pull may be answered now. It must hold once every clock is {@link
     * Long#MAX_VALUE}.
     *
     * @param clocks finished mini-batches per worker; {@link Long#MAX_VALUE} for one that has
     *     finished or is idle. Not to be changed
     * @param worker that pulls
     * @param pullClock the mini-batch the pull is for
     */
    boolean ready(long[] clocks, int worker, long pullClock);
}
