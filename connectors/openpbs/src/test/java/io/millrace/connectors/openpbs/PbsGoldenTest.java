package io.millrace.connectors.openpbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsResources;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PbsGoldenTest {

  private static Told<List<OutsideJob>> told(int status, String json) {
    return PbsQueue.read(RecordedTexts.answer(status, json, ""), "vm", ZoneOffset.UTC, TABLE);
  }

  private static final Map<String, String> TABLE = Map.of("ngpus", "ngpus");

  private static List<OutsideJob> jobs(String json) {
    return ((Told.Answered<List<OutsideJob>>) told(0, json)).value();
  }

  private static OutsideEnd end(List<OutsideJob> jobs, int at) {
    return jobs.get(at).end().orElseThrow();
  }

  @Test
  void theQueue() {
    List<OutsideJob> jobs = jobs(PbsFixtures.text("qstat.json"));
    assertEquals(
        List.of(
            "1 alice HELD",
            "2 alice RUNNING",
            "3 alice SUSPENDED",
            "4 bob WAITING",
            "5 bob ENDING",
            "6 alice ENDED",
            "7 alice ENDED",
            "8 alice ENDED",
            "9 alice ENDED",
            "10 alice ENDED",
            "11 alice RUNNING",
            "12.3 alice ENDED",
            "14 alice RUNNING"),
        jobs.stream().map(it -> it.id() + " " + it.account() + " " + it.state()).toList());
    assertEquals(OutsideTag.read("mr.c1.12.1"), jobs.get(0).tag());
    assertEquals(OutsideTag.read("mr.c1.14.1"), jobs.get(3).tag(), "of the variable");
    assertEquals(Optional.empty(), jobs.get(2).tag());
    assertEquals("n1", jobs.get(1).place());
    assertEquals("n1", jobs.get(2).place());
    assertEquals(4, jobs.get(1).slots());
    assertEquals(Optional.of(Instant.parse("2026-11-20T15:35:54Z")), jobs.get(1).submitted());
    assertEquals("odd \"name\" {", jobs.get(12).name());
  }

  /** Chunks stand in the order of exec_host, and a chunk may be of several vnodes of a host. */
  @Test
  void whatJobsHaveOfTheirHosts() {
    assertEquals(
        List.of(
            OutsideHolding.of("vm", Map.of("ncpus", 2L, "mem", 102_400L << 10)),
            OutsideHolding.of("vm", Map.of("ncpus", 1L, "ngpus", 2L)),
            OutsideHolding.of("n2", Map.of("ncpus", 4L))),
        PbsResources.holdings(
            "vm/3*2+n2.site/0*4",
            "(vm[6]:mem=102400kb:ncpus=2+vm[7]:ncpus=1:ngpus=2)+(n2:ncpus=4)",
            TABLE));
    assertEquals(
        List.of(OutsideHolding.of("vm", Map.of("ncpus", 1L))),
        PbsResources.holdings("", "(vm[6]:ncpus=1)", TABLE));
    assertEquals(List.of(), PbsResources.holdings("vm/0", "", TABLE));
  }

  @Test
  void theEndsThatHistoryTells() {
    List<OutsideJob> jobs = jobs(PbsFixtures.text("qstat.json"));
    assertEquals(3, end(jobs, 5).status());
    assertEquals(Optional.of(new OutsideUsage(62_000, 6000, 1420, 2500)), end(jobs, 5).usage());
    assertEquals(OutsideCause.TIME_LIMIT, end(jobs, 6).cause());
    assertEquals(OutsideCause.CANCELLED, end(jobs, 7).cause());
    assertEquals(15, end(jobs, 7).signal());
    assertTrue(end(jobs, 7).words().endsWith("terminated by alice@vm"));
    assertEquals(OutsideCause.NOT_BEGUN, end(jobs, 8).cause(), "it has no start");
    assertEquals(OutsideCause.UNKNOWN, end(jobs, 9).cause());
    assertEquals(OutsideCause.EXITED, end(jobs, 11).cause());
  }

  @Test
  void aQueueThatBreaksOffIsNoQueue() {
    String whole = PbsFixtures.text("qstat.json").strip();
    for (int length = 0; length < whole.length(); length += 1 + length % 13) {
      assertInstanceOf(Told.Nothing.class, told(0, whole.substring(0, length)));
    }
    assertInstanceOf(Told.Nothing.class, told(255, whole));
  }

  /** So it looks when there are no jobs: the section is not there. */
  @Test
  void anEmptyQueueIsAnAnswer() {
    String head = "{\"timestamp\":1,\"pbs_version\":\"23.06.06\",\"pbs_server\":\"%s\"}";
    assertEquals(Told.of(List.of()), told(0, head.formatted("vm")));
    assertEquals(
        Told.nothing("qstat: this is the server other, not vm"), told(0, head.formatted("other")));
    assertEquals(Told.nothing("qstat: it names no server"), told(0, "{}"));
    assertEquals(Told.nothing("qstat: this is no JSON object"), told(0, ""));
  }

  /** One that was moved in can have the number of one of ours. */
  @Test
  void aJobOfAnotherServerIsPassedOver() {
    String text = PbsFixtures.text("qstat.json");
    List<OutsideJob> jobs = jobs(text.replace("\"4.vm\"", "\"2.other\""));
    assertEquals(jobs(text).size() - 1, jobs.size());
    assertEquals("alice", jobs.get(1).account(), "2 is ours");
    String broken = text.replace("\"4.vm\"", "\"4\"");
    assertEquals(Told.nothing("qstat: a job makes no sense: 4"), told(0, broken));
  }

  @Test
  void eachUsedFieldCounts() {
    List<Map<String, String>> all = new ArrayList<>();
    PbsJson.read(
        RecordedTexts.answer(0, PbsFixtures.text("qstat.json"), ""),
        "vm",
        "Jobs",
        (name, it) -> all.add(it));
    for (Map.Entry<String, String> field : PbsFixtures.fields("fields-qstat.txt").entrySet()) {
      boolean counts = false;
      for (Map<String, String> job : all) {
        for (String other :
            List.of("77", "mr.c1.99.1", "91", "F", "a@b", "1:00:00", "9kb", "(n2:ncpus=1)", "")) {
          Map<String, String> changed = new HashMap<>(job);
          changed.put(field.getKey(), other);
          counts |=
              !PbsQueue.job("1.vm", changed, "vm", ZoneOffset.UTC, TABLE)
                  .equals(PbsQueue.job("1.vm", job, "vm", ZoneOffset.UTC, TABLE));
        }
      }
      assertEquals(field.getValue().equals("used"), counts, field.getKey());
    }
  }

  @Test
  void eachRecordedFieldIsNamed() throws IOException {
    assumeTrue(Files.isDirectory(PbsFixtures.RECORDED), "no recordings at " + PbsFixtures.RECORDED);
    Map<String, String> sections =
        Map.of(
            "Jobs", "fields-qstat.txt",
            "nodes", "fields-pbsnodes.txt",
            "Queue", "fields-queues.txt");
    TreeSet<String> unknown = new TreeSet<>();
    int objects = 0;
    for (String json : PbsFixtures.recordedJson()) {
      for (Map.Entry<String, String> section : sections.entrySet()) {
        Map<String, String> known = PbsFixtures.fields(section.getValue());
        List<String> names = new ArrayList<>();
        Optional<String> trouble =
            PbsJson.read(
                RecordedTexts.answer(0, json, ""),
                "vm",
                section.getKey(),
                (name, fields) -> {
                  names.add(name);
                  fields.keySet().stream()
                      .filter(it -> !known.containsKey(it))
                      .forEach(unknown::add);
                });
        assertEquals(Optional.empty(), trouble);
        objects += names.size();
      }
    }
    Map<String, String> known = PbsFixtures.fields("fields-qstat.txt");
    Matcher line =
        Pattern.compile("(?m)^Job Id: |^ {4}([A-Za-z_.]+) = ")
            .matcher(jobTexts(PbsFixtures.recorded()));
    while (line.find()) {
      String name = line.group(1);
      if (name != null && !name.equals("Variable_List") && !known.containsKey(name)) {
        unknown.add(name);
      }
    }
    assertEquals(List.of(), List.copyOf(unknown));
    assertTrue(objects >= 14, "objects: " + objects);
  }

  /** The parts of a recording that are jobs as text. */
  private static String jobTexts(String all) {
    StringBuilder jobs = new StringBuilder();
    Matcher job = Pattern.compile("(?m)^Job Id: .*\n(?:[ \t].*\n)*").matcher(all);
    while (job.find()) {
      jobs.append(job.group());
    }
    return jobs.toString();
  }

  private static OutsideInventory inventory(String nodes) {
    return inventory(nodes, Optional.empty());
  }

  private static OutsideInventory inventory(String nodes, Optional<String> queue) {
    return ((Told.Answered<OutsideInventory>)
            PbsHosts.read(
                RecordedTexts.answer(0, nodes, ""),
                RecordedTexts.answer(0, PbsFixtures.text("queues.json"), ""),
                "vm",
                queue,
                TABLE))
        .value();
  }

  /** Of a managed queue only its own vnodes count. */
  @Test
  void theHostsOfAQueue() {
    String nodes = PbsFixtures.text("pbsnodes.json");
    List<OutsideHost> none = inventory(nodes, Optional.of("mr")).hosts();
    assertTrue(none.stream().noneMatch(it -> it.usable() || it.cpus() > 0), none::toString);
    String bound = nodes.replaceFirst("(?s)(.*?\"n2\".*?)(\"state\":)", "$1\"queue\": \"mr\", $2");
    List<OutsideHost> one = inventory(bound, Optional.of("mr")).hosts();
    assertEquals(64, one.get(1).cpus());
    assertEquals(-1, one.get(0).cpus());
  }

  @Test
  void theHosts() {
    OutsideInventory found = inventory(PbsFixtures.text("pbsnodes.json"));
    assertEquals(List.of("workq", "r1"), found.queues());
    List<OutsideHost> hosts = found.hosts();
    assertEquals(List.of("n1", "n2", "n3", "n4"), hosts.stream().map(OutsideHost::name).toList());
    OutsideHost first = hosts.get(0);
    assertEquals(16, first.cpus(), "of all its vnodes");
    assertEquals(4L << 30, first.memoryBytes());
    assertTrue(first.usable(), "one of its vnodes is");
    assertEquals("free+job-busy+offline", first.word());
    assertEquals("Stale", first.fields().get("vnode.1old.state"));
    assertEquals(64, hosts.get(1).cpus());
    assertTrue(hosts.get(1).usable());
    assertTrue(!hosts.get(2).usable());
    assertTrue(!hosts.get(3).usable());
    assertEquals(-1, hosts.get(3).cpus());
    for (String name : PbsFixtures.fields("fields-pbsnodes.txt").keySet()) {
      assertEquals(
          "kept",
          inventory(
                  PbsFixtures.text("pbsnodes.json")
                      .replace("\"ntype\":\t\"PBS\"", "\"" + name + "s\":\t\"kept\""))
              .hosts()
              .get(1)
              .fields()
              .get("vnode.n2." + name + "s"),
          "a field of a later version");
    }
  }

  @Test
  void theRecordedHost() throws IOException {
    assumeTrue(Files.isDirectory(PbsFixtures.RECORDED), "no recordings at " + PbsFixtures.RECORDED);
    String nodes =
        PbsFixtures.recordedJson().stream()
            .filter(it -> it.contains("\"nodes\""))
            .findFirst()
            .orElseThrow();
    OutsideHost host = inventory(nodes).hosts().get(0);
    assertEquals(1, inventory(nodes).hosts().size(), "ten vnodes of one host");
    assertEquals("vm", host.name());
    assertEquals(64, host.cpus());
    assertEquals(16L << 30, host.memoryBytes());
    assertTrue(host.usable());
  }
}
