/**
 * The schema registry of a cluster for other tools, in the words of Confluent's REST protocol: of a
 * home's own broker, or beside the web part of a given one.
 *
 * <p>In come requests. Out go schemas, subjects and ids of the registry that stands behind; in a
 * home it is the topic {@code schemas}.
 *
 * <p>Invariant: a server that only reads changes nothing of its registry, and answers a request to
 * register an existing schema with its id.
 */
package io.millrace.server.web.registry;
