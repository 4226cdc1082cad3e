-- Click-through from raw columns: train a model, predict with it, and see how good that is.
--   $FLINK_HOME/bin/sql-client.sh -f examples/src/main/sql/clicks.sql
-- Needs nothing but flink-sql-connector-ps in Flink's lib. Models go to /tmp/flink-ps-models.

SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.dml-sync' = 'true';

-- Impressions of a known model, so that the result is the same each time.
CREATE TEMPORARY TABLE numbers (n BIGINT) WITH (
    'connector' = 'datagen',
    'number-of-rows' = '20000',
    'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '19999'
);

CREATE TEMPORARY VIEW impressions AS
SELECT n, site, price,
    chance < 1 / (1 + EXP(price - CASE site WHEN 'news' THEN 3 WHEN 'shop' THEN 2 ELSE 0 END)) AS clicked
FROM (
    SELECT n,
        CASE MOD(n, 5) WHEN 0 THEN 'shop' WHEN 1 THEN 'news' ELSE CONCAT('blog', CAST(MOD(n, 31) AS STRING)) END AS site,
        MOD(n * 37, 101) / 25.0 AS price,
        MOD(n * 7919, 10007) / 10007.0 AS chance
    FROM numbers
);

-- A catalog of models. What is neither label nor weight is a feature: strings are hashed with their column, numbers scaled.
CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = 'file:///tmp/flink-ps-models');

CREATE DATABASE IF NOT EXISTS ps.ads;

CREATE TABLE IF NOT EXISTS ps.ads.ctr (clicked BOOLEAN, site STRING, price DOUBLE) WITH (
    'algorithm' = 'logistic-regression',
    'label' = 'clicked',
    'numeric.price' = 'none',
    'batch-size' = '100'
);

-- Two of seven impressions are kept to see how good the model is.
INSERT OVERWRITE ps.ads.ctr /*+ OPTIONS('epochs' = '3') */
SELECT clicked, site, price FROM impressions WHERE MOD(n, 7) < 5;

LOAD MODULE ps WITH ('model-root' = 'file:///tmp/flink-ps-models');

SET 'execution.runtime-mode' = 'batch';

SELECT site, ROUND(AVG(score), 2) AS predicted, ROUND(AVG(CASE WHEN clicked THEN 1.0 ELSE 0.0 END), 2) AS clicked
FROM (
    SELECT site, clicked, PS_PREDICT('ads.ctr', site, price) AS score
    FROM impressions WHERE MOD(n, 7) >= 5 AND site IN ('news', 'shop', 'blog3')
)
GROUP BY site
ORDER BY site;

SELECT COUNT(*) AS impressions, ROUND(PS_AUC(score, clicked), 2) AS auc, ROUND(PS_LOGLOSS(score, clicked), 2) AS logloss
FROM (SELECT clicked, PS_PREDICT('ads.ctr', site, price) AS score FROM impressions WHERE MOD(n, 7) >= 5);
