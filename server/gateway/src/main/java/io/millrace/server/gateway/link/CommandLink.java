package io.millrace.server.gateway.link;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
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
  private static final long SEND_SLOW_NANOS = 500_000_000;
  private static final String SILENT_BROKER = "the broker does not answer";

  /** An idle gateway keeps the topic's metadata, so that the next command need not fetch it. */
  private static final int METADATA_IDLE_MS = 86_400_000;

  private final LinkSettings settings;
  private final RecordCodec codec;
  private final UnansweredWindow window;
  private final Map<CommandId, UnansweredCommand> waiting = new ConcurrentHashMap<>();
  private final TopicReader replies;
  private final ScheduledExecutorService sweep =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "gateway-resend"));
  private final Object producerLock = new Object();
  private volatile Producer<byte[], byte[]> producer;
  private volatile boolean closed;

  /**
   * Connects; {@link #start} must be called before the first command.
   *
   * @param settings Kafka properties, partition and bounds
   * @param codec turns records into bytes and back
   */
  public CommandLink(LinkSettings settings, RecordCodec codec) {
    this.settings = settings;
    this.codec = codec;
    this.window = new UnansweredWindow(settings.limits());
    this.producer = connect();
    this.replies =
        new TopicReader(
            "gateway-replies",
            () -> TopicReader.consumer(settings.kafka()),
            new TopicPartition(Topics.REPLIES, settings.replyPartition()),
            TopicReader.Start.END,
            this::hear);
  }

  /** Waits until the reply partition is read from its present end on. */
  public void start() throws InterruptedException {
    replies.start();
    replies.awaitReady();
    sweep.scheduleWithFixedDelay(this::sweep, SWEEP_MS, SWEEP_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public int replyPartition() {
    return settings.replyPartition();
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
    byte[] bytes = codec.encode(command);
    if (bytes.length > Topics.COMMAND_BYTES_MAX) {
      return CompletableFuture.failedFuture(tooLarge(bytes.length));
    }
    if (!window.enter(client, bytes.length, settings.timing().answer())) {
      return CompletableFuture.failedFuture(noRoom());
    }
    UnansweredCommand fresh = new UnansweredCommand(client, shard, id, bytes, interim, patience);
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
      fail(fresh, LinkException.Kind.CLOSED, "the gateway stops");
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
    int size;
    synchronized (command) {
      size = command.bytes == null ? 0 : command.bytes.length;
      command.bytes = null;
    }
    if (size > 0) {
      window.leave(command.client, size);
    }
  }

  private static LinkException tooLarge(int bytes) {
    return new LinkException(
        LinkException.Kind.TOO_LARGE,
        "script, variables and arguments have "
            + bytes
            + " bytes together; at most "
            + Topics.COMMAND_BYTES_MAX
            + " can be sent");
  }

  private LinkException noRoom() {
    return new LinkException(
        LinkException.Kind.NO_ROOM,
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

  /** Commands that wait for an answer now. */
  public int unanswered() {
    return window.total();
  }

  private void produce(UnansweredCommand command) {
    // Twice the pause each time: repeating must not keep a shard that is behind from catching up.
    long pause = settings.timing().resend().toNanos() << Math.min(command.sends++, 4);
    command.nextSendNanos = System.nanoTime() + pause;
    Producer<byte[], byte[]> used = producer;
    byte[] bytes = command.bytes;
    if (bytes == null) {
      return;
    }
    try {
      used.send(
          new ProducerRecord<>(Topics.COMMANDS, command.shard, command.id.bytes(), bytes),
          (metadata, failure) -> acknowledged(command, used, failure));
    } catch (KafkaException | IllegalStateException e) {
      acknowledged(command, used, e);
    }
  }

  private void acknowledged(
      UnansweredCommand command, Producer<byte[], byte[]> used, Exception failure) {
    if (failure == null) {
      command.delivered = true;
      return;
    }
    String id = HexFormat.of().formatHex(command.id.bytes());
    LOG.warn("command {} was not taken by the broker: {}", id, failure.toString());
    if (!(failure instanceof RetriableException) && !closed) {
      sweep.execute(() -> replace(used));
    }
    long age = System.nanoTime() - command.sentNanos;
    boolean again =
        failure instanceof RetriableException
            && age < command.atLeast(settings.timing().delivery()).toNanos();
    if (!command.delivered && again && !closed) {
      command.nextSendNanos = System.nanoTime() + settings.timing().resend().toNanos();
      command.failed = true;
    } else if (!command.delivered) {
      boolean silent = failure instanceof TimeoutException;
      String why = silent ? SILENT_BROKER : String.valueOf(failure.getMessage());
      fail(command, LinkException.Kind.UNREACHABLE, why);
    }
  }

  /** Drops a producer that failed for good; the next command gets a new one. */
  private void replace(Producer<byte[], byte[]> failed) {
    synchronized (producerLock) {
      if (producer == failed && !closed) {
        producer = connect();
        failed.close(Duration.ZERO);
      }
    }
  }

  private void hear(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.value() != null && codec.decode(record.value()) instanceof Reply reply) {
        answer(reply);
      }
    } catch (UndecodableRecord e) {
      LOG.warn("reply at offset {} cannot be decoded: {}", record.offset(), e.getMessage());
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
    } else {
      command.reply.complete(reply);
    }
  }

  private void sweep() {
    long now = System.nanoTime();
    LinkSettings.Timing timing = settings.timing();
    for (UnansweredCommand command : waiting.values()) {
      long age = now - command.sentNanos;
      if (!command.delivered && age > command.atLeast(timing.delivery()).toNanos()) {
        fail(command, LinkException.Kind.UNREACHABLE, SILENT_BROKER);
      } else if (age > command.atLeast(timing.answer()).toNanos()) {
        long seconds = command.atLeast(timing.answer()).toSeconds();
        String text = "no answer from shard " + command.shard + " within " + seconds + " s";
        fail(command, LinkException.Kind.UNANSWERED, text);
      }
    }
    for (UnansweredCommand command : waiting.values()) {
      boolean due = (command.delivered || command.failed) && command.bytes != null;
      if (due && now - command.nextSendNanos > 0) {
        command.failed = false;
        produce(command);
        if (System.nanoTime() - now > SEND_SLOW_NANOS) {
          // The producer blocks while no broker is known; those who wait must still be told.
          return;
        }
      }
    }
  }

  private static void fail(UnansweredCommand command, LinkException.Kind kind, String message) {
    command.reply.completeExceptionally(new LinkException(kind, message));
  }

  private Producer<byte[], byte[]> connect() {
    Map<String, Object> properties = new HashMap<>(settings.kafka());
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MESSAGE_BYTES_MAX);
    int deliveryMs = Math.toIntExact(settings.timing().delivery().toMillis());
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, deliveryMs);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, deliveryMs);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryMs);
    properties.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
    properties.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, METADATA_IDLE_MS);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public void close() {
    closed = true;
    sweep.shutdownNow();
    replies.close();
    waiting.values().forEach(w -> fail(w, LinkException.Kind.CLOSED, "the gateway stops"));
    synchronized (producerLock) {
      producer.close(Duration.ofSeconds(1));
    }
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
