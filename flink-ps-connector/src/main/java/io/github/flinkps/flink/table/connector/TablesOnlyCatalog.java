package io.github.flinkps.flink.table.connector;

import java.util.List;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.catalog.CatalogFunction;
import org.apache.flink.table.catalog.CatalogPartition;
import org.apache.flink.table.catalog.CatalogPartitionSpec;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.FunctionNotExistException;
import org.apache.flink.table.catalog.exceptions.PartitionNotExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.catalog.exceptions.TableNotPartitionedException;
import org.apache.flink.table.catalog.stats.CatalogColumnStatistics;
import org.apache.flink.table.catalog.stats.CatalogTableStatistics;
import org.apache.flink.table.expressions.Expression;

/** A catalog without views, functions, partitions and statistics. */
abstract class TablesOnlyCatalog implements Catalog {
    private final String name;

    TablesOnlyCatalog(String name) {
        this.name = name;
    }

    final String name() {
        return name;
    }

    private static UnsupportedOperationException none(String what) {
        return new UnsupportedOperationException("a catalog of models stores no " + what);
    }

    private void requireDatabase(String database) throws DatabaseNotExistException {
        if (!databaseExists(database)) {
            throw new DatabaseNotExistException(name, database);
        }
    }

    private void requireTable(ObjectPath table) throws TableNotExistException {
        if (!tableExists(table)) {
            throw new TableNotExistException(name, table);
        }
    }

    @Override
    public List<String> listViews(String database) throws DatabaseNotExistException {
        requireDatabase(database);
        return List.of();
    }

    @Override
    public List<String> listFunctions(String database) throws DatabaseNotExistException {
        requireDatabase(database);
        return List.of();
    }

    @Override
    public CatalogFunction getFunction(ObjectPath function) throws FunctionNotExistException {
        throw new FunctionNotExistException(name, function);
    }

    @Override
    public boolean functionExists(ObjectPath function) {
        return false;
    }

    @Override
    public void createFunction(ObjectPath path, CatalogFunction function, boolean ignoreIfExists) {
        throw none("functions: CREATE TEMPORARY FUNCTION makes one of the session");
    }

    @Override
    public void alterFunction(ObjectPath path, CatalogFunction function, boolean ignoreIfNotExists)
            throws FunctionNotExistException {
        dropFunction(path, ignoreIfNotExists);
    }

    @Override
    public void dropFunction(ObjectPath path, boolean ignoreIfNotExists)
            throws FunctionNotExistException {
        if (!ignoreIfNotExists) {
            throw new FunctionNotExistException(name, path);
        }
    }

    @Override
    public List<CatalogPartitionSpec> listPartitions(ObjectPath table)
            throws TableNotExistException, TableNotPartitionedException {
        requireTable(table);
        throw new TableNotPartitionedException(name, table);
    }

    @Override
    public List<CatalogPartitionSpec> listPartitions(
            ObjectPath table, CatalogPartitionSpec partition)
            throws TableNotExistException, TableNotPartitionedException {
        return listPartitions(table);
    }

    @Override
    public List<CatalogPartitionSpec> listPartitionsByFilter(
            ObjectPath table, List<Expression> filters)
            throws TableNotExistException, TableNotPartitionedException {
        return listPartitions(table);
    }

    @Override
    public CatalogPartition getPartition(ObjectPath table, CatalogPartitionSpec partition)
            throws PartitionNotExistException {
        throw new PartitionNotExistException(name, table, partition);
    }

    @Override
    public boolean partitionExists(ObjectPath table, CatalogPartitionSpec partition) {
        return false;
    }

    @Override
    public void createPartition(
            ObjectPath table,
            CatalogPartitionSpec spec,
            CatalogPartition partition,
            boolean ignoreIfExists) {
        throw none("partitions");
    }

    @Override
    public void dropPartition(
            ObjectPath table, CatalogPartitionSpec partition, boolean ignoreIfNotExists)
            throws PartitionNotExistException {
        if (!ignoreIfNotExists) {
            throw new PartitionNotExistException(name, table, partition);
        }
    }

    @Override
    public void alterPartition(
            ObjectPath table,
            CatalogPartitionSpec spec,
            CatalogPartition partition,
            boolean ignoreIfNotExists)
            throws PartitionNotExistException {
        dropPartition(table, spec, ignoreIfNotExists);
    }

    @Override
    public CatalogTableStatistics getTableStatistics(ObjectPath table) {
        return CatalogTableStatistics.UNKNOWN;
    }

    @Override
    public CatalogColumnStatistics getTableColumnStatistics(ObjectPath table) {
        return CatalogColumnStatistics.UNKNOWN;
    }

    @Override
    public CatalogTableStatistics getPartitionStatistics(
            ObjectPath table, CatalogPartitionSpec partition) throws PartitionNotExistException {
        throw new PartitionNotExistException(name, table, partition);
    }

    @Override
    public CatalogColumnStatistics getPartitionColumnStatistics(
            ObjectPath table, CatalogPartitionSpec partition) throws PartitionNotExistException {
        throw new PartitionNotExistException(name, table, partition);
    }

    @Override
    public void alterTableStatistics(
            ObjectPath table, CatalogTableStatistics statistics, boolean ignoreIfNotExists) {
        throw none("statistics");
    }

    @Override
    public void alterTableColumnStatistics(
            ObjectPath table, CatalogColumnStatistics statistics, boolean ignoreIfNotExists) {
        throw none("statistics");
    }

    @Override
    public void alterPartitionStatistics(
            ObjectPath table,
            CatalogPartitionSpec partition,
            CatalogTableStatistics statistics,
            boolean ignoreIfNotExists) {
        throw none("statistics");
    }

    @Override
    public void alterPartitionColumnStatistics(
            ObjectPath table,
            CatalogPartitionSpec partition,
            CatalogColumnStatistics statistics,
            boolean ignoreIfNotExists) {
        throw none("statistics");
    }
}
