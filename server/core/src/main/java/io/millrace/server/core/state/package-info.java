/**
 * What a shard knows, and how it is written.
 *
 * <p>In: what appliers write. Out: what deciders and queries read.
 *
 * <p>Invariant: nothing here knows a subject, and what follows from another record is written with
 * it.
 */
package io.millrace.server.core.state;
