package io.millrace.server.streams;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.Tick;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.server.core.decision.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into inboxes from outside of the shards' transactions: Ticks, and the command that makes
 * the first objects. A record that the broker did not take is sent again.
 */
final class TickWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TickWriter.class);
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final KafkaProducer<byte[], byte[]> producer;
  private final RecordCodec codec;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Message> messages = new ArrayDeque<>();
  private final Set<Integer> wanted = new LinkedHashSet<>();
  private final Set<Integer> onTheWay = new HashSet<>();
  private long notBeforeNanos = System.nanoTime();
  private boolean closed;

  TickWriter(Map<String, Object> config, RecordCodec codec) {
    this.producer = new KafkaProducer<>(config);
    this.codec = codec;
    this.thread = new Thread(this::work, "waker");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Writes a Tick. At most one is in flight; a request in the meantime causes another one, since
   * the shard may have processed the first already. Never blocks for long.
   */
  void wake(int shard) {
    lock.lock();
    try {
      wanted.add(shard);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Sends a command until the broker has it. */
  void send(Message message) {
    lock.lock();
    try {
      messages.add(message);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    for (Message next = next(); next != null; next = next()) {
      Message sent = next;
      try {
        producer.send(
            new ProducerRecord<>(
                Topics.MESSAGES, sent.shard(), key(sent.command()), codec.encode(sent.command())),
            (metadata, failure) -> answered(sent, failure));
      } catch (KafkaException | IllegalStateException e) {
        answered(sent, e);
      }
    }
  }

  /** The next record to send; null after the close. */
  private Message next() {
    lock.lock();
    try {
      while (!closed) {
        long pause = notBeforeNanos - System.nanoTime();
        if (pause > 0) {
          changed.awaitNanos(pause);
          continue;
        }
        if (!messages.isEmpty()) {
          return messages.remove();
        }
        for (int shard : wanted) {
          if (onTheWay.add(shard)) {
            wanted.remove(shard);
            return new Message(shard, new Tick(meta()));
          }
        }
        changed.await();
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void answered(Message sent, Exception failure) {
    boolean tick = sent.command() instanceof Tick;
    lock.lock();
    try {
      if (tick) {
        onTheWay.remove(sent.shard());
      }
      if (failure != null && !closed) {
        LOG.warn("a record for shard {} is sent again after {}", sent.shard(), failure.toString());
        notBeforeNanos = System.nanoTime() + AGAIN_NANOS;
        if (tick) {
          wanted.add(sent.shard());
        } else {
          messages.addFirst(sent);
        }
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private static byte[] key(SpecificRecord command) {
    return Envelope.ofCommand(command).getId().bytes();
  }

  /** Envelope of a command of this process. */
  static CommandMeta meta() {
    UUID random = UUID.randomUUID();
    byte[] id =
        ByteBuffer.allocate(CommandId.getClassSchema().getFixedSize())
            .putLong(System.currentTimeMillis() << 16 | random.getMostSignificantBits() & 0xffff)
            .putLong(random.getLeastSignificantBits())
            .array();
    return new CommandMeta(new CommandId(id), "server", "", "", Role.SHARD, -1, 0L);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    producer.close(Duration.ofSeconds(2));
  }
}
