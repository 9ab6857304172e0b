package io.millrace.connectors.local.order;

import java.time.Duration;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the orders behind one that waits for room on the disk, since perhaps only the end of a run
 * makes room. Each of them is carried out again in its turn.
 */
final class Lookahead {
  private static final Logger log = LoggerFactory.getLogger(Lookahead.class);
  private static final Duration PATIENCE = Duration.ofMillis(200);

  /** Where orders come from. */
  interface OrderSource {
    ConsumerRecords<String, byte[]> poll(Duration patience);

    void seek(long offset);
  }

  private boolean ahead;

  /** Begins anew behind the order that waits. */
  void begin() {
    ahead = false;
  }

  /**
   * Reads further records.
   *
   * @param next the order behind the one that waits
   * @param hurried carries out what cannot wait
   */
  void look(OrderSource orders, long next, Consumer<ConsumerRecord<String, byte[]>> hurried) {
    try {
      if (!ahead) {
        orders.seek(next);
        ahead = true;
      }
      orders.poll(PATIENCE).forEach(hurried);
    } catch (OffsetOutOfRangeException e) {
      // It is reported when it is read again in its turn.
      log.debug("no orders are read ahead: {}", e.toString());
    }
  }

  /**
   * Returns to the usual order of reading after the waiting order was carried out.
   *
   * @param next the order behind it
   * @return whether orders are to be read again from there
   */
  boolean returned(OrderSource orders, long next) {
    if (!ahead) {
      return false;
    }
    orders.seek(next);
    ahead = false;
    return true;
  }
}
