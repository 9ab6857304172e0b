/**
 * Commands that a measurement runs in its own process.
 *
 * <p>In: a command line of PBS for the gateway in this process. Out: what it printed, and what a
 * line of that says.
 *
 * <p>Invariant: nothing is started and no socket opened, so that only the gateway, the shards and
 * what is behind them are timed.
 */
package io.millrace.ops.bench.call;
