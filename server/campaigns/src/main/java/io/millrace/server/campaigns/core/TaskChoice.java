package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterAffinity;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.task.TaskAffinities;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which tasks of a campaign that wait a cluster gets: in their order, but those that do better on
 * another cluster come last.
 */
final class TaskChoice {

  /** The first that wait: more than one command has. */
  private static final int LOOKED_AT = 400;

  private final CampaignState state;

  TaskChoice(CampaignState state) {
    this.state = state;
  }

  private List<ClusterAffinity> affinities(Campaign campaign, int task) {
    return state
        .open(campaign.getId(), task)
        .filter(it -> it.getStatus() == TaskStatus.WAITING)
        .map(OpenTask::getAffinities)
        .orElse(List.of());
  }

  /** How well a task that waits does on a cluster. */
  int affinity(Campaign campaign, int task, CampaignCluster cluster) {
    return TaskAffinities.of(affinities(campaign, task), cluster.getName());
  }

  /** A task that does better elsewhere. */
  private record Misplaced(int task, int affinity) {}

  /**
   * The next tasks for a cluster.
   *
   * @param open clusters to which tasks of the campaign can go now, this one among them
   * @param most so many at most
   */
  List<Integer> tasks(
      Campaign campaign, CampaignCluster cluster, List<CampaignCluster> open, int most) {
    List<TaskRange> ranges = campaign.getRanges();
    // Tasks that are passed over leave the record in more pieces.
    if (open.size() < 2 || ranges.size() >= CampaignDeciders.POSTPONED_RANGES_MAX) {
      return TaskRanges.first(ranges, TaskStatus.WAITING, most);
    }
    List<Integer> tasks = new ArrayList<>();
    List<Misplaced> last = new ArrayList<>();
    int looked = 0;
    for (TaskRange range : ranges) {
      for (int task = range.getFirst();
          range.getStatus() == TaskStatus.WAITING
              && task <= range.getLast()
              && looked < LOOKED_AT
              && tasks.size() < most;
          task++) {
        looked++;
        List<ClusterAffinity> affinities = affinities(campaign, task);
        int here = TaskAffinities.of(affinities, cluster.getName());
        boolean better =
            open.stream().anyMatch(it -> TaskAffinities.of(affinities, it.getName()) > here);
        if (better) {
          last.add(new Misplaced(task, here));
        } else {
          tasks.add(task);
        }
      }
    }
    last.sort(Comparator.comparingInt(it -> -it.affinity));
    last.stream().limit(most - tasks.size()).forEach(it -> tasks.add(it.task));
    return tasks;
  }
}
