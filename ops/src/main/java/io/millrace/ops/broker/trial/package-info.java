/**
 * Brokers as Kafka brings them, for trials of a cluster: three that are controllers too, with TLS,
 * SCRAM and access rules for clients.
 *
 * <p>In: a folder and the hosts. Out: a folder for each broker with its settings, certificate and
 * formatted log, an administrator's client settings, and a process for each broker.
 *
 * <p>Invariant: passwords are random and in that folder alone, for its owner.
 */
package io.millrace.ops.broker.trial;
