package io.github.flinkps.client;

import io.github.flinkps.protocol.ModelStateMessage;
import java.util.List;

/**
 * The state of a model.
 *
 * @param readable whether sessions of no attempt are answered; else they wait
 * @param trained whether a worker's clock has moved since its attempt began
 */
public record ModelState(boolean readable, boolean trained) {
    /** Returns the state of a model over all its servers. */
    static ModelState of(List<ModelStateMessage.Response> servers) {
        return new ModelState(
                servers.stream().allMatch(ModelStateMessage.Response::readable),
                servers.stream().anyMatch(ModelStateMessage.Response::trained));
    }
}
