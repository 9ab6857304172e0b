/**
 * What trials of connectors need: commands with faults, a Slurm that is simulated behind its
 * commands, so that a history of hours takes seconds, and scripts that have real systems here.
 *
 * <p>In: commands as the connectors start them. Out: answers in the form of the real ones, at times
 * late, cut or none.
 *
 * <p>Invariant: no part that serves has any of it; the fault harness takes the scripts.
 */
package io.millrace.connectors.testkit;
