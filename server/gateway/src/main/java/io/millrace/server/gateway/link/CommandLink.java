package io.millrace.server.gateway.link;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link ShardLink} over Kafka: an idempotent producer to the topic commands, a reader of the own
 * partition of replies, and a sweep that repeats or gives up what waits too long. It can be used in
 * process, without any session, by whoever holds the gateway's Kafka principal.
 */
public final class CommandLink implements ShardLink, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommandLink.class);
  private static final long SWEEP_MS = 200;
  private static final long SEND_SLOW_NANOS = 300_000_000;

  /** Pause after an attempt that failed, which took its time itself. */
  private static final long AGAIN_NANOS = 100_000_000;

  private static final String SILENT_BROKER = "the broker does not answer";

  /** An earlier copy would have been decided before: a refusal of this code is about it too. */
  private static final int WITHDRAWN = PbsError.WITHDRAWN.code();

  private final LinkSettings settings;
  private final RecordCodec codec;
  private final UnansweredWindow window;
  private final Map<CommandId, UnansweredCommand> waiting = new ConcurrentHashMap<>();
  private final TopicReader replies;
  private final ScheduledExecutorService sweep =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "gateway-resend"));
  private final Object producerLock = new Object();
  private final BrokerClock clock = new BrokerClock();
  private final int place;
  private volatile AnswerConnection atOnce;
  private volatile CommandProducer producer;
  private volatile boolean closed;

  /**
   * Connects; {@link #start} must be called before the first command.
   *
   * @param settings Kafka properties, partition and bounds
   * @param codec turns records into bytes and back
   */
  public CommandLink(LinkSettings settings, RecordCodec codec) {
    this.settings = settings;
    this.place =
        Topics.replyPlace(settings.replyPartition(), ThreadLocalRandom.current().nextInt());
    this.codec = codec;
    this.window = new UnansweredWindow(settings.limits());
    this.producer = new CommandProducer(settings);
    this.replies =
        new TopicReader(
            "gateway-replies",
            () -> TopicReader.consumer(settings.kafka()),
            new TopicPartition(Topics.REPLIES, settings.replyPartition()),
            TopicReader.ReadStart.END,
            this::hear);
  }

  /**
   * Answers of the server that listens there are heard at once, beside those of the topic.
   *
   * @param token that queries must show
   */
  public void hearAt(Path socket, Supplier<String> token) {
    atOnce = new AnswerConnection(socket, place, token, this::hear);
  }

  /** Waits until the reply partition is read from its present end on. */
  public void start() throws InterruptedException {
    replies.start();
    replies.awaitReady();
    startSweeping();
  }

  /** Repeats and gives up from here on. */
  void startSweeping() {
    sweep.scheduleWithFixedDelay(this::sweep, SWEEP_MS, SWEEP_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public int replyPlace() {
    return place;
  }

  @Override
  public CompletableFuture<Reply> send(
      String client,
      int shard,
      CommandId id,
      SpecificRecord command,
      Consumer<String> interim,
      Duration patience)
      throws InterruptedException {
    CompletableFuture<Reply> joined = join(waiting.get(id));
    if (joined != null) {
      return joined;
    }
    Duration wait = patience.isZero() ? settings.timing().answer() : patience;
    long deadlineMs = clock.nowMs() + wait.toMillis();
    Envelope.ofCommand(command).setDeadlineMs(deadlineMs);
    byte[] bytes = codec.encode(command);
    if (bytes.length > Topics.COMMAND_BYTES_MAX) {
      return CompletableFuture.failedFuture(tooLarge(bytes.length));
    }
    if (!window.enter(client, bytes.length, settings.timing().answer())) {
      return CompletableFuture.failedFuture(noRoom());
    }
    UnansweredCommand fresh = new UnansweredCommand(client, shard, id, bytes, interim, wait);
    fresh.unsentPatience = patience.isZero() ? settings.timing().delivery() : patience;
    fresh.deadlineMs = deadlineMs;
    CompletableFuture<Reply> answer = join(fresh);
    UnansweredCommand earlier = waiting.putIfAbsent(id, fresh);
    if (earlier != null) {
      window.leave(client, bytes.length);
      CompletableFuture<Reply> other = join(earlier);
      return other != null ? other : send(client, shard, id, command, interim, patience);
    }
    fresh.reply.whenComplete(
        (reply, failure) -> {
          waiting.remove(id, fresh);
          known(fresh);
        });
    if (closed) {
      fail(fresh, LinkException.LinkFailureKind.CLOSED, "the gateway stops");
    } else {
      produce(fresh);
    }
    return answer;
  }

  /**
   * A future for one more caller that waits for the answer; null when all others have just
   * cancelled. When all callers have cancelled, the command is forgotten here.
   */
  private static CompletableFuture<Reply> join(UnansweredCommand command) {
    if (command == null) {
      return null;
    }
    CompletableFuture<Reply> answer = command.reply.copy();
    synchronized (command) {
      if (command.reply.isCancelled()) {
        return null;
      }
      command.takers++;
    }
    answer.whenComplete(
        (reply, failure) -> {
          if (answer.isCancelled()) {
            withdraw(command);
          }
        });
    return answer;
  }

  private static void withdraw(UnansweredCommand command) {
    synchronized (command) {
      if (--command.takers == 0) {
        command.reply.cancel(false);
      }
    }
  }

  /** Marks a command as received by its shard: it is not repeated and takes no room of others. */
  private void known(UnansweredCommand command) {
    boolean held;
    synchronized (command) {
      held = command.bytes != null;
      command.bytes = null;
    }
    if (held) {
      window.leave(command.client, command.size);
    }
  }

  private static LinkException tooLarge(int bytes) {
    return new LinkException(
        LinkException.LinkFailureKind.TOO_LARGE,
        "script, variables and arguments have "
            + bytes
            + " bytes together; at most "
            + Topics.COMMAND_BYTES_MAX
            + " can be sent");
  }

  private LinkException noRoom() {
    return new LinkException(
        LinkException.LinkFailureKind.NO_ROOM,
        "the gateway holds as many unanswered commands as it may, of yours or of all ("
            + window.total()
            + " commands, "
            + window.totalBytes()
            + " bytes); try again when some were answered");
  }

  /** Number of commands whose answer is awaited, also those that are not repeated. */
  int awaited() {
    return waiting.size();
  }

  /** Whether answers can come now. */
  public boolean connected() {
    return replies.connected();
  }

  /** Commands that wait for an answer now. */
  public int unanswered() {
    return window.total();
  }

  @Override
  public String trouble(CommandId id, boolean due) {
    UnansweredCommand command = waiting.get(id);
    if (command == null || !command.isOpen()) {
      return "";
    }
    if (!command.delivered) {
      return SILENT_BROKER;
    }
    return due ? "no answer from shard " + command.shard + " yet" : "";
  }

  private void produce(UnansweredCommand command) {
    AnswerConnection server = atOnce;
    if (server != null) {
      server.listen();
    }
    // Twice the pause each time: repeating must not keep a shard that is behind from catching up.
    if (command.sends > 0) {
      Measures.ofProcess().count(Metric.REPEATED);
    }
    long pause = settings.timing().resend().toNanos() << Math.min(command.sends++, 4);
    command.nextSendNanos = System.nanoTime() + pause;
    CommandProducer used = producer;
    byte[] bytes = command.bytes;
    if (bytes == null) {
      return;
    }
    command.withdrawn = false;
    command.attempts.incrementAndGet();
    BooleanSupplier leaving =
        used.send(
            command.shard,
            command.id.bytes(),
            bytes,
            (left, record, failure) -> {
              if (failure == null) {
                clock.appended(record);
                command.delivered = true;
              } else {
                missed(command, used, left, failure);
              }
              if (command.attempts.decrementAndGet() == 0 && command.ending) {
                conclude(command, command.delivered || command.left);
              }
            });
    command.leaving = leaving;
  }

  /** An attempt failed: the next one follows, unless no broker will ever take the command. */
  private void missed(
      UnansweredCommand command, CommandProducer used, boolean left, Exception failure) {
    boolean refused =
        failure instanceof RecordTooLargeException || failure instanceof AuthorizationException;
    command.left |= left && !refused;
    command.failure =
        failure instanceof TimeoutException ? SILENT_BROKER : String.valueOf(failure.getMessage());
    String id = HexFormat.of().formatHex(command.id.bytes());
    LOG.warn("command {} was not taken by the broker: {}", id, failure.toString());
    if (!(failure instanceof RetriableException) && !closed) {
      sweep.execute(() -> replace(used));
    }
    command.ending |= refused && !command.delivered;
    command.nextSendNanos = System.nanoTime() + AGAIN_NANOS;
    command.failed = true;
  }

  /** Drops a producer that failed for good; the next command gets a new one. */
  private void replace(CommandProducer failed) {
    synchronized (producerLock) {
      if (producer == failed && !closed) {
        producer = new CommandProducer(settings);
        failed.abort();
      }
    }
  }

  void hear(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() != null) {
      hear(record.value());
    }
  }

  private void hear(byte[] answer) {
    try {
      if (codec.decode(answer) instanceof Reply reply) {
        hear(reply);
      }
    } catch (UndecodableRecord e) {
      LOG.warn("a reply cannot be decoded: {}", e.getMessage());
    }
  }

  /** One that makes no sense must not be read again and again, and keep all others waiting. */
  private void hear(Reply reply) {
    try {
      answer(reply);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      String id = HexFormat.of().formatHex(reply.getId().bytes());
      LOG.warn("an answer to command {} makes no sense: {}", id, e.getMessage());
    }
  }

  private void answer(Reply reply) {
    UnansweredCommand command = waiting.get(reply.getId());
    if (command == null) {
      return;
    }
    if (reply.getInterim()) {
      known(command); // it is parked in the shard's state, and will be answered
      reply.getLines().forEach(command.interim);
    } else if (reply.getCode() == WITHDRAWN || reply.getCode() == PbsError.COMMAND_LATE.code()) {
      late(command, reply);
    } else {
      command.reply.complete(reply);
    }
  }

  /**
   * A copy was appended after its deadline: the broker's clock is ahead of what was known. As long
   * as somebody waits, the command goes out again with a later one.
   */
  private static void late(UnansweredCommand command, Reply reply) {
    boolean allCopies =
        reply.getCode() == WITHDRAWN
            && Long.parseLong(reply.getLines().get(1)) >= command.deadlineMs;
    command.withdrawn |= allCopies;
    command.late = true;
    command.failed = true;
    command.nextSendNanos = System.nanoTime();
  }

  /** Gives a command that came too late the deadline of those who still wait. */
  private void renew(UnansweredCommand command) {
    byte[] bytes = command.bytes;
    if (!command.late || bytes == null) {
      return;
    }
    try {
      SpecificRecord record = codec.decode(bytes);
      long deadlineMs = clock.nowMs() + Math.max(0, command.remaining().toMillis());
      command.deadlineMs = Math.max(command.deadlineMs, deadlineMs);
      Envelope.ofCommand(record).setDeadlineMs(command.deadlineMs);
      byte[] renewed = codec.encode(record);
      synchronized (command) {
        command.bytes = command.bytes == null ? null : renewed;
      }
      command.late = false;
    } catch (UndecodableRecord e) {
      throw new IllegalStateException("what was encoded here can be decoded", e);
    }
  }

  private void sweep() {
    for (UnansweredCommand command : waiting.values()) {
      if (command.remaining().isNegative()) {
        giveUp(command);
      }
    }
    long now = System.nanoTime();
    for (UnansweredCommand command : waiting.values()) {
      boolean due = (command.delivered || command.failed) && command.bytes != null;
      if (due && !command.ending && now - command.nextSendNanos > 0) {
        command.failed = false;
        renew(command);
        produce(command);
        if (System.nanoTime() - now > SEND_SLOW_NANOS) {
          // The producer blocks while no broker is known; those who wait must still be told.
          return;
        }
      }
    }
  }

  /**
   * Nobody waits any longer. An attempt that has not left yet must never do so when its caller is
   * told that it did not: then its producer is given up, which ends the attempt.
   */
  private void giveUp(UnansweredCommand command) {
    command.ending = true;
    boolean open = command.isOpen();
    if (open || command.attempts.get() == 0) {
      conclude(command, open);
    } else {
      replace(producer);
    }
  }

  private static void conclude(UnansweredCommand command, boolean open) {
    String why =
        command.delivered
            ? "no answer from shard " + command.shard + " within " + seconds(command) + " s"
            : command.failure == null ? SILENT_BROKER : command.failure;
    LinkException.LinkFailureKind kind =
        open && !command.withdrawn
            ? LinkException.LinkFailureKind.UNANSWERED
            : LinkException.LinkFailureKind.UNREACHABLE;
    fail(command, kind, why);
  }

  private static long seconds(UnansweredCommand command) {
    return command.patience.toSeconds();
  }

  private static void fail(
      UnansweredCommand command, LinkException.LinkFailureKind kind, String message) {
    command.reply.completeExceptionally(new LinkException(kind, message));
  }

  @Override
  public void close() {
    closed = true;
    sweep.shutdownNow();
    replies.close();
    AnswerConnection server = atOnce;
    if (server != null) {
      server.close();
    }
    waiting
        .values()
        .forEach(w -> fail(w, LinkException.LinkFailureKind.CLOSED, "the gateway stops"));
    synchronized (producerLock) {
      producer.close();
    }
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
