package io.github.flinkps.harness.oracle;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.security.JobKeys;
import io.github.flinkps.transport.ConnectionLimits;
import java.util.Map;

/** Servers inside TaskManagers whose cuts can be made to fail. */
final class OracleBackend extends LocalServerBackend {
    private static final long serialVersionUID = 1L;

    OracleBackend() {
        super(Map.of(), ClientSecurity.ofPeers(JobKeys.create()), ConnectionLimits.PEER_TIMEOUT);
    }

    @Override
    protected ModelStorage storage() {
        return new OracleStorage(new FlinkModelStorage());
    }
}
