/** Tells who operates a server by HTTP whether it lives, and what it does. */
package io.github.flinkps.cli.operations;
