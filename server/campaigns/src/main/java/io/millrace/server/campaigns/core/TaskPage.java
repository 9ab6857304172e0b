package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.place.LastAttempts;
import io.millrace.server.campaigns.core.place.LastPlaces;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Some neighbouring tasks of a campaign as they are shown. Changes nothing. */
public final class TaskPage {

  /** Tasks of a page. */
  public static final int TASKS_MAX = 1_000;

  /** Characters that the parameters of a page may have; a first line that has more comes alone. */
  static final int CHARACTERS_MAX = 1 << 20;

  private static final Set<TaskStatus> OVER =
      EnumSet.of(TaskStatus.DONE, TaskStatus.FAILED, TaskStatus.CANCELLED, TaskStatus.EVENT);

  private final CampaignState state;

  public TaskPage(CampaignTable table) {
    this.state = CampaignState.ofOne(table);
  }

  /**
   * Tasks from a number on; fewer where the campaign ends or their parameters are long, none when
   * there is no campaign.
   */
  public List<ShownTask> of(long id, int first, int most) {
    List<ShownTask> tasks = new ArrayList<>();
    Campaign campaign = state.campaign(id).orElse(null);
    if (campaign == null) {
      return tasks;
    }
    long end = Math.min((long) first + Math.min(most, TASKS_MAX), campaign.getTasks());
    Map<Integer, OpenTask> open = new HashMap<>();
    state.open(id, first, TASKS_MAX).forEach(task -> open.put(task.getTask(), task));
    LastPlaces.PlaceReader places = state.places(campaign);
    LastAttempts.AttemptReader attempts = state.attempts(campaign);
    long characters = 0;
    for (TaskRange range : campaign.getRanges()) {
      for (int task = Math.max(first, range.getFirst());
          task < end && task <= range.getLast();
          task++) {
        String parameters = state.knownParameters(campaign, task).orElse(null);
        characters += parameters == null ? 0 : parameters.length();
        if (characters > CHARACTERS_MAX && !tasks.isEmpty()) {
          return tasks;
        }
        ShownTask shown = new ShownTask();
        shown.setTask(task);
        shown.setStatus(range.getStatus());
        shown.setParameters(parameters);
        OpenTask attempt = open.get(task);
        shown.setCluster(cluster(places, task, range.getStatus(), attempt));
        shown.setAttempt(attempt == null ? 0 : attempt.getAttempt());
        shown.setJobId(attempt == null ? "" : attempt.getJobId());
        shown.setRunMs(-1L);
        shown.setLead(attempt == null ? -1 : attempt.getLead());
        if (OVER.contains(range.getStatus())) {
          attempts.last(task).ifPresent(last -> show(shown, last));
        }
        if (attempt != null) {
          state.second(id, task).ifPresent(shown::setReplica);
        }
        tasks.add(shown);
      }
    }
    return tasks;
  }

  private static void show(ShownTask shown, LastAttempts.KnownAttempt last) {
    shown.setAttempt(last.attempt());
    shown.setJobId(last.jobId());
    shown.setRunMs(last.runMs());
  }

  /** One that is over is where it was last; one that waits, perhaps again, is at no cluster. */
  private static String cluster(
      LastPlaces.PlaceReader places, int task, TaskStatus status, OpenTask attempt) {
    return switch (status) {
      case DONE, FAILED, CANCELLED, EVENT -> places.cluster(task);
      case WAITING, POSTPONED -> "";
      case SENT, QUEUED, RUNNING -> attempt == null ? "" : attempt.getCluster();
    };
  }
}
