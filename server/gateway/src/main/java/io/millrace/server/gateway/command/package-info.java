/**
 * The commands: one class each behind {@link io.millrace.server.gateway.command.Commands}.
 *
 * <p>In comes an invocation of a verified user. Its options are checked and turned into commands
 * for shards or questions to them; out go the texts and exit codes of PBS. Rights are decided by
 * the shards: a command here only says who asks, with which role, and prints the refusal.
 *
 * <p>Invariants: an option either works or is refused by name; the command ids that an invocation
 * uses depend only on the invocation, so repeating it repeats nothing.
 */
package io.millrace.server.gateway.command;
