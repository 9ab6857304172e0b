package io.millrace.server.accounting;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.WakeupException;

/** Follows the ledger and writes the accounting files. */
public final class Accounting implements AutoCloseable {

  private static final Duration POLL = Duration.ofSeconds(1);

  private final RecordCodec codec;
  private final AccountBook book;
  private final DayFiles files;
  private final Accounts accounts;
  private final LedgerShards ledger;
  private final Map<Integer, Long> kept = new HashMap<>();
  private volatile boolean stopped;

  /**
   * Goes on where the last process stopped.
   *
   * @param kafka client settings
   * @param folder of the files of the days; a folder {@code .state} in it holds how far they are
   * @param zone in which days begin
   * @throws IOException when the folder cannot be used
   */
  public Accounting(Map<String, Object> kafka, RecordCodec codec, Path folder, ZoneId zone)
      throws IOException {
    this.codec = codec;
    this.book = new AccountBook(folder.resolve(".state"), codec);
    this.files = new DayFiles(folder, zone);
    files.cutTo(book.lengths());
    this.accounts = new Accounts(book, files, zone);
    this.ledger = new LedgerShards(kafka, book::offset);
  }

  /** Writes until {@link #stop}. */
  public void run() throws IOException {
    try {
      while (!stopped) {
        step();
      }
    } catch (WakeupException e) {
      // Asked to stop: what was polled last is kept already.
    }
  }

  /** Writes everything that is committed when the call begins. */
  public void catchUp() throws IOException {
    Map<Integer, Long> ends = ledger.ends();
    while (ends.entrySet().stream()
        .anyMatch(end -> ledger.positions().get(end.getKey()) < end.getValue())) {
      step();
    }
  }

  private void step() throws IOException {
    ConsumerRecords<byte[], byte[]> records = ledger.poll(POLL);
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (record.value() != null) {
        accounts.follow(record.partition(), decoded(record));
      }
    }
    files.write().forEach(book::length);
    ledger
        .positions()
        .forEach(
            (shard, next) -> {
              if (!next.equals(kept.put(shard, next))) {
                book.offset(shard, next);
              }
            });
    book.commit();
  }

  private org.apache.avro.specific.SpecificRecord decoded(ConsumerRecord<byte[], byte[]> record) {
    try {
      return codec.decode(record.value());
    } catch (UndecodableRecord e) {
      throw new IllegalStateException(
          "ledger, shard "
              + record.partition()
              + ", offset "
              + record.offset()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** Ends {@link #run}; for another thread. */
  public void stop() {
    stopped = true;
    ledger.wake();
  }

  @Override
  public void close() {
    ledger.close();
    book.close();
  }
}
