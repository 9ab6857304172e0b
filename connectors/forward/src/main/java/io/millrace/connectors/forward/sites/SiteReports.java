package io.millrace.connectors.forward.sites;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ReportSitePart;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Tells the shards what became of parts in other installations. What the broker does not take is
 * found out again: it is no loss.
 */
final class SiteReports implements SitesThread.NewsReceiver, AutoCloseable {
  private static final int PATIENCE_MS = 10_000;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final RecordCodec codec;
  private final Clock clock;
  private final KafkaProducer<byte[], byte[]> producer;

  SiteReports(Map<String, Object> kafka, RecordCodec codec, Clock clock) {
    this.codec = codec;
    this.clock = clock;
    Map<String, Object> config = new HashMap<>(kafka);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MS);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PATIENCE_MS);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MS / 2);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "millrace-site-reports");
    this.producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public void report(int shard, long whole, int part, PartRequest.PartNews news)
      throws IOException, InterruptedException {
    CommandMeta meta =
        CommandMeta.newBuilder()
            .setId(id(clock.millis()))
            .setPrincipal("sites")
            .setHost("")
            .setRole(Role.SITE)
            .setReplyTo(-1)
            .setDeadlineMs(0L)
            .build();
    ReportSitePart command =
        ReportSitePart.newBuilder()
            .setMeta(meta)
            .setWhole(whole)
            .setPart(part)
            .setReservationId(news.id())
            .setState(news.state())
            .setHopeless(news.hopeless())
            .setWhy(news.why())
            .setShown(news.shown())
            .setLost(news.lost())
            .build();
    try {
      producer
          .send(
              new ProducerRecord<>(
                  Topics.SITE_REPORTS, shard, meta.getId().bytes(), codec.encode(command)))
          .get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw new IOException("a report was not taken: " + e.getMessage(), e);
    }
  }

  private static CommandId id(long nowMs) {
    byte[] tail = new byte[10];
    RANDOM.nextBytes(tail);
    ByteBuffer id = ByteBuffer.allocate(16);
    id.putLong(nowMs << 16).position(6).put(tail);
    return new CommandId(id.array());
  }

  @Override
  public void close() {
    producer.close();
  }
}
