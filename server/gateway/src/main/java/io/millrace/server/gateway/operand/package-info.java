/**
 * What commands are given besides options: job identifiers, destinations, dates, letters of holds,
 * and lines of files.
 *
 * <p>In come words as users type them. Out come job numbers, queues and times, or PBS's refusal of
 * the form; a list of jobs is also carried through here, one after the other, with what PBS says of
 * each that is refused.
 *
 * <p>Invariant: a job identifier is read in one place, so that all commands take the same forms.
 */
package io.millrace.server.gateway.operand;
