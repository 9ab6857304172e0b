package io.millrace.server.campaigns.core.pace;

import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How fast a campaign goes, and what follows of it: all from what its record says.
 *
 * @param meanS mean run time of the tasks that were done, seconds; 0 while none is
 * @param spreadS standard deviation of these times
 * @param perS tasks done in a second, over the last hour or since the campaign began
 * @param leftS seconds until the last task is over at that pace; 0 when nothing is left
 * @param leftErrorS standard error of that, from how many ends the pace is known
 * @param failures share of tasks that failed among those that were tried to their end
 * @param again share of further attempts among all attempts
 * @param processors mean processors of a task that was done; 0 while none is
 */
public record CampaignPace(
    double meanS,
    double spreadS,
    double perS,
    double leftS,
    double leftErrorS,
    double failures,
    double again,
    double processors) {

  private static final int BUCKETS = 12;
  private static final long BUCKET_MS = 5 * 60_000;
  private static final double MS_PER_S = 1_000;

  /** In the place of none, as in CiGri: a client divides by it. */
  private static final double NO_PACE = 1e-16;

  private static final Set<TaskStatus> LEFT =
      EnumSet.of(
          TaskStatus.WAITING,
          TaskStatus.POSTPONED,
          TaskStatus.SENT,
          TaskStatus.QUEUED,
          TaskStatus.RUNNING);

  /** A task was done: this is counted with its campaign and its cluster. */
  public static void done(Campaign campaign, CampaignCluster cluster, AttemptEnded fact) {
    double ranS = fact.getRunMs() / MS_PER_S;
    cluster.setDoneSquares(cluster.getDoneSquares() + ranS * ranS);
    List<Integer> lately = lately(campaign, fact.getAtMs());
    lately.set(0, lately.get(0) + 1);
    campaign.setLately(lately);
    campaign.setLatelyMs(fact.getAtMs() / BUCKET_MS * BUCKET_MS);
  }

  /** The counts as they are at a time. */
  private static List<Integer> lately(Campaign campaign, long nowMs) {
    long passed = nowMs / BUCKET_MS - campaign.getLatelyMs() / BUCKET_MS;
    List<Integer> counts = new ArrayList<>(campaign.getLately());
    for (long i = 0; i < Math.min(passed, BUCKETS); i++) {
      counts.add(0, 0);
    }
    while (counts.size() < BUCKETS) {
      counts.add(0);
    }
    return new ArrayList<>(counts.subList(0, BUCKETS));
  }

  /** The pace of a campaign at a time. */
  public static CampaignPace of(Campaign campaign, long nowMs) {
    int done = campaign.getDone();
    double ranS = 0;
    double squares = 0;
    double processors = 0;
    for (CampaignCluster cluster : campaign.getClusters()) {
      ranS += cluster.getDoneMs() / MS_PER_S;
      squares += cluster.getDoneSquares();
      processors += (double) cluster.getDone() * cluster.getProcessors();
    }
    double meanS = done == 0 ? 0 : ranS / done;
    double spreadS = done == 0 ? 0 : Math.sqrt(Math.max(0, squares / done - meanS * meanS));
    long untilMs = campaign.getEndedMs() < 0 ? nowMs : campaign.getEndedMs();
    int ends = lately(campaign, untilMs).stream().mapToInt(Integer::intValue).sum();
    double windowS = (BUCKETS - 1) * BUCKET_MS / MS_PER_S + untilMs % BUCKET_MS / MS_PER_S;
    double sinceS = Math.max(1, (untilMs - campaign.getSubmittedMs()) / MS_PER_S);
    double perS = ends == 0 ? NO_PACE : ends / Math.min(windowS, sinceS);
    int left = count(campaign, LEFT);
    double leftS = left == 0 ? 0 : left / perS;
    int failed = count(campaign, EnumSet.of(TaskStatus.FAILED, TaskStatus.EVENT));
    int attempts = campaign.getAttempts();
    return new CampaignPace(
        meanS,
        spreadS,
        perS,
        leftS,
        ends == 0 ? leftS : leftS / Math.sqrt(ends),
        failed == 0 ? 0 : (double) failed / (failed + done),
        attempts == 0 ? 0 : (double) (attempts - campaign.getFirstAttempts()) / attempts,
        done == 0 ? 0 : processors / done);
  }

  private static int count(Campaign campaign, Set<TaskStatus> of) {
    int count = 0;
    for (TaskRange range : campaign.getRanges()) {
      count += of.contains(range.getStatus()) ? range.getLast() - range.getFirst() + 1 : 0;
    }
    return count;
  }
}
