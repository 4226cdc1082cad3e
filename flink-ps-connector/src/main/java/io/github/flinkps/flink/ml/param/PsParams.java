package io.github.flinkps.flink.ml.param;

/** The parameters of every stage that trains. */
public interface PsParams<T>
        extends HasPredictionCol<T>,
                HasWeightCol<T>,
                HasLearningRate<T>,
                HasGlobalBatchSize<T>,
                HasReg<T>,
                HasElasticNet<T>,
                HasSeed<T>,
                HasOptimizer<T>,
                HasConsistency<T>,
                HasStaleness<T>,
                HasServers<T>,
                HasRemote<T>,
                HasWorkers<T>,
                HasModelRoot<T>,
                HasInitialModel<T>,
                HasOptions<T> {}
