package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import io.millrace.schedulers.dialects.plus.PlusText;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Traces under the policies of PluS and of an Origin2000 scheduler. */
class SitePoliciesSimulationTest {

  private static final String QUEUES = "SUBMIT_QUEUE submit\nBATCH_QUEUES exec@machine\n";

  /** Tuesday 9 November 1999, 0:00. */
  private static final long MIDNIGHT = 942_105_600;

  private static final long HOUR = 3600;

  private final List<TraceJob> jobs = new ArrayList<>();

  private void job(long submitS, long runS, int processors, long... userGroupQueue) {
    long[] who = userGroupQueue.length == 0 ? new long[] {-1, -1, -1} : userGroupQueue;
    Trace.TraceSubmitter submitter = new Trace.TraceSubmitter(who[0], who[1], who[2]);
    jobs.add(new TraceJob(jobs.size() + 1, submitS, runS, processors, runS, submitter));
  }

  private Schedule run(SimulatedPolicy policy) {
    Workload workload = new Workload(8, MIDNIGHT, jobs, new TraceFindings());
    return Simulation.run(workload, policy, (submitted, all) -> {});
  }

  private long[] plus(String text) {
    return run(SimulatedPolicy.of("plus", PlusText.read("sched_conf", text).conf().attributes()))
        .startS();
  }

  private static SimulatedPolicy policy(String text, String usage) {
    OriginPlace place = new OriginPlace("machine", ZoneOffset.UTC);
    OriginConfig config = OriginConfigText.read("config", QUEUES + text, place).config();
    OriginRules rules = new OriginRules(config, place, OriginHolidays.NONE, true);
    InputFile file = new InputFile(usage, 0);
    return SimulatedPolicy.origin(
        "origin", new OriginSite(rules, file, InputFile.NONE, InputFile.NONE));
  }

  private long[] origin(String text) {
    return run(policy(text, "")).startS();
  }

  @Test
  void theGroupsOfATraceCount() {
    job(0, 10, 8, 1, 1, 1);
    job(1, 10, 8, 1, 1, 1);
    job(2, 10, 8, 2, 7, 1);
    assertArrayEquals(
        new long[] {0, 20, 10}, plus("JobSortKey: OwnersGroup\nGroupsOrder: group7\n"));
  }

  @Test
  void theUsersOfATraceCount() {
    job(0, 10, 8, 1, 1, 1);
    job(1, 10, 8, 1, 1, 1);
    job(2, 10, 8, 2, 7, 1);
    assertArrayEquals(new long[] {0, 20, 10}, plus("JobSortKey: OwnersName\nOwnersOrder: user2\n"));
  }

  @Test
  void theQueuesOfATraceTakeTurns() {
    job(0, 10, 8, 1, 1, 1);
    job(1, 10, 8, 1, 1, 1);
    job(2, 10, 8, 2, 7, 2);
    assertArrayEquals(new long[] {0, 20, 10}, plus("JobSortKey: QueueRoundRobin\n"));
    assertArrayEquals(new long[] {0, 10, 20}, plus("JobSortKey: ByQueue\n"));
  }

  @Test
  void theLargestJobStartsFirstOnTheOriginMachine() {
    job(0, 10, 8);
    job(1, 10, 2);
    job(2, 10, 8);
    assertArrayEquals(new long[] {0, 20, 10}, origin("SORT_BY_PAST_USAGE False\n"));
  }

  @Test
  void aUserWhoStartedMuchComesLater() {
    job(0, 10, 8, 9, 1, -1);
    job(1, 10, 8, 1, 1, -1);
    job(2, 10, 8, 2, 1, -1);
    String usage = "Tue\ngroup1:user1 50.0\ngroup1:user2 5.0\n";
    assertArrayEquals(new long[] {0, 20, 10}, run(policy("", usage)).startS());
  }

  @Test
  void aLongJobWaitsForTheEndOfPrimeTime() {
    job(9 * HOUR, 6 * HOUR, 8);
    String prime =
        "ENFORCE_PRIME_TIME True\nPRIME_TIME_START 8:00:00\nPRIME_TIME_END 18:00:00\n"
            + "PRIME_TIME_WALLT_LIMIT 2:00:00\n";
    // Two hours of it may lie in prime time: nothing but the time lets it start.
    assertArrayEquals(new long[] {16 * HOUR}, origin(prime));
  }

  @Test
  void aQueueOfTheTraceThatTheConfigurationNamesGetsItsJobs() {
    job(0, 10, 8, 1, 1, -1);
    job(1, 10, 8, 1, 1, 1);
    job(2, 10, 2, 1, 1, 3);
    assertArrayEquals(new long[] {0, 20, 10}, origin("SPECIAL_QUEUE q3\n"));
  }

  @Test
  void jobsThatThePolicyDeletesAreNotInTheSchedule() {
    job(0, 10, 8);
    job(1, 3 * HOUR, 8);
    job(2, 10, 8);
    Schedule schedule =
        run(
            policy(
                "SMALL_JOB_MAX 1\nWALLT_LIMIT_SMALL_JOB 1:00:00\nWALLT_LIMIT_LARGE_JOB 2:00:00\n",
                ""));
    assertEquals(List.of(1L, 3L), schedule.workload().jobs().stream().map(TraceJob::id).toList());
    assertArrayEquals(new long[] {0, 10}, schedule.startS());
  }

  @Test
  void aJobThatNeverStartsIsSaid() {
    job(0, 10, 8, 1, 1, 5);
    IllegalStateException stuck =
        assertThrows(IllegalStateException.class, () -> origin("DEDICATED_QUEUES q5\n"));
    assertEquals(
        "1 jobs are left that nothing starts; the first: Dedicated time is not being enforced",
        stuck.getMessage());
  }

  @Test
  void aJobThatIsLargerThanTheWholeNodesOfAHostIsRefused() {
    job(0, 10, 8);
    Workload workload = new Workload(9, MIDNIGHT, jobs, new TraceFindings());
    Simulation.run(workload, policy("", ""), (submitted, all) -> {});
    job(0, 10, 9);
    Workload larger = new Workload(9, MIDNIGHT, jobs, new TraceFindings());
    assertThrows(
        IllegalStateException.class,
        () -> Simulation.run(larger, policy("", ""), (submitted, all) -> {}));
  }

  @Test
  void noMoreIsUsedThanTheMachineHas() {
    for (long seed = 1; seed <= 20; seed++) {
      Workload made = Traces.made(seed, 60);
      // A machine of whole nodes; jobs of one processor have a node too.
      Workload workload =
          new Workload(
              made.processors() + made.processors() % 2,
              made.startEpochS(),
              made.jobs(),
              made.findings());
      Schedule schedule = Simulation.run(workload, policy("", ""), (submitted, all) -> {});
      ScheduleRules.judge(schedule);
      assertTrue(schedule.startS().length > 0);
    }
  }
}
