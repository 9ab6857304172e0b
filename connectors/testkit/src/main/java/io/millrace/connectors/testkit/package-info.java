/**
 * What tests of connectors need: commands with faults, and a Slurm that is simulated behind its
 * commands, so that a history of hours takes seconds.
 *
 * <p>In: commands as the connectors start them. Out: answers in the form of the real ones, at times
 * late, cut or none.
 *
 * <p>Invariant: nothing of it is in the product.
 */
package io.millrace.connectors.testkit;
