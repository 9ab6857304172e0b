package io.millrace.server.campaigns.core;

import io.millrace.schedulers.campaigns.strategies.Finalize;
import io.millrace.schedulers.campaigns.strategies.Finalize.CampaignWork;
import io.millrace.schedulers.campaigns.strategies.Finalize.ReplicaCandidate;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.pace.Hindrance;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * Which tasks get a replica on a cluster that was looked at, and which replicas are ended. Replicas
 * are for processors that nobody's tasks want.
 */
final class Finalisation {

  /** A replica that was sent so lately may begin at once. */
  private static final long FRESH_MS = 2_000;

  /** One that has waited so long does not begin there, whatever the cluster looks like. */
  private static final long WAIT_MAX_MS = 30_000;

  private final CampaignState state;
  private final TaskPacing pacing;

  Finalisation(CampaignState state, TaskPacing pacing) {
    this.state = state;
    this.pacing = pacing;
  }

  /** Replicas whose jobs are not over. */
  private List<OpenTask> replicas(Campaign campaign) {
    List<OpenTask> replicas = new ArrayList<>();
    state.seconds(
        campaign.getId(),
        it -> {
          if (it.getReplica()) {
            replicas.add(it);
          }
        });
    return replicas;
  }

  /**
   * What it has cost, with those replicas that are not over.
   *
   * @param costMs what one is taken for that has run so long, ms
   */
  private static CampaignWork work(
      Campaign campaign, List<OpenTask> replicas, LongUnaryOperator costMs, long nowMs) {
    double done = 0;
    double extra = 0;
    for (CampaignCluster cluster : campaign.getClusters()) {
      done += (double) cluster.getDoneMs() * cluster.getProcessors();
      extra += (double) cluster.getReplicasMs() * cluster.getProcessors();
    }
    for (OpenTask replica : replicas) {
      int processors =
          CampaignState.cluster(campaign, replica.getCluster()).orElseThrow().getProcessors();
      // One that was put back into its queue has no run that is not over.
      boolean runs = replica.getStatus() == TaskStatus.RUNNING;
      long ranMs = runs ? nowMs - replica.getBeganMs() : 0;
      extra += (double) processors * costMs.applyAsLong(ranMs);
    }
    return new CampaignWork(done, extra);
  }

  /** Replicas that are too expensive, or wait at this cluster: where nothing is idle, or long. */
  List<OpenTask> dropped(Campaign campaign, String name, long nowMs) {
    CampaignCluster cluster = CampaignState.cluster(campaign, name).orElse(null);
    ClusterLoad load = state.load(name).orElse(null);
    if (cluster == null || load == null) {
      return List.of();
    }
    List<OpenTask> replicas = replicas(campaign);
    boolean tooMuch =
        !replicas.isEmpty() && Finalize.tooMuch(work(campaign, replicas, Finalize::soonMs, nowMs));
    boolean full = load.getIdle() < cluster.getProcessors();
    replicas.removeIf(
        it -> {
          long waitsMs = full ? FRESH_MS : WAIT_MAX_MS;
          boolean waits =
              it.getStatus() == TaskStatus.QUEUED
                  && it.getCluster().equals(name)
                  && it.getSentMs() <= nowMs - waitsMs;
          return it.getDropped() || !tooMuch && !waits;
        });
    return replicas;
  }

  /** Replicas for the idle processors of a cluster; the fact has to be applied. */
  Optional<TaskPacing.Sending> next(String name, long nowMs) {
    ClusterLoad load = state.load(name).filter(it -> it.getProcessors() > 0).orElse(null);
    if (load == null
        || pacing.predicted().waiting(name) > 0
        || !pacing.wanting(name, nowMs).isEmpty()) {
      return Optional.empty();
    }
    for (Campaign campaign : state.naming(name)) {
      CampaignCluster cluster = CampaignState.cluster(campaign, name).orElse(null);
      if (cluster != null && isOpen(campaign, cluster, nowMs)) {
        List<Integer> tasks = tasks(campaign, cluster, load, nowMs);
        if (!tasks.isEmpty()) {
          return Optional.of(pacing.send(campaign, cluster, tasks, nowMs));
        }
      }
    }
    return Optional.empty();
  }

  private boolean isOpen(Campaign campaign, CampaignCluster cluster, long nowMs) {
    return cluster.getFinalize()
        && !campaign.getTest()
        && !campaign.getCancelled()
        && cluster.getPrologue() == TaskStatus.DONE
        && pacing.hindrance(campaign, cluster, nowMs) == Hindrance.NONE;
  }

  private List<Integer> tasks(
      Campaign campaign, CampaignCluster cluster, ClusterLoad load, long nowMs) {
    if (campaign.getDone() == 0 || TaskPacing.waits(campaign)) {
      return List.of();
    }
    int room = TaskPacing.bound(cluster, load.getIdle() / cluster.getProcessors());
    if (room == 0) {
      return List.of();
    }
    long doneMs = campaign.getClusters().stream().mapToLong(CampaignCluster::getDoneMs).sum();
    long meanMs = Math.max(1, doneMs / campaign.getDone());
    CampaignWork work =
        work(campaign, replicas(campaign), ranMs -> Finalize.expectedMs(ranMs, meanMs), nowMs);
    if (Finalize.affordable(meanMs, cluster.getProcessors(), work) == 0) {
      // It is asked each second, and there may be very many tasks.
      return List.of();
    }
    List<ReplicaCandidate> running = running(campaign, cluster, nowMs);
    return Finalize.chosen(running, room, meanMs, cluster.getProcessors(), work);
  }

  /**
   * Tasks that may have a replica there. What makes a task slow is often its cluster: a replica
   * goes to another one, unless there is no other.
   */
  private List<ReplicaCandidate> running(Campaign campaign, CampaignCluster cluster, long nowMs) {
    boolean only =
        campaign.getClusters().stream()
            .filter(it -> it != cluster && isOpen(campaign, it, nowMs))
            .noneMatch(
                it -> state.load(it.getName()).filter(at -> at.getProcessors() > 0).isPresent());
    Set<Integer> doubled = new HashSet<>();
    state.seconds(campaign.getId(), it -> doubled.add(it.getTask()));
    List<ReplicaCandidate> running = new ArrayList<>();
    state.open(
        campaign.getId(),
        task -> {
          boolean here = task.getCluster().equals(cluster.getName());
          if (task.getStatus() == TaskStatus.RUNNING
              && !task.getKilled()
              && !task.getReplicated()
              && task.getLead() < 0
              && task.getFollowers().isEmpty()
              && !doubled.contains(task.getTask())
              && (only || !here)) {
            running.add(new ReplicaCandidate(task.getTask(), nowMs - task.getBeganMs()));
          }
        });
    return running;
  }
}
