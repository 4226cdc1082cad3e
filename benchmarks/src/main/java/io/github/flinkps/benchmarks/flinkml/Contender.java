package io.github.flinkps.benchmarks.flinkml;

/**
 * A program that is compared.
 *
 * @param name of the project
 * @param main its main class
 * @param classPath of its process
 */
record Contender(String name, String main, String classPath) {
    /**
     * Returns Flink ML's program, named and not by its class, which is compiled with another Flink.
     */
    static Contender peer(String classPath) {
        return new Contender(
                "Flink ML", OurProgram.class.getPackageName() + ".PeerProgram", classPath);
    }

    static Contender ours() {
        return new Contender(
                "flink-ps", OurProgram.class.getName(), System.getProperty("java.class.path"));
    }

    String title(ComparedWorkload workload) {
        return name + " " + workload.estimator();
    }
}
