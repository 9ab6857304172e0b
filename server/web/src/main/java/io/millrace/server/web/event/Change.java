package io.millrace.server.web.event;

/**
 * One object as it is now.
 *
 * @param partition which of the partitions that are read
 * @param offset of the record
 * @param kind job, node or queue
 * @param data JSON on one line
 */
record Change(int partition, long offset, String kind, String data) {}
