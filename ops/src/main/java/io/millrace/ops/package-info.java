/**
 * Joins the parts into processes: the server with its engines, the broker, the launcher, the
 * benchmarks and the fault injection.
 *
 * <p>In: the command line of an operator. Out: processes, and what they say.
 *
 * <p>Invariant: only this module knows both the server and the schedulers.
 */
package io.millrace.ops;
