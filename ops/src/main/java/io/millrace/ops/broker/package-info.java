/**
 * The embedded broker: a real Kafka in KRaft mode, one node, in a process of its own.
 *
 * <p>In: a home folder with ports and passwords. Out: a broker on loopback with its log under
 * {@code data/kafka}, and Confluent's registry calls answered from the topic {@code schemas}.
 *
 * <p>Invariant: nobody speaks to it without a password, on any listener, and nobody but the
 * administrator may do what no rule allows.
 */
package io.millrace.ops.broker;
