package io.millrace.ops.faults.sabotage;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The topics of the campaign server, read and written with an administrator's rights. */
final class CampaignTopics {

  private static final String STATE = Topics.CAMPAIGNS_APPLICATION + "-state-changelog";
  private static final Duration POLL = Duration.ofMillis(200);

  private final Map<String, Object> settings;
  private final RecordCodec codec;

  CampaignTopics(Home home) throws IOException {
    this.settings = ClientSettings.read(home.client(KafkaPrincipal.ADMIN));
    try {
      this.codec = Codecs.open(settings);
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** A job of a campaign, and the shard to which it was sent. */
  record SentJob(int shard, SubmitJobs command, NewJob job) {}

  /** Tasks that are at clusters, as the campaign server will know them when it starts. */
  List<OpenTask> open() throws IOException {
    Map<String, OpenTask> tasks = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : all(STATE)) {
      String key = new String(record.key(), StandardCharsets.UTF_8);
      if (record.value() == null) {
        tasks.remove(key);
      } else if (decoded(record) instanceof OpenTask task
          && key.equals(CampaignKeys.open(task.getCampaign(), task.getTask()))) {
        tasks.put(key, task);
      }
    }
    return tasks.values().stream()
        .filter(it -> it.getStatus() == TaskStatus.RUNNING)
        .sorted((a, b) -> Integer.compare(a.getTask(), b.getTask()))
        .toList();
  }

  /** The attempt that was counted last. */
  Optional<AttemptEnded> counted() throws IOException {
    AttemptEnded last = null;
    for (ConsumerRecord<byte[], byte[]> record : all(Topics.CAMPAIGN_LEDGER)) {
      if (decoded(record) instanceof AttemptEnded end && end.getStatus() == TaskStatus.DONE) {
        last = end;
      }
    }
    return Optional.ofNullable(last);
  }

  /** How the job with this tag was sent. */
  SentJob sent(String tag) throws IOException {
    for (ConsumerRecord<byte[], byte[]> record : all(Topics.CAMPAIGN_JOBS)) {
      if (decoded(record) instanceof SubmitJobs command) {
        for (NewJob job : command.getJobs()) {
          if (job.getSpec().getCampaign().equals(tag)) {
            return new SentJob(record.partition(), command, job);
          }
        }
      }
    }
    throw new IOException("nothing was sent with the tag " + tag);
  }

  /** Writes what the campaign server will know of a task; null: nothing. */
  void know(long campaign, int task, OpenTask known) throws IOException, InterruptedException {
    byte[] key = CampaignKeys.open(campaign, task).getBytes(StandardCharsets.UTF_8);
    write(new ProducerRecord<>(STATE, 0, key, known == null ? null : codec.encode(known)));
  }

  /** Sends a command to a shard. */
  void send(int shard, SubmitJobs command) throws IOException, InterruptedException {
    byte[] key = command.getMeta().getId().bytes();
    write(new ProducerRecord<>(Topics.CAMPAIGN_JOBS, shard, key, codec.encode(command)));
  }

  private void write(ProducerRecord<byte[], byte[]> record)
      throws IOException, InterruptedException {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(record).get();
    } catch (ExecutionException e) {
      throw new IOException("the fault cannot be planted: " + e.getCause().getMessage(), e);
    }
  }

  private SpecificRecord decoded(ConsumerRecord<byte[], byte[]> record) throws IOException {
    try {
      return codec.decode(record.value());
    } catch (UndecodableRecord e) {
      throw new IOException(record.topic() + " has what is no record: " + e.getMessage(), e);
    }
  }

  /** All committed records of a topic; those of a partition are in their order. */
  private List<ConsumerRecord<byte[], byte[]>> all(String topic) {
    Map<String, Object> config = new HashMap<>(settings);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(it -> new TopicPartition(topic, it.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(POLL).forEach(all::add);
      }
    }
    return all;
  }
}
