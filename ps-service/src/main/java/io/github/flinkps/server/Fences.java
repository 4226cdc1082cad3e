package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The highest fence of every model, and whose it is. A model's fence outlives the model, so that
 * nobody who slept through its end and its new beginning takes part in it. Where a client has named
 * very many models that are gone, its oldest are forgotten. The highest of their fences then stands
 * for every unknown model that this client may train. So no number ever counts twice. Confined to
 * the control loop.
 */
final class Fences {
    /** The highest fence; above it numbers would run out. */
    private static final long MOST = 1L << 62;

    private static final int REMEMBERED_RUNS = 64;

    /** Most bytes of what is kept of a client's models that are gone. */
    static final long MOST_BYTES = 16L << 20;

    private static final int BYTES_OF_A_GRANT = 256;

    private final long only;
    private final int remembered;
    private final Predicate<String> living;
    private final BiPredicate<String, String> trains;
    private final Map<String, Grant> grants = new HashMap<>();
    private final Map<String, Granted> clients = new HashMap<>();

    /** The fences that a client has taken, by model, the one used longest ago first. */
    private static final class Granted {
        private final Map<String, Grant> grants = new LinkedHashMap<>(16, 0.75f, true);

        /** The highest fence of those forgotten. */
        private long floor;

        private long bytes;

        private void put(String model, Grant grant) {
            grants.put(model, grant);
            bytes += grant.bytes(model);
        }

        private void remove(String model) {
            bytes -= grants.remove(model).bytes(model);
        }
    }

    /** The attempt that has a model. */
    private static final class Grant {
        private String client;
        private final Set<String> replacedRuns = new LinkedHashSet<>();
        private long fence;
        private String run = "";
        private String attempt = "";

        /** Returns about the bytes that are kept under a model's name. */
        private long bytes(String model) {
            long characters = (long) model.length() + run.length() + attempt.length();
            for (String each : replacedRuns) {
                characters += each.length();
            }
            return BYTES_OF_A_GRANT + 2 * characters;
        }
    }

    /**
     * Fences of a server.
     *
     * @param only the one fence it takes, or 0: it grants them
     * @param remembered models that are gone whose fences are kept, of each client
     * @param living whether a model is not gone
     * @param trains whether a client, named first, may train a model
     */
    Fences(
            long only,
            int remembered,
            Predicate<String> living,
            BiPredicate<String, String> trains) {
        this.only = only;
        this.remembered = remembered;
        this.living = living;
        this.trains = trains;
    }

    /** Returns the model's highest fence, 0 before the first. */
    long highest(String model) {
        Grant grant = grants.get(model);
        if (grant != null) {
            clients.get(grant.client).grants.get(model); // used just now
            return grant.fence;
        }
        long highest = 0;
        for (Map.Entry<String, Granted> each : clients.entrySet()) {
            long floor = each.getValue().floor;
            if (floor > highest && trains.test(each.getKey(), model)) {
                highest = floor;
            }
        }
        return highest;
    }

    /** Returns whether a fence is the highest, and a client's of this name. */
    boolean isOf(String client, String model, long fence) {
        Grant grant = grants.get(model);
        return only != 0
                || (grant != null && grant.fence == fence && Objects.equals(grant.client, client));
    }

    /** Returns whether the highest is that of the attempt. */
    boolean isOf(String model, String attempt) {
        Grant grant = grants.get(model);
        return grant != null && !attempt.isEmpty() && grant.attempt.equals(attempt);
    }

    /**
     * Refuses what is older than the model's highest fence; 0 stands for no attempt and passes.
     *
     * @throws PsException FENCED
     */
    void check(String model, long fence) {
        if (fence < 0 || fence > MOST) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT, "fence " + fence + " is out of range");
        }
        if (fence == 0) {
            return;
        }
        if (only != 0 && fence != only) {
            throw new PsException(
                    ErrorCode.FENCED,
                    "this server belongs to the attempt of fence "
                            + only
                            + " alone; fence "
                            + fence
                            + " is refused");
        }
        if (fence < highest(model)) {
            throw refusal(model, fence);
        }
    }

    private PsException refusal(String model, long fence) {
        Grant grant = grants.get(model);
        return new PsException(
                ErrorCode.FENCED,
                "model '"
                        + model
                        + "' is at fence "
                        + highest(model)
                        + (grant == null || grant.run.isEmpty() ? "" : " of run " + grant.run)
                        + ": a newer attempt has taken it over; fence "
                        + fence
                        + " is refused");
    }

    /**
     * Takes the fence of a client's session; returns whether it is higher: of an attempt that
     * numbers itself.
     */
    boolean admit(String client, String model, String run, long fence) {
        check(model, fence);
        boolean higher = fence > highest(model);
        if (higher) {
            set(client, model, run, "", fence);
        }
        return higher;
    }

    /**
     * Grants a client a fence above all before it, or again to the attempt that has it.
     *
     * @throws PsException FENCED when it is another's, or another run has taken the model over
     */
    void grant(String client, String model, String run, String attempt, long fence) {
        if (attempt.isEmpty()) {
            throw new PsException(ErrorCode.INVALID_ARGUMENT, "an attempt needs a name");
        }
        if (only != 0) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "this server belongs to the attempt of fence " + only + " and grants none");
        }
        check(model, fence);
        Grant grant = grants.get(model);
        if (grant != null && grant.replacedRuns.contains(run)) {
            throw new PsException(
                    ErrorCode.FENCED,
                    "run "
                            + grant.run
                            + " has taken model '"
                            + model
                            + "' over; a new attempt of run "
                            + run
                            + " is refused");
        }
        if (fence > highest(model)) {
            set(client, model, run, attempt, fence);
        } else if (!isOf(model, attempt)) {
            throw refusal(model, fence);
        }
    }

    private void set(String client, String model, String run, String attempt, long fence) {
        Grant grant = grants.computeIfAbsent(model, name -> new Grant());
        if (grant.fence != 0) {
            clients.get(grant.client).remove(model);
        }
        if (!grant.run.isEmpty() && !grant.run.equals(run)) {
            grant.replacedRuns.add(grant.run);
            removeOldest(grant.replacedRuns);
        }
        grant.client = client;
        grant.fence = fence;
        grant.run = run;
        grant.attempt = attempt;
        Granted own = clients.computeIfAbsent(client, name -> new Granted());
        own.put(model, grant);
        forget(own);
    }

    private static void removeOldest(Set<String> runs) {
        if (runs.size() > REMEMBERED_RUNS) {
            Iterator<String> oldest = runs.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    private void forget(Granted own) {
        for (Iterator<Map.Entry<String, Grant>> all = own.grants.entrySet().iterator();
                all.hasNext() && (own.grants.size() > remembered || own.bytes > MOST_BYTES); ) {
            Map.Entry<String, Grant> oldest = all.next();
            String model = oldest.getKey();
            if (!living.test(model) && all.hasNext()) {
                own.floor = Math.max(own.floor, oldest.getValue().fence);
                own.bytes -= oldest.getValue().bytes(model);
                all.remove();
                grants.remove(model);
            }
        }
    }
}
