/**
 * Advance reservations: pbs_rsub, pbs_rstat, pbs_rdel and pbs_ralter.
 *
 * <p>In come options as PBS's commands take them. Out go commands to the shard that holds the
 * reservation, or is to hold it, with who asks as the gateway knows it; and PBS's lists and texts,
 * made of the shards' records.
 *
 * <p>Invariants: nothing here decides about rights or room, the shard does; what an option asks for
 * is done or refused by name; only the whole name of a reservation, its letter and its number
 * without leading zeros, names it.
 */
package io.millrace.server.gateway.reservation;
