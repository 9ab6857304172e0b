/**
 * The spool: one directory for each run, which the executor shares with the run's supervisor.
 *
 * <p>In comes a request, which becomes a run directory; out come the fields that the supervisor has
 * written there, and word that something has changed. The files and their words are in SPOOL.md.
 *
 * <p>Invariants: a run directory appears whole and goes whole; one executor at a time uses a spool;
 * a file that cannot be read never hides a run.
 */
package io.millrace.connectors.local.spool;
