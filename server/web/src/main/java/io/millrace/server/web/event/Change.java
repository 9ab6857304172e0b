package io.millrace.server.web.event;

/**
 * One object as it is now, or what happened to it.
 *
 * @param partition which of the partitions that are read
 * @param offset of the record
 * @param kind word of a kind
 * @param told what is told of it, to whom
 */
record Change(int partition, long offset, String kind, ChangeText.ToldChange told) {}
