/**
 * The server: a control loop that keeps definitions and sessions, and owner threads, each the event
 * loop of its connections and the only one to touch its partitions. What the control loop decides
 * reaches owners as commands on their loops.
 */
package io.github.flinkps.server;
