/** Data sets made from known models, on the thread that asks for them. */
package io.github.flinkps.cli.generate;
