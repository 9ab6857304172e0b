/**
 * Where the engine of a scheduler object is: on which host, and whether one apart has its place.
 *
 * <p>In: the facts of the object's shard, in order. Out: whether the engine has its place, has lost
 * it, and to whom, or may ask for it again. Reads no clock and no topic.
 *
 * <p>Invariant: of a batch of facts the last word counts, not the first.
 */
package io.millrace.schedulers.engine.place;
