package io.millrace.schedulers.dialects.schedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigReader;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigText;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a sched_config is read: right lines, wrong ones, and what OpenPBS makes of these. */
class SchedConfigReaderTest {

  private static SchedConfig config(String... lines) {
    return SchedConfigReader.read("sched_config", String.join("\n", lines)).config();
  }

  private static List<PolicyFinding> findings(String... lines) {
    String ded = "dedicated_prefix: ded\n";
    return SchedConfigReader.read("sched_config", ded + String.join("\n", lines)).findings();
  }

  @Test
  void theFileAsDeliveredIsRight() {
    assertEquals(
        List.of(),
        findings(
            "# comment",
            "",
            "round_robin: False\tall",
            "by_queue: True\t\tprime",
            "by_queue: True\t\tnon_prime",
            "strict_ordering: false\tALL",
            "backfill_prime:\tfalse\tALL",
            "prime_exempt_anytime_queues:\tfalse",
            "primetime_prefix: p_",
            "nonprimetime_prefix: np_",
            "node_sort_key: \"sort_priority HIGH\"\tALL",
            "provision_policy: \"aggressive_provision\"",
            "resources: \"ncpus, mem, arch, host, vnode, aoe, eoe\"",
            "smp_cluster_dist: pack",
            "fair_share: false\tALL",
            "fairshare_usage_res: cput",
            "fairshare_entity: euser",
            "fairshare_decay_time: 24:00:00",
            "fairshare_decay_factor: 0.5",
            "preemptive_sched: true\tALL"));
  }

  @Test
  void anOptionForOnePeriodLeavesTheOtherAsItIs() {
    SchedConfig config = config("by_queue: true prime");
    assertTrue(config.flag("by_queue", SitePeriod.PRIME));
    assertFalse(config.flag("by_queue", SitePeriod.NON_PRIME));
    assertFalse(config("by_queue: true NONE").flag("by_queue", SitePeriod.PRIME));
  }

  @Test
  void aLaterLineReplacesAndKeysAddUp() {
    SchedConfig config =
        config(
            "by_queue: true",
            "by_queue: false",
            "job_sort_key: \"ncpus LOW\"",
            "job_sort_key: \"sort_priority HIGH\" prime");
    assertFalse(config.flag("by_queue"));
    assertEquals(
        List.of(
            new SchedConfig.JobKey("ncpus", false), new SchedConfig.JobKey("job_priority", true)),
        config.jobKeys(SitePeriod.PRIME));
    assertEquals(1, config.jobKeys(SitePeriod.NON_PRIME).size());
  }

  @Test
  void theColonMayBeMissingAndBlanksMayStandBefore() {
    assertTrue(config("  strict_ordering true").flag("strict_ordering", SitePeriod.PRIME));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "by_queue: perhaps | true",
        "by_queue: 0 | false",
        "by_queue: 7 | true",
        "by_queue: False sometimes | false",
        "fairshare_decay_time: 5 | 5",
        "fairshare_decay_time: 1:30 | 90",
        "half_life: 1:00:00 | 3600",
        "fairshare_decay_factor: 1.25 | 0.5",
        "fairshare_decay_factor: half | 0.5",
        "fairshare_entity: project | project",
        "unknown_shares: many | -1",
        "max_job_check: few | -1",
        "max_job_check: 3x | 3",
        "smp_cluster_dist: scatter | pack",
        "max_job_check: 1 non_prime | 1"
      })
  void whatOpenPbsTakes(String line, String value) {
    String name = line.substring(0, line.indexOf(':')).replace("half_life", "fairshare_decay_time");
    assertEquals(value, config(line).text(name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "by_que: true | there is no option 'by_que' (nearest: by_queue)",
        "By_Queue: true | there is no option 'By_Queue'",
        "sort_by: x | 'sort_by' is out of use",
        "mom_resources: \"foo\" | 'mom_resources' is out of use",
        "by_queue | 'by_queue' has no value",
        "by_queue: perhaps | by_queue is 'perhaps', but must be true or false",
        "by_queue: true sometimes | 'sometimes' is no period",
        "by_queue: true all more | 'more' stands behind the period",
        "max_job_check: 3 prime | max_job_check cannot differ between periods",
        "max_job_check: few | must be a whole number or ALL_JOBS",
        "prime_spill: soon | must be HH:MM:SS or MM:SS",
        "prime_spill: 3600 | takes it as seconds",
        "fairshare_decay_factor: 1 | above 0 and below 1",
        "fairshare_decay_factor: abc | above 0 and below 1",
        "fairshare_entity: project | takes the attribute of the job that has this name",
        "fairshare_usage_res: \"ncpus *\" | a resource or a formula of resources",
        "job_sort_key: \"ncpus UP\" | must be \"KEY HIGH\" or \"KEY LOW\"",
        "job_sort_key: \"\" | passes over the line without a word",
        "node_sort_key: \"ncpus HIGH rest\" | Invalid node_sort_key",
        "server_dyn_res: \"dyn /bin/echo\" | must be \"RESOURCE !PROGRAM ARGUMENTS\"",
        "smp_cluster_dist: scatter | must be pack or round_robin",
        "peer_queue: \"a b@c\" | a queue with route_destinations hands jobs on",
        "provision_policy: avoid_provision | puts no systems on nodes",
        "resv_confirm_ignore: dedicated_time | which Millrace does not know",
        "allow_aoe_calendar: true | puts no systems on nodes"
      })
  void wrongLinesSayWhatIsWrongAndWhatOpenPbsDoes(String line, String said) {
    List<PolicyFinding> findings = findings(line);
    assertEquals(1, findings.size(), findings.toString());
    assertTrue(findings.get(0).wrong());
    assertEquals(2, findings.get(0).line());
    assertTrue(findings.get(0).text().startsWith("sched_config:2: "), findings.get(0).text());
    assertTrue(findings.get(0).text().contains(said.strip()), findings.get(0).text());
    assertTrue(findings.get(0).text().contains("; OpenPBS "), findings.get(0).text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "strict_fifo: true|strict_fifo, instead use strict_ordering",
        "backfill: false|backfill, instead use server's backfill_depth=0",
        "half_life: 1:00:00|half_life, instead use fairshare_decay_time and fairshare_decay_factor"
            + " instead",
        "sort_queues: true|sort_queues",
        "help_starving_jobs: true|help_starving_jobs, instead use use eligible_time in"
            + " job_sort_formula",
        "node_group_key: rack|node_group_key, instead use nothing - set via qmgr"
      })
  void namesThatAreOutOfDateAreToldInPbsWords(String lineAndText) {
    String[] parts = lineAndText.split("\\|");
    PolicyFinding finding = findings(parts[0]).get(0);
    assertFalse(finding.wrong());
    assertEquals("Obsolete config name " + parts[1], finding.reason());
  }

  @Test
  void roundRobinAmongNodesDoesNotGoWithAnOrderByUse() {
    String[] lines = {"smp_cluster_dist: round_robin", "node_sort_key: \"ncpus LOW unused\""};
    assertTrue(findings(lines).get(0).text().contains("does not go with a node_sort_key"));
    assertEquals("pack", config(lines).text("smp_cluster_dist"));
  }

  @Test
  void whatWasPrintedReadsTheSame() {
    String[] lines = {
      "by_queue: true prime",
      "job_sort_key: \"ncpus LOW\"",
      "job_sort_key: \"walltime HIGH\" non_prime",
      "prime_spill: 1:30:00 prime",
      "resources: \"ncpus, mem\"",
      "server_dyn_res: \"dyn !/opt/say 5\"",
      "fairshare_entity: egroup:euser"
    };
    String printed = SchedConfigText.print(config(lines));
    assertEquals(printed, SchedConfigText.print(config(printed)));
    assertEquals(
        config(lines).jobKeys(SitePeriod.NON_PRIME), config(printed).jobKeys(SitePeriod.NON_PRIME));
    assertEquals(5400, config(printed).seconds("prime_spill", SitePeriod.PRIME));
    assertEquals("egroup:euser", config(printed).text("fairshare_entity"));
  }

  @Test
  void aValueWithBlanksIsQuotedWhateverStandsBehindThem() {
    String quoted = "\"a b\u2028\"";
    assertTrue(
        SchedConfigText.print(config("fairshare_entity: " + quoted + "\n")).contains(quoted));
  }
}
