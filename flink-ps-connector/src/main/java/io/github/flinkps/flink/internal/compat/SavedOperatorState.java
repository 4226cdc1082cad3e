package io.github.flinkps.flink.internal.compat;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;

/**
 * Operator state in a savepoint or a retained checkpoint, read without its job, and without the
 * uids of its operators: an operator is known by the state it has. Stateless; blocks its caller
 * with input and output.
 */
public final class SavedOperatorState {
    private SavedOperatorState() {}

    /**
     * The broadcast state of an operator.
     *
     * @param operator the id Flink knows it by, 32 hexadecimal digits
     * @param entries the state, the same at every subtask; empty if none has any
     */
    public record Broadcast<K, V>(String operator, Map<K, V> entries) {}

    /**
     * Returns the broadcast state of every operator that has one of that name.
     *
     * @param path of the checkpoint's directory or metadata file, or a URI
     * @throws IOException if there is no checkpoint; or it cannot be read, naming the file and why
     */
    public static <K, V> List<Broadcast<K, V>> broadcast(
            String path, MapStateDescriptor<K, V> descriptor) throws IOException {
        List<Broadcast<K, V>> found = new ArrayList<>();
        for (OperatorState operator : metadata(path).getOperatorStates()) {
            List<OperatorStateHandle> handles = handles(operator, descriptor.getName());
            if (!handles.isEmpty()) {
                Map<K, V> entries = Map.of();
                for (int i = 0; i < handles.size() && entries.isEmpty(); i++) {
                    entries = read(path, handles.get(i), descriptor);
                }
                found.add(new Broadcast<>(operator.getOperatorID().toHexString(), entries));
            }
        }
        return found;
    }

    private static ClassLoader loader() {
        return SavedOperatorState.class.getClassLoader();
    }

    private static CheckpointMetadata metadata(String path) throws IOException {
        CompletedCheckpointStorageLocation location =
                AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(path);
        try (DataInputStream in =
                new DataInputStream(location.getMetadataHandle().openInputStream())) {
            return Checkpoints.loadCheckpointMetadata(in, loader(), location.getExternalPointer());
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            throw damaged(path, location.getMetadataHandle(), e);
        }
    }

    /**
     * Returns the error for a damaged savepoint, of whatever comes of reading a length or a name
     * that is not what was written.
     */
    private static IOException damaged(String path, StreamStateHandle read, Throwable failure) {
        String why = reason(failure);
        if (read instanceof FileStateHandle file && !why.contains(file.getFilePath().getPath())) {
            why = file.getFilePath() + ": " + why;
        }
        return new IOException(
                "the savepoint " + path + " is damaged or incomplete: " + why, failure);
    }

    /** Returns the message of the innermost cause that has one. */
    private static String reason(Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof EOFException) {
                reason = "it ends early";
            } else if (cause.getMessage() != null) {
                reason = cause.getMessage();
                if (!(cause instanceof IOException)) {
                    reason = cause.getClass().getSimpleName() + ": " + reason;
                }
            }
        }
        return reason;
    }

    /** Returns the handles of the one state, so that nothing else of the operator is read. */
    private static List<OperatorStateHandle> handles(OperatorState operator, String state) {
        List<OperatorStateHandle> handles = new ArrayList<>();
        for (OperatorSubtaskState subtask : operator.getStates()) {
            for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
                OperatorStateHandle.StateMetaInfo offsets =
                        handle.getStateNameToPartitionOffsets().get(state);
                if (offsets != null) {
                    handles.add(
                            new OperatorStreamStateHandle(
                                    Map.of(state, offsets), handle.getDelegateStateHandle()));
                }
            }
        }
        return handles;
    }

    private static <K, V> Map<K, V> read(
            String path, OperatorStateHandle handle, MapStateDescriptor<K, V> descriptor)
            throws IOException {
        OperatorStateBackend backend = null;
        try (CloseableRegistry open = new CloseableRegistry()) {
            backend =
                    new DefaultOperatorStateBackendBuilder(
                                    loader(), new ExecutionConfig(), false, List.of(handle), open)
                            .build();
            BroadcastState<K, V> state = backend.getBroadcastState(descriptor);
            Map<K, V> entries = new HashMap<>();
            state.immutableEntries().forEach(each -> entries.put(each.getKey(), each.getValue()));
            return entries;
        } catch (Exception | OutOfMemoryError e) {
            throw damaged(path, handle.getDelegateStateHandle(), e);
        } finally {
            if (backend != null) {
                backend.dispose();
            }
        }
    }
}
