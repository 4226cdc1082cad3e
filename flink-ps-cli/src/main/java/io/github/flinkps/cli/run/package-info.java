/**
 * Holds what every command's run needs: what must be undone when it ends or is interrupted, and how
 * failures and amounts are told. Used by the main thread and by the hook that runs when the process
 * ends.
 */
package io.github.flinkps.cli.run;
