package io.millrace.ops.broker;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import kafka.coordinator.transaction.TransactionCoordinator;
import kafka.server.BrokerServer;
import kafka.server.ReplicaManager;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.common.TransactionVersion;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.runtime.BoxedUnit;

/**
 * Adds the partitions of a write to its transaction by a call. Kafka has the partitions' leader
 * send a request to the coordinator, and the write waits for the answer; where both are in this
 * process the request goes out by one connection and comes in by another, through six threads,
 * twice in each transaction. What the coordinator does, and writes down, is the same.
 */
final class LocalAddPartitions extends AddPartitionsToTxnManager {

  private static final Logger LOG = LoggerFactory.getLogger(LocalAddPartitions.class);

  /** Where Kafka keeps who adds partitions; there is no other way to give it one. */
  static final String FIELD = "addPartitionsToTxnManager";

  private final AddPartitionsToTxnManager byRequest;
  private final PartitionCoordinator coordinator;
  private final Predicate<TopicPartition> exists;

  /** The coordinator of all transactions. */
  interface PartitionCoordinator {

    /** Answers in the caller's thread or in another one, and may hold locks when it does. */
    void add(
        String transaction,
        long producer,
        short epoch,
        Set<TopicPartition> partitions,
        Consumer<Errors> answer);
  }

  /**
   * @param byRequest does what is not done here
   */
  LocalAddPartitions(
      AbstractKafkaConfig config,
      AddPartitionsToTxnManager byRequest,
      PartitionCoordinator coordinator,
      Predicate<TopicPartition> exists) {
    super(config, null, null, transaction -> 0, Time.SYSTEM);
    this.byRequest = byRequest;
    this.coordinator = coordinator;
    this.exists = exists;
  }

  /** To be called when the broker has started; with another Kafka all goes by requests. */
  static void in(BrokerServer broker) {
    try {
      Field field = ReplicaManager.class.getDeclaredField(FIELD);
      field.setAccessible(true);
      if (field.get(broker.replicaManager()) instanceof Option<?> known
          && known.isDefined()
          && known.get() instanceof AddPartitionsToTxnManager byRequest) {
        field.set(broker.replicaManager(), Option.apply(of(broker, byRequest)));
        return;
      }
      LOG.warn("partitions are added to transactions by requests: Kafka has nobody who does it");
    } catch (ReflectiveOperationException e) {
      LOG.warn("partitions are added to transactions by requests: {}", e.toString());
    }
  }

  private static LocalAddPartitions of(BrokerServer broker, AddPartitionsToTxnManager byRequest) {
    TransactionCoordinator coordinator = broker.transactionCoordinator();
    MetadataCache metadata = broker.metadataCache();
    return new LocalAddPartitions(
        broker.config(),
        byRequest,
        (transaction, producer, epoch, partitions, answer) ->
            coordinator.handleAddPartitionsToTransaction(
                transaction,
                producer,
                epoch,
                partitions,
                errors -> {
                  answer.accept(errors);
                  return BoxedUnit.UNIT;
                },
                TransactionVersion.TV_2,
                RequestLocal.noCaching()),
        metadata::contains);
  }

  @Override
  public void addOrVerifyTransaction(
      String transaction,
      long producer,
      short epoch,
      Collection<TopicPartition> partitions,
      AppendCallback callback,
      TransactionSupportedOperation operation) {
    if (!operation.supportsEpochBump) {
      byRequest.addOrVerifyTransaction(
          transaction, producer, epoch, partitions, callback, operation);
      return;
    }
    if (!partitions.stream().allMatch(exists)) {
      callback.complete(missing(partitions));
      return;
    }
    CoordinatorAnswer answer = new CoordinatorAnswer(partitions, callback);
    coordinator.add(transaction, producer, epoch, new HashSet<>(partitions), answer::take);
    answer.release();
  }

  /** All of them or none are added. */
  private Map<TopicPartition, Errors> missing(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Errors> errors = new HashMap<>();
    for (TopicPartition each : partitions) {
      errors.put(
          each,
          exists.test(each) ? Errors.OPERATION_NOT_ATTEMPTED : Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }
    return errors;
  }

  /**
   * The coordinator's answer, which mostly comes while it is being called. What waits for it is a
   * write, which must not begin before the coordinator has let go of its locks.
   */
  private static final class CoordinatorAnswer {
    private final Collection<TopicPartition> partitions;
    private final AppendCallback callback;
    private final Thread caller = Thread.currentThread();

    /** Both are the caller's. */
    private boolean called = true;

    private Errors kept;

    CoordinatorAnswer(Collection<TopicPartition> partitions, AppendCallback callback) {
      this.partitions = partitions;
      this.callback = callback;
    }

    void take(Errors answer) {
      if (Thread.currentThread() == caller && called) {
        kept = answer;
      } else {
        tell(answer);
      }
    }

    void release() {
      called = false;
      if (kept != null) {
        tell(kept);
      }
    }

    /** Only partitions with an error are named. */
    private void tell(Errors answer) {
      // A write knows one of these two, as after a request.
      Errors error = answer == Errors.PRODUCER_FENCED ? Errors.INVALID_PRODUCER_EPOCH : answer;
      Map<TopicPartition, Errors> errors = new HashMap<>();
      if (error != Errors.NONE) {
        partitions.forEach(each -> errors.put(each, error));
      }
      callback.complete(errors);
    }
  }

  /** The thread for requests; this object is none. */
  @Override
  public void shutdown() throws InterruptedException {
    byRequest.shutdown();
  }
}
