/**
 * Programs to start from, each a Flink job with a {@code main} that says in its first lines what it
 * shows and how to run it; what is no program is a model, an optimizer or data of theirs. Mains run
 * on the client's thread, all else on tasks' threads.
 */
package io.github.flinkps.examples;
