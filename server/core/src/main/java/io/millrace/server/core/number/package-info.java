/**
 * Subject number: job numbers, leased to the shards in blocks by the administrative one.
 *
 * <p>In: LeaseBlock, GrantBlock, and submissions that need numbers. Out: BlockRequested,
 * BlockLeased, BlockGranted.
 *
 * <p>Invariant: a block belongs to one shard for ever; no number is given twice.
 */
package io.millrace.server.core.number;
