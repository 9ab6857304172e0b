package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import kafka.server.ReplicaManager;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/** What a write is told that has its partitions added to its transaction. */
class LocalAddPartitionsTest {
  private static final TopicPartition LEDGER = new TopicPartition("ledger", 1);
  private static final TopicPartition GONE = new TopicPartition("gone", 0);

  @TempDir static Path folder;
  private static NodeConfig config;

  private final List<String> requests = new ArrayList<>();
  private final List<Map<TopicPartition, Errors>> told = new ArrayList<>();
  private final List<Set<TopicPartition>> added = new ArrayList<>();
  private boolean locked;
  private Consumer<Errors> later;

  @BeforeAll
  static void configure() throws Exception {
    Home home = new Home(folder);
    home.create();
    ClusterSettings cluster = ClusterSettings.embedded(1, "");
    ClientSettings.generate(home, cluster.bootstrapServers());
    config = new NodeConfig(BrokerSettings.of(home, cluster, BrokerLogins.of(home), false));
  }

  private void write(
      LocalAddPartitions.PartitionCoordinator coordinator,
      TransactionSupportedOperation operation,
      TopicPartition... partitions) {
    AddPartitionsToTxnManager byRequest =
        new AddPartitionsToTxnManager(config, null, null, transaction -> 0, Time.SYSTEM) {
          @Override
          public void addOrVerifyTransaction(
              String transaction,
              long producer,
              short epoch,
              Collection<TopicPartition> partitions,
              AppendCallback callback,
              TransactionSupportedOperation operation) {
            requests.add(transaction);
          }
        };
    new LocalAddPartitions(config, byRequest, coordinator, it -> !it.equals(GONE))
        .addOrVerifyTransaction("shards", 7, (short) 3, List.of(partitions), this::tell, operation);
  }

  private void tell(Map<TopicPartition, Errors> errors) {
    assertFalse(locked, "the coordinator has its locks");
    told.add(errors);
  }

  private LocalAddPartitions.PartitionCoordinator answering(Errors errors) {
    return (transaction, producer, epoch, partitions, answer) -> {
      assertEquals("shards 7 3", transaction + " " + producer + " " + epoch);
      added.add(partitions);
      locked = true;
      answer.accept(errors);
      locked = false;
    };
  }

  @Test
  void theWriteGoesOnWhenTheCoordinatorHasLetGoOfItsLocks() {
    write(answering(Errors.NONE), TransactionSupportedOperation.ADD_PARTITION, LEDGER);
    assertEquals(List.of(Map.of()), told);
    assertEquals(List.of(Set.of(LEDGER)), added);
    assertEquals(List.of(), requests);
  }

  @Test
  void anAnswerOfAnotherThreadIsToldByIt() {
    write(
        (transaction, producer, epoch, partitions, answer) ->
            CompletableFuture.runAsync(
                    () -> {
                      answer.accept(Errors.NONE);
                      assertEquals(List.of(Map.of()), told);
                    })
                .join(),
        TransactionSupportedOperation.ADD_PARTITION,
        LEDGER);
    assertEquals(List.of(Map.of()), told);
  }

  @Test
  void anAnswerAfterTheCallIsToldAtOnce() {
    write(
        (transaction, producer, epoch, partitions, answer) -> later = answer,
        TransactionSupportedOperation.ADD_PARTITION,
        LEDGER);
    later.accept(Errors.CONCURRENT_TRANSACTIONS);
    assertEquals(List.of(Map.of(LEDGER, Errors.CONCURRENT_TRANSACTIONS)), told);
  }

  @Test
  void whoWasFencedHearsOfItsEpoch() {
    write(answering(Errors.PRODUCER_FENCED), TransactionSupportedOperation.ADD_PARTITION, LEDGER);
    assertEquals(List.of(Map.of(LEDGER, Errors.INVALID_PRODUCER_EPOCH)), told);
  }

  @Test
  void nothingIsAddedWhereAPartitionIsMissing() {
    write(answering(Errors.NONE), TransactionSupportedOperation.ADD_PARTITION, LEDGER, GONE);
    assertEquals(
        List.of(
            Map.of(
                LEDGER, Errors.OPERATION_NOT_ATTEMPTED, GONE, Errors.UNKNOWN_TOPIC_OR_PARTITION)),
        told);
    assertEquals(List.of(), added);
  }

  @Test
  void whatOlderClientsNeedGoesByRequest() {
    write(answering(Errors.NONE), TransactionSupportedOperation.DEFAULT_ERROR, LEDGER);
    assertEquals(List.of("shards"), requests);
    assertEquals(List.of(), added);
  }

  /** Where it is put; another Kafka may have another place. */
  @Test
  void kafkaHasThePlace() throws NoSuchFieldException {
    assertSame(
        Option.class, ReplicaManager.class.getDeclaredField(LocalAddPartitions.FIELD).getType());
  }
}
