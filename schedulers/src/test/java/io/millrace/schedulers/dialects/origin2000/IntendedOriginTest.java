package io.millrace.schedulers.dialects.origin2000;

import static io.millrace.schedulers.dialects.origin2000.OriginScene.ALLOCATION;
import static io.millrace.schedulers.dialects.origin2000.OriginScene.DEDICATED;
import static io.millrace.schedulers.dialects.origin2000.OriginScene.PRIME;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What is meant where the original errs; the numbers are those of the page of differences. */
class IntendedOriginTest {

  private static final String MORNING = "1999-11-09T10:00:00";

  private static boolean starts(String told, String job) {
    return ("\n" + told + "\n").contains("\nrun " + job + " on ");
  }

  @Test
  void pastUsageCountsInTheFirstCycle() { // 14
    OriginScene scene =
        new OriginScene("SORT_BY_PAST_USAGE True\n").usage("Tue\ng1:ann 20.0\ng1:bob 5.0\n");
    scene.job("1", 8, "1:00:00", "").job("2", 4, "1:00:00", "owner=bob").run();
    assertEquals("2 1", scene.sorted());
  }

  @Test
  void aHeldSpecialJobHidesNobody() { // 24
    OriginScene scene = new OriginScene("SPECIAL_QUEUE special\n");
    String told =
        scene
            .job("1", 4, "1:00:00", "queue=special")
            .job("2", 4, "1:00:00", "queue=special state=H")
            .job("3", 4, "1:00:00", "")
            .run();
    assertTrue(starts(told, "1") && starts(told, "3"), told);
  }

  @Test
  void outstandingJobsOfOneSizeKeepTheOrderOfTheServer() { // 31
    OriginScene scene = new OriginScene("MAX_QUEUED_TIME 1:00:00\n");
    scene
        .job("1", 4, "1:00:00", "waited=9000")
        .job("2", 4, "1:00:00", "waited=8000")
        .job("3", 8, "1:00:00", "waited=4000")
        .run();
    assertEquals("3 1 2", scene.sorted());
  }

  @Test
  void longOutstandingJobsGoBeforeShortOnesHoweverTheyAreListed() { // 32
    for (String first : new String[] {"1", "2"}) {
      OriginScene scene = new OriginScene("MAX_QUEUED_TIME 1:00:00\nSMALL_QUEUED_TIME 2:00:00\n");
      scene.job(first, 4, first.equals("1") ? "2:00:00" : "1:59:59", "waited=9000");
      String second = first.equals("1") ? "2" : "1";
      scene.job(second, 4, second.equals("1") ? "2:00:00" : "1:59:59", "waited=9000").run();
      assertEquals("1 2", scene.sorted());
    }
  }

  @Test
  void anInteractiveJobIsOutstandingAfterTheTimeOfAllOthersToo() { // 34
    String told =
        new OriginScene(PRIME + "INTERACTIVE_LONG_WAIT 30:00\nMAX_QUEUED_TIME 1:00:00\n")
            .job("1", 4, "2:00:00", "interactive waited=3601")
            .run();
    assertTrue(told.contains("(waited too long)"), told);
  }

  @Test
  void anOutstandingJobStartsInPrimeTimeWhereThereIsRoom() { // 35
    OriginScene scene = new OriginScene(PRIME + "MAX_QUEUED_TIME 2:00:00\n").at(MORNING);
    String told =
        scene.job("1", 4, "3:00:00", "waited=9000").job("2", 30, "4:00:00", "waited=9000").run();
    assertTrue(starts(told, "2"), told);
    assertTrue(told.contains("1: Exceeds primetime walltime limit (02:00:00)"), told);
  }

  @Test
  void anOutstandingJobRunsOverTheEndOfPrimeTime() { // 34, 49
    OriginScene scene =
        new OriginScene(PRIME + "NONPRIME_DRAIN_SYS True\nMAX_QUEUED_TIME 1:00:00\n");
    String told =
        scene
            .at("1999-11-09T16:00:00")
            .job("1", 4, "1:30:00", "waited=4000")
            .job("2", 4, "1:30:00", "")
            .run();
    assertTrue(starts(told, "1"), told);
    assertTrue(starts(told, "2"), "the drain is broken already: " + told);
  }

  @Test
  void primeTimeCountsFromItsDateOnInEveryQueue() { // 43
    String text =
        PRIME.replace("ENFORCE_PRIME_TIME True", "ENFORCE_PRIME_TIME 11/09/1999@10:00:00");
    OriginScene scene = new OriginScene(text).at("1999-11-09T09:59:59");
    assertTrue(starts(scene.job("1", 4, "7:00:00", "").run(), "1"));
    String told = scene.after(1).job("2", 4, "7:00:00", "").run();
    assertEquals("2: Exceeds primetime walltime limit (02:00:00)", told);
  }

  @Test
  void sizesOfJobsDoNotSwitchPrimeTimeOff() { // 56
    String sizes =
        "SMALL_JOB_MAX 4\nWALLT_LIMIT_SMALL_JOB 8:00:00\nWALLT_LIMIT_LARGE_JOB 8:00:00\n";
    String told = new OriginScene(PRIME + sizes).at(MORNING).job("1", 4, "3:00:00", "").run();
    assertEquals("1: Exceeds primetime walltime limit (02:00:00)", told);
  }

  @Test
  void eachJobThatCanNeverRunIsDeletedAtOnce() { // 57
    String told = new OriginScene("").job("1", 40, "1:00:00", "").job("2", 36, "1:00:00", "").run();
    String reason = ": Job will not fit on any execution queue.";
    assertEquals("delete 1" + reason + "\ndelete 2" + reason, told);
  }

  @Test
  void aHostWithItsNumberOfJobsStartsNoMore() { // 62
    String told =
        new OriginScene("MAX_JOBS 1\n").job("1", 4, "1:00:00", "").job("2", 4, "1:00:00", "").run();
    assertTrue(starts(told, "1") && !starts(told, "2"), told);
  }

  @Test
  void aHostWithMoreLoadThanProcessorsStartsNone() { // 62, 63
    String told = new OriginScene("").host("hopper", 32, 64.01).job("1", 4, "1:00:00", "").run();
    assertEquals("1: Load Average too high (64.01/64.00 max)", told);
    told = new OriginScene("").host("hopper", 32, 64).job("1", 4, "1:00:00", "").run();
    assertTrue(starts(told, "1"), told);
  }

  @Test
  void theRunLimitOfUsersCountsRunningJobs() { // 64
    OriginScene scene = new OriginScene("").queue("exec", 32, -1, 1);
    String told =
        scene
            .job("0", 4, "1:00:00", "run=60")
            .job("1", 4, "1:00:00", "")
            .job("2", 4, "1:00:00", "owner=bob")
            .run();
    assertTrue(told.contains("1: Would exceed queue exec userrun limit (1)"), told);
    assertTrue(starts(told, "2"), told);
  }

  @Test
  void aGroupUsesItsAllocationToTheLastHour() { // 81, 84
    String told =
        new OriginScene(ALLOCATION)
            .allocations("P= a = near = 1000\nP= b = none = 0\n", "x near 1 999.9\n")
            .job("1", 4, "1:00:00", "group=near")
            .job("2", 4, "1:00:00", "group=none")
            .run();
    assertTrue(starts(told, "1"), told);
    assertTrue(told.contains("delete 2: Allocation Exceeded."), told);
  }

  @Test
  void jobsThatWereLeftAreAllStartedAgainOnTheirHost() { // 93
    String told =
        new OriginScene("SCHED_RESTART_ACTION RERUN\n")
            .job("1", 4, "1:00:00", "queue=exec")
            .job("2", 4, "1:00:00", "queue=exec")
            .job("3", 4, "1:00:00", "")
            .run();
    assertTrue(
        told.contains("run 1 on exec@hopper") && told.contains("run 2 on exec@hopper"), told);
    assertTrue(starts(told, "3"), told);
  }

  @Test
  void groupsWithoutNameAndWithLongOnesAreSorted() { // B0, B1
    OriginScene scene = new OriginScene("SORT_BY_PAST_USAGE True\n");
    String told =
        scene
            .job("1", 4, "1:00:00", "group=")
            .job("2", 4, "1:00:00", "group=a_group_with_a_long_name")
            .run();
    assertTrue(starts(told, "1") && starts(told, "2"), told);
  }

  @Test
  void allHostsInDedicatedTimeAndNoJobs() { // B2
    String outage = "HOPPER 11/09/1999 19:00-23:00 11/09/1999";
    OriginScene scene = new OriginScene(DEDICATED).dedicatedTime("hopper", outage);
    assertEquals("", scene.run());
    String told = scene.job("1", 4, "1:00:00", "").run();
    assertEquals("1: All destination queues are too full to accept this job", told);
  }

  @Test
  void nodesAreKeptInTheQueueThatIsDrained() { // B6
    OriginScene scene = new OriginScene("BATCH_QUEUES other\n").host("hopper", 64, 0);
    scene
        .queue("other", 32, -1)
        .job("0", 28, "2:00:00", "run=3600")
        .job("9", 31, "5:00:00", "queue=other run=3600")
        .job("1", 24, "1:00:00", "")
        .run();
    assertEquals(
        "[QueueDrain[job=1, queue=Optional[Drained[queue=exec, by="
            + (942_177_600 + 3600)
            + ", reserved=-4]]]]",
        scene.report().drains().toString());
  }

  @Test
  void tryingSwitchesNoCountersAndChargesNobody() { // D0
    OriginScene scene =
        new OriginScene("TEST_ONLY True\nMANAGE_HPM_COUNTERS True\n")
            .usage("Tue\ng1:ann 5.0\n")
            .host("hopper", 32, 0, "user");
    assertEquals("", scene.run());
    scene.host("hopper", 32, 0);
    assertEquals("would run 1 on exec@hopper", scene.job("1", 4, "1:00:00", "hpm").run());
    scene.after(3600).run();
    assertEquals("Tue\ng1:ann 5.000\n", scene.usage());
  }

  @Test
  void primeTimeMayGoOverMidnight() { // D3
    String night = PRIME.replace("08:00:00", "22:00:00").replace("17:00:00", "06:00:00");
    OriginScene scene = new OriginScene(night);
    String told = scene.at("1999-11-10T01:00:00").job("1", 4, "3:00:00", "").run();
    assertEquals("1: Exceeds primetime walltime limit (02:00:00)", told);
    told = new OriginScene(night).at("1999-11-09T20:00:00").job("1", 4, "4:00:00", "").run();
    assertTrue(starts(told, "1"), told);
    told = new OriginScene(night).at("1999-11-13T01:00:00").job("1", 4, "3:00:00", "").run();
    assertFalse(starts(told, "1"), "the night from Friday to Saturday: " + told);
    told = new OriginScene(night).at("1999-11-14T23:00:00").job("1", 4, "3:00:00", "").run();
    assertTrue(starts(told, "1"), "Sunday has none: " + told);
  }

  @Test
  void allocationsAreReadWhenTheirDateComes() { // D4
    String text = ALLOCATION.replace("True", "11/09/1999@20:30:00");
    OriginScene scene = new OriginScene(text).allocations("P= a = g1 = 5\n", "");
    scene.run();
    String told =
        scene.after(1800).job("1", 4, "1:00:00", "").job("2", 4, "1:00:00", "group=g2").run();
    assertTrue(starts(told, "1"), told);
    assertTrue(told.contains("delete 2: Allocation Exceeded."), told);
  }

  @Test
  void aRefusedStartEndsTheListAndTheJobGoesBack() {
    String told =
        new OriginScene("").refuse("1").job("1", 8, "1:00:00", "").job("2", 4, "1:00:00", "").run();
    assertEquals(
        "1: Started on Tue Nov  9 20:00:00 1999\nmove 1 to exec\nrefused 1 on exec@hopper\n"
            + "move 1 to submit",
        told);
  }

  @Test
  void aQueueWithoutLimitOfNodesTakesWhatItsHostHas() { // 25
    OriginScene scene = new OriginScene("").queue("exec", -1, -1).job("1", 32, "1:00:00", "");
    assertTrue(starts(scene.run(), "1"), "all nodes of the host");
    scene.job("2", 4, "1:00:00", "").run();
    assertEquals("[QueueDrain[job=2, queue=Optional.empty]]", scene.report().drains().toString());
  }

  @Test
  void inDedicatedTimeNoMoreJobsRunThanTheQueueMayHave() { // 26
    String outage = "HOPPER 11/09/1999 19:00-23:00 11/09/1999";
    OriginScene scene =
        new OriginScene(DEDICATED).queue("ded", 32, 1).dedicatedTime("hopper", outage);
    scene.job("1", 4, "1:00:00", "queue=ded").job("2", 4, "1:00:00", "queue=ded");
    String told = scene.run();
    assertTrue(starts(told, "1"), told);
    assertTrue(told.endsWith("2: Queue ded run limit (1) reached"), told);
  }

  @Test
  void aJobThatRunsIsNotToldThatItWaitsForDedicatedTime() { // 26
    String told =
        new OriginScene(DEDICATED)
            .job("1", 4, "1:00:00", "queue=ded run=60")
            .job("2", 4, "1:00:00", "queue=ded")
            .run();
    assertEquals("2: Waiting for start of dedicated time (none scheduled for hopper)", told);
  }

  @Test
  void queuesOfOneNameOnTwoHostsAreTwo() { // 29
    OriginScene scene =
        new OriginScene("BATCH_QUEUES exec@h2\n").host("hopper", 32, 0).host("h2", 32, 0);
    String told =
        scene
            .job("0", 32, "1:00:00", "run=60")
            .job("1", 32, "1:00:00", "")
            .job("2", 4, "1:00:00", "")
            .run();
    assertTrue(told.contains("run 1 on exec@h2"), told);
    assertEquals(32, scene.report().packed().get(0).before().get(0).assigned());
    assertEquals(0, scene.report().packed().get(0).before().get(1).assigned());
  }

  @Test
  void aJobWithoutGroupIsOfAGroupThatIsNotListed() { // 32
    String told =
        new OriginScene(ALLOCATION)
            .allocations("P= a = g1 = 5\n", "")
            .job("1", 4, "1:00:00", "group=")
            .run();
    assertEquals("delete 1: Allocation Exceeded.", told);
  }
}
