package io.millrace.schemas.hostkey;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Headers of a report or heartbeat that say and prove from which host it comes. The topic's readers
 * alone see proofs, and no executor is one, so that none can be sent again by another host; what a
 * host itself sends again it had told before.
 */
public final class HostProof {
  private static final String HOST = "host";
  private static final String PROOF = "proof";

  private HostProof() {}

  /**
   * A record with a proof that it comes from the key's host.
   *
   * @throws IllegalArgumentException for the key of a whole cluster, which is no host: nobody would
   *     believe it
   */
  public static ProducerRecord<byte[], byte[]> record(
      HostKey key, String topic, int partition, byte[] recordKey, byte[] value) {
    if (!HostKey.isHost(key.host())) {
      throw new IllegalArgumentException(key.host() + " is no host");
    }
    List<Header> headers =
        List.of(
            new RecordHeader(HOST, key.host().getBytes(StandardCharsets.UTF_8)),
            new RecordHeader(PROOF, key.proof(new RecordPlace(topic, partition), value)));
    return new ProducerRecord<>(topic, partition, recordKey, value, headers);
  }

  /**
   * The host that a record proves to come from; empty when it proves none.
   *
   * @param timeMs when it was written, in milliseconds since 1970; not as its writer says
   */
  public static String host(HostKeys keys, ConsumerRecord<byte[], byte[]> record, long timeMs) {
    RecordPlace place = new RecordPlace(record.topic(), record.partition());
    return host(keys, place, record.headers(), record.value(), timeMs);
  }

  /** Where a record lies. */
  public record RecordPlace(String topic, int partition) {}

  /** The same of the parts of a record. */
  public static String host(
      HostKeys keys, RecordPlace place, Headers headers, byte[] value, long timeMs) {
    String claimed = claimed(headers);
    Header proof = headers.lastHeader(PROOF);
    if (claimed.isEmpty() || proof == null || proof.value() == null || value == null) {
      return "";
    }
    Optional<HostKey> key = keys.of(claimed);
    boolean proven = key.isPresent() && key.get().proves(proof.value(), place, value, timeMs);
    return proven ? claimed : "";
  }

  /** The host that headers name, proven or not; empty when they name none. */
  public static String claimed(Headers headers) {
    Header host = headers.lastHeader(HOST);
    String name =
        host == null || host.value() == null
            ? ""
            : new String(host.value(), StandardCharsets.UTF_8);
    return HostKey.isHost(name) ? name : "";
  }
}
