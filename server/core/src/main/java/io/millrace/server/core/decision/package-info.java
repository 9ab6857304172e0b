/**
 * What deciding is, whatever it is about: what a decider sees and returns, and how the decider of a
 * record is found.
 *
 * <p>In: the protocols, whose properties name the subject of each record. Out: the method that
 * decides it, resolved once when the shard starts.
 *
 * <p>Invariant: nothing here knows a subject; a kind without its method ends the start.
 */
package io.millrace.server.core.decision;
