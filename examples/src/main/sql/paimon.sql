-- Trains on a table of Apache Paimon, and keeps predictions in another one.
--   $FLINK_HOME/bin/sql-client.sh -f examples/src/main/sql/paimon.sql
-- Needs flink-sql-connector-ps, and jars of Paimon and Hadoop in Flink's lib (docs/storage.md). Tables go to /tmp/flink-ps-lake, models to /tmp/flink-ps-models.

SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.dml-sync' = 'true';
SET 'execution.runtime-mode' = 'batch';

CREATE TEMPORARY TABLE numbers (n BIGINT) WITH (
    'connector' = 'datagen',
    'number-of-rows' = '20000',
    'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '19999'
);

CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = 'file:///tmp/flink-ps-lake');

CREATE TABLE IF NOT EXISTS lake.`default`.impressions (n BIGINT, clicked BOOLEAN, site STRING, price DOUBLE);

INSERT OVERWRITE lake.`default`.impressions
SELECT n, MOD(n * 7919, 10007) / 10007.0 < 1 / (1 + EXP(price - CASE site WHEN 'news' THEN 3 ELSE 0 END)), site, price
FROM (
    SELECT n, CASE MOD(n, 5) WHEN 1 THEN 'news' ELSE CONCAT('blog', CAST(MOD(n, 31) AS STRING)) END AS site,
        MOD(n * 37, 101) / 25e0 AS price
    FROM numbers
);

CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = 'file:///tmp/flink-ps-models');

CREATE DATABASE IF NOT EXISTS ps.ads;

CREATE TABLE IF NOT EXISTS ps.ads.lake (clicked BOOLEAN, site STRING, price DOUBLE) WITH (
    'label' = 'clicked', 'numeric.price' = 'none', 'batch-size' = '100'
);

INSERT OVERWRITE ps.ads.lake /*+ OPTIONS('epochs' = '3') */
SELECT clicked, site, price FROM lake.`default`.impressions WHERE MOD(n, 7) < 5;

LOAD MODULE ps WITH ('model-root' = 'file:///tmp/flink-ps-models');

CREATE TABLE IF NOT EXISTS lake.`default`.scored (n BIGINT, clicked BOOLEAN, score DOUBLE);

INSERT OVERWRITE lake.`default`.scored
SELECT n, clicked, PS_PREDICT('ads.lake', site, price) FROM lake.`default`.impressions WHERE MOD(n, 7) >= 5;

SELECT COUNT(*) AS impressions, ROUND(PS_AUC(score, clicked), 1) AS auc FROM lake.`default`.scored;
