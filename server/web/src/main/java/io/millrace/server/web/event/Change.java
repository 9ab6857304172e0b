package io.millrace.server.web.event;

import java.util.Optional;

/**
 * One object as it is now.
 *
 * @param partition which of the partitions that are read
 * @param offset of the record
 * @param kind job, node or queue
 * @param data JSON on one line
 * @param owner whose job it is; empty where nobody is known
 */
record Change(int partition, long offset, String kind, String data, Optional<String> owner) {}
