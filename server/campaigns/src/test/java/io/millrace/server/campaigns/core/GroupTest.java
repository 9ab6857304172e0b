package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several short tasks in one job: each has its own attempt, end and event. */
final class GroupTest {

  private final CampaignTrial trial = new CampaignTrial();
  private long id;

  private static CampaignCluster grouping(long walltimeS) {
    CampaignCluster cluster = CampaignTrial.cluster("c0", 0);
    cluster.setGrouping(true);
    cluster.getJob().getRequest().setWalltimeS(walltimeS);
    return cluster;
  }

  private void finish(String tag, int exitStatus, String steps) {
    trial.tell(tag, JobChange.STARTED, 0);
    trial.tell(tag, JobChange.FINISHED, exitStatus, steps);
  }

  /** A campaign whose first tasks have shown how long one takes; gives what is sent then. */
  private List<String> begun(int tasks, long walltimeS, long taskMs) {
    trial.runMs = taskMs;
    id = trial.submit(tasks, grouping(walltimeS));
    trial.seen("c0", 1, 1);
    finish(trial.any(), 0, "");
    for (String other : List.copyOf(trial.jobs.keySet())) {
      if (trial.jobs.get(other).getVariables().stream().noneMatch(GroupTest::steps)) {
        finish(other, 0, "");
      }
    }
    trial.seen("c0", 1, 1);
    return List.copyOf(trial.jobs.keySet());
  }

  private static boolean steps(Attribute variable) {
    return variable.getName().equals("MILLRACE_STEPS");
  }

  private Campaign campaign() {
    return (Campaign) trial.table.get(CampaignKeys.campaign(id));
  }

  private TaskStatus status(int task) {
    return TaskRanges.status(campaign().getRanges(), task);
  }

  private static int task(String tag) {
    return Integer.parseInt(tag.split("\\.")[1]);
  }

  /** The tasks of a job, by its arguments. */
  private List<Integer> tasks(String tag) {
    List<String> argv = trial.jobs.get(tag).getArgv();
    List<Integer> tasks = new ArrayList<>();
    for (int at = 6; at < argv.size(); at += 4 + Integer.parseInt(argv.get(at + 2))) {
      tasks.add(Integer.parseInt(argv.get(at)));
    }
    return tasks;
  }

  private String lines(List<Integer> tasks, int... ends) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < ends.length; i++) {
      lines.append(tasks.get(i)).append(' ').append(ends[i]).append(" 500\n");
    }
    return lines.toString();
  }

  private List<AttemptEnded> ends(int task) {
    return trial.ledger.stream()
        .filter(it -> it instanceof AttemptEnded end && end.getTask() == task)
        .map(AttemptEnded.class::cast)
        .toList();
  }

  @Test
  void howManyFollowsFromHowLongOneTakes() {
    List<String> sent = begun(2_000, 20, 1_000);
    List<Integer> tasks = tasks(sent.get(0));
    assertEquals(10, tasks.size(), "a half of the walltime");
    JobSpec job = trial.jobs.get(sent.get(0));
    assertFalse(job.getRerunnable());
    assertEquals("cigri-1-" + tasks.get(0), job.getName());
    assertEquals("1000", job.getArgv().get(4), "hundredths of a second");
  }

  @Test
  void aMinuteOfWorkIsEnoughAndAHundredTasks() {
    assertEquals(60, tasks(begun(2_000, -1, 1_000).get(0)).size());
  }

  @Test
  void noMoreThanAHundred() {
    assertEquals(100, tasks(begun(2_000, -1, 10).get(0)).size());
  }

  @Test
  void longOnesAndTheFirstHaveJobsOfTheirOwn() {
    List<String> sent = begun(100, 100, 60_000);
    assertTrue(
        sent.stream()
            .allMatch(it -> trial.jobs.get(it).getVariables().stream().noneMatch(GroupTest::steps)),
        sent.toString());
  }

  @Test
  void eachEndsByItselfAndIsCountedOnce() {
    String tag = begun(2_000, 20, 1_000).get(0);
    List<Integer> tasks = tasks(tag);
    trial.tell(tag, JobChange.QUEUED, 0);
    trial.tell(tag, JobChange.STARTED, 0);
    assertEquals(TaskStatus.RUNNING, status(tasks.get(9)));
    int done = campaign().getDone();
    trial.tell(tag, JobChange.FINISHED, 1, lines(tasks, 0, 0, 3, 0, 66, 0, 0, 0, 0, 0));
    assertEquals(done + 8, campaign().getDone());
    assertEquals(TaskStatus.EVENT, status(tasks.get(2)));
    assertEquals(List.of("EXIT_ERROR"), trial.open(id));
    assertEquals("exit status 3", trial.events(id).get(0).getMessage());
    assertEquals(500, ends(tasks.get(9)).get(0).getRunMs());
    assertEquals(1, ends(tasks.get(4)).size());
    assertEquals(TaskStatus.WAITING, ends(tasks.get(4)).get(0).getStatus());
  }

  @Test
  void aKillLosesOnlyTheOneThatWasRunning() {
    String tag = begun(2_000, 20, 1_000).get(0);
    List<Integer> tasks = tasks(tag);
    trial.tell(tag, JobChange.STARTED, 0);
    trial.tell(tag, JobChange.KILLED, 0);
    int done = campaign().getDone();
    trial.tell(tag, JobChange.FINISHED, 271, lines(tasks, 0, 4, 0));
    assertEquals(done + 2, campaign().getDone());
    assertEquals(TaskStatus.EVENT, status(tasks.get(1)), "it had failed before");
    assertFalse(ends(tasks.get(3)).get(0).getUnbegun());
    for (int i = 4; i < 10; i++) {
      assertTrue(ends(tasks.get(i)).get(0).getUnbegun());
      assertEquals(TaskStatus.WAITING, ends(tasks.get(i)).get(0).getStatus());
    }
    trial.seen("c0", 1, 1);
    String again =
        trial.jobs.keySet().stream()
            .filter(it -> task(it) == tasks.get(3))
            .findFirst()
            .orElseThrow();
    assertTrue(again.endsWith(".2"), again);
    assertTrue(
        trial.jobs.get(again).getVariables().stream().noneMatch(GroupTest::steps),
        "it is alone then");
    assertEquals(List.of("EXIT_ERROR"), trial.open(id));
  }

  @Test
  void whatAJobHasLeftComesAgainWithOthers() {
    String tag = begun(2_000, 20, 1_000).get(0);
    List<Integer> tasks = tasks(tag);
    finish(tag, 75, lines(tasks, 0, 0));
    assertTrue(ends(tasks.get(2)).get(0).getUnbegun());
    trial.seen("c0", 1, 1);
    assertTrue(
        trial.jobs.keySet().stream().anyMatch(it -> tasks(it).contains(tasks.get(5))),
        "those that had not begun are in a group again");
  }

  @Test
  void whereNothingIsWrittenDownASuccessIsOneOfAll() {
    String tag = begun(2_000, 20, 1_000).get(0);
    int done = campaign().getDone();
    finish(tag, 0, "");
    assertEquals(done + 10, campaign().getDone());
  }

  /** As on an outside cluster: the one that fails is not to have all others run again and again. */
  @Test
  void whereNothingIsWrittenDownEachGoesAloneAfterAFailure() {
    String tag = begun(2_000, 20, 1_000).get(0);
    List<Integer> tasks = tasks(tag);
    finish(tag, 1, "");
    eachGoesAlone(tasks);
  }

  /** Its host has died, and with it what the job had written down. */
  @ParameterizedTest
  @ValueSource(ints = {ExitStatus.NODE_FAILED, ExitStatus.UNKNOWN})
  void eachGoesAloneWhenNobodyKnowsWhatWasDone(int status) {
    String tag = begun(2_000, 20, 1_000).get(0);
    List<Integer> tasks = tasks(tag);
    finish(tag, status, "");
    eachGoesAlone(tasks);
    assertEquals(List.of(), trial.open(id));
  }

  private void eachGoesAlone(List<Integer> tasks) {
    for (int task : tasks) {
      assertFalse(ends(task).get(0).getUnbegun());
      assertEquals(TaskStatus.WAITING, ends(task).get(0).getStatus());
    }
    trial.seen("c0", 1, 1);
    assertTrue(
        trial.jobs.entrySet().stream()
            .filter(it -> tasks.contains(task(it.getKey())))
            .allMatch(it -> it.getValue().getVariables().stream().noneMatch(GroupTest::steps)));
  }

  /** Its shell lived a moment longer, and took the signal for an end of the program's. */
  @Test
  void whoIsKilledBeforeItsShellIsTriedAgain() {
    String tag = begun(2_000, 20, 1_000).get(0);
    List<Integer> tasks = tasks(tag);
    finish(tag, 271, lines(tasks, 0, 143));
    assertEquals(List.of(), trial.open(id));
    assertFalse(ends(tasks.get(1)).get(0).getUnbegun());
    assertEquals(TaskStatus.WAITING, ends(tasks.get(1)).get(0).getStatus());
  }

  @Test
  void noneHasRunForLongerThanItsJob() {
    String tag = begun(2_000, 20, 1_000).get(0);
    List<Integer> tasks = tasks(tag);
    finish(tag, 75, tasks.get(0) + " 0 999999999999\n");
    assertEquals(1_000, ends(tasks.get(0)).get(0).getRunMs());
  }

  @Test
  void whatWaitsIsTakenBackAsAWhole() {
    String tag = begun(2_000, 20, 1_000).get(0);
    List<Integer> tasks = tasks(tag);
    trial.tell(tag, JobChange.QUEUED, 0);
    long other = trial.test(CampaignTrial.cluster("c0", 0));
    trial.seen("c0", 1, 1);
    assertTrue(trial.deleted.contains("job-" + tag), trial.deleted + " for test " + other);
    trial.tell(tag, JobChange.DELETED, 0);
    for (int task : tasks) {
      assertEquals(TaskStatus.WAITING, ends(task).get(0).getStatus());
    }
    assertEquals(List.of(), trial.open(id));
  }

  @Test
  void oneThatWasDeletedOnItsWayEndsTheJobWhenThatIsKnown() {
    String tag = begun(2_000, 20, 1_000).get(0);
    List<Integer> tasks = tasks(tag);
    assertEquals(0, trial.deleteTask(id, tasks.get(3)).getCode());
    assertFalse(trial.deleted.contains("job-" + tag), "nobody knows it yet");
    trial.tell(tag, JobChange.QUEUED, 0);
    assertTrue(trial.deleted.contains("job-" + tag));
    trial.tell(tag, JobChange.DELETED, 0);
    assertEquals(TaskStatus.CANCELLED, status(tasks.get(3)));
    assertEquals(TaskStatus.WAITING, ends(tasks.get(4)).get(0).getStatus());
  }
}
