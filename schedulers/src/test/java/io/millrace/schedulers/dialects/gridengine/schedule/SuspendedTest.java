package io.millrace.schedulers.dialects.gridengine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask.Phase;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance.QueueInstanceState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Suspended jobs and queue instances, as a Grid Engine 8.1.9 was seen to treat them. */
class SuspendedTest {

  private static GridEngineScene scene() {
    return new GridEngineScene()
        .scheduler("queue_sort_method", "seqno")
        .host("hostname global\ncomplex_values license=3\n")
        .running("A", 4, "-l h_rt=10 -q *@node01")
        .running("B", 4, "-l h_rt=20,license=2 -q *@node02");
  }

  @Test
  void aSuspendedJobHoldsItsPlaceAndStandsBehindTheOthers() {
    ClusterState state = scene().job("R", "-R y -pe mpi 4 -l h_rt=5").state();
    RunningTask first = state.running().get(0);
    RunningTask suspended =
        new RunningTask(first.job(), first.task(), first.assignment(), Phase.SUSPENDED);
    List<String> section =
        decide(
            new ClusterState(
                state.cluster(),
                state.scheduler(),
                List.of(suspended, state.running().get(1)),
                state.pending()));
    assertEquals(
        List.of(
            "2:1:RUNNING:-4:20:G:global:license:2.000000",
            "2:1:RUNNING:-4:20:Q:all.q@node02:slots:1.000000",
            "1:1:SUSPENDED:-4:10:Q:all.q@node01:slots:1.000000",
            "3:1:RESERVING:16:5:P:mpi:slots:4.000000",
            "3:1:RESERVING:16:5:Q:all.q@node01:slots:2.000000",
            "3:1:RESERVING:16:5:Q:all.q@node02:slots:2.000000"),
        section);
  }

  /** What its jobs take of the cluster stays taken; nothing is planned on the instance. */
  @Test
  void aSuspendedQueueInstanceIsOutOfThePicture() {
    ClusterState state = scene().job("L", "-R y -l license=3,h_rt=5").state();
    ClusterState suspended = with(state, QueueInstanceState.SUSPENDED);
    assertEquals(
        List.of(
            "1:1:RUNNING:-4:10:Q:all.q@node01:slots:1.000000",
            "2:1:RUNNING:-4:20:G:global:license:2.000000",
            "3:1:RESERVING:16:5:G:global:license:3.000000",
            "3:1:RESERVING:16:5:Q:all.q@node01:slots:1.000000"),
        decide(suspended));
    assertTrue(
        information(suspended)
            .contains(
                "queue instance \"all.q@node02\" dropped because it is temporarily not available"));
  }

  @Test
  void aDisabledQueueInstanceKeepsItsJobs() {
    ClusterState disabled =
        with(scene().job("L", "-l license=3").state(), QueueInstanceState.DISABLED);
    assertTrue(decide(disabled).contains("2:1:RUNNING:-4:20:Q:all.q@node02:slots:1.000000"));
    assertTrue(
        information(disabled)
            .contains("queue instance \"all.q@node02\" dropped because it is disabled"));
  }

  /** A copy with the second queue instance in another state. */
  private static ClusterState with(ClusterState state, QueueInstanceState second) {
    Cluster cluster = state.cluster();
    List<QueueInstance> queues =
        List.of(cluster.queues().get(0), cluster.queues().get(1).in(second));
    return new ClusterState(
        new Cluster(
            cluster.complexes(),
            queues,
            cluster.hosts(),
            cluster.environments(),
            cluster.groups(),
            cluster.accessLists()),
        state.scheduler(),
        state.running(),
        state.pending());
  }

  private static Decisions decisions(ClusterState state) {
    return GridEngineScheduler.decide(state, Instant.ofEpochSecond(GridEngineScene.NOW));
  }

  private static List<String> information(ClusterState state) {
    return decisions(state).information().stream().map(Reason::text).toList();
  }

  /** The lines of the file schedule, with times from now. */
  private static List<String> decide(ClusterState state) {
    return decisions(state).section().stream()
        .map(
            line -> {
              String[] fields = line.split(":", 5);
              long start = Long.parseLong(fields[3]) - GridEngineScene.NOW;
              return String.join(":", fields[0], fields[1], fields[2], "" + start, fields[4]);
            })
        .toList();
  }
}
