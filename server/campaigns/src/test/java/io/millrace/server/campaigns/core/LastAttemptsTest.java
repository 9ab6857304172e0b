package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Seeds;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.Role;
import io.millrace.server.campaigns.core.memory.GoingTotals;
import io.millrace.server.campaigns.core.place.LastAttempts;
import io.millrace.server.campaigns.core.place.LastAttempts.KnownAttempt;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.MemoryTable;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which job ran last for a task that is over, and for how long. */
final class LastAttemptsTest {

  private static final int TASKS = 10_000;

  private final Random random = new Random(Seeds.TODAY);
  private final MemoryTable table = new MemoryTable();
  private final LastAttempts attempts = new LastAttempts(table);
  private final Campaign campaign = new Campaign();

  LastAttemptsTest() {
    campaign.setId(1L);
    campaign.setTasks(TASKS);
  }

  private static AttemptEnded ended(int task, int attempt, String job, long runMs) {
    return new AttemptEnded(1L, 1L, task, attempt, TaskStatus.DONE, job, 0, runMs, "", false);
  }

  private Optional<KnownAttempt> last(int task) {
    return attempts.of(1).last(task);
  }

  /** Jobs are numbered as they are sent, and end in another order. */
  @Test
  void anAttemptTakesFewBytes() {
    Integer[] order = new Integer[TASKS];
    Arrays.setAll(order, it -> it);
    Collections.shuffle(Arrays.asList(order), random);
    for (int task : order) {
      long runMs = (long) (60_000 * Math.exp(0.6 * random.nextGaussian()));
      String job = 5_000_000 + task + ".server.example.org";
      attempts.put(campaign, ended(task, 1, job, runMs), false);
    }
    double bytes = (double) campaign.getAttemptBytes() / TASKS;
    assertTrue(bytes < 8.5, bytes + " bytes a task that is over");
    assertEquals(5_000_017 + ".server.example.org", last(17).orElseThrow().jobId());
    attempts.forgetAll(campaign);
    assertEquals(0, table.size());
  }

  /** Four shards, whose jobs have very different numbers, and long runs. */
  @Test
  void theWorstTakeTwiceAsMuch() {
    for (int task = 0; task < TASKS; task++) {
      long number = random.nextInt(4) * 250_000_000L + task;
      attempts.put(campaign, ended(task, 100, number + ".vm", 86_400_000), false);
    }
    double bytes = (double) campaign.getAttemptBytes() / TASKS;
    assertTrue(bytes < 14, bytes + " bytes a task that is over");
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    Map<Integer, KnownAttempt> all = new HashMap<>();
    for (int i = 0; i < 5_000; i++) {
      int task = random.nextInt(300);
      long number = random.nextBoolean() ? random.nextInt(50) : random.nextLong() >>> 15;
      boolean known = number < 1_000_000_000_000_000L && random.nextInt(4) > 0;
      String job = known ? number + ".vm" : random.nextBoolean() ? "" : "7.another";
      if (all.isEmpty()) {
        job = "1.vm";
      }
      long runMs = random.nextLong() >>> 1 + random.nextInt(62);
      int attempt = 1 + random.nextInt(1_000_000);
      attempts.put(campaign, ended(task, attempt, job, runMs), false);
      boolean other = job.endsWith("another") && blockKnows(all, task);
      all.put(task, new KnownAttempt(attempt, other ? "" : job, runMs));
    }
    LastAttempts.AttemptReader reader = attempts.of(1);
    all.forEach((task, it) -> assertEquals(it.attempt(), reader.last(task).get().attempt()));
    all.forEach((task, it) -> assertEquals(it.runMs(), reader.last(task).get().runMs()));
    all.forEach(
        (task, it) -> {
          String job = reader.last(task).get().jobId();
          assertTrue(job.equals(it.jobId()) || job.isEmpty(), job + ", not " + it);
        });
    assertEquals(table.bytes("attempts/") > 0, campaign.getAttemptBytes() > 0);
  }

  private static boolean blockKnows(Map<Integer, KnownAttempt> all, int task) {
    return all.keySet().stream().anyMatch(it -> it / 100 == task / 100);
  }

  @Test
  void withoutRoomNothingIsKnownRatherThanWhatIsOld() {
    attempts.put(campaign, ended(3, 1, "5.vm", 7), false);
    attempts.put(campaign, ended(3, 2, "6.vm", 8), true);
    assertEquals(Optional.empty(), last(3));
    assertEquals(0, campaign.getAttemptBytes());
    assertEquals(0, table.size());
  }

  @Test
  void allTogetherHaveABoundAndAnOwnerHalfOfIt() {
    GoingTotals totals = new GoingTotals();
    Campaign large = new Campaign();
    large.setId(2L);
    large.setOwner("ada");
    large.setRanges(List.of());
    large.setAttemptBytes(GoingTotals.ALL_ATTEMPT_BYTES_MAX / 2 - 1);
    totals.count(large);
    assertFalse(totals.tooManyAttempts(large));
    large.setAttemptBytes(GoingTotals.ALL_ATTEMPT_BYTES_MAX / 2);
    totals.count(large);
    assertTrue(totals.tooManyAttempts(large));
    Campaign small = Campaign.newBuilder(campaignOf("ada")).build();
    assertFalse(totals.tooManyAttempts(small), "some are known of each");
    Campaign other = campaignOf("bob");
    other.setAttemptBytes(GoingTotals.ALL_ATTEMPT_BYTES_MAX / 4);
    assertFalse(totals.tooManyAttempts(other));
  }

  private static Campaign campaignOf(String owner) {
    CampaignTrial trial = new CampaignTrial();
    trial.user = owner;
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    return (Campaign) trial.table.get(CampaignKeys.campaign(1));
  }

  private static ShownTask shown(CampaignTrial trial, int task) {
    return new TaskPage(trial.table).of(1, task, 1).get(0);
  }

  @Test
  void theLastAttemptIsShownAlsoAfterTheEnd() {
    CampaignTrial trial = new CampaignTrial();
    trial.numbered = true;
    trial.submit(2, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 9, 9);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    assertEquals(-1, shown(trial, 0).getRunMs(), "it runs");
    trial.tell("1.0.1", JobChange.FINISHED, 1);
    assertEquals(trial.job("1.0.1"), shown(trial, 0).getJobId());
    trial.runMs = 61_500;
    trial.fix(1, 0, "ada", Role.USER, true);
    assertEquals(-1, shown(trial, 0).getRunMs(), "it waits again");
    trial.tell("1.0.2", JobChange.FINISHED, 0);
    trial.tell("1.1.1", JobChange.FINISHED, 0);
    assertEquals(2, shown(trial, 0).getAttempt());
    assertEquals(trial.job("1.0.2"), shown(trial, 0).getJobId());
    assertEquals(61_500, shown(trial, 0).getRunMs());
    String why = new TaskWhy(trial.table).lines(1, 0, trial.nowMs).get(3).strip();
    assertEquals("Why: it is done, at c1, as 2.vm, attempt 2, in 61.5 s", why);
    trial.take(new PurgeCampaign(trial.meta("ada", Role.USER), 1L));
    assertEquals(0, trial.table.bytes("attempts/"));
  }
}
