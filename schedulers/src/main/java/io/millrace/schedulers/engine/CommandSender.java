package io.millrace.schedulers.engine;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.EngineBeat;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends an engine's commands to the inbox of a shard. */
final class CommandSender implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommandSender.class);

  private final int shard;
  private final RecordCodec codec;
  private final Producer<byte[], byte[]> producer;

  CommandSender(Map<String, Object> kafka, int shard, RecordCodec codec) {
    this.shard = shard;
    this.codec = codec;
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, "0");
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MESSAGE_BYTES_MAX);
    this.producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * A command that is lost on the way needs no handling here: the engine gets no answer and lets
   * the proposal expire.
   */
  void send(SpecificRecord command, CommandId id) {
    producer.send(
        new ProducerRecord<>(Topics.PROPOSALS, shard, id.bytes(), codec.encode(command)),
        (metadata, failure) -> {
          if (failure != null) {
            LOG.warn("A proposal could not be sent: {}", failure.getMessage());
          }
        });
  }

  /** Sends a sign of life; one that is lost is followed by the next. */
  void beat(EngineBeat beat) {
    producer.send(
        new ProducerRecord<>(Topics.ENGINE_BEATS, 0, null, codec.encode(beat)),
        (metadata, failure) -> {
          if (failure != null) {
            LOG.debug("A sign of life could not be sent: {}", failure.getMessage());
          }
        });
  }

  /** The command id, which is in the envelope with which each command begins. */
  static CommandId idOf(SpecificRecord command) {
    return Envelope.ofCommand(command).getId();
  }

  @Override
  public void close() {
    producer.close();
  }
}
