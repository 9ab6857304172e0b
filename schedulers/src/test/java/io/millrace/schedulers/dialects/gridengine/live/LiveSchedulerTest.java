package io.millrace.schedulers.dialects.gridengine.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LiveSchedulerTest extends LiveCellFixture {
  private static List<String> shown(List<ProposedStart> launches) {
    return launches.stream()
        .map(
            it ->
                it.number()
                    + " "
                    + it.grant().getEnvironment()
                    + it.grant().getQueues()
                    + it.shares().stream().map(s -> s.getChunks()).toList())
        .toList();
  }

  @Test
  void startsHoldTheirResourcesUntilTheyEnd() {
    submit(1, "-l license=2");
    submit(2, "-l license=2");
    submit(3, "-pe mpi 2-3");
    List<ProposedStart> first = run(0);
    assertEquals(List.of("3 mpi[all.q@n1, all.q@n2][2, 1]", "1 [all.q@n2][1]"), shown(first));
    assertEquals(List.of(), shown(run(1)), "proposed ones are not proposed again");
    first.forEach(launch -> grant(launch, 1));
    end(3);
    assertEquals(List.of(), shown(run(2)), "the licences are still taken");
    end(1);
    assertEquals(List.of("2 [all.q@n1][1]"), shown(run(3)));
  }

  @Test
  void loadsThatHostsReportOrderThemAndCloseThem() {
    files.put("complex", COMPLEX + "np_load_avg nla DOUBLE >= NO NO 0 0\n");
    files.put(
        "queue.all.q", "qname all.q\nhostlist n1 n2\nslots 2\nload_thresholds np_load_avg=1.75\n");
    state.written(object());
    state.nodeUp("n1", "host", loaded(1_000_000));
    state.nodeUp("n2", "host", loaded(500_000));
    submit(1, "");
    assertEquals(List.of("1 [all.q@n2][1]"), shown(run(0)));
    state.nodeUp("n2", "host", loaded(2_000_000));
    submit(2, "");
    assertEquals(List.of("2 [all.q@n1][1]"), shown(run(1)));
    state.nodeUp("n1", "host", loaded(4_000_000));
    submit(3, "");
    assertEquals(List.of(), shown(run(2)));
    String told = String.join(" ", reasons().values());
    assertTrue(
        told.contains("overloaded: np_load_avg=4.000000 (no load adjustment) >= 1.75"), told);
  }

  private static Map<String, Long> loaded(long millionths) {
    return Map.of("ncpus", 4L, "load.load_medium", millionths, "load.num_proc", 1L);
  }

  @Test
  void noMoreTasksRunThanTheCellAllows() {
    files.put("conf", "#global:\nmax_aj_instances 2\nmax_aj_tasks 75000\n");
    state.written(object());
    for (int task = 1; task <= 4; task++) {
      submit(10 + task, "-t 1-4", 11, task);
    }
    assertEquals(List.of(11L, 12L), run(0).stream().map(ProposedStart::number).toList());
  }

  @Test
  void aWithdrawnStartIsProposedAgain() {
    submit(1, "-l license=2");
    assertEquals(1, run(0).size());
    state.withdraw(1);
    assertEquals(1, run(1).size());
  }

  @Test
  void aGrantThatComesAfterAnotherProposalHoldsWhatItSays() {
    submit(1, "");
    ProposedStart first = run(0).get(0);
    assertEquals(List.of("1 [all.q@n1][1]"), shown(List.of(first)));
    state.withdraw(1);
    state.nodeDown("n1");
    assertEquals(List.of("1 [all.q@n2][1]"), shown(run(1)));
    grant(first, 2);
    state.nodeUp("n1", "host", Map.of("ncpus", 4L));
    submit(2, "-pe mpi 3");
    assertEquals(List.of("2 mpi[all.q@n1, all.q@n2][1, 2]"), shown(run(3)));
  }

  @Test
  void aJobWaitsForThoseThatItNames() {
    submit(1, "-N first");
    submit(2, "-N second -hold_jid first,77");
    submit(3, "-N first");
    assertEquals(List.of(1L, 3L), run(0).stream().map(ProposedStart::number).sorted().toList());
    assertEquals(
        "SGE_DEPENDS: job dropped because of job dependencies", reasons().get("gridengine job;2"));
    end(1);
    assertEquals(List.of(2L), run(1).stream().map(ProposedStart::number).toList(), "3 came later");
    assertEquals("cleared", reasons().get("gridengine job;2"));
  }

  @Test
  void tasksOfAnArrayAreOneJob() {
    for (int task = 1; task <= 4; task++) {
      submit(10 + task, "-t 1-4 -tc 2", 11, task);
    }
    assertEquals(List.of(11L, 12L), run(0).stream().map(ProposedStart::number).toList());
    assertTrue(
        reasons().get("gridengine job;11").startsWith("SGE_TASK_LIMIT"), "two at a time only");
    end(11);
    assertEquals(List.of(13L), run(1).stream().map(ProposedStart::number).toList());
  }

  /** Gives a queue of the shard to a partition. */
  private void queue(String name, String partition) {
    state.written(
        Records.object(ObjectKind.QUEUE, name, "started", "True", "partition", partition));
  }

  private Job submitTo(String queue, long number, String options) {
    target = queue;
    Job job = submit(number, options);
    target = "workq";
    return job;
  }

  private void runsElsewhere(Job job, String node, int slots) {
    Allocation allocation =
        new Allocation(
            List.of(new NodeShare(node, "host", slots, Map.of("ncpus", (long) slots))),
            "",
            "",
            new GridEngineGrant("", List.of("all.q@" + node), 0L, 0L));
    state.granted(job.getNumber(), allocation, NOW.toEpochMilli());
  }

  @Test
  void whatAnotherCellOfTheShardRunsTakesNothingOfThisOne() {
    queue("other", "P2");
    runsElsewhere(submitTo("other", 1, "-l license=3"), "far", 1);
    submit(2, "-l license=3");
    assertEquals(List.of("2 [all.q@n1][1]"), shown(run(0)));
    assertEquals(Map.of(), reasons());
    end(1);
    assertFalse(state.takeFreed(), "nothing of this cell");
    end(2);
    assertTrue(state.takeFreed());
  }

  @Test
  void theJobsOfAnotherCellAreNotLookedAt() {
    queue("other", "P2");
    submitTo("other", 1, "-N first");
    submit(2, "-N first");
    submit(3, "-hold_jid first");
    submit(4, "-hold_jid 1");
    assertEquals(List.of(2L), run(0).stream().map(ProposedStart::number).toList());
    assertEquals(Set.of("gridengine job;3", "gridengine job;4"), reasons().keySet());
    end(2);
    assertEquals(
        List.of(3L), run(1).stream().map(ProposedStart::number).toList(), "1 is not meant");
    end(3);
    end(1);
    assertEquals(List.of(4L), run(2).stream().map(ProposedStart::number).toList());
    end(4);
    assertTrue(submitTo("other", 5, "").getNumber() == 5 && state.jobs().isEmpty());
    assertFalse(state.jobs().anyWaits());
  }

  @Test
  void jobsComeAndGoWithTheirQueue() {
    queue("other", "P2");
    runsElsewhere(submitTo("other", 1, "-l license=3"), "n1", 3);
    submitTo("other", 2, "");
    submit(3, "-l license=1 -pe mpi 2");
    queue("other", "pbs-default");
    assertEquals(List.of("2 [all.q@n2][1]"), shown(run(0)), "all licences are taken now");
    state.moved(1, "nowhere", 0);
    assertEquals(List.of("3 mpi[all.q@n1, all.q@n2][1, 1]"), shown(run(1)));
    state.moved(3, "nowhere", 0);
    state.moved(3, "workq", 0);
    assertEquals(
        List.of("3 mpi[all.q@n1, all.q@n2][1, 1]"), shown(run(2)), "what was proposed is void");
  }

  @Test
  void heldJobsAndStoppedQueuesWait() {
    submit(1, "");
    state.holds(1, "u");
    assertEquals(List.of(), run(0));
    state.holds(1, "n");
    state.written(Records.object(ObjectKind.QUEUE, "workq", "started", "False"));
    assertEquals(List.of(), run(1));
    assertEquals("QUEUE_NOT_STARTED: workq", reasons().get("gridengine;"));
    state.written(Records.queue("workq"));
    assertEquals(1, run(2).size());
  }

  @Test
  void aHostThatIsDownTakesNobodyAndIsNamed() {
    state.nodeGone("n1");
    submit(1, "");
    assertEquals(List.of("1 [all.q@n2][1]"), shown(run(0)));
    assertTrue(
        reasons().get("gridengine queues").contains("all.q@n1\" dropped because it is temp"));
  }

  @Test
  void noMoreSlotsThanTheNodeHasProcessors() {
    state.node(Records.node("n1", "host", 1, 1L << 32));
    submit(1, "-pe mpi 4");
    submit(2, "-pe mpi 3");
    assertEquals(List.of("2 mpi[all.q@n1, all.q@n2][1, 2]"), shown(run(0)));
  }

  @Test
  void aWrongConfigurationIsSaidAsTheReason() {
    files.put("sched", "schedule_intervall 1\n");
    state.written(object());
    submit(1, "");
    assertEquals(List.of(), run(0));
    assertTrue(reasons().get("gridengine;").contains("sched:1: 'schedule_intervall' is no option"));
    files.put("queue.all.q", "qname all.q\nhostlist n1\npe_list mpp\n");
    files.put("sched", "schedule_interval 0:0:1\n");
    ConfigurationRefused refused =
        assertThrows(ConfigurationRefused.class, () -> Configuration.of(files));
    assertTrue(refused.getMessage().contains("there is no pe.mpp"), refused.getMessage());
  }

  @Test
  void theTextOfAConfigurationIsReadBack() {
    assertEquals(files.keySet(), Configuration.split(Configuration.join(files)).keySet());
    assertEquals(
        Configuration.of(files).cluster().queues(),
        Configuration.stored(Configuration.join(files)).cluster().queues());
  }

  @Test
  void anEngineThatStartsFromASnapshotDecidesTheSame() {
    submit(1, "-l license=2,h_rt=100");
    submit(2, "-pe mpi 3 -l h_rt=50");
    run(0).forEach(launch -> grant(launch, 0));
    submit(3, "-pe mpi 4 -R y -l h_rt=10");
    submit(4, "-l license=1,h_rt=10");
    submit(5, "-l license=2,h_rt=10");
    LiveState restored = new LiveState("default", 0);
    tell(restored);
    jobs.values().forEach(restored::job);
    LiveScheduler other = new LiveScheduler(restored, 100, NO_LIMITS);
    for (long number : new ArrayList<>(List.of(0L, 2L, 1L))) {
      if (number > 0) {
        end(number);
        restored.gone(number);
      }
      LiveScheduler.LiveOutcome one = scheduler.run(NOW.plusSeconds(20 + number), Long.MAX_VALUE);
      LiveScheduler.LiveOutcome two = other.run(NOW.plusSeconds(20 + number), Long.MAX_VALUE);
      assertEquals(shown(one.launches()), shown(two.launches()));
      // After a restart it is not known which of two runs of one second began first.
      assertEquals(
          one.section().stream().sorted().toList(), two.section().stream().sorted().toList());
    }
  }
}
