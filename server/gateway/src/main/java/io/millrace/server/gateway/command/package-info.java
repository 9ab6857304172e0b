/**
 * What a command is, and what all commands have in common.
 *
 * <p>In comes an invocation of a verified user, as a {@link
 * io.millrace.server.gateway.command.Call}: his options, his rights, and the site whose shards he
 * speaks with. Out go the texts and exit codes of PBS. {@link
 * io.millrace.server.gateway.command.CommandTable} finds the commands: each package with commands
 * names its own in a {@link io.millrace.server.gateway.command.CommandSet}, and nobody else knows
 * them. Rights are decided by the shards: a command only says who asks, with which role, and prints
 * the refusal.
 *
 * <p>Invariants: nothing here knows a command; an option either works or is refused by name; the
 * command ids that an invocation uses depend only on the invocation, so repeating it repeats
 * nothing.
 */
package io.millrace.server.gateway.command;
