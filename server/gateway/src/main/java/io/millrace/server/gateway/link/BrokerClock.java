package io.millrace.server.gateway.link;

import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * The broker's clock as far as its acknowledgements tell: deadlines are held against the time at
 * which it appends a record, and its host may have another time than this one.
 */
final class BrokerClock {
  private volatile long aheadMs;

  /** The broker's time now, as near as is known. */
  long nowMs() {
    return System.currentTimeMillis() + aheadMs;
  }

  /** A record was appended just now. */
  void appended(RecordMetadata metadata) {
    if (metadata.hasTimestamp()) {
      aheadMs = metadata.timestamp() - System.currentTimeMillis();
    }
  }
}
