package io.millrace.connectors.local;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.output.StartRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Orders that find no room on the disk as long as a run is there that fills it. */
class FullDiskIT extends ExecutorOnBroker {
  private final AtomicInteger refused = new AtomicInteger();

  /** Has no room for orders and further runs while the run of this job lasts. */
  private final class FullWhile implements Execution {
    private final Execution execution;
    private final RunId filler;
    private volatile boolean over;

    FullWhile(Execution execution, String filler) {
      this.execution = execution;
      this.filler = new RunId(filler, 1);
    }

    private void room() throws IOException {
      if (execution.knows(filler) && !over) {
        refused.incrementAndGet();
        throw new IOException("No space left on device");
      }
    }

    @Override
    public boolean start(RunRequest request) throws IOException, InterruptedException {
      if (!request.id().equals(filler)) {
        room();
      }
      return execution.start(request);
    }

    @Override
    public boolean kill(RunId id, int signal) throws IOException {
      over |= id.equals(filler);
      return execution.kill(id, signal);
    }

    @Override
    public boolean discard(RunId id) throws IOException {
      over |= id.equals(filler);
      return execution.discard(id);
    }

    @Override
    public boolean order(RunId id, int number, String order) throws IOException {
      room();
      return execution.order(id, number, order);
    }

    @Override
    public void write(RunId id, boolean output, String line) {
      throw new UnsupportedOperationException("nothing is written here");
    }

    @Override
    public void release(RunId id) throws IOException {
      execution.release(id);
    }

    @Override
    public boolean knows(RunId id) {
      return execution.knows(id);
    }

    @Override
    public List<RunId> runs() {
      return execution.runs();
    }

    @Override
    public List<StartedRun> begun() {
      return execution.begun();
    }

    @Override
    public Optional<RunUsage> sample(RunId id) throws IOException {
      return execution.sample(id);
    }

    @Override
    public boolean survives() {
      return execution.survives();
    }

    @Override
    public void close() throws IOException {
      execution.close();
    }
  }

  private LocalExecutor open(String host, String filler) throws Exception {
    LocalExecutor.ExecutionFactory local = local();
    return LocalExecutor.open(
        settings(broker, host), observer -> new FullWhile(local.open(observer), filler));
  }

  private static KillRun kill(String host, String job) {
    return KillRun.newBuilder()
        .setJobId(job)
        .setRun(1)
        .setShard(FakeShards.SHARD)
        .setHost(host)
        .setExecutor("")
        .build();
  }

  private StartRun line(FakeShards shards, String job) {
    Path lines = directory.resolve("lines");
    return shards.start(job, "echo " + job + " >>" + lines, Path.of("/dev/null"));
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(directory.resolve("lines"));
  }

  @Test
  @Tag("night")
  void aRunIsEndedThatMayFreeTheDiskForAnOrderToStandStill() throws Exception {
    try (FakeShards shards = new FakeShards(broker, "mu");
        LocalExecutor executor = open("mu", "1.mu")) {
      shards.order(shards.start("1.mu", "sleep 1000", Path.of("/dev/null")));
      shards.order(
          SignalRun.newBuilder()
              .setJobId("1.mu")
              .setRun(1)
              .setShard(FakeShards.SHARD)
              .setHost("mu")
              .setOrder(1)
              .setSignal("suspend")
              .setExecutor("")
              .build());
      shards.order(line(shards, "2.mu"));
      shards.order(kill("mu", "1.mu"));
      shards.order(line(shards, "3.mu"));
      assertEquals(271, shards.awaitEnd("1.mu").getExitStatus());
      assertEquals(0, shards.awaitEnd("2.mu").getExitStatus());
      assertEquals(0, shards.awaitEnd("3.mu").getExitStatus());
      assertTrue(refused.get() > 0, "there was room");
      awaitReleased(executor);
    }
    assertEquals(List.of("2.mu", "3.mu"), lines().stream().sorted().toList());
  }

  /** A run is ended in its turn when it has not begun: else it would begin after its end. */
  @Test
  void aRunIsEndedThatMayFreeTheDiskForAnother() throws Exception {
    try (FakeShards shards = new FakeShards(broker, "nu");
        LocalExecutor executor = open("nu", "1.nu")) {
      shards.order(shards.start("1.nu", "sleep 1000", Path.of("/dev/null")));
      shards.order(line(shards, "2.nu"));
      shards.order(shards.start("3.nu", "sleep 1000", Path.of("/dev/null")));
      shards.order(kill("nu", "3.nu"));
      shards.flush();
      // Only now: the start of 2.nu has met the full disk, and those behind it wait for it.
      await().atMost(PATIENCE).until(() -> refused.get() > 1);
      shards.order(kill("nu", "1.nu"));
      assertEquals(271, shards.awaitEnd("1.nu").getExitStatus());
      assertEquals(0, shards.awaitEnd("2.nu").getExitStatus());
      assertEquals(271, shards.awaitEnd("3.nu").getExitStatus());
      assertTrue(refused.get() > 0, "there was room");
      awaitReleased(executor);
    }
    assertEquals(List.of("2.nu"), lines());
  }
}
