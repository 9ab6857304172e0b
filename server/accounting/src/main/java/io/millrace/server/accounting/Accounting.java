package io.millrace.server.accounting;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.output.CycleDone;
import io.millrace.server.accounting.account.AccountWriter;
import io.millrace.server.accounting.account.ReservationAccounts;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.daylog.AdvanceReport;
import io.millrace.server.accounting.daylog.ClusterLog;
import io.millrace.server.accounting.daylog.CycleLines;
import io.millrace.server.accounting.daylog.LogFolders;
import io.millrace.server.accounting.daylog.LogMasks;
import io.millrace.server.accounting.daylog.ReservationLog;
import io.millrace.server.accounting.daylog.SchedulerLogs;
import io.millrace.server.accounting.daylog.ServerLog;
import io.millrace.server.accounting.daylog.ServerLogLines;
import io.millrace.server.accounting.file.DayFiles;
import io.millrace.server.accounting.ledger.FactReader;
import io.millrace.server.accounting.ledger.Ledger;
import io.millrace.server.accounting.ledger.LedgerShards;
import io.millrace.server.accounting.ledger.LedgerStart;
import io.millrace.server.accounting.ledger.RecentFacts;
import io.millrace.server.accounting.ledger.UndecodableFact;
import io.millrace.server.accounting.letter.CampaignLog;
import io.millrace.server.accounting.letter.CampaignNotices;
import io.millrace.server.accounting.letter.MailNotices;
import io.millrace.server.accounting.letter.MailQueue;
import io.millrace.server.accounting.letter.ReservationNotices;
import io.millrace.server.mail.MailSender;
import io.millrace.server.unprivileged.UnprivilegedProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the ledger, writes the accounting files and day logs, and has mail sent. */
public final class Accounting implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Accounting.class);

  private static final Duration POLL = Duration.ofSeconds(5);

  /**
   * Pause after facts. Accounts need not be quick: few large fetches cost the broker less than many
   * small ones, and each step goes down to the disk.
   */
  private static final Duration GATHER = Duration.ofMillis(400);

  private static final Duration STRANGE_BROKER = Duration.ofSeconds(1);
  private static final Duration NEXT_POLL = Duration.ofMillis(50);
  private static final long LONGEST_STEP_NS = Duration.ofSeconds(1).toNanos();
  private static final int MANY_FACTS = 400;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int LONGEST_TEXT = 4 << 20;
  private static final double MS_OF_SECOND = 1_000.0;
  private static final String LOGS = "logs";
  private static final String CAMPAIGN_LOG = "campaign log";

  /** In place of a shard's number, for how far the records of cycles are read. */
  private static final int CYCLES = -1;

  /** The same for facts about campaigns. */
  private static final int CAMPAIGNS = -2;

  private static final String NOTICE = NoticeWritten.class.getSimpleName();

  private final RecordCodec codec;
  private final Clock clock;
  private final AccountBook book;
  private final DayFiles files;
  private final AccountWriter accounts;
  private final List<Consumer<ClusterObject>> heeding = new ArrayList<>();
  private final AttributeFollower settings;
  private final List<FactReader> readers = new ArrayList<>();

  /** Those of them that facts of a name mean something to. */
  private final Map<String, List<FactReader>> byFact = new HashMap<>();

  private final Ledger ledger;
  private final LedgerStart start;
  private final Map<Integer, Long> kept = new HashMap<>();
  private final LogFolders logs;
  private final MailSender mail;
  private CycleLines cycles;
  private CampaignNotices notices;
  private CampaignLog campaignLog;
  private volatile boolean stopped;

  /**
   * Goes on where the last process stopped.
   *
   * @param kafka client settings
   * @param folder of the files of the days; a folder {@code .state} in it holds how far they are
   * @param clock with the zone in which days begin
   * @param home below which day logs are written too, and for which mail is sent, about what
   *     happens from the first time on; null: only the accounting files are written
   * @throws IOException when the folder cannot be used
   */
  public Accounting(
      Map<String, Object> kafka, RecordCodec codec, Path folder, Clock clock, Path home)
      throws IOException {
    this(new LedgerShards(kafka), codec, folder, clock, home);
  }

  Accounting(Ledger ledger, RecordCodec codec, Path folder, Clock clock, Path home)
      throws IOException {
    this.ledger = ledger;
    this.codec = codec;
    this.clock = clock;
    this.book = new AccountBook(folder.resolve(".state"), codec);
    this.files = new DayFiles(folder, clock.getZone());
    this.accounts = new AccountWriter(book, files, clock.getZone());
    this.settings = new AttributeFollower(book, heeding);
    boolean opened = false;
    try {
      files.open(book);
      this.start = new LedgerStart(ledger, codec, book, this::known);
      this.logs = home == null ? null : new LogFolders(home, book, clock.getZone());
      this.mail = home == null ? null : live(clock, home);
      // Last, for the others want a job as it was before its end.
      readers.add(accounts);
      readers.add(new ReservationAccounts(files, clock.getZone()));
      opened = true;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  private MailSender live(Clock clock, Path home) {
    MailQueue box = new MailQueue(book, clock.millis());
    LogMasks masks = new LogMasks();
    book.settings().forEach(masks::heed);
    long sinceMs = book.since(LOGS, clock.millis());
    ServerLogLines lines = new ServerLogLines(logs, masks, clock.getZone());
    heeding.add(box::heed);
    heeding.add(masks::heed);
    readers.add(settings);
    readers.add(new RecentFacts(sinceMs, new ServerLog(lines)));
    readers.add(new RecentFacts(sinceMs, new ReservationLog(lines)));
    readers.add(new RecentFacts(sinceMs, new AdvanceReport(logs)));
    readers.add(new RecentFacts(sinceMs, new ClusterLog(book, lines)));
    readers.add(new RecentFacts(sinceMs, new SchedulerLogs(logs, masks, clock.getZone())));
    readers.add(new RecentFacts(box.sinceMs(), new MailNotices(book, box)));
    readers.add(new RecentFacts(box.sinceMs(), new ReservationNotices(box, clock.getZone())));
    cycles = new CycleLines(logs, masks, clock.getZone());
    ledger.with(Topics.CYCLES, book.offset(CYCLES));
    notices = new CampaignNotices(box);
    ledger.with(Topics.CAMPAIGN_LEDGER, book.offset(CAMPAIGNS));
    return new MailSender(box, clock, new UnprivilegedProgram(home));
  }

  /** Has lines about campaigns written to a file, beside mail; before it runs. */
  void logCampaigns(Path file) {
    long sinceMs = book.since(CAMPAIGN_LOG, clock.millis());
    campaignLog = new CampaignLog(file, book, clock, sinceMs);
    if (mail == null) {
      // Otherwise its facts are read for letters.
      ledger.with(Topics.CAMPAIGN_LEDGER, book.offset(CAMPAIGNS));
    }
  }

  /** What a snapshot has of the time before a ledger was cut. */
  private void known(int shard, SpecificRecord record) {
    accounts.known(shard, record);
    if (record instanceof ClusterObject object) {
      settings.written(object);
    }
  }

  /** Writes until {@link #stop}. */
  public void run() throws IOException {
    if (mail != null) {
      mail.start();
    }
    Measures.ofProcess()
        .answer(
            Metric.LEDGER_LAG, into -> ledger.lags().forEach((shard, lag) -> into.is(lag, shard)));
    try {
      while (!stopped) {
        stepOrWait();
      }
    } catch (WakeupException e) {
      // Asked to stop: what was polled and not kept is read again by the next process.
    }
  }

  /** A strange broker in the broker's place is no reason to end: ours may come back. */
  private void stepOrWait() throws IOException {
    try {
      if (step()) {
        LockSupport.parkNanos(GATHER.toNanos());
      }
    } catch (AuthenticationException e) {
      LockSupport.parkNanos(STRANGE_BROKER.toNanos());
    }
  }

  /**
   * Writes everything that is committed when the call begins.
   *
   * @throws IOException also in one line when nothing more of it comes for 30 s
   */
  public void catchUp() throws IOException {
    catchUp(PATIENCE);
  }

  /**
   * @param patience how long nothing may come
   */
  void catchUp(Duration patience) throws IOException {
    Map<Integer, Long> ends = ledger.ends();
    Map<Integer, Long> before = null;
    long since = System.nanoTime();
    while (ends.entrySet().stream()
        .anyMatch(end -> ledger.positions().get(end.getKey()) < end.getValue())) {
      Map<Integer, Long> now = Map.copyOf(ledger.positions());
      if (!now.equals(before)) {
        before = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > patience.toNanos()) {
        throw new IOException(
            "the ledger cannot be read to its end: nothing came for "
                + patience.toMillis() / 1000.0
                + " s");
      }
      step();
    }
  }

  /**
   * When it has fallen behind it reads for a while, for each step goes down to the disk.
   *
   * @return whether it has read facts, and all that there were
   */
  boolean step() throws IOException {
    start.load();
    long begin = System.nanoTime();
    boolean read = false;
    boolean behind = false;
    try {
      boolean more = true;
      Duration wait = POLL;
      while (more && !stopped) {
        ConsumerRecords<byte[], byte[]> records = ledger.poll(wait);
        wait = NEXT_POLL;
        read |= !records.isEmpty();
        for (TopicPartition it : records.partitions()) {
          if (it.topic().equals(Topics.CYCLES)) {
            records.records(it).forEach(this::cycle);
          } else if (it.topic().equals(Topics.CAMPAIGN_LEDGER)) {
            records.records(it).forEach(this::notice);
          } else {
            follow(it.partition(), records.records(it));
          }
        }
        behind = records.count() >= MANY_FACTS;
        more =
            behind
                && files.unwritten() + (logs == null ? 0 : logs.unwritten()) < LONGEST_TEXT
                && System.nanoTime() - begin < LONGEST_STEP_NS;
      }
      keep();
    } catch (OffsetOutOfRangeException e) {
      keep();
      e.offsetOutOfRangePartitions().forEach(this::lost);
    }
    return read && !behind;
  }

  /** The place from which something was to be read is not there any more. */
  private void lost(TopicPartition place, long offset) {
    if (place.topic().equals(Topics.LEDGER)) {
      start.lost(place.partition(), offset);
    } else {
      ledger.with(place.topic(), OptionalLong.of(offset));
    }
  }

  /** Records of cycles tell, and decide nothing: one that cannot be read is passed over. */
  private void cycle(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (codec.decode(record.value()) instanceof CycleDone done) {
        cycles.follow(done);
      }
    } catch (UndecodableRecord e) {
      LOG.warn("the record of a cycle at {} cannot be read: {}", record.offset(), e.getMessage());
    }
  }

  /** Most facts about campaigns are nothing for a letter: their names are enough. */
  private void notice(ConsumerRecord<byte[], byte[]> record) {
    try {
      String name = codec.nameOf(record.value());
      if (notices != null
          && name.equals(NOTICE)
          && codec.decode(record.value()) instanceof NoticeWritten notice) {
        notices.follow(notice);
      } else if (campaignLog != null && campaignLog.tells(name)) {
        campaignLog.follow(codec.decode(record.value()));
      }
    } catch (UndecodableRecord e) {
      LOG.warn("a fact of campaigns at {} cannot be read: {}", record.offset(), e.getMessage());
    }
  }

  private void follow(int shard, List<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (start.waits(shard, record.offset())) {
        ledger.seek(shard, start.until(shard));
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
      List<FactReader> told = byFact.computeIfAbsent(codec.nameOf(record.value()), this::told);
      if (!told.isEmpty()) {
        SpecificRecord fact = codec.decode(record.value());
        told.forEach(it -> it.follow(shard, fact));
      }
    } catch (UndecodableRecord e) {
      throw new UndecodableFact(record, e);
    }
  }

  private List<FactReader> told(String fact) {
    return readers.stream().filter(it -> it.tells(fact)).toList();
  }

  private void keep() throws IOException {
    files.write(book);
    if (logs != null) {
      logs.write();
    }
    if (campaignLog != null) {
      campaignLog.write();
    }
    ledger.position(Topics.CYCLES).ifPresent(next -> keep(CYCLES, next));
    ledger.position(Topics.CAMPAIGN_LEDGER).ifPresent(next -> keep(CAMPAIGNS, next));
    ledger.positions().forEach(this::keep);
    book.commit();
    Measures.ofProcess().set(Metric.WRITTEN, System.currentTimeMillis() / MS_OF_SECOND);
  }

  private void keep(int shard, long next) {
    Long before = kept.put(shard, next);
    if (before == null || before != next) {
      book.offset(shard, next);
    }
  }

  /** What is in the way of following the ledger, in one line; for other threads. */
  String obstacle() {
    return ledger.connected() ? "" : "no broker is connected";
  }

  /** Ends {@link #run}; for another thread. */
  public void stop() {
    stopped = true;
    ledger.wake();
  }

  @Override
  public void close() {
    if (mail != null) {
      mail.close();
    }
    ledger.close();
    book.close();
  }
}
