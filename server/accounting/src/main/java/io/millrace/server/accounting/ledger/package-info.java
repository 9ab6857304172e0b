/**
 * The ledger of all shards as a sequence of facts, and who takes which of them.
 *
 * <p>In: committed records; where a ledger was cut, the first whole snapshot behind the cut. Out:
 * facts, those of one shard in their order.
 *
 * <p>Invariant: a reader is given nothing twice, and nothing that was not committed.
 */
package io.millrace.server.accounting.ledger;
