/**
 * The schema registry of a home's own broker for other tools, in the words of Confluent's REST
 * protocol.
 *
 * <p>In come requests on loopback. Out go schemas, subjects and ids of the registry that stands
 * behind; in a home it is the topic {@code schemas}.
 *
 * <p>Invariant: a server that only reads changes nothing of its registry, and answers a request to
 * register an existing schema with its id.
 */
package io.millrace.ops.registry;
