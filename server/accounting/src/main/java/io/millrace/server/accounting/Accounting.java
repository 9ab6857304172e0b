package io.millrace.server.accounting;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.WakeupException;

/** Follows the ledger and writes the accounting files. */
public final class Accounting implements AutoCloseable {

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration NEXT_POLL = Duration.ofMillis(50);
  private static final long LONGEST_STEP_NS = Duration.ofSeconds(1).toNanos();
  private static final int MANY_FACTS = 400;
  private static final int LONGEST_TEXT = 4 << 20;

  private final RecordCodec codec;
  private final AccountBook book;
  private final DayFiles files;
  private final Accounts accounts;
  private final Ledger ledger;
  private final LedgerBegins begins;
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
    this(new LedgerShards(kafka), codec, folder, zone);
  }

  Accounting(Ledger ledger, RecordCodec codec, Path folder, ZoneId zone) throws IOException {
    this.ledger = ledger;
    this.codec = codec;
    this.book = new AccountBook(folder.resolve(".state"), codec);
    this.files = new DayFiles(folder, zone);
    this.accounts = new Accounts(book, files, zone);
    boolean opened = false;
    try {
      files.open(book);
      this.begins = new LedgerBegins(ledger, codec, book, accounts);
      opened = true;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  /** Writes until {@link #stop}. */
  public void run() throws IOException {
    try {
      while (!stopped) {
        step();
      }
    } catch (WakeupException e) {
      // Asked to stop: what was polled and not kept is read again by the next process.
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

  /** When it has fallen behind it reads for a while, for each step goes down to the disk. */
  void step() throws IOException {
    begins.load();
    long begin = System.nanoTime();
    try {
      boolean more = true;
      Duration wait = POLL;
      while (more && !stopped) {
        ConsumerRecords<byte[], byte[]> records = ledger.poll(wait);
        wait = NEXT_POLL;
        records.partitions().forEach(it -> follow(it.partition(), records.records(it)));
        more =
            records.count() >= MANY_FACTS
                && files.unwritten() < LONGEST_TEXT
                && System.nanoTime() - begin < LONGEST_STEP_NS;
      }
      keep();
    } catch (OffsetOutOfRangeException e) {
      keep();
      e.offsetOutOfRangePartitions()
          .forEach((place, offset) -> begins.lost(place.partition(), offset));
    }
  }

  private void follow(int shard, List<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (begins.waits(shard, record.offset())) {
        ledger.seek(shard, begins.until(shard));
        return;
      }
      if (record.value() != null) {
        follow(shard, record);
      }
    }
  }

  /** Most facts give no line: their names are enough. */
  private void follow(int shard, ConsumerRecord<byte[], byte[]> record) {
    try {
      if (accounts.tells(codec.nameOf(record.value()))) {
        accounts.follow(shard, codec.decode(record.value()));
      }
    } catch (UndecodableRecord e) {
      throw undecodable(record, e);
    }
  }

  private void keep() throws IOException {
    files.write(book);
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

  static IllegalStateException undecodable(ConsumerRecord<?, ?> record, UndecodableRecord e) {
    return new IllegalStateException(
        "ledger, shard "
            + record.partition()
            + ", offset "
            + record.offset()
            + ": "
            + e.getMessage(),
        e);
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
