package io.github.flinkps.common;

/**
 * The input that an update function takes of a push, and so the way in which two pushes to one row
 * become one. By it a client knows what it may add up. The function says it; servers tell clients
 * with the definition of the table. The ids stand on the wire and never change.
 */
public enum UpdateInput {
    /** Steps with the sum of the gradients: pushes are added up. */
    GRADIENT_SUM(1, "sum of gradients"),
    /**
     * Steps with the sum of the gradients over the sum of the rows' weights: gradients are added up
     * after each has been divided by the weight of its own push.
     */
    GRADIENT_MEAN(2, "mean gradient"),
    /** Adds what is pushed, which need not be gradients: pushes are added up. */
    INCREMENT(3, "adds what is pushed"),
    /** Stores what is pushed: of two pushes the later one wins. */
    VALUE(4, "stores what is pushed");

    private final int id;
    private final String description;

    UpdateInput(int id, String description) {
        this.id = id;
        this.description = description;
    }

    public int id() {
        return id;
    }

    /** Returns a phrase for people. */
    public String description() {
        return description;
    }

    /** Returns whether pushes are gradients, so that the function can train a model's table. */
    public boolean isGradient() {
        return this == GRADIENT_SUM || this == GRADIENT_MEAN;
    }

    /**
     * Returns the input of an id.
     *
     * @throws IllegalArgumentException for an unknown id
     */
    public static UpdateInput ofId(int id) {
        for (UpdateInput input : values()) {
            if (input.id == id) {
                return input;
            }
        }
        throw new IllegalArgumentException("unknown input of an update function: " + id);
    }
}
