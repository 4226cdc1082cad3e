-- Trains on impressions as they come, 200 a second, with a checkpoint every second.
--   $FLINK_HOME/bin/sql-client.sh -f examples/src/main/sql/stream.sql
-- Models go to /tmp/flink-ps-models. docs/cluster.md says how to stop the job, and to go on.

SET 'execution.checkpointing.interval' = '1 s';
SET 'execution.checkpointing.tolerable-failed-checkpoints' = '100';

CREATE TEMPORARY TABLE impressions (
    n BIGINT,
    site AS CASE MOD(n, 5) WHEN 0 THEN 'shop' WHEN 1 THEN 'news' ELSE CONCAT('blog', CAST(MOD(n, 31) AS STRING)) END,
    price AS MOD(n * 37, 101) / 25.0,
    clicked AS MOD(n * 7919, 10007) < MOD(n * 37, 101) * 100
) WITH (
    'connector' = 'datagen',
    'rows-per-second' = '200',
    'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '19999'
);

CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = 'file:///tmp/flink-ps-models');

CREATE DATABASE IF NOT EXISTS ps.ads;

-- With 'linger' = '0 s' a mini-batch waits until it is full, so that the model does not depend on when rows came.
CREATE TABLE IF NOT EXISTS ps.ads.live (clicked BOOLEAN, site STRING, price DOUBLE) WITH (
    'label' = 'clicked', 'batch-size' = '100', 'linger' = '0 s'
);

INSERT INTO ps.ads.live SELECT clicked, site, price FROM impressions;
