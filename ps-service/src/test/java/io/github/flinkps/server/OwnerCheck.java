package io.github.flinkps.server;

import java.util.function.Supplier;

/** Looks at each model at each owner of a server whose loops do not run meanwhile. */
abstract class OwnerCheck implements Supplier<String> {
    private final ServerNode node;

    OwnerCheck(ServerNode node) {
        this.node = node;
    }

    /** Returns what is wrong with a model at an owner, or null. */
    abstract String wrong(OwnerModel model);

    final Iterable<Owner> owners() {
        return node.owners();
    }

    /** Returns what is wrong, or null. */
    @Override
    public final String get() {
        for (Owner owner : node.owners()) {
            for (OwnerModel model : owner.models()) {
                String wrong = wrong(model);
                if (wrong != null) {
                    return owner.loop() + ": " + wrong;
                }
            }
        }
        return null;
    }
}
