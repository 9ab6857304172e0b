package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmGoldenTest {

  private static final Path RECORDED =
      Path.of(System.getProperty("millrace.root", ".")).resolve("../shared/transcripts/slurm");

  private static final Map<String, String> TABLE =
      Map.of("ngpus", "gres/gpu", "ntesla", "gres/gpu:tesla");

  private static List<OutsideJob> jobs(String json) {
    return ((Told.Answered<List<OutsideJob>>)
            SlurmQueue.read(RecordedTexts.answer(0, json, ""), TABLE, it -> {}))
        .value();
  }

  private static Told<List<OutsideJob>> told(int status, String json) {
    return SlurmQueue.read(RecordedTexts.answer(status, json, ""), TABLE, it -> {});
  }

  @Test
  void theQueue() {
    List<OutsideJob> jobs = jobs(SlurmFixtures.text("squeue.json"));
    List<String> found =
        jobs.stream().map(it -> it.id() + " " + it.account() + " " + it.state()).toList();
    assertEquals(
        List.of(
            "1 alice HELD",
            "2 alice RUNNING",
            "3.1 alice SUSPENDED",
            "20 alice ENDED",
            "21 alice ENDED",
            "22 alice ENDING",
            "23 alice RUNNING"),
        found);
    assertEquals(OutsideTag.read("mr.c1.12.1"), jobs.get(0).tag());
    assertEquals(OutsideTag.read("mr.c1.13.2"), jobs.get(1).tag());
    assertEquals(OutsideTag.read("mr.c1.14.1"), jobs.get(3).tag());
    assertEquals("bad \"name\"\n{", jobs.get(3).name());
    assertEquals(3, jobs.get(3).end().orElseThrow().status());
    assertEquals(OutsideCause.TIME_LIMIT, jobs.get(4).end().orElseThrow().cause());
    assertEquals(15, jobs.get(4).end().orElseThrow().signal());
    assertEquals("vm", jobs.get(1).place());
    assertEquals(4, jobs.get(1).slots());
  }

  /** Its uid has no name any more: it is nobody's here, and keeps nothing from being read. */
  @Test
  void aJobOfAnAccountThatIsGoneIsNobodys() {
    String whole = SlurmFixtures.text("squeue.json");
    for (String none : List.of("null", "\"\"")) {
      String text = whole.replaceFirst("\"user_name\": \"alice\"", "\"user_name\": " + none);
      List<OutsideJob> jobs = ((Told.Answered<List<OutsideJob>>) told(0, text)).value();
      assertEquals(
          List.of("1001", "alice"), jobs.stream().limit(2).map(OutsideJob::account).toList());
      String without = text.replace("\"user_id\": 1001", "\"user_id\": null");
      assertInstanceOf(Told.Nothing.class, told(0, without));
    }
  }

  /** Exit status 0 and no jobs: this is what squeue prints when slurmctld is not there. */
  @Test
  void aQueueThatCouldNotBeReachedIsNoEmptyQueue() {
    Told<List<OutsideJob>> told = told(0, SlurmFixtures.text("squeue-unreachable.json"));
    assertEquals(Told.nothing("squeue: Failed while looking for jobs (Unspecified error)"), told);
  }

  @Test
  void aQueueThatBreaksOffIsNoQueue() {
    String whole = SlurmFixtures.text("squeue.json").strip();
    for (int length = 0; length < whole.length(); length += 1 + length % 13) {
      assertInstanceOf(Told.Nothing.class, told(0, whole.substring(0, length)));
    }
    assertInstanceOf(Told.Nothing.class, told(1, whole));
  }

  @Test
  void eachUsedFieldCounts() {
    Map<String, String> known = SlurmFixtures.fields("fields-squeue.txt");
    List<Map<String, String>> all = new ArrayList<>();
    SlurmJson.read(new StringReader(SlurmFixtures.text("squeue.json")), "jobs", all::add);
    for (Map.Entry<String, String> field : known.entrySet()) {
      boolean counts = false;
      for (Map<String, String> job : all) {
        for (String other : List.of("77", "mr.c1.99.1", "FAILED", "JobHeldAdmin", "gpu:1", "")) {
          Map<String, String> changed = new HashMap<>(job);
          changed.put(field.getKey(), other);
          counts |= !SlurmQueue.job(changed, TABLE).equals(SlurmQueue.job(job, TABLE));
        }
      }
      assertEquals(field.getValue().equals("used"), counts, field.getKey());
    }
  }

  @Test
  void eachRecordedFieldIsNamed() throws IOException {
    assumeTrue(Files.isDirectory(RECORDED), "no recordings at " + RECORDED);
    Map<String, String> queue = SlurmFixtures.fields("fields-squeue.txt");
    List<String> unknown = new ArrayList<>();
    SlurmJson.read(
        Files.newBufferedReader(RECORDED.resolve("squeue.json")),
        "jobs",
        job -> job.keySet().stream().filter(it -> !queue.containsKey(it)).forEach(unknown::add));
    Map<String, String> nodes = SlurmFixtures.fields("fields-sinfo.txt");
    SlurmJson.read(
        Files.newBufferedReader(RECORDED.resolve("sinfo.json")),
        "nodes",
        node -> node.keySet().stream().filter(it -> !nodes.containsKey(it)).forEach(unknown::add));
    assertEquals(List.of(), unknown);
    assertEquals(10, jobs(Files.readString(RECORDED.resolve("squeue.json"))).size());
  }

  /** Tasks that wait are one entry, of which each is told, and those that run have their own. */
  @Test
  void tasksOfARecordedArray() throws Exception {
    assumeTrue(Files.isDirectory(RECORDED), "no recordings at " + RECORDED);
    List<OutsideJob> jobs = jobs(Files.readString(RECORDED.resolve("squeue.json")));
    for (long task = 1; task <= 5; task++) {
      OutsideId id = new OutsideId(3, task);
      List<String> states =
          jobs.stream().filter(it -> it.isOrCovers(id)).map(OutsideJob::word).toList();
      assertEquals(
          task == 5 ? List.of() : List.of(task < 3 ? "RUNNING" : "PENDING"), states, id::toString);
    }
  }

  /** By the cores of each node; a core may be more than one processor. */
  @Test
  void whatJobsHaveOfTheirNodes() {
    assertEquals(
        List.of(OutsideHolding.of("vm", Map.of("ncpus", 4L))),
        jobs(SlurmFixtures.text("squeue.json")).get(1).holdings());
    assertEquals(
        List.of(
            OutsideHolding.of(
                "n1", Map.of("ncpus", 6L, "mem", 512L << 20, "ngpus", 3L, "ntesla", 2L)),
            OutsideHolding.of("n2", Map.of("ncpus", 2L))),
        SlurmShares.holdings(
            "n1 3 512;N2.site 1 0", 8, "gpu:tesla:2(IDX:0,2),gpu:a100:1(IDX:3);nic:1", TABLE));
    assertEquals(List.of(), SlurmShares.holdings("", 8, "", TABLE));
    String shares =
        "{\"errors\":[],\"jobs\":[{\"job_resources\":{\"nodes\":\"n[1-2]\",\"allocated_nodes\":["
            + "{\"sockets\":{\"0\":{\"cores\":{\"0\":\"allocated\",\"1\":\"allocated\"}}},"
            + "\"nodename\":\"n1\",\"memory_allocated\":100},{\"nodename\":\"n2\",\"more\":[1]}]},"
            + "\"gres_detail\":[\"gpu:1(IDX:0,1)\",\"\"]}]}";
    List<Map<String, String>> read = new ArrayList<>();
    assertEquals(Optional.empty(), SlurmJson.read(new StringReader(shares), "jobs", read::add));
    assertEquals("n1 2 100;n2 0 0", read.get(0).get("job_resources"));
    assertEquals("gpu:1(IDX:0,1);", read.get(0).get("gres_detail"));
  }

  @Test
  void genericResources() {
    assertEquals(
        Map.of("ngpus", 5L, "ntesla", 2L),
        SlurmGres.amounts("gpu:tesla:2(S:0-1),gpu:3,nic:1,odd", TABLE));
    assertEquals(Map.of("ngpus", 4096L), SlurmGres.amounts("gpu:no_consume:4K", TABLE));
    assertEquals(Map.of(), SlurmGres.amounts("", TABLE));
    assertEquals(
        List.of("--gres=gpu:2,nic:1"),
        SlurmGres.words(new TreeMap<>(Map.of("gres/gpu", 2L, "gres/nic", 1L))));
    assertEquals(List.of(), SlurmGres.words(Map.of()));
    String text = SlurmFixtures.text("sinfo.json").replace("\"gres\": \"\"", "\"gres\": \"gpu:2\"");
    OutsideAnswer answer = RecordedTexts.answer(0, text, "");
    assertEquals(
        Map.of("ngpus", 2L, "ntesla", 0L),
        ((Told.Answered<OutsideInventory>) SlurmHosts.read(answer, Optional.empty(), TABLE))
            .value()
            .hosts()
            .get(0)
            .resources());
  }

  @Test
  void theHosts() {
    OutsideInventory found =
        ((Told.Answered<OutsideInventory>)
                SlurmHosts.read(
                    RecordedTexts.answer(0, SlurmFixtures.text("sinfo.json"), ""),
                    Optional.empty(),
                    TABLE))
            .value();
    assertEquals(List.of("batch"), found.queues());
    assertEquals("vm", found.hosts().get(0).name());
    assertTrue(found.hosts().get(0).usable());
    assertEquals(64, found.hosts().get(0).cpus());
    assertEquals(24105L << 20, found.hosts().get(0).memoryBytes());
    assertEquals("1", found.hosts().get(0).fields().get("weight"));
    String drained =
        SlurmFixtures.text("sinfo.json")
            .replaceFirst("\"state_flags\": \\[", "\"state_flags\": [\"DRAIN\"");
    OutsideInventory other =
        ((Told.Answered<OutsideInventory>)
                SlurmHosts.read(RecordedTexts.answer(0, drained, ""), Optional.empty(), TABLE))
            .value();
    assertEquals("mixed+DRAIN", other.hosts().get(0).word());
    assertTrue(!other.hosts().get(0).usable());
  }

  /** Of a managed partition the others take no jobs. */
  @Test
  void theHostsOfAPartition() {
    OutsideAnswer answer = RecordedTexts.answer(0, SlurmFixtures.text("sinfo.json"), "");
    for (String partition : List.of("batch", "other")) {
      OutsideInventory found =
          ((Told.Answered<OutsideInventory>) SlurmHosts.read(answer, Optional.of(partition), TABLE))
              .value();
      assertEquals(partition.equals("batch"), found.hosts().get(0).usable());
    }
  }

  @Test
  void aCompletion() {
    OutsideRecord record =
        CompletionLine.record(SlurmFixtures.COMPLETION, ZoneOffset.UTC).orElseThrow();
    assertEquals(OutsideId.of(2), record.id());
    assertEquals("alice", record.account());
    assertEquals(OutsideTag.read("mr.c1.13.1"), record.tag());
    assertEquals(3, record.end().status());
    assertEquals(Optional.of(Instant.parse("2026-11-25T22:47:29Z")), record.submitted());
    assertEquals("a b' JobState=X", record.fields().get("Name"));
    assertEquals("/home/a b", record.fields().get("WorkDir"));
    assertEquals(CompletionLine.FIELDS.size(), record.fields().size());
    assertEquals(false, record.certain());
    assertEquals(
        "3:0 Later=1",
        CompletionLine.fields(SlurmFixtures.COMPLETION + "Later=1").orElseThrow().get("ExitCode"));
    assertEquals(Optional.empty(), CompletionLine.record("nl JobState=FAILED", ZoneOffset.UTC));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 12 | | Accepted",
        "0 | 12;hand | | Accepted",
        "0 | Submitted batch job x | | SubmissionUnclear",
        "0 | | | SubmissionUnclear",
        "1 | | sbatch: error: Batch job submission failed: Invalid partition name specified |"
            + " SubmissionRefused",
        "1 | | sbatch: error: Batch job submission failed: Invalid license specification |"
            + " SubmissionRefused",
        "1 | | sbatch: error: Batch job submission failed: Access/permission denied |"
            + " SubmissionRefused",
        "1 | | sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job"
            + " submit limit, user's size and/or time limits) | LimitReached",
        "255 | | sbatch: error: Invalid --time specification | SubmissionRefused",
        "1 | | sbatch: error: Batch job submission failed: Invalid authentication credential |"
            + " SubmissionUnclear",
        "1 | | sbatch: error: Batch job submission failed: Unable to contact slurm controller |"
            + " SubmissionUnclear",
        "1 | | sbatch: error: Batch job submission failed: Socket timed out on send/recv |"
            + " SubmissionUnclear",
        "1 | | something that nobody has seen before | SubmissionUnclear",
        "1 | | sudo: a password is required | AccountRefused",
        "126 | | millrace-outside: refused: sbatch does not take '-z' here | SubmissionRefused",
        "1 | | sudo: unable to resolve host n1 | SubmissionUnclear",
      })
  void answersToSubmissions(int status, String out, String err, String said) {
    Submitted answer =
        SlurmWords.submitted(
            RecordedTexts.answer(status, out == null ? "" : out + "\n", err == null ? "" : err));
    assertEquals(said, answer.getClass().getSimpleName());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | | Done",
        "210 | scancel: error: Kill job error on job id 1: Access/permission denied |"
            + " ControlRefused",
        "1 | slurm_suspend error: Invalid job id specified | OutsideJobGone",
        "1 | slurm_suspend error: Job has already finished | OutsideJobGone",
        "1 | slurm_suspend error: Unable to contact slurm controller (connect failure) |"
            + " ControlUnclear",
      })
  void answersToOrders(int status, String err, String said) {
    Controlled answer =
        SlurmWords.controlled(RecordedTexts.answer(status, "", err == null ? "" : err));
    assertEquals(said, answer.getClass().getSimpleName());
  }

  @Test
  void aFullQueueIsNoFailure() {
    String said = "sbatch: error: Slurm job queue full, sleeping and retrying\n";
    OutsideAnswer late =
        new OutsideAnswer(
            OutsideAnswer.ProcessEnding.TIMED_OUT, -1, "", said + said, Duration.ofSeconds(20));
    assertEquals(
        new Submitted.SubmissionUnclear("sbatch: " + said.strip(), true),
        SlurmWords.submitted(late));
    OutsideAnswer never =
        new OutsideAnswer(
            OutsideAnswer.ProcessEnding.TIMED_OUT, -1, "", "", Duration.ofSeconds(20));
    Submitted.SubmissionUnclear unclear =
        assertInstanceOf(Submitted.SubmissionUnclear.class, SlurmWords.submitted(never));
    assertFalse(unclear.full());
  }

  @Test
  void aNumberThatBreaksOffIsThatOfAnotherJob() {
    Submitted answer = SlurmWords.submitted(RecordedTexts.answer(0, "12", ""));
    assertEquals("SubmissionUnclear", answer.getClass().getSimpleName());
  }

  @Test
  void namesBreakNoLines() {
    assertEquals("a_b' -x", SlurmSystem.name("a\nb' -x"));
    assertEquals("job", SlurmSystem.name(""));
    assertNotEquals(300, SlurmSystem.name("x".repeat(300)).length());
  }
}
