package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ranges say of each task what a list of all tasks says. */
final class TaskRangesTest {

  private static final TaskStatus[] SOME = {
    TaskStatus.WAITING, TaskStatus.RUNNING, TaskStatus.DONE, TaskStatus.POSTPONED
  };

  @Test
  void changesByChanceAreThoseOfAList() {
    Random random = new Random(1);
    for (int tasks : new int[] {1, 2, 3, 40}) {
      TaskStatus[] list = new TaskStatus[tasks];
      Arrays.fill(list, TaskStatus.WAITING);
      List<TaskRange> ranges = TaskRanges.fresh(tasks);
      for (int i = 0; i < 500; i++) {
        int task = random.nextInt(tasks);
        list[task] = SOME[random.nextInt(SOME.length)];
        List<TaskRange> before = List.copyOf(ranges);
        String text = before.toString();
        ranges = TaskRanges.with(ranges, task, list[task]);
        assertEquals(text, before.toString(), "what was is left as it was");
        same(list, ranges);
      }
    }
  }

  private static void same(TaskStatus[] list, List<TaskRange> ranges) {
    List<TaskStatus> told = new ArrayList<>();
    TaskStatus last = null;
    for (TaskRange range : ranges) {
      assertNotEquals(last, range.getStatus(), "neighbours differ");
      last = range.getStatus();
      for (int task = range.getFirst(); task <= range.getLast(); task++) {
        told.add(range.getStatus());
      }
    }
    assertEquals(List.of(list), told);
    for (int task = 0; task < list.length; task++) {
      assertEquals(list[task], TaskRanges.status(ranges, task));
    }
    for (TaskStatus status : SOME) {
      assertEquals(List.of(list).contains(status), TaskRanges.has(ranges, status));
      long count = Arrays.stream(list).filter(it -> it == status).count();
      assertEquals(count, TaskRanges.count(ranges, it -> it == status));
      assertEquals(Math.min(3, count), TaskRanges.first(ranges, status, 3).size());
    }
  }
}
