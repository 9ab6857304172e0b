package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.calendar.HolidaysReader;
import io.millrace.schemas.pbs.schedconfig.calendar.PrimeHours;
import io.millrace.schemas.pbs.schedconfig.calendar.PrimePeriods;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Traces under the files of a PBS scheduler. */
class SchedConfigSimulationTest {

  private static final String ZONE = "Europe/Stockholm";

  /** Monday 23 September 1996, midnight in Stockholm. */
  private static final long MIDNIGHT = Instant.parse("1996-09-22T22:00:00Z").getEpochSecond();

  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final String HOURS =
      "YEAR 1996\nweekday 0800 1800\nsaturday none all\nsunday none all\n";
  private static final String FAIR = "fair_share: true\nfairshare_usage_res: ncpus*walltime\n";

  private final Map<String, String> files = new TreeMap<>();
  private final List<TraceJob> jobs = new ArrayList<>();

  private void job(long submitS, long runS, int processors, long user, long group, long queue) {
    job(submitS, runS, processors, runS, new Trace.TraceSubmitter(user, group, queue));
  }

  private void job(
      long submitS, long runS, int processors, long estimateS, Trace.TraceSubmitter submitter) {
    jobs.add(new TraceJob(jobs.size() + 1, submitS, runS, processors, estimateS, submitter));
  }

  private SimulatedPolicy policy() {
    return SimulatedPolicy.of(
        "site",
        List.of(
            new Attribute("policy", AttributeTable.SCHED_CONFIG),
            new Attribute(AttributeTable.SCHED_CONFIG, StoredPolicy.join(files, ZONE))));
  }

  private long[] starts(String config) {
    files.put("sched_config", config);
    Workload workload = new Workload(8, MIDNIGHT, jobs, new TraceFindings());
    return Simulation.run(workload, policy(), (submitted, all) -> {}).startS();
  }

  @Test
  void queuesOfTheTraceComeOneAfterAnother() {
    job(0, 10, 8, 1, 1, 1);
    job(1, 10, 8, 1, 1, 2);
    job(2, 10, 8, 1, 1, 1);
    assertArrayEquals(new long[] {0, 10, 20}, starts("by_queue: false\n"));
    assertArrayEquals(new long[] {0, 20, 10}, starts("by_queue: true\n"));
  }

  @Test
  void queuesOfTheTraceTakeTurns() {
    job(0, 10, 8, 1, 1, 1);
    job(1, 10, 4, 1, 1, 1);
    job(2, 10, 4, 1, 1, 1);
    job(3, 10, 4, 1, 1, 2);
    assertArrayEquals(new long[] {0, 10, 10, 20}, starts("round_robin: false\n"));
    assertArrayEquals(new long[] {0, 10, 20, 10}, starts("round_robin: true\n"));
  }

  @Test
  void keysDecideAmongTheJobsOfATrace() {
    job(0, 10, 8, 1, 1, 1);
    job(1, 20, 8, 1, 1, 1);
    job(2, 10, 8, 1, 1, 1);
    assertArrayEquals(new long[] {0, 20, 10}, starts("job_sort_key: \"walltime LOW\"\n"));
  }

  @Test
  void groupsOfTheTraceHaveShares() {
    files.put("resource_group", "group1 10 root 50\ngroup2 11 root 50\n");
    job(0, 100, 8, 1, 1, 1);
    job(1, 10, 8, 2, 1, 1);
    job(2, 10, 8, 3, 2, 1);
    assertArrayEquals(new long[] {0, 110, 100}, starts(FAIR + "fairshare_entity: egroup\n"));
    files.put("resource_group", "user1 10 root 50\nuser2 11 root 50\nuser3 12 root 50\n");
    assertArrayEquals(new long[] {0, 100, 110}, starts(FAIR));
  }

  @Test
  void whatRunsHasBeenUsedBeforeItEnds() {
    files.put("resource_group", "user1 10 root 50\nuser2 11 root 50\n");
    job(0, DAY, 4, 1, 1, 1);
    job(1, 2 * HOUR, 4, 2, 1, 1);
    job(2, 10, 4, 1, 1, 1);
    job(3, 10, 4, 2, 1, 1);
    // When room is free both have used two hours, and user 1 a second more.
    long[] starts = starts(FAIR);
    assertTrue(starts[3] < starts[2], "user 1 has the older job, and has used more");
  }

  @Test
  void whatWasUsedLongAgoIsForgiven() {
    files.put("resource_group", "user1 10 root 50\nuser2 11 root 50\n");
    job(0, 10 * HOUR, 8, 1, 1, 1);
    job(3 * DAY, HOUR, 8, 2, 1, 1);
    job(3 * DAY + HOUR / 2, 10, 8, 2, 1, 1);
    job(3 * DAY + HOUR / 2 + 1, 10, 8, 1, 1, 1);
    long second = 3 * DAY + HOUR;
    assertArrayEquals(
        new long[] {0, 3 * DAY, second, second + 10},
        starts(FAIR + "fairshare_decay_time: 30:00:00\n"));
    assertArrayEquals(
        new long[] {0, 3 * DAY, second + 10, second},
        starts(FAIR + "fairshare_decay_time: 1:00:00\n"));
    assertArrayEquals(
        new long[] {0, 3 * DAY, second + 10, second},
        starts(FAIR + "fairshare_decay_time: 0:01\n"));
  }

  @Test
  void aJobThatWouldCrossWaitsForTheNextPeriod() {
    files.put("holidays", HOURS);
    job(7 * HOUR, 2 * HOUR, 2, 1, 1, 1);
    job(7 * HOUR + 1, HOUR - 1, 2, 1, 1, 1);
    assertArrayEquals(new long[] {8 * HOUR, 7 * HOUR + 1}, starts("backfill_prime: true\n"));
    assertArrayEquals(
        new long[] {7 * HOUR, 7 * HOUR + 1},
        starts("backfill_prime: true\nprime_spill: 1:00:00 prime\n"));
    assertArrayEquals(new long[] {8 * HOUR, 8 * HOUR}, starts("primetime_prefix: q1\n"));
  }

  @Test
  void whoIsLeftIsSaidWithTheReason() {
    files.put("resource_group", "user1 10 root 50\n");
    job(0, 10, 8, 1, 1, 1);
    job(0, 10, 8, 2, 1, 1);
    assertEquals(
        "1 jobs are left that nothing will start; the first, job 2: It can never run here: user2 is"
            + " entitled to no share of the cluster.",
        assertThrows(IllegalStateException.class, () -> starts(FAIR)).getMessage());
    files.put("holidays", HOURS);
    job(0, 80 * HOUR, 8, 1, 1, 1);
    assertEquals(
        "1 jobs are left that nothing will start; the first, job 3: It would not end before"
            + " primetime begins.",
        assertThrows(IllegalStateException.class, () -> starts("backfill_prime: true\n"))
            .getMessage());
  }

  /**
   * A search for its start must end although the calendar always has another change. The time is
   * for a search without end only: on a busy machine the 400 days of cycles have taken 10 s.
   */
  @Test
  @Timeout(120)
  void aJobThatIsLongerThanAnyPeriodKeepsNobodyWaiting() {
    files.put("holidays", HOURS);
    job(0, 80 * HOUR, 8, 1, 1, 1);
    job(1, HOUR, 8, 2, 1, 1);
    assertEquals(
        "1 jobs are left that nothing will start; the first, job 1: It would not end before"
            + " primetime begins.",
        assertThrows(
                IllegalStateException.class,
                () -> starts("strict_ordering: true\nbackfill_prime: true\n"))
            .getMessage());
  }

  /** Nor are all days gone through until the end of a run that may go on for a thousand years. */
  @Test
  @Timeout(120)
  void aRunOfAThousandYearsKeepsNobodyWaiting() {
    files.put("holidays", HOURS);
    files.put(
        "sched_config",
        "strict_ordering: true\nprimetime_prefix: q1\nbackfill_prime: true\n"
            + "prime_exempt_anytime_queues: true\n");
    for (int i = 1; i <= 20; i++) {
      job(9 * HOUR, 2 * DAY, 1, i * 1_000 * 365 * DAY, new Trace.TraceSubmitter(1, 1, 2));
    }
    job(9 * HOUR + 1, HOUR, 60, HOUR, new Trace.TraceSubmitter(2, 1, 1));
    Workload workload = new Workload(60, MIDNIGHT, jobs, new TraceFindings());
    long[] starts = Simulation.run(workload, policy(), (submitted, all) -> {}).startS();
    assertEquals(2 * DAY + 9 * HOUR, starts[20]);
  }

  @Test
  @Tag("night")
  void twoUsersOfAnArchivedTraceWhoAlwaysHaveJobsGetTheirShares() throws IOException {
    Workload all = Traces.archived(Traces.SMALLEST);
    for (TraceJob job : all.jobs()) {
      Trace.TraceSubmitter by = new Trace.TraceSubmitter(1 + jobs.size() % 2, 1, 1);
      job(0, job.runS(), job.processors(), job.estimateS(), by);
    }
    files.put("resource_group", "user1 10 root 70\nuser2 11 root 30\n");
    files.put("sched_config", FAIR + "strict_ordering: true\n");
    Workload workload = new Workload(all.processors(), MIDNIGHT, jobs, new TraceFindings());
    Schedule schedule = Simulation.run(workload, policy(), (submitted, jobs) -> {});
    double[] used = new double[3];
    for (int i = 0; i < jobs.size(); i++) {
      long endS = Math.min(30 * DAY, schedule.endS(i));
      TraceJob job = jobs.get(i);
      used[(int) job.user()] +=
          Math.max(0, endS - schedule.startS()[i]) * (double) job.processors();
    }
    assertEquals(70, 100 * used[1] / (used[1] + used[2]), 2);
  }

  /** Who comes back catches up for a while, as far as what the other has used has not faded. */
  @Test
  void aWeekWithoutOneUserCostsTheOtherNoMoreThanAHalfLife() {
    for (int i = 0; i < 3_500; i++) {
      job(0, HOUR + i % 7 * 60, 1, 1, 1, 1);
    }
    for (int i = 0; i < 1_500; i++) {
      job(7 * DAY, HOUR + i % 5 * 60, 1, 2, 1, 1);
    }
    files.put("resource_group", "user1 10 root 70\nuser2 11 root 30\n");
    long[] starts = starts(FAIR + "fairshare_decay_time: 24:00:00\n");
    double all = 8 * 10.0 * DAY;
    double lost = 0.7 * all - used(1, starts, 7 * DAY, 17 * DAY);
    assertTrue(lost > 0.1 * 8 * DAY, "it has to give something: " + lost / 8 / DAY);
    assertTrue(lost < 0.7 * 8 * DAY, "days of the machine: " + lost / 8 / DAY);
    double later = used(1, starts, 10 * DAY, 17 * DAY);
    assertEquals(70, 100 * later / (later + used(2, starts, 10 * DAY, 17 * DAY)), 2);
  }

  /** Processor time of a user between two moments. */
  private double used(long user, long[] starts, long fromS, long toS) {
    double sum = 0;
    for (int i = 0; i < starts.length; i++) {
      TraceJob job = jobs.get(i);
      long from = Math.max(fromS, starts[i]);
      long to = Math.min(toS, starts[i] + job.runS());
      sum += job.user() == user ? Math.max(0, to - from) * (double) job.processors() : 0;
    }
    return sum;
  }

  @Test
  @Tag("night")
  void noRunOfAMonthOfAnArchivedTraceCrosses() throws IOException {
    Workload all = Traces.archived(Traces.SMALLEST);
    List<TraceJob> month = all.jobs().stream().filter(it -> it.submitS() < 30 * DAY).toList();
    Workload workload =
        new Workload(all.processors(), all.startEpochS(), month, new TraceFindings());
    files.put("holidays", HOURS);
    assertTrue(longestCrossing(workload, "") > 0, "without the rule some cross");
    assertEquals(0, longestCrossing(workload, "backfill_prime: true\n"));
    long spill = longestCrossing(workload, "backfill_prime: true\nprime_spill: 1:00:00\n");
    assertTrue(spill > 0 && spill <= HOUR, "by " + spill + " s");
  }

  /** By how much the run that goes on longest into another period does so, seconds. */
  private long longestCrossing(Workload workload, String config) {
    files.put("sched_config", "strict_ordering: true\n" + config);
    Schedule schedule = Simulation.run(workload, policy(), (submitted, jobs) -> {});
    PrimeHours hours = HolidaysReader.read("holidays", HOURS).hours();
    PrimePeriods periods = new PrimePeriods(hours, ZoneId.of(ZONE));
    long most = 0;
    for (int i = 0; i < workload.jobs().size(); i++) {
      long from = workload.startEpochS() + schedule.startS()[i];
      long end = from + workload.jobs().get(i).estimateS();
      most = Math.max(most, end - periods.endMs(from * 1000) / 1000);
    }
    return most;
  }
}
