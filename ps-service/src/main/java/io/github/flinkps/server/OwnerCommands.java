package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.transport.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/** Commands of the control loop to all owners of a server. Confined to the control loop. */
final class OwnerCommands {
    private final Loop loop;
    private final List<Owner> owners;

    OwnerCommands(Loop loop, List<Owner> owners) {
        this.loop = loop;
        this.owners = owners;
    }

    /** Runs a command at every owner, and then goes on here with what they returned. */
    <T> void everywhere(Function<Owner, T> command, ControlAnswer answer, Consumer<List<T>> then) {
        everywhere(
                command,
                done -> {
                    try {
                        then.accept(done);
                    } catch (RuntimeException | Error e) {
                        answer.fail(e);
                    }
                },
                error -> {
                    answer.onError().run();
                    answer.fail(error);
                });
    }

    /** Runs a command on every owner, for callers that answer no request. */
    <T> void everywhere(
            Function<Owner, T> command, Consumer<List<T>> then, Consumer<Throwable> failed) {
        List<CompletableFuture<T>> done = new ArrayList<>();
        for (Owner owner : owners) {
            CompletableFuture<T> one = new CompletableFuture<>();
            done.add(one);
            try {
                owner.loop().execute(() -> complete(one, command, owner));
            } catch (RejectedExecutionException e) {
                one.completeExceptionally(new PsException(ErrorCode.CLOSED, "server closes", e));
            }
        }
        CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0]))
                .whenComplete((ok, error) -> resume(done, error, then, failed));
    }

    /** Runs a command without a result. */
    void everywhere(Consumer<Owner> command, ControlAnswer answer, Runnable then) {
        this.<Boolean>everywhere(
                owner -> {
                    command.accept(owner);
                    return Boolean.TRUE;
                },
                answer,
                done -> then.run());
    }

    private <T> void resume(
            List<CompletableFuture<T>> done,
            Throwable error,
            Consumer<List<T>> then,
            Consumer<Throwable> failed) {
        try {
            loop.execute(
                    () -> {
                        if (error == null) {
                            then.accept(done.stream().map(CompletableFuture::join).toList());
                        } else {
                            failed.accept(error.getCause() == null ? error : error.getCause());
                        }
                    });
        } catch (RejectedExecutionException e) {
            failed.accept(new PsException(ErrorCode.CLOSED, "server closes", e));
        } catch (OutOfMemoryError e) { // nobody can be told: this is not the control loop's thread
            loop.report(e);
        }
    }

    private static <T> void complete(
            CompletableFuture<T> one, Function<Owner, T> command, Owner owner) {
        try {
            one.complete(command.apply(owner));
        } catch (RuntimeException | Error e) {
            one.completeExceptionally(e);
        }
    }
}
