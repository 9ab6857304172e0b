/**
 * The deciding heart of a shard, free of Kafka, files and clocks.
 *
 * <p>In: one command at a time and the shard's time. Out: facts, an answer, messages to other
 * shards and orders to executors. {@link io.millrace.server.core.Shard} runs the two kinds of code
 * that live in the packages below, one package for each subject: a {@code Deciders} class whose
 * methods read a {@link io.millrace.server.core.View} and return a {@link
 * io.millrace.server.core.Decision}, and an {@code Appliers} class whose methods are the only code
 * that changes state. {@link io.millrace.server.core.Registry} finds both from the schemas.
 *
 * <p>Invariant: the state is a function of the ledger; whatever is not in a fact did not happen.
 */
package io.millrace.server.core;
