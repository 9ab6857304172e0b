/**
 * The gateway's door for callers from afar: HTTP with JSON, behind signed tokens or MUNGE.
 *
 * <p>In come requests over TCP. Out go the same commands that a gateway takes from its socket,
 * through the same command set, under its own Kafka principal and reply partition. It is a process
 * of its own: whoever can reach it from a network does not reach the memory of the local one, its
 * memory and its start are paid only where it is asked for, and it can be stopped alone.
 *
 * <p>Invariant: a user is in a command only when a credential proved him.
 */
package io.millrace.server.web;
