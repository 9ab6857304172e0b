/**
 * Subject parking: commands that cannot be decided here or now.
 *
 * <p>In: a command and what it waits for, or a command about a job that is elsewhere. Out:
 * CommandParked, and CommandsReleased when it has happened or the timer says that it took too long;
 * a message to the shard where the job is.
 *
 * <p>Invariant: no command goes round in the inbox while nothing happens.
 */
package io.millrace.server.core.parking;
