package io.millrace.schedulers.dialects.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.common.Attribute;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading a sched_conf: what is accepted, noted and refused. */
class PlusTextTest {

  private static final String SAMPLE =
      """
      # Scheduler Config file SAMPLE
      # SortKey: 1st sort key, 2nd sort key, ...
      NodeSortKey:    LowestLoadAverage, LongestIdleTime
      JobSortKey:     QueuePriority, JobPriority   # in this order

      OwnersOrder:    studentA,studentB
      GroupsOrder:    professors, doctors, masters
      HostsOrder:     apgrid.org, hpcc.org\
      """;

  @Test
  void aFileOfTheManualsForm() {
    PlusText.PlusConfRead read = PlusText.read("sched_conf", SAMPLE);
    assertEquals(List.of(PlusJobKey.QUEUE_PRIORITY, PlusJobKey.PRIORITY), read.conf().jobKeys());
    assertEquals(List.of(PlusNodeKey.LOAD, PlusNodeKey.IDLE), read.conf().nodeKeys());
    assertEquals(List.of("apgrid.org", "hpcc.org"), read.conf().words(PlusOption.HOSTS));
    assertEquals(
        List.of(
            "sched_conf:6: OwnersOrder decides nothing without OwnersName in JobSortKey",
            "sched_conf:7: GroupsOrder decides nothing without OwnersGroup in JobSortKey",
            "sched_conf:8: HostsOrder decides nothing without OwnersHost in JobSortKey"),
        read.notes());
    assertTrue(
        read.conf()
            .explain()
            .contains(
                "  as Torque with round_robin false, by_queue false, sort_queues true, strict_fifo"
                    + " false"));
  }

  @Test
  void whatIsPrintedReadsTheSame() {
    PlusConf conf = PlusText.read("sched_conf", SAMPLE).conf();
    assertEquals(conf.print(), PlusText.read("again", conf.print()).conf().print());
    assertEquals(conf.attributes(), PlusText.read("again", conf.print()).conf().attributes());
  }

  @Test
  void theAttributesOfASchedulerObject() {
    String text = "JobSortKey: OwnersName, SubmitTime\nOwnersOrder: eve, ann\n";
    List<Attribute> attributes = PlusText.read("sched_conf", text).conf().attributes();
    assertTrue(
        attributes.contains(new Attribute("job_sort_key", "euser=eve:ann HIGH, submit_time LOW")));
    assertTrue(attributes.contains(new Attribute("node_sort_key", "")));
    assertTrue(attributes.contains(new Attribute("preemptive_sched", "False")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "JobSortKey: MostCPURequested, LeastCPURequested"
            + "| LeastCPURequested decides nothing after MostCPURequested",
        "JobSortKey: SubmitTime, JobPriority | JobPriority decides nothing after SubmitTime",
        "NodeSortKey: NodeName, LongestIdleTime | LongestIdleTime decides nothing after NodeName"
      })
  void whatDecidesNothingIsNoted(String text, String note) {
    assertEquals(List.of("sched_conf:1: " + note), PlusText.read("sched_conf", text).notes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "JobSortkey: JobPriority | 'JobSortkey' is no option (nearest: JobSortKey)",
        "Order: ann | 'Order' is no option (nearest: HostsOrder)",
        "JobSortKey JobPriority | 'JobSortKey JobPriority' is not OPTION: WORD, WORD, ...",
        ": JobPriority | '' is no option",
        "JobSortKey: | JobSortKey must be keys of jobs with commas between",
        "JobSortKey: , | JobSortKey must be keys of jobs with commas between",
        "JobSortKey: JobPriority, | JobSortKey must be keys of jobs with commas between",
        "JobSortKey: JobPriority SubmitTime"
            + "| 'JobPriority SubmitTime' is none of the keys of jobs (nearest: JobPriority)",
        "JobSortKey: Priority | 'Priority' is none of the keys of jobs (nearest: JobPriority)",
        "JobSortKey: jobpriority"
            + "| 'jobpriority' is none of the keys of jobs (nearest: JobPriority)",
        "JobSortKey: NodeName | 'NodeName' is none of the keys of jobs (nearest: OwnersName)",
        "JobSortKey: JobPriority, JobPriority | 'JobPriority' stands in JobSortKey twice",
        "JobSortKey: ByQueue, QueueRoundRobin"
            + "| QueueRoundRobin and ByQueue must not be specified at the same time",
        "JobSortKey: OwnersName | OwnersName needs OwnersOrder: NAME, ...",
        "JobSortKey: OwnersGroup | OwnersGroup needs GroupsOrder: NAME, ...",
        "JobSortKey: OwnersHost | OwnersHost needs HostsOrder: NAME, ...",
        "NodeSortKey: LowestLoad"
            + "| 'LowestLoad' is none of the keys of nodes (nearest: LowestLoadAverage)",
        "NodeSortKey: JobPriority | 'JobPriority' is none of the keys of nodes",
        "NodeSortKey: | NodeSortKey must be keys of nodes with commas between",
        "NodeSortKey: NodeName, NodeName | 'NodeName' stands in NodeSortKey twice",
        "OwnersOrder: ann bob | 'ann bob' is none of the names of users",
        "OwnersOrder: ann:bob | 'ann:bob' is none of the names of users",
        "OwnersOrder: ann, ann | 'ann' stands in OwnersOrder twice",
        "OwnersOrder: | OwnersOrder must be names of users with commas between",
        "GroupsOrder: gr;up | 'gr;up' is none of the names of groups",
        "HostsOrder: *.org | '*.org' is none of the names of hosts or domains",
        "sort_queues: true | 'sort_queues' is no option"
      })
  void whatIsWrongIsRefusedWithFileLineAndReason(String line, String reason) {
    ConfigurationRefused refused =
        assertThrows(ConfigurationRefused.class, () -> PlusText.read("f", "# one\n" + line));
    assertEquals("f:2: " + reason, refused.getMessage());
  }

  @Test
  void anOptionStandsOnceAndALineHasAnEnd() {
    refused("sched_conf:2: NodeSortKey stands in line 1 already", "NodeSortKey: NodeName\n", 2);
    refused("sched_conf:1: the line is longer than 4096 characters", "x".repeat(1 << 20), 1);
    String word = "'" + "x".repeat(60) + "...' is no option";
    refused("sched_conf:1: " + word, "x".repeat(4000) + ": y", 1);
  }

  private static void refused(String message, String text, int times) {
    ConfigurationRefused refused =
        assertThrows(
            ConfigurationRefused.class, () -> PlusText.read("sched_conf", text.repeat(times)));
    assertEquals(message, refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "JobSortKey: x, true",
    "jobsortkey: x, true",
    "HostsOrder : x, true",
    "max_reservation 20, false",
    "by_queue: true, false",
    "policy = easy, false"
  })
  void aTextIsKnownByItsFirstLine(String text, boolean ours) {
    assertEquals(ours, PlusText.describes("# comment\n\n" + text));
    assertFalse(PlusText.describes("# JobSortKey: JobPriority\n"));
  }
}
