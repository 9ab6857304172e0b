package io.millrace.ops.faults.sabotage;

import io.millrace.ops.faults.evidence.JobLine;
import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.LoadFolder;
import io.millrace.ops.faults.load.LoadProgress;
import io.millrace.ops.faults.scenario.SharedPartition;
import io.millrace.ops.faults.scenario.TestedSystem;
import io.millrace.ops.home.FolderTree;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Injects a fault from outside: with an administrator's rights, on disks, on processes. */
public final class FaultInjector {
  private static final long PATIENCE_MS = 300_000;
  private static final long LOOK_MS = 20;

  /** When no run begins for this long, all jobs have been run. */
  private static final long OVER_MS = 60_000;

  private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final int OPEN_RUNS = 2;

  /** More than all runs of an account can use in the moment in which it is charged. */
  private static final long CHARGED_S = 1_000;

  private final TestedSystem system;
  private final LoadFolder folder;
  private final Restarter restarter;
  private final LoadProgress progress;
  private final long seed;
  private final CampaignInjector campaigns;

  public FaultInjector(
      TestedSystem system,
      LoadFolder folder,
      Restarter restarter,
      LoadProgress progress,
      long seed) {
    this.seed = seed;
    this.campaigns = new CampaignInjector(system.gateways().get(0), restarter);
    this.system = system;
    this.folder = folder;
    this.restarter = restarter;
    this.progress = progress;
  }

  /** Injects the fault while jobs run; returns one sentence that says what was done. */
  public String inject(Sabotage sabotage) throws IOException, InterruptedException {
    restarter.awaitReady(PATIENCE_MS);
    if (!progress.awaitOpenRuns(OPEN_RUNS, PATIENCE_MS)) {
      throw new IOException("no " + OPEN_RUNS + " jobs run at once: nothing to plant a fault in");
    }
    try {
      return switch (sabotage) {
        case LOSE_COMMAND -> loseCommand();
        case START_TWICE -> startTwice();
        case DROP_REPORT -> dropReport();
        case FORGET_STATE -> forgetState();
        case CHARGE_AGAIN -> chargeAgain();
        case FORGET_TASK, SEND_AGAIN, COUNT_REPLICA -> campaigns.inject(sabotage);
      };
    } catch (ExecutionException e) {
      throw new IOException("the fault cannot be planted: " + e.getCause().getMessage(), e);
    }
  }

  private String chargeAgain() throws IOException, InterruptedException {
    CommandClient client = new CommandClient(system.gateways(), folder.outputs());
    String account = SharedPartition.ACCOUNTS.get(0);
    long used = SharedPartition.charged(client).getOrDefault(account, 0L);
    client.must("pbsfs", "-s", account, Long.toString(used + CHARGED_S));
    return "charged account " + account + " for " + CHARGED_S + " s more";
  }

  private void holdServers() throws IOException, InterruptedException {
    for (String server : system.places().servers()) {
      restarter.hold(server);
    }
  }

  private void releaseServers() {
    system.places().servers().forEach(restarter::release);
  }

  private String loseCommand() throws IOException, InterruptedException, ExecutionException {
    // An attempt may find that all runs were decided just before the kill.
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (System.nanoTime() < deadline) {
      holdServers();
      try {
        Optional<String> done = loseReport();
        if (done.isPresent()) {
          return done.get();
        }
      } finally {
        releaseServers();
      }
      restarter.awaitReady(PATIENCE_MS);
      progress.awaitOpenRuns(OPEN_RUNS, PATIENCE_MS);
    }
    throw new IOException("no run's end was reported while the server was down");
  }

  /**
   * Deletes the first report of a run's end that no shard has decided yet; returns what was
   * deleted.
   */
  private Optional<String> loseReport()
      throws IOException, InterruptedException, ExecutionException {
    Map<String, Object> admin = system.kafka().admin();
    Map<String, Object> config = new HashMap<>(admin);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    try (Admin client = Admin.create(admin);
        KafkaConsumer<byte[], byte[]> inbox =
            new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Map<TopicPartition, Long> undecided = new HashMap<>();
      for (Map.Entry<TopicPartition, OffsetAndMetadata> entry :
          client
              .listConsumerGroupOffsets(Topics.APPLICATION)
              .partitionsToOffsetAndMetadata()
              .get()
              .entrySet()) {
        undecided.put(entry.getKey(), entry.getValue().offset());
      }
      Optional<ConsumerRecord<byte[], byte[]>> report = awaitReport(inbox, undecided);
      if (report.isEmpty()) {
        return Optional.empty();
      }
      TopicPartition shard = new TopicPartition(report.get().topic(), report.get().partition());
      long behind = report.get().offset() + 1;
      client.deleteRecords(Map.of(shard, RecordsToDelete.beforeOffset(behind))).all().get();
      return Optional.of(
          "deleted the commands of shard " + shard.partition() + " before offset " + behind);
    }
  }

  private Optional<ConsumerRecord<byte[], byte[]>> awaitReport(
      KafkaConsumer<byte[], byte[]> inbox, Map<TopicPartition, Long> undecided) throws IOException {
    RecordCodec codec;
    try {
      codec = Codecs.open(system.kafka().admin());
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
    inbox.assign(undecided.keySet());
    undecided.forEach(inbox::seek);
    long deadline = System.nanoTime() + 4 * SETTLED_NANOS;
    while (System.nanoTime() < deadline) {
      for (ConsumerRecord<byte[], byte[]> record : inbox.poll(Duration.ofMillis(100))) {
        try {
          if (codec.decode(record.value()) instanceof ReportRunFinished report
              && openAndLeftAlone().contains(report.getJobId() + "." + report.getRun())) {
            return Optional.of(record);
          }
        } catch (UndecodableRecord e) {
          throw new IOException("the inbox has a record that cannot be read: " + e.getMessage(), e);
        }
      }
    }
    return Optional.empty();
  }

  private String startTwice() throws IOException, InterruptedException {
    Optional<LoadProgress.OpenRun> run = Optional.empty();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (run.isEmpty() && System.nanoTime() < deadline) {
      List<JobLine> lines = JobLine.readAll(folder.lines());
      run =
          progress.openRuns().stream()
              .filter(it -> lines.contains(new JobLine(it.jobId(), it.run(), it.token())))
              .findFirst();
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    LoadProgress.OpenRun twice =
        run.orElseThrow(() -> new IOException("no run has written its line"));
    ProcessBuilder rogue =
        new ProcessBuilder("/bin/sh", folder.script(twice.token()).toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    rogue.environment().put("PBS_JOBID", twice.jobId());
    rogue.environment().put("MILLRACE_RUN", Integer.toString(twice.run()));
    rogue.start().waitFor();
    return "ran the script of " + twice.jobId() + " run " + twice.run() + " once more";
  }

  private String dropReport() throws IOException, InterruptedException {
    // An attempt may find that both runs were reported just before the kill.
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (System.nanoTime() < deadline) {
      restarter.hold(system.places().executor());
      try {
        Optional<Path> run = awaitUnreported();
        if (run.isPresent()) {
          FolderTree.delete(run.get());
          return "removed " + run.get().getFileName() + ", whose end was not reported";
        }
      } finally {
        restarter.release(system.places().executor());
      }
      restarter.awaitReady(PATIENCE_MS);
      if (!progress.awaitOpenRuns(OPEN_RUNS, OVER_MS)) {
        break;
      }
    }
    throw new IOException("no run ended while the executor was down");
  }

  /**
   * Waits for a run that has ended although the shard, with all reports decided, still counts it as
   * open. Its order must not be read again, because starting a run twice would be another fault.
   */
  private Optional<Path> awaitUnreported() throws IOException, InterruptedException {
    TakenOrders taken = TakenOrders.of(system.places().spool());
    Map<Path, Long> seen = new HashMap<>();
    long deadline = System.nanoTime() + 4 * SETTLED_NANOS;
    while (System.nanoTime() < deadline) {
      Set<String> open = openAndLeftAlone();
      for (Path outcome : outcomes()) {
        Path run = outcome.getParent();
        if (!open.contains(run.getFileName().toString()) || !taken.cover(run)) {
          continue;
        }
        long since = seen.computeIfAbsent(run, path -> System.nanoTime());
        if (System.nanoTime() - since > SETTLED_NANOS) {
          return Optional.of(run);
        }
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return Optional.empty();
  }

  private String forgetState() throws IOException, InterruptedException, ExecutionException {
    holdServers();
    Map<String, Object> settings = system.kafka().admin();
    try (Admin admin = Admin.create(settings)) {
      for (Path stores : system.places().stores()) {
        FolderTree.delete(stores);
      }
      String jobs = Topics.table("jobs");
      int shards =
          admin.describeTopics(List.of(jobs)).allTopicNames().get().get(jobs).partitions().size();
      Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
      for (int shard = 0; shard < shards; shard++) {
        // -1 means the end of the partition.
        all.put(new TopicPartition(jobs, shard), RecordsToDelete.beforeOffset(-1));
      }
      // The broker refuses to delete records of a topic that is only compacted.
      cleanup(admin, jobs, "compact,delete");
      deletePatiently(admin, all);
      cleanup(admin, jobs, "compact");
      return "wiped the server's folder and the records of " + jobs;
    } finally {
      releaseServers();
    }
  }

  /**
   * Open runs whose jobs nobody deletes or reruns; that would make the executor report that it does
   * not know the run.
   */
  private Set<String> openAndLeftAlone() {
    return progress.openRuns().stream()
        .filter(run -> JobPlan.ofToken(seed, run.token()).operation().isEmpty())
        .map(run -> run.jobId() + "." + run.run())
        .collect(Collectors.toSet());
  }

  /** Files in which supervisors have recorded how a run ended. */
  private List<Path> outcomes() throws IOException {
    List<Path> outcomes = new ArrayList<>();
    Path runs = system.places().spool().resolve("runs");
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(runs)) {
      for (Path run : folders) {
        if (Files.exists(run.resolve("outcome"))) {
          outcomes.add(run.resolve("outcome"));
        }
      }
    }
    return outcomes;
  }

  /** Deletes records, repeating it until the broker has learned that the topic allows it. */
  private static void deletePatiently(Admin admin, Map<TopicPartition, RecordsToDelete> records)
      throws InterruptedException, ExecutionException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (true) {
      try {
        admin.deleteRecords(records).all().get();
        return;
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof PolicyViolationException) || System.nanoTime() > deadline) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    }
  }

  private static void cleanup(Admin admin, String topic, String policy)
      throws InterruptedException, ExecutionException {
    ConfigEntry entry = new ConfigEntry(TopicConfig.CLEANUP_POLICY_CONFIG, policy);
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }
}
