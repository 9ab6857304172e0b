/**
 * Subject cluster: objects that every shard knows, decided in the administrative shard.
 *
 * <p>In: ChangeObject (one at a time, but new nodes of one list together; later ones wait in line),
 * the consents and confirmations of the shards. Out: ChangeOpened ... ChangeClosed there,
 * ObjectWritten and ObjectDeleted everywhere.
 *
 * <p>Invariant: the submitter is answered after every shard has applied the change.
 */
package io.millrace.server.core.cluster;
