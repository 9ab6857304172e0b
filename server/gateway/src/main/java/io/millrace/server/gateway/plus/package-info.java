/**
 * The commands of PluS on reservations, with its transactions.
 *
 * <p>In come options as PluS's manual has them. Out go the same commands to shards as PBS's
 * commands send, and lists and XML made of the shards' records.
 *
 * <p>Invariants: nothing here decides about rights or room, the shard does; the exit status is 0
 * for what is done, 1 for what is refused, 2 for a wrong line.
 */
package io.millrace.server.gateway.plus;
