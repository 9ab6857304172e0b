package io.millrace.server.streams;

import io.millrace.schemas.broker.DroppedRecords;
import io.millrace.server.streams.answer.HeldAnswers;
import io.millrace.server.streams.group.PlannedLeave;
import io.millrace.server.streams.input.GatheredPoll;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Kafka clients of the shards' thread. The one that reads the inboxes waits longer for a
 * command when none has come for a while: the thread's usual rounds, twenty a second, are for what
 * was decided and waits for its commit.
 */
final class ShardClients implements KafkaClientSupplier {
  private static final Logger LOG = LoggerFactory.getLogger(ShardClients.class);

  private final OwnedShards owned;
  private final Runnable changed;
  private final Duration piece;
  private final Duration marks;
  private final PlannedLeave end;

  /** When a transaction of the shards was committed last. */
  private volatile long committedNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

  /** Whether the shards' transaction is open. */
  private volatile boolean begun;

  /**
   * @param changed called when shards are assigned, on the thread that takes them over
   * @param piece longest wait for a command at once
   * @param marks how long the brokers take after a commit until they begin the next transaction, in
   *     which it is gathered what comes; zero where that is no time
   * @param leave leaves the group of servers
   */
  ShardClients(
      OwnedShards owned, Runnable changed, Duration piece, Duration marks, Runnable leave) {
    this.owned = owned;
    this.changed = changed;
    this.piece = piece;
    this.marks = marks;
    this.end = new PlannedLeave(() -> begun, leave);
  }

  /** The end of a server whose shards others take over. */
  PlannedLeave end() {
    return end;
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    begun = false;
    return new ShardProducer(
        config,
        owned.answers(),
        open -> {
          begun = open;
          committedNanos = open ? committedNanos : System.nanoTime();
        });
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new InboxConsumer(config, this);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }

  /** How long to wait for a command; used by one thread. */
  static final class PollPatience {
    /** What was decided is committed long before, and shards that come are restored. */
    static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Half of the time after which shards look at their hosts. */
    static final Duration QUIET_POLL = Duration.ofMillis(250);

    /** After this time they do so once a second. */
    static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

    static final Duration IDLE_POLL = Duration.ofSeconds(1);

    private final LongSupplier nanos;
    private final Duration piece;
    private long activeNanos;
    private Set<TopicPartition> assigned = Set.of();

    /**
     * @param piece longest wait at once
     */
    PollPatience(LongSupplier nanos, Duration piece) {
      this.nanos = nanos;
      this.piece = piece;
      activeNanos = nanos.getAsLong();
    }

    /**
     * Polls in pieces: Kafka's own poll goes on to its end where it was assigned shards, which are
     * to be taken over, but have no commands yet.
     *
     * @param usual the thread's own time
     * @param mostMs until a timer is due
     * @param enough whether what a piece brought ends the wait
     */
    <R> R poll(Duration usual, long mostMs, Function<Duration, R> once, Predicate<R> enough) {
      long waitMs = Math.min(of(usual).toMillis(), mostMs);
      long endNanos = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(waitMs);
      while (true) {
        long leftNanos = Math.max(0, endNanos - nanos.getAsLong());
        R brought = once.apply(Duration.ofNanos(Math.min(leftNanos, piece.toNanos())));
        if (enough.test(brought) || nanos.getAsLong() - endNanos >= 0) {
          return brought;
        }
      }
    }

    /**
     * @param usual the thread's own time; zero while it has something else to do
     */
    Duration of(Duration usual) {
      if (usual.isZero()) {
        active();
      }
      long quietNanos = nanos.getAsLong() - activeNanos;
      if (quietNanos <= QUIET_NANOS) {
        return usual;
      }
      Duration longer = quietNanos > IDLE_NANOS ? IDLE_POLL : QUIET_POLL;
      return usual.compareTo(longer) < 0 ? longer : usual;
    }

    /** Notes the outcome of a poll. */
    void polled(boolean records, Set<TopicPartition> now) {
      if (records || !now.equals(assigned)) {
        assigned = Set.copyOf(now);
        active();
      }
    }

    private void active() {
      activeNanos = nanos.getAsLong();
    }
  }

  /** Tells the answers of a transaction when it is committed, and when one begins and ends. */
  private static final class ShardProducer extends KafkaProducer<byte[], byte[]> {
    private final HeldAnswers answers;
    private final java.util.function.Consumer<Boolean> open;

    ShardProducer(
        Map<String, Object> config,
        HeldAnswers answers,
        java.util.function.Consumer<Boolean> open) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.answers = answers;
      this.open = open;
    }

    @Override
    public void beginTransaction() {
      open.accept(true);
      super.beginTransaction();
    }

    @Override
    public void commitTransaction() {
      boolean committed = false;
      try {
        super.commitTransaction();
        committed = true;
      } finally {
        if (!committed) {
          answers.forget();
        }
      }
      open.accept(false);
      answers.committed();
    }

    @Override
    public void abortTransaction() {
      answers.forget();
      super.abortTransaction();
      open.accept(false);
    }
  }

  private static final class InboxConsumer extends KafkaConsumer<byte[], byte[]> {
    private final PollPatience patience;
    private final GatheredPoll gathered;
    private final OwnedShards owned;
    private final Runnable changed;
    private final PlannedLeave end;

    /** Whether the shards were divided anew since this poll began. */
    private boolean divided;

    InboxConsumer(Map<String, Object> config, ShardClients clients) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      this.patience = new PollPatience(System::nanoTime, clients.piece);
      this.gathered =
          new GatheredPoll(this, () -> System.nanoTime() - clients.committedNanos, clients.marks);
      this.owned = clients.owned;
      this.changed = clients.changed;
      this.end = clients.end;
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
      super.subscribe(
          topics,
          new Ahead(
              listener, changed, () -> divided = true, gathered::revoked, owned.dropped(), end));
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration usual) {
      if (end.insteadOfPoll(usual)) {
        return ConsumerRecords.empty();
      }
      goOn();
      divided = false;
      ConsumerRecords<byte[], byte[]> polled =
          patience.poll(
              usual,
              owned.untilTimerMs(System.currentTimeMillis()),
              super::poll,
              brought -> divided || !brought.isEmpty());
      ConsumerRecords<byte[], byte[]> records = gathered.from(polled, super::poll);
      goOn(); // a division within the poll may have closed shards of which something was polled
      patience.polled(!records.isEmpty(), assignment());
      owned.look(System.currentTimeMillis());
      return records;
    }

    /** Kafka Streams then gives up all shards, and joins the group again. */
    private void goOn() {
      owned
          .dropped()
          .behind(assignment())
          .ifPresent(
              it -> {
                LOG.warn("{}", it);
                throw new TaskMigratedException(it);
              });
    }
  }

  /** Does something when shards come, and notes that all were divided. */
  record Ahead(
      ConsumerRebalanceListener listener,
      Runnable changed,
      Runnable divided,
      java.util.function.Consumer<Collection<TopicPartition>> revoked,
      DroppedRecords dropped,
      PlannedLeave end)
      implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      divided.run();
      dropped.moved(partitions);
      if (!partitions.isEmpty()) {
        changed.run();
      }
      listener.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      revoked.accept(partitions);
      listener.onPartitionsRevoked(partitions);
      dropped.moved(partitions);
    }

    /** Kafka Streams would make a producer anew for shards that it has closed. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      revoked.accept(partitions);
      if (!end.hasLeft()) {
        listener.onPartitionsLost(partitions);
      }
      dropped.moved(partitions);
    }
  }
}
