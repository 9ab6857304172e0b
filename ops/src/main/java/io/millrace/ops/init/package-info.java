/**
 * The initialisation of a cluster: topics, access rules and schemas.
 *
 * <p>In: an administrator's client settings and the number of shards. Out: missing ones are
 * created, existing ones are checked.
 *
 * <p>Invariant: running it again changes nothing, and the number of shards never changes.
 */
package io.millrace.ops.init;
