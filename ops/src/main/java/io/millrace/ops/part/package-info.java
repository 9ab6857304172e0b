/**
 * {@code ./millrace part}: one part of a cluster as a program of its own, for images.
 *
 * <p>In: a join file, perhaps an account of Kafka as a folder of a secret, and what the part is to
 * know of its place. Out: a home with the files that the part reads, and the part itself, in this
 * process: a signal is the part's, and the process ends when the part does.
 *
 * <p>Invariant: nothing is made in the cluster, and no administrator's account is asked for.
 */
package io.millrace.ops.part;
