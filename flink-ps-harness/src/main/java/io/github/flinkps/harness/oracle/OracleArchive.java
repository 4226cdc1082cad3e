package io.github.flinkps.harness.oracle;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.PendingModel;
import java.util.List;

/** Saves models, and waits before where it is to. */
final class OracleArchive implements ModelArchive {
    private static final long serialVersionUID = 1L;

    private final ModelArchive archive;
    private final OracleHooks hooks;

    OracleArchive(ModelArchive archive, OracleHooks hooks) {
        this.archive = archive;
        this.hooks = hooks;
    }

    @Override
    public void checkWritable(List<TableSpec> tables, String directory) throws Exception {
        archive.checkWritable(tables, directory);
    }

    @Override
    public void load(ModelSession session, List<TableSpec> tables, String directory)
            throws Exception {
        archive.load(session, tables, directory);
    }

    @Override
    public PendingModel write(
            ModelSession session, List<TableSpec> tables, String directory, boolean withSlots)
            throws Exception {
        hooks.at(Phase.FINISHING, null, null);
        return archive.write(session, tables, directory, withSlots);
    }
}
