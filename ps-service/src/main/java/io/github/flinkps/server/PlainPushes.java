package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.WorkerClocks.Place;

/**
 * Pushes of plain clients: each partition touched has a sequence of its own, and takes them at
 * once. Confined to the owner thread.
 */
final class PlainPushes {
    private PlainPushes() {}

    /** Takes those of a request that have not been taken; what is refused stays refused. */
    static void take(ExchangeRequest request) {
        request.prepare();
        int pushes = request.pushSections();
        for (int i = 0; i < pushes; i++) {
            ExchangeRequest.Push push = request.push(i);
            for (int slice = 0; slice < push.rows().slices(); slice++) {
                take(request, push, slice);
            }
        }
    }

    private static void take(ExchangeRequest request, ExchangeRequest.Push push, int slice) {
        OwnerSession session = request.session();
        OwnerTable table = push.rows().table();
        int partition = push.rows().partitions[slice];
        long sequence = request.sequence(push, slice);
        long[] next = session.explicit(table);
        Place stands = WorkerClocks.place(next[partition], sequence);
        if (stands == Place.EARLY) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "an earlier push to partition " + partition + " is missing");
        }
        if (stands == Place.DONE) {
            request.refuse(
                    session.refusal(new OwnerSession.Entry(table.id(), partition, sequence)));
            return;
        }
        next[partition]++;
        if (request.refusal() == null) {
            try {
                push.rows().log(slice).pushNow(request.contribution(push, slice));
            } catch (RuntimeException | Error e) {
                request.refuse(ExchangeRequest.known(e));
            }
        }
        if (request.refusal() != null) {
            session.refused(
                    new OwnerSession.Entry(table.id(), partition, sequence), request.refusal());
        }
    }
}
