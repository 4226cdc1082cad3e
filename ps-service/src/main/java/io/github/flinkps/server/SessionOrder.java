package io.github.flinkps.server;

import io.github.flinkps.common.ConsistencySpec;

/**
 * The control loop's command to add a session at every owner.
 *
 * @param model its name
 * @param share which partitions the owner owns
 * @param session number
 * @param client that opened it, and alone may use it
 * @param worker index, negative for a plain client
 * @param fence of the session's attempt, 0 for none
 * @param workers of the attempt
 * @param consistency of the attempt
 * @param access what the client may do with the model
 * @param newAttempt whether a new attempt begins with this session
 */
record SessionOrder(
        String model,
        OwnerModel.OwnerShare share,
        int session,
        long client,
        int worker,
        long fence,
        int workers,
        ConsistencySpec consistency,
        SessionAccess access,
        boolean newAttempt) {}
