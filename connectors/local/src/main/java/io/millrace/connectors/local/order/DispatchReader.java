package io.millrace.connectors.local.order;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.output.KillRun;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that carries out orders, in their order. */
public final class DispatchReader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DispatchReader.class);

  /** How often an executor that no shard accepts looks whether it can leave. */
  private static final Duration LEAVING = Duration.ofMillis(500);

  /** Time to wait for further shards' answers: one of them may still accept the executor. */
  private static final long ANSWERS_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final DispatchConsumer consumer;
  private final RecordCodec codec;
  private final OrderContext.Here here;
  private final OrderContext.Ways ways;
  private final OrderHandlers handlers;
  private final Lookahead lookahead = new Lookahead();
  private final Thread thread;
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile String dismissal = "";
  private long underWay;
  private OptionalLong lostSince = OptionalLong.empty();

  public DispatchReader(
      DispatchConsumer consumer,
      RecordCodec codec,
      OrderContext.Here here,
      OrderContext.Ways ways) {
    this.consumer = consumer;
    this.codec = codec;
    this.here = here;
    this.ways = ways;
    this.handlers = new OrderHandlers(new OrderContext(here, ways, this::awaitRoom));
    this.thread = new Thread(this::run, "millrace-dispatch");
  }

  public void start() {
    thread.start();
  }

  public void await() throws InterruptedException {
    thread.join();
  }

  /** Waits until a shard has accepted the executor. */
  public void awaitServed() throws InterruptedException {
    handlers.handler(HostOrders.class).awaitServed();
  }

  /** Whether a shard has accepted the executor. */
  public boolean served() {
    return handlers.handler(HostOrders.class).isServed();
  }

  /** Why it ended by itself, in one line; empty when it did not. */
  public String dismissal() {
    return dismissal;
  }

  @Override
  public void close() {
    stop.countDown();
    consumer.wakeUp();
    thread.interrupt();
    boolean interrupted = Thread.interrupted();
    try {
      thread.join();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    long next = consumer.next();
    while (stop.getCount() > 0 && dismissal.isEmpty()) {
      try {
        lookahead.begin();
        ConsumerRecords<String, byte[]> records =
            consumer.poll(here.self().claim().lost() ? LEAVING : DispatchConsumer.IDLE);
        for (ConsumerRecord<String, byte[]> record : records) {
          underWay = record.offset();
          carryOutGuarded(record);
          next = record.offset() + 1;
          if (lookahead.returned(consumer, next)) {
            break;
          }
        }
        next = Math.max(next, consumer.next());
        ways.releases().reached(next);
        leaveWhenLost();
      } catch (WakeupException | InterruptException | InterruptedException e) {
        if (stop.getCount() == 0) {
          break;
        }
        consumer.renew(next); // what was polled and not carried out comes again
      } catch (OffsetOutOfRangeException e) {
        next = returnToOrders(e, next);
      } catch (KafkaException e) {
        renewAfter(e, next);
      } catch (IOException e) {
        log.error("the position cannot be written, trying again: {}", e.toString());
        pause();
      }
    }
    Thread.interrupted(); // close() interrupts; the consumer must still be closed cleanly
    consumer.close();
  }

  private long returnToOrders(OffsetOutOfRangeException gone, long before) {
    try {
      long next = consumer.returnToOrders(gone);
      ways.announcer().again(); // the shards ask after the lost orders' runs
      return next;
    } catch (KafkaException e) {
      renewAfter(e, before);
      return before;
    }
  }

  private void renewAfter(KafkaException failure, long next) {
    log.error("the consumer of orders failed; making another one: {}", failure.toString());
    pause();
    consumer.renew(next);
  }

  /** One order that cannot be carried out must not hold up the others. */
  private void carryOutGuarded(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    try {
      carryOut(record);
    } catch (KafkaException e) {
      throw e;
    } catch (RuntimeException e) {
      log.error(
          "order at {}-{} offset {} failed and is left out",
          record.topic(),
          record.partition(),
          record.offset(),
          e);
    }
  }

  /** Decodes an order; null, with a line in the log, when it cannot be read. */
  private SpecificRecord decode(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    while (true) {
      try {
        return codec.decode(here.key().open(record.value(), record.timestamp()));
      } catch (UndecodableRecord e) {
        log.error(
            "order at {}-{} offset {} cannot be read and is left out: {}",
            record.topic(),
            record.partition(),
            record.offset(),
            e.getMessage());
        return null;
      } catch (IllegalStateException e) {
        // The registry cannot be reached; the order may be valid.
        log.error("cannot read the order at offset {}, trying again: {}", record.offset(), e + "");
        pauseOrStop();
      }
    }
  }

  private void carryOut(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    if (!here.host().equals(record.key())) {
      return;
    }
    SpecificRecord order = decode(record);
    if (!here.self().claim().covers(order)) {
      return;
    }
    if (order != null && handlers.knows(order)) {
      handlers.carryOut(order, record.offset());
    } else if (order != null) {
      log.error("order at offset {} is a {}", record.offset(), order.getSchema().getName());
    }
  }

  /**
   * Ends the executor when no shard accepts it; when it has runs it waits for their ends first,
   * without orders for other runs.
   */
  private void leaveWhenLost() {
    if (!here.self().claim().lost() || !ways.execution().runs().isEmpty()) {
      lostSince = OptionalLong.empty();
      return;
    }
    long now = System.nanoTime();
    if (lostSince.isEmpty()) {
      lostSince = OptionalLong.of(now);
    } else if (now - lostSince.getAsLong() > ANSWERS_NANOS) {
      dismissal = handlers.handler(HostOrders.class).refusal();
    }
  }

  /** Waits before another try of an order that found no room on the disk. */
  private void awaitRoom() throws InterruptedException {
    lookahead.look(consumer, underWay + 1, this::endAhead);
    pauseOrStop();
  }

  /**
   * Carries out an order to end a run ahead of its turn; carrying it out again in turn changes
   * nothing. For an unknown run it waits, since the order to start may come before it.
   */
  private void endAhead(ConsumerRecord<String, byte[]> record) {
    if (!here.host().equals(record.key())) {
      return;
    }
    try {
      SpecificRecord order = codec.decode(here.key().open(record.value(), record.timestamp()));
      if (order instanceof KillRun kill && here.self().claim().covers(order)) {
        handlers.handler(EndOrders.class).ends(kill);
      }
    } catch (UndecodableRecord | IllegalArgumentException | IllegalStateException e) {
      log.debug("the order at offset {} waits for its turn: {}", record.offset(), e.toString());
    }
  }

  private void pauseOrStop() throws InterruptedException {
    if (stop.await(1, TimeUnit.SECONDS)) {
      throw new InterruptedException("closed");
    }
  }

  private void pause() {
    try {
      if (stop.await(1, TimeUnit.SECONDS)) {
        log.debug("closed during a pause");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
