/**
 * The books of one scheduler joined: what each fact of the shard means for them, and who is told of
 * what has changed.
 *
 * <p>In: facts, and what cycles decide. Out: {@link
 * io.millrace.schedulers.core.state.SchedulerBooks}, with the {@link
 * io.millrace.schedulers.core.state.ReadyQueue} of classes that the next cycle has to look at.
 *
 * <p>Invariant: a state that has followed facts decides as one that is rebuilt from a snapshot;
 * each book changes its own fields only and tells others by the methods that say what happened.
 */
package io.millrace.schedulers.core.state;
