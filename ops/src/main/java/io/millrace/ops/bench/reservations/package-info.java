/**
 * Reservations of a whole installation: how fast they are made and shown beside many, and how soon
 * what they are for begins.
 *
 * <p>In: a site that a benchmark has started. Out: named figures.
 *
 * <p>Invariant: what is timed was asked for by a command; when a thing happened is what a script
 * wrote or what the ledger tells, not what this process saw.
 */
package io.millrace.ops.bench.reservations;
