/**
 * The gateway: one warm process per host between users and the cluster.
 *
 * <p>In come invocations over a Unix socket (package session). They become commands for shards
 * (package link) or questions to them (package query); out go the texts of PBS (packages command
 * and print).
 *
 * <p>Invariant: the gateway holds no state that is not in the cluster. It may be killed at any
 * moment: clients repeat what was under way under the same command ids.
 */
package io.millrace.server.gateway;
