/**
 * The gateway: one warm process per host between users and the cluster.
 *
 * <p>In come invocations over a Unix socket (package session). They become commands for shards
 * (package link) or questions to them (package query); out go the texts of PBS. What a command is
 * stands in the package command; the commands stand by subject in submit, job, status, trace and
 * admin, over what they share in operand and request; how things look stands in print.
 *
 * <p>Invariant: the gateway holds no state that is not in the cluster. It may be killed at any
 * moment: clients repeat what was under way under the same command ids.
 */
package io.millrace.server.gateway;
