package io.millrace.connectors.torque;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TorqueGoldenTest {

  private static Told<List<OutsideJob>> told(int status, String xml) {
    return TorqueQueue.read(RecordedTexts.answer(status, xml, ""), "vm", TABLE);
  }

  private static final Map<String, String> TABLE = Map.of("ngpus", "gpus");

  private static List<OutsideJob> jobs() {
    return ((Told.Answered<List<OutsideJob>>) told(0, TorqueFixtures.text("qstat.xml"))).value();
  }

  private static OutsideEnd end(int at) {
    return jobs().get(at).end().orElseThrow();
  }

  @Test
  void theQueue() {
    List<OutsideJob> jobs = jobs();
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
            "11.3 alice RUNNING",
            "12 alice RUNNING"),
        jobs.stream().map(it -> it.id() + " " + it.account() + " " + it.state()).toList());
    assertEquals(OutsideTag.read("mr.c1.12.1"), jobs.get(0).tag());
    assertEquals(OutsideTag.read("mr.c1.14.1"), jobs.get(3).tag(), "of the variable");
    assertEquals(Optional.empty(), jobs.get(2).tag());
    assertEquals("n1", jobs.get(1).place());
    assertEquals(4, jobs.get(1).slots());
    assertEquals(1, jobs.get(3).slots());
    assertEquals(0, jobs.get(2).slots(), "of several hosts each has its own share");
    assertEquals(Optional.of(Instant.ofEpochSecond(1_795_189_097)), jobs.get(1).submitted());
    assertEquals("odd \"name\" <&?", jobs.get(11).name(), "no XML may have that character");
  }

  /** By the processors that each host gives; what nodes= asks for is of each. */
  @Test
  void whatJobsHaveOfTheirHosts() {
    assertEquals(List.of(OutsideHolding.of("n1", Map.of("ncpus", 4L))), jobs().get(1).holdings());
    assertEquals(
        List.of(
            OutsideHolding.of("n1", Map.of("ncpus", 1L)),
            OutsideHolding.of("n2", Map.of("ncpus", 1L))),
        jobs().get(2).holdings());
    Map<String, String> fields = new HashMap<>();
    fields.put("exec_host", "n1/0-2+n2/0");
    fields.put("Resource_List.nodes", "2:ppn=2:gpus=2");
    fields.put("Resource_List.mem", "4gb");
    assertEquals(
        List.of(
            OutsideHolding.of("n1", Map.of("ncpus", 3L, "mem", 3L << 30, "ngpus", 2L)),
            OutsideHolding.of("n2", Map.of("ncpus", 1L, "mem", 1L << 30, "ngpus", 2L))),
        TorqueShares.holdings(fields, TABLE));
    fields.remove("Resource_List.mem");
    fields.put("Resource_List.pmem", "1gb");
    assertEquals(3L << 30, TorqueShares.holdings(fields, TABLE).get(0).amounts().get("mem"));
  }

  @Test
  void theEndsOfJobsThatAreKept() {
    assertEquals(3, end(5).status());
    assertEquals(Optional.of(new OutsideUsage(62_000, 6000, 1420, 2500)), end(5).usage());
    assertEquals(OutsideCause.TIME_LIMIT, end(6).cause());
    assertEquals(15, end(7).signal());
    assertEquals(OutsideCause.NOT_BEGUN, end(8).cause());
    assertEquals(OutsideCause.UNKNOWN, end(9).cause());
  }

  @Test
  void aQueueThatBreaksOffIsNoQueue() {
    String whole = TorqueFixtures.text("qstat.xml").strip();
    for (int length = 0; length < whole.length(); length += 1 + length % 13) {
      assertInstanceOf(Told.Nothing.class, told(0, whole.substring(0, length)));
    }
    assertInstanceOf(Told.Nothing.class, told(1, whole));
  }

  @Test
  void anEmptyQueueIsAnAnswer() {
    assertEquals(Told.of(List.of()), told(0, "<?xml version=\"1.0\"?>\n<Data></Data>\n"));
    assertEquals(Told.nothing("qstat: it prints nothing"), told(0, "\n"));
    assertEquals(Told.nothing("qstat: this is no answer of Torque"), told(0, "<html></html>"));
  }

  @Test
  void aJobOfAnotherServerIsPassedOver() {
    String text = TorqueFixtures.text("qstat.xml");
    Told<List<OutsideJob>> told = told(0, text.replace(">4.vm<", ">2.other<"));
    List<OutsideJob> ours = jobs().stream().filter(it -> it.id().number() != 4).toList();
    assertEquals(Told.of(ours), told);
    assertEquals(
        Told.nothing("qstat: a job makes no sense: 4"), told(0, text.replace(">4.vm<", ">4<")));
  }

  @Test
  void jobsOfAnotherServerAloneAreNoAnswer() {
    String other = TorqueFixtures.text("qstat.xml").replace(".vm</Job_Id>", ".other</Job_Id>");
    assertEquals(Told.nothing("qstat: all jobs are of another server, as 1.other"), told(0, other));
  }

  /** No file of this host, and no memory, by way of an answer. */
  @Test
  void entitiesAreNotFollowed() {
    String bomb =
        "<!DOCTYPE d [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><Data><Job><Job_Id>1.vm</Job_Id>"
            + "<Job_Name>&a;</Job_Name><Job_Owner>a@vm</Job_Owner><job_state>R</job_state></Job>"
            + "</Data>";
    Told<List<OutsideJob>> told = told(0, bomb);
    assertTrue(!told.toString().contains("root:"), told::toString);
  }

  @Test
  void eachFieldIsNamedAndEachUsedOneCounts() {
    Map<String, String> known = TorqueFixtures.fields("fields-qstat.txt");
    List<Map<String, String>> all = new ArrayList<>();
    TorqueXml.read(RecordedTexts.answer(0, TorqueFixtures.text("qstat.xml"), ""), "Job", all::add);
    TreeSet<String> names = new TreeSet<>();
    all.forEach(it -> names.addAll(it.keySet()));
    assertEquals(new TreeSet<>(known.keySet()), names);
    for (Map.Entry<String, String> field : known.entrySet()) {
      boolean counts = false;
      for (Map<String, String> job : all) {
        for (String other :
            List.of(
                "77.vm",
                "77",
                "mr.c1.99.1",
                "MILLRACE=mr.c1.99.1",
                "C",
                "a@b",
                "1:ppn=9",
                "1:00:00",
                "9kb")) {
          Map<String, String> changed = new HashMap<>(job);
          changed.put(field.getKey(), other);
          counts |=
              !TorqueQueue.job(changed, "vm", TABLE).equals(TorqueQueue.job(job, "vm", TABLE));
        }
      }
      assertEquals(field.getValue().equals("used"), counts, field.getKey());
    }
  }

  private static List<OutsideHost> hosts(String nodes) {
    OutsideInventory found =
        ((Told.Answered<OutsideInventory>)
                TorqueHosts.read(
                    RecordedTexts.answer(0, nodes, ""),
                    RecordedTexts.answer(0, TorqueFixtures.QUEUES, ""),
                    TABLE))
            .value();
    assertEquals(List.of("batch", "route"), found.queues());
    return found.hosts();
  }

  @Test
  void theHosts() {
    String text = TorqueFixtures.text("pbsnodes.xml");
    List<OutsideHost> hosts = hosts(text);
    assertEquals(
        List.of("n1 true 8", "n2 true 4", "n3 false 4", "n4 false 4", "n5 false 2"),
        hosts.stream().map(it -> it.name() + " " + it.usable() + " " + it.cpus()).toList());
    assertEquals(16_333_852L << 10, hosts.get(0).memoryBytes());
    assertEquals(-1, hosts.get(1).memoryBytes());
    assertEquals("free+Sleep", hosts.get(4).word());
    assertEquals(
        TorqueFixtures.fields("fields-pbsnodes.txt").keySet(), hosts.get(0).fields().keySet());
    assertEquals(
        "kept",
        hosts(text.replace("<ntype>cluster</ntype>", "<later>kept</later>"))
            .get(0)
            .fields()
            .get("later"));
  }

  @Test
  void aRecordOfAccounting() {
    OutsideRecord record =
        PbsRecord.record(TorqueFixtures.ENDED, "vm", "account", TorqueEnds::of).orElseThrow();
    assertEquals(OutsideId.of(45), record.id());
    assertEquals("alice", record.account());
    assertEquals(OutsideTag.read("mr.c1.13.1"), record.tag());
    assertEquals(OutsideCause.TIME_LIMIT, record.end().cause());
    assertEquals(Optional.of(new OutsideUsage(62_000, 6000, 1420, 2500)), record.end().usage());
    assertEquals("4", record.fields().get("total_execution_slots"));
  }
}
