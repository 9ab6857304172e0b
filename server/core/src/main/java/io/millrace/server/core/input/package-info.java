/**
 * Subject input: what comes from outside to the policy of a scheduler object.
 *
 * <p>In: NoteInputs with what programs said on the host of the shard's owner. Out: InputsRead, when
 * something in it is new; the record of the scheduler object has what was said last.
 *
 * <p>Invariant: engines know of inputs what stands in the ledger, and nothing else. An input that
 * cannot be read keeps its last content.
 */
package io.millrace.server.core.input;
