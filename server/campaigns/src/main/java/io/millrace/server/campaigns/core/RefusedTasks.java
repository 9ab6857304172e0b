package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.AttemptDropped;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.ClusterRefused;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.ScriptMoved;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what becomes of tasks that a shard did not take. They go back into the bag, the cluster
 * is left alone for a while, and the next command to it has half as many jobs. One that is refused
 * alone, for what no time mends, has failed.
 */
final class RefusedTasks {

  /** How long a cluster is left alone after a refusal; twice as long after each further one. */
  private static final long PAUSE_MS = 1_000;

  private static final int PAUSE_DOUBLINGS_MAX = 9;

  /** Further refusals come 512 s apart: with so many a cluster has refused for an hour. */
  static final int REFUSALS_MAX = 16;

  /** The command is wrong or too long, its writer may not send it, or no decision comes of it. */
  private static final Set<Integer> LASTING =
      Set.of(
          PbsError.PROTOCOL.code(),
          PbsError.INVALID_REQUEST.code(),
          PbsError.COMMAND_FAMILY.code(),
          PbsError.INCIDENT.code());

  private final CampaignState state;
  private final EventBook book;

  RefusedTasks(CampaignState state, EventBook book) {
    this.state = state;
    this.book = book;
  }

  /** Decides a shard's answer to a command with jobs. */
  void decide(Reply reply, long nowMs, CampaignOutcome outcome) {
    if (reply.getCode() == 0 || reply.getInterim()) {
      return;
    }
    // The id of a command says which campaign's it is.
    Optional<Campaign> sender = state.campaign(TaskJobs.campaign(reply.getId()));
    for (Campaign campaign : sender.stream().filter(it -> it.getEndedMs() < 0).toList()) {
      if (script(campaign, reply, nowMs, outcome)) {
        return;
      }
      List<OpenTask> refused = new ArrayList<>();
      state.open(
          campaign.getId(),
          task -> {
            if (task.getStatus() == TaskStatus.SENT && task.getCause().equals(reply.getId())) {
              refused.add(task);
            }
          });
      state.seconds(
          campaign.getId(),
          task -> {
            if (task.getStatus() == TaskStatus.SENT && task.getCause().equals(reply.getId())) {
              refused.add(task);
            }
          });
      if (!refused.isEmpty()) {
        refused(campaign, refused, reply, nowMs, outcome);
        return;
      }
    }
  }

  private void refused(
      Campaign campaign, List<OpenTask> tasks, Reply reply, long nowMs, CampaignOutcome outcome) {
    String why = String.join(" ", reply.getLines());
    String name = tasks.get(0).getCluster();
    boolean hopeless = tasks.size() == 1 && LASTING.contains(reply.getCode());
    CampaignCluster cluster = CampaignState.cluster(campaign, name).orElseThrow();
    for (OpenTask task : tasks) {
      if (state.second(task.getCampaign(), task.getTask(), task.getAttempt()).isPresent()) {
        AttemptDropped dropped = ReplicaDeciders.dropped(task, !hopeless, nowMs);
        dropped.setWhy(why);
        outcome.fact(dropped);
        continue;
      }
      boolean unwanted = campaign.getCancelled() || task.getDeleted();
      TaskStatus again = hopeless ? TaskStatus.EVENT : TaskStatus.WAITING;
      TaskStatus status = unwanted ? TaskStatus.CANCELLED : again;
      AttemptEnded ended = CampaignDeciders.ended(task, status, nowMs);
      ended.setWhy(why);
      if (status == TaskStatus.EVENT) {
        book.failed(campaign, cluster, ended, EventCode.TASK_REFUSED, outcome);
      } else {
        outcome.fact(ended);
      }
    }
    pause(campaign, cluster, why, nowMs, outcome);
  }

  /** Whether what was refused is a script of the campaign. */
  private boolean script(Campaign campaign, Reply reply, long nowMs, CampaignOutcome outcome) {
    for (CampaignCluster cluster : campaign.getClusters()) {
      for (boolean after : List.of(false, true)) {
        int index = campaign.getClusters().indexOf(cluster);
        CampaignScript script =
            ScriptDeciders.status(cluster, after) == TaskStatus.SENT
                ? state.script(campaign.getId(), index, after).orElseThrow()
                : null;
        if (script != null && reply.getId().equals(script.getCommand())) {
          refused(campaign, cluster, script, reply, nowMs, outcome);
          return true;
        }
      }
    }
    return false;
  }

  private void refused(
      Campaign campaign,
      CampaignCluster cluster,
      CampaignScript script,
      Reply reply,
      long nowMs,
      CampaignOutcome outcome) {
    ScriptMoved moved = ScriptDeciders.moved(campaign, script, TaskStatus.WAITING, nowMs);
    moved.setWhy(String.join(" ", reply.getLines()));
    if (campaign.getCancelled()) {
      moved.setStatus(TaskStatus.CANCELLED);
    } else if (LASTING.contains(reply.getCode()) || isLong(cluster, script)) {
      moved.setStatus(TaskStatus.EVENT);
      book.scriptFailed(campaign, cluster, moved, outcome);
      return;
    }
    outcome.fact(moved);
    pause(campaign, cluster, moved.getWhy(), nowMs, outcome);
  }

  /** A campaign whose tasks are over is kept by nothing else. */
  private static boolean isLong(CampaignCluster cluster, CampaignScript script) {
    return script.getAfter() && cluster.getRefusals() + 1 >= REFUSALS_MAX;
  }

  private void pause(
      Campaign campaign, CampaignCluster cluster, String why, long nowMs, CampaignOutcome outcome) {
    String name = cluster.getName();
    if (cluster.getPausedUntilMs() <= nowMs) {
      // Commands that were sent together are refused together, which counts once.
      long pauseMs = PAUSE_MS << Math.min(PAUSE_DOUBLINGS_MAX, cluster.getRefusals());
      outcome.fact(new ClusterRefused(nowMs, campaign.getId(), name, why, nowMs + pauseMs));
      book.refused(campaign, cluster, why, nowMs, outcome);
    }
  }
}
