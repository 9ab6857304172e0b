/**
 * {@code ./millrace faults --outside}: a real batch system behind a connector, whose commands fail,
 * while its daemons and our parts are killed.
 *
 * <p>In: which system, numbers of jobs and kills, a seed, perhaps a fault to plant. Out: what was
 * begun twice, lost, or called ended while it lived, and where the two accounts disagree.
 *
 * <p>Invariant: the faults lie between the connector and the system, in programs that stand in the
 * place of its commands; neither of the two knows of them.
 */
package io.millrace.ops.faults.outside;
