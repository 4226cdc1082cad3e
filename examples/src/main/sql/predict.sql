-- Predicts by the newest version of the model that stream.sql trains, be it made of a savepoint.
--   $FLINK_HOME/bin/sql-client.sh -f examples/src/main/sql/predict.sql

SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';

LOAD MODULE ps WITH ('model-root' = 'file:///tmp/flink-ps-models');

SELECT site, price, PS_PREDICT('ads.live', site, price) AS clicks
FROM (VALUES ('shop', 0.0E0), ('shop', 4.0E0)) AS t (site, price);
