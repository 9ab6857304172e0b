package io.millrace.ops.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schemas.program.HelpRequested;
import io.millrace.schemas.program.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateTest {

  private static final String TRACE =
      """
      ; MaxProcs: 4
      1 0 0 100 2 -1 -1 2 100 -1 1 -1 -1 -1 -1 -1 -1 -1
      2 1 99 100 4 -1 -1 4 100 -1 1 -1 -1 -1 -1 -1 -1 -1
      3 2 198 50 2 -1 -1 2 60 -1 1 -1 -1 -1 -1 -1 -1 -1
      what is this
      4 3 -1 50 9 -1 -1 9 60 -1 1 -1 -1 -1 -1 -1 -1 -1
      """;

  @TempDir Path folder;
  private Path trace;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void write() throws IOException {
    trace = folder.resolve("small.swf");
    Files.writeString(trace, TRACE);
  }

  private String run(String... arguments) throws IOException, UsageException {
    assertEquals(0, Simulate.run(List.of(arguments), new Console(new PrintStream(out), false)));
    return out.toString();
  }

  private String refusal(String... arguments) {
    Exception refused = assertThrows(Exception.class, () -> run(arguments));
    assertTrue(refused instanceof IOException || refused instanceof UsageException, "" + refused);
    assertFalse(refused.getMessage().contains("\n"), refused.getMessage());
    return refused.getMessage().replace(folder.toString(), "DIR");
  }

  @Test
  void onePolicyOrSeveral() throws Exception {
    String text = run(trace.toString(), "--policy", "FCFS", "--compare", "easy", "--json");
    JsonNode json = new ObjectMapper().readTree(text);
    assertEquals("FCFS", json.get("policy").asText());
    assertEquals(3, json.get("jobs").asInt());
    assertEquals((0 + 99 + 198) / 3.0, json.get("wait_mean_s").asDouble(), 1e-9);
    JsonNode easy = json.get("policies").get(1);
    assertEquals("easy", easy.get("policy").asText());
    assertEquals((0 + 99 + 0) / 3.0, easy.get("wait_mean_s").asDouble(), 1e-9);
    assertEquals(2, json.get("findings").size());
    assertEquals("not_a_number", json.get("findings").get(0).get("code").asText());
  }

  private static String end(int job, int qtime, int start, int end) {
    return "11/20/2026 15:36:03;E;"
        + job
        + ".vm;user=mary group=staff queue=workq qtime="
        + qtime
        + " etime="
        + qtime
        + " start="
        + start
        + " end="
        + end
        + " exec_host=vm/0 Resource_List.ncpus=1\n";
  }

  @Test
  void whatAccountingTellsUnderAnotherPolicy() throws Exception {
    Path days = Files.createDirectories(folder.resolve("accounting"));
    Files.writeString(days.resolve("20261119"), end(1, 100, 100, 200));
    Files.writeString(days.resolve("20261120"), end(2, 1000, 1000, 1100));
    Files.writeString(days.resolve("20261121"), end(3, 1001, 1400, 1500));
    Files.writeString(days.resolve(".state"), "no accounting");
    String all = run(days.toString(), "--policy", "recorded", "--compare", "easy", "--json");
    JsonNode json = new ObjectMapper().readTree(all);
    assertEquals("accounting", json.get("trace").asText());
    assertEquals(3, json.get("jobs").asInt());
    assertEquals(399 / 3.0, json.get("wait_mean_s").asDouble(), 1e-9);
    assertEquals(99 / 3.0, json.get("policies").get(1).get("wait_mean_s").asDouble(), 1e-9);
    assertEquals(1, json.get("processors").asInt());

    out.reset();
    String some = run(days.toString(), "--since", "20261120", "--until", "20261120", "--json");
    assertEquals(1, new ObjectMapper().readTree(some).get("jobs").asInt());
    out.reset();
    Path file = days.resolve("20261121");
    JsonNode one = new ObjectMapper().readTree(run(file.toString(), "--nodes", "7", "--json"));
    assertEquals(7, one.get("processors").asInt());

    assertEquals(
        "DIR/accounting has no accounting file since 20270101: they are called as their day,"
            + " 20261120",
        refusal(days.toString(), "--since", "20270101"));
    assertEquals(
        usage("--since takes a day such as 20261120, not 20260230"),
        refusal(days.toString(), "--since", "20260230"));
    assertEquals(
        usage("--since is after --until"),
        refusal(days.toString(), "--since", "20261121", "--until", "20261120"));
    assertEquals(
        usage("--since and --until are for a folder of accounting files"),
        refusal(trace.toString(), "--since", "20261120"));
    Path unknown = folder.resolve("unknown.swf");
    Files.writeString(unknown, TRACE.replace(" 198 ", " -1 "));
    assertEquals(
        "recorded: the trace does not tell how long 1 of its jobs waited",
        refusal(unknown.toString(), "--policy", "recorded"));
  }

  private static String usage(String what) {
    return "millrace simulate: " + what + " (see ./millrace simulate --help)";
  }

  @Test
  void theAccountingOfACellBeginsWithComments() throws Exception {
    Path file = folder.resolve("cell");
    Files.writeString(
        file,
        "# Version: 8.1.9\n# \n# DO NOT MODIFY THIS FILE MANUALLY!\n# \n"
            + "all.q:node01:staff:mary:B0:91:sge:0:1000:1003:1008:0:0:5:0.002756:0.005554:"
            + "4864.000000:0:0:0:0:561:0:0:0.000000:8:0:0:0:12:5:NONE:defaultdepartment:NONE:1:0:"
            + "0.008310:0.000000:0.000033:-l h_rt=6"
            + ",a=b".repeat(200)
            + ":0.000000:NONE:3198976.000000:0:0\n");
    JsonNode json = new ObjectMapper().readTree(run(file.toString(), "--json"));
    assertEquals(1, json.get("jobs").asInt());
    Path empty = Files.write(folder.resolve("empty.gz"), new byte[0]);
    assertEquals("DIR/empty.gz has no job that can be replayed", refusal(empty.toString()));
  }

  @Test
  void bestEffortChangesNoStart() throws Exception {
    String text =
        run(
            trace.toString(),
            "--policy",
            "easy",
            "--compare",
            "strict,preemption",
            "--best-effort",
            "7",
            "--json");
    JsonNode policies = new ObjectMapper().readTree(text).get("policies");
    assertEquals(3, policies.size());
    for (JsonNode policy : policies) {
      assertEquals(0, policy.get("differences").asInt(), policy.toString());
      assertEquals(3, policy.get("starts").asInt(), policy.toString());
      assertTrue(policy.get("gave_way").asInt() > 0, policy.toString());
    }
    String no = refusal(trace.toString(), "--policy", "gridengine", "--best-effort", "7");
    assertTrue(no.contains("without gridengine, and for preemption; not gridengine"), no);
    String file = refusal(trace.toString(), "--csv", "some.csv", "--best-effort", "7");
    assertTrue(file.contains("--csv does not go with --best-effort"), file);
  }

  @Test
  void foldersAndFilesOfOtherSchedulers() throws Exception {
    Path plus = Files.createDirectories(folder.resolve("plus"));
    Files.writeString(plus.resolve("sched_conf"), "JobSortKey: LeastCPURequested\n");
    Path origin = Files.createDirectories(folder.resolve("origin"));
    Files.writeString(origin.resolve("config"), "SUBMIT_QUEUE submit\nBATCH_QUEUES exec@machine\n");
    String text =
        run(
            trace.toString(),
            "--policy",
            plus.toString(),
            "--compare",
            plus.resolve("sched_conf") + "," + origin,
            "--json");
    JsonNode policies = new ObjectMapper().readTree(text).get("policies");
    // Job 3 is passed on by none: it starts beside job 1, which two of them and job 2 wait for.
    assertEquals((0 + 99 + 0) / 3.0, policies.get(0).get("wait_mean_s").asDouble(), 1e-9);
    assertEquals((0 + 99 + 0) / 3.0, policies.get(1).get("wait_mean_s").asDouble(), 1e-9);
    assertEquals((0 + 99 + 0) / 3.0, policies.get(2).get("wait_mean_s").asDouble(), 1e-9);
  }

  @Test
  void theFilesOfAPbsSchedulerAndOfACell() throws Exception {
    Path pbs = Files.createDirectories(folder.resolve("sched_priv"));
    Files.writeString(pbs.resolve("sched_config"), "strict_ordering: true\nbackfill: false\n");
    Files.writeString(pbs.resolve("holidays"), "YEAR 1970\nweekday 0800 1800\n");
    Path cell = Files.createDirectories(folder.resolve("cell"));
    Files.writeString(
        cell.resolve("complex"),
        "slots s INT <= YES YES 1 1000\nh_rt h_rt TIME <= YES NO 0:0:0 0\n");
    Files.writeString(cell.resolve("sched"), "algorithm default\nschedule_interval 0:0:30\n");
    Files.writeString(cell.resolve("queue.all.q"), "qname all.q\nhostlist node1\nslots 2\n");
    String text =
        run(
            trace.toString(),
            "--policy",
            pbs.toString(),
            "--compare",
            pbs.resolve("sched_config") + "," + cell,
            "--zone",
            "Europe/Berlin",
            "--json");
    JsonNode policies = new ObjectMapper().readTree(text).get("policies");
    // Job 3 waits for job 2, which waits for job 1.
    assertEquals((0 + 99 + 198) / 3.0, policies.get(0).get("wait_mean_s").asDouble(), 1e-9);
    assertEquals((0 + 99 + 198) / 3.0, policies.get(1).get("wait_mean_s").asDouble(), 1e-9);
    // Job 1 from 0 to 100, job 3 from 30 to 80, job 2 from 120.
    assertEquals((0 + 119 + 28) / 3.0, policies.get(2).get("wait_mean_s").asDouble(), 1e-9);
  }

  @Test
  void whatIsWrongInTheFilesOfAPbsSchedulerIsSaid() throws Exception {
    Path pbs = Files.createDirectories(folder.resolve("sched_priv"));
    Files.writeString(pbs.resolve("sched_config"), "strict_ordering: perhaps\nby_queues: true\n");
    String said = refusal(trace.toString(), "--policy", pbs.toString());
    assertTrue(said.startsWith("DIR/sched_priv/sched_config:1: "), said);
    assertTrue(said.endsWith(" (and 1 more; see policy check)"), said);
    Path alone = Files.writeString(folder.resolve("hours"), "YEAR 1996\nweekday 0800 1800\n");
    assertEquals(
        "DIR/hours: there is no sched_config in it",
        refusal(trace.toString(), "--policy", alone.toString()));
    String zone = "--zone is for files of a PBS or Origin2000 scheduler";
    assertTrue(refusal(trace.toString(), "--zone", "UTC").contains(zone));
    assertTrue(refusal(trace.toString(), "--zone", "Moon").contains("takes a time zone such as"));
    Path attributes = Files.writeString(folder.resolve("policy"), "policy = sched_config\n");
    assertEquals(
        "DIR/policy line 1: the files of a PBS scheduler are a policy of their own: give their"
            + " FOLDER",
        refusal(trace.toString(), "--policy", attributes.toString()));
  }

  @Test
  void whatIsWrongInAFolderIsSaid() throws Exception {
    Path site = Files.createDirectories(folder.resolve("site"));
    assertEquals(
        "DIR/site: there is no file of a policy in it: sched_config of PBS, config of an Origin2000"
            + " scheduler, sched_conf of PluS, or sched of a Grid Engine",
        refusal(trace.toString(), "--policy", site.toString()));
    Files.writeString(site.resolve("sched_conf"), "JobSortKey: Least\n");
    assertEquals(
        "sched_conf:1: 'Least' is none of the keys of jobs (nearest: LeastCPURequested)",
        refusal(trace.toString(), "--policy", site.toString()));
    Path config = site.resolve("config");
    String queues = "SUBMIT_QUEUE submit\nBATCH_QUEUES exec@machine\n";
    Files.writeString(config, queues + "TEST_ONLY True\n");
    assertEquals(
        "DIR/site/config: TEST_ONLY: nothing would ever start",
        refusal(trace.toString(), "--policy", site.toString()));
    Files.writeString(config, queues + "MANAGE_HPM_COUNTERS True\n");
    assertEquals(
        "DIR/site/config: MANAGE_HPM_COUNTERS needs a program of the site, and a simulation runs"
            + " none",
        refusal(trace.toString(), "--policy", site.toString()));
    Files.writeString(config, queues);
    assertTrue(
        refusal(trace.toString(), "--policy", site.toString(), "--csv", config.toString())
            .contains("is a file that is read"));
  }

  @Test
  void everyPolicyOfTheHelpCanBeCompared() throws Exception {
    String help =
        assertThrows(HelpRequested.class, () -> Simulate.run(List.of("--help"), null)).getMessage();
    for (String name : SimulatedPolicy.names()) {
      assertTrue(help.contains(name), name);
    }
    String all = String.join(",", SimulatedPolicy.names());
    String text = run(trace.toString(), "--compare", all + ",strict:0", "--json");
    JsonNode policies = new ObjectMapper().readTree(text).get("policies");
    assertEquals(9, policies.size());
    Map<String, Double> waits = new HashMap<>();
    policies.forEach(it -> waits.put(it.get("policy").asText(), it.get("wait_mean_s").asDouble()));
    // Under strict ordering job 3 fits beside job 1 until the promise of job 2.
    assertEquals((0 + 99 + 0) / 3.0, waits.get("strict"), 1e-9);
    assertEquals((0 + 99 + 198) / 3.0, waits.get("strict:0"), 1e-9);
    // A Grid Engine runs at 0, 15, 30, ...: job 1 from 0 to 100, job 3 from 15 to 65, job 2 from
    // 105.
    assertEquals((0 + 104 + 13) / 3.0, waits.get("gridengine"), 1e-9);
  }

  @Test
  void moreProcessorsThanTheHeaderSays() throws Exception {
    String text = run(trace.toString(), "--nodes", "17", "--json");
    JsonNode json = new ObjectMapper().readTree(text);
    assertEquals(17, json.get("processors").asInt());
    assertEquals(4, json.get("jobs").asInt());
    assertEquals(0, json.get("wait_mean_s").asDouble());
  }

  @Test
  void filesAreWritten() throws Exception {
    Path csv = folder.resolve("times.csv");
    Path page = folder.resolve("page.html");
    String text = run(trace.toString(), "--csv", csv.toString(), "--report", page.toString());
    assertTrue(text.startsWith("small: 3 jobs on 4 processors\n"), text);
    assertEquals(4, Files.readAllLines(csv).size());
    assertTrue(Files.size(page) > 100_000);
  }

  @Test
  void wrongInputGetsOneLine() throws IOException {
    String help = " (see ./millrace simulate --help)";
    String file = trace.toString();
    assertEquals("millrace simulate: one TRACE is needed" + help, refusal());
    assertEquals("there is no file DIR/none.swf", refusal(folder + "/none.swf"));
    assertEquals(
        "DIR has no accounting file: they are called as their day, 20261120",
        refusal(folder.toString()));
    assertTrue(
        refusal(file, "--policy", "esy")
            .startsWith(
                "millrace simulate: there is no policy 'esy' and no such file; the nearest are easy"
                    + " and "));
    assertTrue(refusal(file, "--compare", "easy,").contains("there is no policy ''"));
    assertEquals(
        "millrace simulate: --nodes takes a number from 1 to 9999999, not 0" + help,
        refusal(file, "--nodes", "0"));
    assertEquals(
        "millrace simulate: --same-second is shortest or file" + help,
        refusal(file, "--same-second", "longest"));
    assertEquals(
        "millrace simulate: --csv DIR/small.swf is a file that is read" + help,
        refusal(file, "--csv", file));
    assertEquals(
        "millrace simulate: --csv and --report are the same file" + help,
        refusal(file, "--csv", folder + "/x", "--report", folder + "/./x"));
    Path policy = Files.writeString(folder.resolve("policy"), "policy = easy\n");
    Files.createSymbolicLink(folder.resolve("link"), policy);
    assertEquals(
        "millrace simulate: --report DIR/link is a file that is read" + help,
        refusal(file, "--policy", policy.toString(), "--report", folder + "/link"));
    assertEquals(
        "millrace simulate: --csv /dev/stdout is where the figures are printed" + help,
        refusal(file, "--csv", "/dev/stdout"));
    assertEquals(
        "--csv: /dev/full was not written in full: No space left on device",
        refusal(file, "--csv", "/dev/full"));
    assertEquals(
        "--report: DIR/none/page.html cannot be written",
        refusal(file, "--report", folder + "/none/page.html"));
    assertTrue(refusal(file, "--nodes", "1").startsWith("DIR/small.swf has no job that can be"));
    Files.writeString(trace, TRACE.replace("MaxProcs: 4", "MaxProcs: 1,024"));
    assertEquals(
        "DIR/small.swf says neither MaxProcs nor MaxNodes in its header: give --nodes N; 1 line"
            + " with something that is no number skipped (line 5); 1 line of the header with a"
            + " value that cannot be, ignored (line 1)",
        refusal(file));
    Files.writeString(trace, "");
    assertEquals("DIR/small.swf has no job that can be replayed", refusal(file));
  }

  @Test
  void theNearestNamesAreThoseWithTheFewestChanges() {
    List<String> names = List.of("fifo", "easy", "easy-sjbf", "conservative");
    assertEquals(List.of("easy-sjbf", "easy"), NamedPolicy.nearest("EASY-SJF", names));
    assertEquals("conservative", NamedPolicy.nearest("conservativ", names).get(0));
  }
}
