package io.millrace.connectors.local;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.connectors.local.host.HostProcesses;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.output.StartRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Orders that are not where the executor left off: no run is carried out a second time. */
class LostOrdersIT extends ExecutorOnBroker {

  private void carryOut(FakeShards shards, LocalExecutor executor, String job) throws Exception {
    shards.order(shards.start(job, "echo " + job + " >>" + lines(), Path.of("/dev/null")));
    shards.awaitEnd(job);
    awaitReleased(executor);
  }

  private Path lines() {
    return directory.resolve("lines");
  }

  /** What a power cut leaves when the executor's disk was quicker than the broker's. */
  @Test
  @Tag("night")
  void positionBehindTheLastOrder() throws Exception {
    try (FakeShards shards = new FakeShards(broker, "theta")) {
      try (LocalExecutor executor = open("theta")) {
        carryOut(shards, executor, "1.theta");
      }
      Path file = directory.resolve("spool/position");
      String text = Files.readString(file).strip();
      int space = text.lastIndexOf(' ');
      long offset = Long.parseLong(text.substring(space + 1)) + 1000;
      Files.writeString(file, String.format("%s %020d%n", text.substring(0, space), offset));
      try (LocalExecutor executor = open("theta")) {
        carryOut(shards, executor, "2.theta");
      }
    }
    assertEquals(List.of("1.theta", "2.theta"), Files.readAllLines(lines()));
  }

  /**
   * What a power cut leaves when the spool is not durable: the run's directory is gone, the
   * position is that before its order; of another run the directory is there, but not its claim.
   */
  @Test
  void positionAndRunsOfSomeSecondsAgo() throws Exception {
    Path mark = spool().resolve("boot");
    try (FakeShards shards = new FakeShards(broker, "xi")) {
      byte[] before;
      try (LocalExecutor executor = open("xi")) {
        before = Files.readAllBytes(spool().resolve("position"));
        assertEquals(HostProcesses.bootId(), Files.readString(mark).strip());
        carryOut(shards, executor, "1.xi");
      }
      assertFalse(Files.exists(mark), "closed with all on the disk");
      Files.write(spool().resolve("position"), before);
      Path run = Files.createDirectories(spool().resolve("runs").resolve("2.xi.1"));
      Files.writeString(run.resolve("request"), "origin=5 0\0");
      Files.writeString(mark, "an-earlier-boot\n");
      try (LocalExecutor executor = open("xi")) {
        shards.ask("1.xi", "2.xi");
        shards.awaitReports(
            FakeShards.SHARD,
            PATIENCE,
            all -> FakeShards.missing(all).containsAll(List.of("1.xi", "2.xi")));
        carryOut(shards, executor, "3.xi");
      }
      shards.order(shards.start("4.xi", "echo 4.xi >>" + lines(), Path.of("/dev/null")));
      shards.flush();
      Files.writeString(mark, HostProcesses.bootId());
      try (LocalExecutor executor = open("xi")) {
        // A process that was killed has lost nothing.
        shards.awaitEnd("4.xi");
        awaitReleased(executor);
      }
    }
    assertEquals(List.of("1.xi", "3.xi", "4.xi"), Files.readAllLines(lines()));
  }

  @Test
  void ordersThatWereRemovedBeforeTheyWereRead() throws Exception {
    try (FakeShards shards = new FakeShards(broker, "iota")) {
      try (LocalExecutor executor = open("iota")) {
        carryOut(shards, executor, "1.iota");
      }
      shards.order(shards.start("2.iota", "echo removed >>" + lines(), Path.of("/dev/null")));
      shards.flush();
      TopicPartition place = new TopicPartition(Topics.DISPATCH, Topics.dispatchPartition("iota"));
      try (Admin admin = Admin.create(broker.client())) {
        admin.deleteRecords(Map.of(place, RecordsToDelete.beforeOffset(-1))).all().get();
      }
      try (LocalExecutor executor = open("iota")) {
        carryOut(shards, executor, "3.iota");
      }
    }
    assertEquals(List.of("1.iota", "3.iota"), Files.readAllLines(lines()));
  }

  @Test
  @Tag("night")
  void ordersThatAreLostWhileTheExecutorRuns() throws Exception {
    try (RealBroker own = new RealBroker(directory);
        FakeShards shards = new FakeShards(own, "kappa")) {
      try (Admin admin = Admin.create(own.client());
          LocalExecutor executor = open(own, "kappa")) {
        carryOut(shards, executor, "1.kappa");
        carryOut(shards, executor, "2.kappa");
        admin.deleteTopics(List.of(Topics.DISPATCH)).all().get();
        NewTopic again =
            new NewTopic(
                Topics.DISPATCH, Optional.of(Topics.DISPATCH_PARTITIONS), Optional.empty());
        await()
            .atMost(PATIENCE)
            .ignoreExceptions()
            .until(() -> admin.createTopics(List.of(again)).all().get() == null);
        await().atMost(PATIENCE).until(() -> position(spool()) == 0);
        shards.awaitReports(
            Topics.ADMINISTRATIVE_SHARD,
            PATIENCE,
            all -> all.stream().filter(ReportNodeUp.class::isInstance).count() >= 2);
        carryOut(shards, executor, "3.kappa");
      }
    }
    assertEquals(List.of("1.kappa", "2.kappa", "3.kappa"), Files.readAllLines(lines()));
  }

  /** What is not known when the question is read is said to be missing, and nothing else is. */
  @Test
  void runsThatTheHostNeverHeardOfAreSaidToBeMissing() throws Exception {
    Path gate = directory.resolve("gate");
    try (FakeShards shards = new FakeShards(broker, "lambda")) {
      try (LocalExecutor executor = open("lambda")) {
        carryOut(shards, executor, "1.lambda");
        String waits =
            "while [ ! -e " + gate + " ]; do sleep 0.1; done; echo 2.lambda >>" + lines();
        shards.order(shards.start("2.lambda", waits, Path.of("/dev/null")));
        shards.ask("2.lambda", "9.lambda");
        assertEquals(List.of("9.lambda"), shards.awaitMissing(1));
        shards.awaitReports(FakeShards.SHARD, PATIENCE, all -> begun(all, "2.lambda") == 1);
      }
      shards.order(shards.start("3.lambda", "echo removed >>" + lines(), Path.of("/dev/null")));
      shards.flush();
      TopicPartition place =
          new TopicPartition(Topics.DISPATCH, Topics.dispatchPartition("lambda"));
      try (Admin admin = Admin.create(broker.client())) {
        admin.deleteRecords(Map.of(place, RecordsToDelete.beforeOffset(-1))).all().get();
      }
      try (LocalExecutor executor = open("lambda")) {
        shards.awaitReports(
            FakeShards.SHARD, PATIENCE, all -> begun(all, "2.lambda") == 3); // recovered, and named
        shards.ask("1.lambda", "2.lambda", "3.lambda");
        assertEquals(List.of("9.lambda", "1.lambda", "3.lambda"), shards.awaitMissing(3));
        Files.createFile(gate);
        shards.awaitEnd("2.lambda");
        awaitReleased(executor);
        StartRun again =
            shards.start("3.lambda", "echo 3.lambda.2 >>" + lines(), Path.of("/dev/null"));
        again.setRun(2);
        shards.order(again);
        shards.awaitEnd("3.lambda");
      }
    }
    assertEquals(List.of("1.lambda", "2.lambda", "3.lambda.2"), Files.readAllLines(lines()));
  }

  private static long begun(List<SpecificRecord> all, String job) {
    return all.stream()
        .filter(it -> it instanceof ReportRunStarted begun && begun.getJobId().equals(job))
        .count();
  }

  private static long position(Path spool) throws Exception {
    String text = Files.readString(spool.resolve("position")).strip();
    return Long.parseLong(text.substring(text.lastIndexOf(' ') + 1));
  }
}
