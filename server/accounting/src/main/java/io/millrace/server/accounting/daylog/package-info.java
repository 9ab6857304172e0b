/**
 * Day logs of the server and of the schedulers, in PBS's words where it has some.
 *
 * <p>In: facts, and the attribute {@code log_events}. Out: lines in {@code server_logs} and {@code
 * sched_logs} below the home.
 *
 * <p>Invariant: they tell what the ledger tells, so that a log that is lost can be written anew.
 */
package io.millrace.server.accounting.daylog;
