/**
 * Watches over the engines of a shard's scheduler objects.
 *
 * <p>In: signs of life of engines apart, ends of engines beside the shard. Out: commands that say
 * which engine is silent, failed or works again, and whose partitions the server's own engine takes
 * over.
 *
 * <p>Invariant: nothing here changes state; the shard decides about what was seen. {@link
 * EngineSnapshots} is what engines begin with.
 */
package io.millrace.server.streams.engine;
