package io.millrace.server.campaigns.streams;

import io.millrace.schemas.broker.DroppedRecords;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
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
 * The Kafka clients of the campaigns' thread, of which the one that reads the inbox does not go on
 * behind what was dropped, and the one that writes lets answers go with their commit.
 *
 * @param dropped told which tasks were closed
 * @param answers told what was committed
 */
record CampaignClients(DroppedRecords dropped, CommittedAnswers answers)
    implements KafkaClientSupplier {
  private static final Logger LOG = LoggerFactory.getLogger(CampaignClients.class);

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new CampaignWriter(config, answers);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new CampaignInbox(config, dropped);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }

  private static final class CampaignWriter extends KafkaProducer<byte[], byte[]> {
    private final CommittedAnswers answers;

    CampaignWriter(Map<String, Object> config, CommittedAnswers answers) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.answers = answers;
    }

    @Override
    public void commitTransaction() {
      super.commitTransaction();
      answers.committed();
    }
  }

  private static final class CampaignInbox extends KafkaConsumer<byte[], byte[]> {
    private final DroppedRecords dropped;

    CampaignInbox(Map<String, Object> config, DroppedRecords dropped) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      this.dropped = dropped;
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
      super.subscribe(topics, new Moves(listener, dropped));
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      goOn();
      ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
      goOn(); // a division within the poll may have closed tasks of which something was polled
      return records;
    }

    /** Kafka Streams then gives up all tasks, and joins the group again. */
    private void goOn() {
      dropped
          .behind(assignment())
          .ifPresent(
              it -> {
                LOG.warn("{}", it);
                throw new TaskMigratedException(it);
              });
    }
  }

  /** Tells which partitions were given away or given anew. */
  record Moves(ConsumerRebalanceListener listener, DroppedRecords dropped)
      implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      listener.onPartitionsAssigned(partitions);
      dropped.moved(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      listener.onPartitionsRevoked(partitions);
      dropped.moved(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      listener.onPartitionsLost(partitions);
      dropped.moved(partitions);
    }
  }
}
