/** Writes files and folders that a command is given, each only as a whole. Used by one thread. */
package io.github.flinkps.cli.output;
