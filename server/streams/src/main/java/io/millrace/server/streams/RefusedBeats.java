package io.millrace.server.streams;

import io.millrace.schemas.hostkey.HostKey;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Writes down heartbeats that do not prove the host that they name: the first, and one in ten
 * minutes of those that go on, as they come every two seconds. Used by one thread.
 */
final class RefusedBeats {
  private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Most hosts that are told apart; a forger may name ever new ones. */
  private static final int HOSTS_MAX = 1_000;

  private final Consumer<String> refusals;
  private final Map<String, Long> told = new HashMap<>();

  RefusedBeats(Consumer<String> refusals) {
    this.refusals = refusals;
  }

  /**
   * @param proven the host that the record comes from; empty when nothing proves it
   * @param named the host that it names
   */
  void tell(String proven, String named, ConsumerRecord<byte[], byte[]> record) {
    String name = HostKey.isName(named) ? named : "?";
    long now = System.nanoTime();
    told.values().removeIf(at -> now - at >= AGAIN_NANOS);
    String which = proven + " " + name;
    if (told.size() >= HOSTS_MAX || told.putIfAbsent(which, now) != null) {
      return;
    }
    refusals.accept(
        "refused heartbeat"
            + (proven.isEmpty() ? " reason=proof" : " host=" + proven + " reason=host")
            + " claims="
            + name
            + " record="
            + record.topic()
            + "-"
            + record.partition()
            + "@"
            + record.offset());
  }
}
