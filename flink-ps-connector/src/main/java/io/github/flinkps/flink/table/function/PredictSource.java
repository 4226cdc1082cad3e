package io.github.flinkps.flink.table.function;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.ModelVersion;
import io.github.flinkps.flink.table.RootLocator;
import io.github.flinkps.flink.table.TrainingTable;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;

/**
 * The place in which functions find models: the options of the module, or of a model of Flink's.
 *
 * @param root the model root
 * @param remote servers that may have the models
 * @param peerTimeout how long a server may say nothing, though it is asked
 * @param refreshInterval between two looks for something newer
 * @param cachedRows of each table of a model, at most
 * @param timeout of every wait for servers
 */
record PredictSource(
        String root,
        RemoteServers remote,
        Duration peerTimeout,
        Duration refreshInterval,
        int cachedRows,
        Duration timeout)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * Returns what options say.
     *
     * @throws ValidationException naming the one that is out of range
     */
    static PredictSource of(ReadableConfig options) {
        RemoteServers remote;
        try {
            PsOptions.check(options);
            remote = RemoteServers.of(RemoteServers.addresses(options), options);
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw ModelSpec.refused(e.getMessage(), e);
        }
        return new PredictSource(
                options.get(PsOptions.MODEL_ROOT),
                remote,
                options.get(PsOptions.PEER_TIMEOUT),
                options.get(PsOptions.REFRESH_INTERVAL),
                options.get(PsOptions.CACHE_ROWS),
                options.get(PsOptions.TIMEOUT));
    }

    /**
     * Returns the model of a name, which may begin with that of a catalog: models are those of the
     * root, whatever it is called in a session.
     */
    ModelPath name(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            return path(ServiceRegistry.DEFAULT_DATABASE, text);
        }
        ModelPath whole = path(text.substring(0, dot), text.substring(dot + 1));
        int second = text.indexOf('.', dot + 1);
        if (second < 0) {
            return whole;
        }
        return whole.models().hasModel(whole.database(), whole.model())
                ? whole
                : path(text.substring(dot + 1, second), text.substring(second + 1));
    }

    private ModelPath path(String database, String model) {
        return new ModelPath(new ModelRoot(root).location(), database, model);
    }

    /**
     * Returns the model that the first argument of a call names.
     *
     * @param function whose call it is
     * @throws ValidationException if it is no literal
     */
    ModelPath name(String function, CallContext call) {
        LogicalType type = call.getArgumentDataTypes().get(0).getLogicalType();
        return Optional.of(type)
                .filter(text -> text.is(LogicalTypeFamily.CHARACTER_STRING))
                .flatMap(text -> call.getArgumentValue(0, String.class))
                .map(this::name)
                .orElseThrow(
                        () ->
                                new ValidationException(
                                        function
                                                + ": the first argument must be the name of a"
                                                + " model, a literal"));
    }

    /** Returns the model as a table that rows are written to. */
    TrainingTable table(ModelPath name) {
        return new TrainingTable(
                name.toString(), name, ModelSpec.of(name.toString(), definition(name)), remote);
    }

    /**
     * Returns the definition of a model.
     *
     * @throws ValidationException if there is none of that name, naming those there are
     */
    ModelDefinition definition(ModelPath name) {
        ModelRoot models = name.models();
        if (!models.hasModel(name.database(), name.model())) {
            throw new ValidationException(
                    "there is no model "
                            + name
                            + " in "
                            + models.location()
                            + " (option 'model-root'); database '"
                            + name.database()
                            + "' has "
                            + models.models(name.database()));
        }
        try {
            return models.definition(name.database(), name.model()).orElseThrow();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw ModelSpec.refused(e.getMessage(), e);
        }
    }

    private static void check(ModelPath name, ModelSpec spec, ModelVersion newest) {
        try {
            newest.check(name.toString(), spec, newest.manifest(name.toString(), false));
        } catch (PsException e) {
            throw ModelSpec.refused("model " + name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns how the newest version of a model is found and read.
     *
     * @param spec what the model was declared as
     * @throws ValidationException if it is damaged, of a newer format, or was trained when the
     *     declaration was another; or if there is none, and nobody trains the model
     */
    PredictorSpec predictor(ModelPath name, ModelSpec spec) {
        name.models()
                .newest(name.database(), name.model())
                .ifPresent(version -> check(name, spec, version));
        PredictorSpec found =
                new PredictorSpec(
                        name.toString(),
                        name.nameOnServers(),
                        new RootLocator(name, null),
                        remote.addresses(),
                        remote.security(),
                        peerTimeout,
                        refreshInterval,
                        cachedRows,
                        timeout);
        if (!found.hasModel()) {
            throw new ValidationException(found.noModel());
        }
        return found;
    }
}
