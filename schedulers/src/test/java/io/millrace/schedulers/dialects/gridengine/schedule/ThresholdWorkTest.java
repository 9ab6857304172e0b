package io.millrace.schedulers.dialects.gridengine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What the search for later starts costs with load thresholds on many hosts, and that it finds the
 * same.
 */
class ThresholdWorkTest {

  private static final int HOSTS = 100;
  private static final int QUEUES = 3;
  private static final int WAITING = 10;

  /** A time at which no run adds to its host's load any more. */
  private static final long LATER = GridEngineScene.NOW + 1000;

  private static GridEngineScene scene(String thresholds, String adjustments) {
    String names =
        IntStream.rangeClosed(1, HOSTS).mapToObj(i -> "n" + i).collect(Collectors.joining(" "));
    GridEngineScene scene =
        new GridEngineScene()
            .without("all.q")
            .environment("pe_name mpi\nslots 9999\nallocation_rule $fill_up\n")
            .scheduler("job_load_adjustments", adjustments);
    for (int queue = 1; queue <= QUEUES; queue++) {
      String text = "qname q%d\nhostlist %s\nslots 2\npe_list mpi\nload_thresholds %s\n";
      scene.queue(String.format(text, queue, names, thresholds));
    }
    for (int host = 1; host <= HOSTS; host++) {
      scene.host("hostname n" + host + "\nload_values np_load_avg=0.5,num_proc=1\n");
    }
    return scene;
  }

  /** All hosts but one are full, each until a different time. */
  private static List<RunningTask> running() {
    GridEngineScene scene = scene("NONE", "NONE");
    for (int job = 1; job < HOSTS; job++) {
      scene.job("r" + job, "-pe mpi 6 -l h_rt=" + (2000 + 10 * job));
    }
    List<RunningTask> running = new ArrayList<>();
    ClusterState state = scene.state();
    for (Decisions.TaskDecision start : scene.decisions().starts()) {
      PendingJob pending = state.pending().get((int) start.job() - 1);
      running.add(new RunningTask(pending.job(), 1, start.assignment(), RunningTask.Phase.RUNNING));
    }
    assertEquals(HOSTS - 1, running.size());
    return running;
  }

  private static Decisions decide(String thresholds, String adjustments) {
    GridEngineScene scene = scene(thresholds, adjustments);
    for (int job = 1; job <= WAITING; job++) {
      scene.job("w" + job, "-pe mpi 280 -R y -l h_rt=" + (100 + job));
    }
    ClusterState state = scene.state();
    return GridEngineScheduler.decide(
        new ClusterState(state.cluster(), state.scheduler(), running(), state.pending()),
        Instant.ofEpochSecond(LATER));
  }

  private static List<String> promises(Decisions decisions) {
    return decisions.promises().stream()
        .map(
            it ->
                it.job()
                    + ">"
                    + (it.assignment().start() - LATER)
                    + it.assignment().grants().stream()
                        .map(grant -> "@" + grant.queue().name() + ":" + grant.slots())
                        .toList())
        .toList();
  }

  @Test
  void aThresholdThatNoJobCanReachCostsNothing() {
    Decisions without = decide("NONE", "NONE");
    Decisions with = decide("np_load_avg=1.75", "NONE");
    assertEquals(WAITING, without.promises().size());
    assertEquals(promises(without), promises(with));
    assertEquals(without.effort().units(), with.effort().units());
  }

  @Test
  void aLoadThatJobsAddToIsCountedOncePerHost() {
    Decisions decisions = decide("np_load_avg=1.75", "np_load_avg=0.50");
    assertEquals(WAITING, decisions.promises().size());
    assertEquals(
        (2000 + 10 * 93) - (LATER - GridEngineScene.NOW),
        decisions.promises().get(0).assignment().start() - LATER,
        "three slots of each of 94 hosts, of which one is free");
    long units = decisions.effort().units();
    assertTrue(units <= 6L * WAITING * HOSTS * QUEUES, units + " units");
  }
}
