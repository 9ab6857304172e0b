/**
 * Fair share as commands show it.
 *
 * <p>In: a scheduler object with the texts of a PBS scheduler, and what the shard says its entities
 * have used. Out: the tree of shares as the scheduler has it.
 *
 * <p>Invariant: nothing is kept between two questions.
 */
package io.millrace.server.gateway.share;
