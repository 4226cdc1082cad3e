package io.github.flinkps.flink.service;

/** Folders that every job which runs a graph has for itself, though the graph names them once. */
public final class JobFolders {
    /** Stands in paths for the job's id. */
    public static final String JOB = "__job__";

    private JobFolders() {}

    /** Returns the path in a job; null stays null. */
    public static String of(String path, String jobId) {
        return path == null ? null : path.replace(JOB, jobId);
    }

    /** Returns whether jobs have paths of their own for it. */
    public static boolean isOfJob(String path) {
        return path.contains(JOB);
    }
}
