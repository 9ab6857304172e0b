package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.task.TaskTag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Jobs of several tasks in histories by chance. */
final class GroupTrial {

  private GroupTrial() {}

  private static OpenTask open(CampaignTrial trial, long campaign, int task) {
    return (OpenTask) trial.table.get(CampaignKeys.open(campaign, task));
  }

  /**
   * The tasks of the job of this tag, as it was sent; none when nothing is heard of it any more.
   */
  static List<OpenTask> tasks(CampaignTrial trial, String text) {
    Optional<TaskTag> tag = TaskTag.parse(text);
    OpenTask lead = tag.map(it -> open(trial, it.campaign(), it.task())).orElse(null);
    if (lead == null || lead.getAttempt() != tag.get().attempt()) {
      return List.of();
    }
    List<OpenTask> tasks = new ArrayList<>(List.of(OpenTask.newBuilder(lead).build()));
    lead.getFollowers()
        .forEach(it -> tasks.add(OpenTask.newBuilder(open(trial, lead.getCampaign(), it)).build()));
    return tasks;
  }

  /** What a job that ended somewhere has written down. */
  static String steps(List<OpenTask> tasks, Random random) {
    StringBuilder steps = new StringBuilder();
    int some = tasks.size() > 1 ? random.nextInt(tasks.size() + 1) : 0;
    for (OpenTask task : tasks.subList(0, some)) {
      int[] ends = {0, 0, 0, 1, 66, 67};
      steps.append(task.getTask()).append(' ').append(ends[random.nextInt(ends.length)]);
      steps.append(" 10\n");
    }
    return steps.toString();
  }

  /** Whether an attempt was told to end: then its success is not counted. */
  static boolean told(CampaignTrial trial, long id, int task, int attempt) {
    OpenTask first = open(trial, id, task);
    OpenTask second = (OpenTask) trial.table.get(CampaignKeys.second(id, task));
    boolean deleted = first != null && first.getDeleted();
    return second != null && second.getAttempt() == attempt
        ? second.getKilled() && (second.getDropped() || deleted)
        : deleted && first.getKilled();
  }

  /** Those that are done then. */
  static List<String> done(List<OpenTask> tasks, int status, String steps) {
    List<String> done = new ArrayList<>();
    for (OpenTask task : tasks) {
      boolean well =
          steps.isEmpty()
              ? status == 0
              : ("\n" + steps).contains("\n" + task.getTask() + " 0 10\n");
      if (well && !(task.getDeleted() && task.getKilled())) {
        done.add(task.getCampaign() + "." + task.getTask());
      }
    }
    return done;
  }

  /** Tasks that are at a cluster in the job of another one. */
  static int followers(CampaignTrial trial, long campaign, boolean running) {
    int[] found = {0};
    trial.table.scan(
        CampaignKeys.open(campaign),
        it -> {
          OpenTask task = (OpenTask) it;
          boolean runs = task.getStatus() == TaskStatus.RUNNING;
          found[0] += task.getLead() >= 0 && runs == running ? 1 : 0;
        });
    return found[0];
  }

  /** Whether the job of a task is being taken back. */
  static boolean leaves(OpenTask task) {
    return task.getLeaving() && task.getLead() < 0;
  }
}
