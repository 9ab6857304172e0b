/**
 * Where and when a request fits, and why it does not.
 *
 * <p>In: the books of a scheduler and a request. Out: an allocation now ({@link
 * io.millrace.schedulers.core.search.FirstFitSearch}), at the earliest time at which there is room
 * ({@link io.millrace.schedulers.core.search.EarliestStartSearch}), or the shortage that is in the
 * way ({@link io.millrace.schedulers.core.search.Diagnosis}).
 *
 * <p>Invariant: a search changes nothing; what it keeps from one call to the next only spares work.
 * What it costs is counted in units, by which a cycle is bounded.
 */
package io.millrace.schedulers.core.search;
