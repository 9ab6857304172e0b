/**
 * {@code ./millrace cluster} and {@code acls}: the words for a Kafka cluster that homes share.
 *
 * <p>In: an administrator's account for {@code check}, {@code init} and rules, a home for {@code
 * drain} and {@code undrain}. Out: lines, a join file, or a server that has given its shards away.
 *
 * <p>Invariant: what a word of a home does is that home's alone. Nobody ends a server of another
 * home: the brokers carry no such command, and no account of the join file could send one.
 */
package io.millrace.ops.cluster;
