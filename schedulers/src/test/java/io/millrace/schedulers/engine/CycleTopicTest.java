package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.output.CycleDone;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Records of cycles go past everything that matters. */
class CycleTopicTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private final WireCodec codec = WireCodec.local();

  private static CycleDone cycle(long number) {
    return CycleDone.newBuilder()
        .setScheduler("s1")
        .setEpoch(3)
        .setCycle(number)
        .setAtMs(1)
        .setTrigger("job")
        .setJobs(1)
        .setClasses(1)
        .setStarted(1)
        .setPreempted(0)
        .setPromised(0)
        .setWorkUnits(1)
        .setLimitHit(false)
        .setWallUs(1)
        .setCpuUs(1)
        .build();
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertTrue(condition.getAsBoolean());
  }

  @Test
  void eachCycleIsARecord() throws Exception {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    try (CycleTopic topic = new CycleTopic(producer, codec)) {
      topic.accept(cycle(1));
      topic.accept(cycle(2));
      await(() -> producer.history().size() == 2);
      assertEquals(Topics.CYCLES, producer.history().get(0).topic());
      assertEquals(cycle(2), codec.decode(producer.history().get(1).value()));
      assertEquals(0, topic.lost());
    }
  }

  /** A cycle does not wait for a broker that is away, and what waits has a bound. */
  @Test
  void whatTheBrokerDoesNotTakeIsLostAndCounted() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<byte[], byte[]> record, Callback callback) {
            throw new TimeoutException("no broker");
          }
        };
    try (CycleTopic topic = new CycleTopic(producer, codec)) {
      for (int i = 0; i < 5_000; i++) {
        topic.accept(cycle(i));
      }
      await(() -> topic.lost() == 5_000);
    }
  }
}
