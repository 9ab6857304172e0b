package io.millrace.ops.campaigns.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.SentTask;
import io.millrace.schemas.campaign.TaskMoved;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.common.CommandId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the table shows follows from the ledger and from what gridclusters says. */
class ProgressTableTest {

  private final ClusterTally tally = new ClusterTally(List.of("be0", "be1"));

  private void sent(String cluster, int... tasks) {
    for (int task : tasks) {
      List<SentTask> one = List.of(new SentTask(task, 1, -1));
      tally.hear(new TasksSent(1L, 1L, cluster, new CommandId(new byte[16]), one, false, false));
    }
  }

  private void moved(String cluster, int task, TaskStatus status) {
    OpenTask open = new OpenTask();
    open.setTask(task);
    open.setAttempt(1);
    open.setCluster(cluster);
    open.setStatus(status);
    tally.hear(new TaskMoved(1L, open));
  }

  private void ended(int task, TaskStatus status, int exitStatus) {
    tally.hear(new AttemptEnded(1L, 1L, task, 1, status, "1.host", exitStatus, 5L, "", false));
  }

  @Test
  void attemptsAreCountedWhereTheyAre() {
    sent("be0", 0, 1, 2);
    sent("be1", 3);
    moved("be0", 0, TaskStatus.QUEUED);
    moved("be0", 0, TaskStatus.RUNNING);
    moved("be0", 1, TaskStatus.RUNNING);
    assertEquals(2, tally.row("be0").running());
    assertEquals(1, tally.row("be0").waiting());
    ended(0, TaskStatus.DONE, 0);
    ended(1, TaskStatus.WAITING, -33);
    assertEquals(0, tally.row("be0").running());
    assertEquals(1, tally.row("be0").killed());
    assertEquals(1, tally.done());
    // One that never ran was taken back: nobody killed it.
    ended(2, TaskStatus.WAITING, 271);
    ended(3, TaskStatus.EVENT, 2);
    assertEquals(1, tally.killed());
    assertEquals(1, tally.failed());
    assertEquals(0, tally.row("be0").waiting() + tally.row("be1").waiting());
    tally.hear(new CampaignEnded(1L, 1L, "ada", ""));
    assertTrue(tally.isOver());
  }

  @Test
  void noLineWrapsOnATerminal() {
    int tasks = 100_000;
    for (int task = 0; task < tasks; task++) {
      sent("be0", task);
      ended(task, TaskStatus.WAITING, -33);
      sent("be0", task);
      ended(task, TaskStatus.DONE, 0);
    }
    ProgressTable table = new ProgressTable(tasks);
    List<String> lines = table.lines(List.of("be0", "be1"), tally, 99_999);
    assertTrue(lines.get(3).contains("100000 of 100000 done, 100000 killed"), lines.get(3));
    for (String line : lines) {
      assertTrue(line.length() <= 79, line.length() + " characters: " + line);
    }
  }

  @Test
  void theTableHasTasksLocalJobsAndWhatIsIdle() {
    sent("be0", 0, 1);
    moved("be0", 0, TaskStatus.RUNNING);
    ended(0, TaskStatus.DONE, 0);
    ProgressTable table = new ProgressTable(4);
    table.used(
        List.of(
            "be0, partition pbs-default",
            "    max_resources: 8",
            "    used_resources: 6",
            "    used_by_cigri: 4",
            "    unavailable_resources: 0",
            "be1, partition p1 (BLACKLISTED)",
            "    max_resources: 8",
            "    used_resources: 0",
            "    used_by_cigri: 0"));
    List<String> lines = table.lines(List.of("be0", "be1"), tally, 7);
    assertEquals(
        "be0      [############======......]     4     2       1      1      0", lines.get(1));
    assertEquals(
        "be1      [........................]     0     0       0      0      0", lines.get(2));
    assertTrue(lines.get(3).endsWith("] 1 of 4 done, 0 killed and tried again, 7 s"), lines.get(3));
    assertTrue(lines.get(3).startsWith("[###.........]"), lines.get(3));
  }
}
