package io.millrace.connectors.forward.observe;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.SchemaIds;
import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The topics are read by one who may have to end. */
class PictureReadingTest {

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final PictureReading reading =
      new PictureReading(() -> consumer, new WireCodec(SchemaIds.local()));

  @BeforeEach
  void hold() {
    for (String topic : List.of(Topics.OUTSIDE_JOBS, Topics.OUTSIDE_NODES)) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.updateBeginningOffsets(Map.of(partition, 0L));
      // The records never come, as of a broker that has gone.
      consumer.updateEndOffsets(Map.of(partition, 5L));
    }
  }

  private static IOException failed(CompletableFuture<Void> reader) {
    ExecutionException why =
        assertThrows(ExecutionException.class, () -> reader.get(60, TimeUnit.SECONDS));
    return (IOException) why.getCause();
  }

  private CompletableFuture<Void> start() {
    CompletableFuture<Void> reader = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                reading.read();
                reader.complete(null);
              } catch (IOException | RuntimeException e) {
                reader.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return reader;
  }

  @Test
  void itEndsWhenItIsClosedWhileItReads() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    consumer.schedulePollTask(asked::countDown);
    CompletableFuture<Void> reader = start();
    assertTrue(asked.await(60, TimeUnit.SECONDS));
    reading.close();
    assertTrue(failed(reader).getMessage().startsWith("topics of observed clusters"));
    assertTrue(consumer.closed());
  }

  @Test
  void itDoesNotBeginWhenItIsClosed() {
    reading.close();
    assertTrue(failed(start()).getMessage().startsWith("topics of observed clusters"));
    assertTrue(consumer.closed());
  }
}
