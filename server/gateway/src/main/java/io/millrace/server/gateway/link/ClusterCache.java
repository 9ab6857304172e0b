package io.millrace.server.gateway.link;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.broker.LastingAdmin;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.ShardOwner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link ClusterView} that follows the administrative shard's copy of the objects table and the
 * topic cluster.
 */
public final class ClusterCache implements ClusterView, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterCache.class);
  private static final Duration BARRIER_MAX = Duration.ofSeconds(4);

  private final RecordCodec codec;

  /** By kind and name, so that those of a kind stand together. */
  private final NavigableMap<String, ClusterObject> objects = new ConcurrentSkipListMap<>();

  private final Map<Integer, ShardOwner> owners = new ConcurrentSkipListMap<>();
  private final Object serverKnown = new Object();
  private final LastingAdmin admin;
  private final TopicReader objectReader;
  private final TopicReader ownerReader;
  private final OutsideCache outside;

  /** Connects; {@link #start} loads the topics. */
  public ClusterCache(Map<String, Object> kafka, RecordCodec codec) {
    this.codec = codec;
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put("default.api.timeout.ms", (int) BARRIER_MAX.toMillis());
    properties.put("request.timeout.ms", (int) BARRIER_MAX.toMillis());
    properties.put("reconnect.backoff.max.ms", 200);
    this.admin = new LastingAdmin(properties);
    this.objectReader =
        new TopicReader(
            "gateway-objects",
            () -> TopicReader.consumer(kafka),
            new TopicPartition(Topics.table("objects"), Topics.ADMINISTRATIVE_SHARD),
            TopicReader.ReadStart.BEGINNING,
            this::hearObject);
    this.ownerReader =
        new TopicReader(
            "gateway-owners",
            () -> TopicReader.consumer(kafka),
            new TopicPartition(Topics.CLUSTER, 0),
            TopicReader.ReadStart.BEGINNING,
            this::hearOwner);
    this.outside = new OutsideCache(kafka, codec);
  }

  /** Reads both topics and waits until the cluster has been started for the first time. */
  public void start() throws InterruptedException {
    objectReader.start();
    ownerReader.start();
    objectReader.awaitReady();
    ownerReader.awaitReady();
    synchronized (serverKnown) {
      while (server().isEmpty()) {
        serverKnown.wait();
      }
    }
  }

  @Override
  public Optional<ClusterObject> find(ObjectKind kind, String name) {
    return Optional.ofNullable(objects.get(key(kind, name)));
  }

  @Override
  public List<ClusterObject> all(ObjectKind kind) {
    String first = key(kind, "");
    return List.copyOf(objects.subMap(first, first + Character.MAX_VALUE).values());
  }

  @Override
  public List<Integer> shards() {
    return List.copyOf(owners.keySet());
  }

  @Override
  public Optional<ShardOwner> owner(int shard) {
    return Optional.ofNullable(owners.get(shard));
  }

  @Override
  public Optional<OutsidePicture> outside(String cluster) throws InterruptedException {
    return outside.find(cluster);
  }

  @Override
  public void barrier() throws LinkException, InterruptedException {
    TopicPartition partition = objectReader.partition();
    try {
      long end = admin.ask(client -> end(client, partition), BARRIER_MAX).offset();
      if (!objectReader.awaitPosition(end, BARRIER_MAX)) {
        throw unreachable("the table of objects cannot be read");
      }
    } catch (ExecutionException e) {
      throw unreachable(String.valueOf(e.getCause().getMessage()));
    } catch (TimeoutException e) {
      throw unreachable("the broker does not answer");
    }
  }

  private static KafkaFuture<ListOffsetsResultInfo> end(Admin client, TopicPartition partition) {
    return client
        .listOffsets(
            Map.of(partition, OffsetSpec.latest()),
            new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .partitionResult(partition);
  }

  private static LinkException unreachable(String why) {
    return new LinkException(LinkException.LinkFailureKind.UNREACHABLE, why);
  }

  private static String key(ObjectKind kind, String name) {
    return kind + "/" + name;
  }

  private void hearObject(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return; // nothing of ours has none
    }
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (record.value() == null) {
      objects.remove(key);
    } else if (decode(record) instanceof ClusterObject object) {
      objects.put(key, object);
      if (object.getKind() == ObjectKind.SERVER) {
        synchronized (serverKnown) {
          serverKnown.notifyAll();
        }
      }
    }
  }

  private void hearOwner(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() != null && decode(record) instanceof ShardOwner owner) {
      owners.put(owner.getShard(), owner);
    }
  }

  private Object decode(ConsumerRecord<byte[], byte[]> record) {
    try {
      return codec.decode(record.value());
    } catch (UndecodableRecord e) {
      LOG.warn(
          "{} {} offset {} cannot be decoded: {}",
          record.topic(),
          record.partition(),
          record.offset(),
          e.getMessage());
      return null;
    }
  }

  @Override
  public void close() {
    objectReader.close();
    ownerReader.close();
    outside.close();
    admin.close();
  }
}
