package io.millrace.server.streams;

import java.nio.charset.StandardCharsets;

/** Kafka partition and key of an outgoing record. */
record Target(int partition, byte[] key) {

  static Target of(int partition, String key) {
    return new Target(partition, key.getBytes(StandardCharsets.UTF_8));
  }
}
