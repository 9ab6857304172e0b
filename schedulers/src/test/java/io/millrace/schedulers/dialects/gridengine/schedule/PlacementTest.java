package io.millrace.schedulers.dialects.gridengine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Placements computed by hand, on two hosts of two slots each unless a test says otherwise. */
class PlacementTest {

  private static final String BY_NUMBER =
      "qname all.q\nhostlist node01 node02\nslots 2\nseq_no 0,[node01=1],[node02=2]\n"
          + "pe_list mpi rr smp two\n";

  private static GridEngineScene scene() {
    return new GridEngineScene().scheduler("queue_sort_method", "seqno").queue(BY_NUMBER);
  }

  @Test
  void theEarliestTimeIsTheLatestOfClusterHostAndQueue() {
    // Licenses are free at 10, node01's memory at 20, node02's at 5: node02 at 10.
    assertEquals(
        "A>10@all.q@node02",
        scene()
            .host("hostname global\ncomplex_values license=5\n")
            .host("hostname node01\ncomplex_values hmem=4\n")
            .host("hostname node02\ncomplex_values hmem=4\n")
            .running("l", 0, "-l license=5,h_rt=10")
            .running("m", 0, "-l hmem=4,h_rt=20 -q *@node01")
            .running("n", 0, "-l hmem=4,h_rt=5 -q *@node02")
            .job("A", "-R y -l license=1,hmem=1,h_rt=5")
            .decide());
  }

  @Test
  void aLowerJobRunsBeforeAReservationWhenItEndsWithItsStart() {
    GridEngineScene scene =
        scene().running("r", 0, "-l h_rt=10 -pe mpi 3").job("A", "-p 100 -R y -l h_rt=5 -pe mpi 4");
    assertEquals(
        "exact@all.q@node02 A>10@all.q@node01:2@all.q@node02:2",
        scene.job("exact", "-l h_rt=10").decide());
    assertEquals(
        "A>10@all.q@node01:2@all.q@node02:2",
        scene()
            .running("r", 0, "-l h_rt=10 -pe mpi 3")
            .job("A", "-p 100 -R y -l h_rt=5 -pe mpi 4")
            .job("long", "-l h_rt=11")
            .decide());
  }

  @Test
  void withoutReservationTheLargeJobStarves() {
    assertEquals(
        "small@all.q@node02",
        scene()
            .running("r", 0, "-l h_rt=10 -pe mpi 3")
            .job("A", "-p 100 -l h_rt=5 -pe mpi 4")
            .job("small", "-l h_rt=1000")
            .decide());
  }

  @Test
  void noReservationBehindAJobWithoutEnd() {
    assertEquals(
        "small@all.q@node02",
        scene()
            .running("r", 0, "-pe mpi 3")
            .job("A", "-p 100 -R y -l h_rt=5 -pe mpi 4")
            .job("small", "-l h_rt=1000")
            .decide());
  }

  @Test
  void aPlanIsNotInThePast() {
    // Three slots have been free since r began, 5 s ago, and are until A's start: 17 s from then on
    // would do for B, but not from now on.
    assertEquals(
        "A>15@all.q@node01:2@all.q@node02:2 B>20@all.q@node01:2@all.q@node02",
        scene()
            .running("r", 5, "-l h_rt=20")
            .job("A", "-p 100 -R y -l h_rt=5 -pe mpi 4")
            .job("B", "-R y -l h_rt=17 -pe mpi 3")
            .decide());
  }

  @Test
  void allocationRules() {
    assertEquals("A@all.q@node01:2@all.q@node02", scene().job("A", "-pe mpi 3").decide());
    assertEquals("A@all.q@node01:2@all.q@node02", scene().job("A", "-pe rr 3").decide());
    assertEquals("A@all.q@node01@all.q@node02", scene().job("A", "-pe rr 2").decide());
    assertEquals("A@all.q@node01:2", scene().job("A", "-pe smp 2").decide());
    assertEquals("", scene().job("A", "-pe smp 3").decide());
    assertEquals("A@all.q@node01:2@all.q@node02:2", scene().job("A", "-pe two 4").decide());
    assertEquals("", scene().job("A", "-pe two 3").decide());
  }

  @Test
  void theLargestNumberOfARange() {
    assertEquals(
        "A@all.q@node01@all.q@node02:2",
        scene().running("r", 0, "-l h_rt=9").job("A", "-pe mpi 1-8").decide());
    assertEquals(
        "A@all.q@node01@all.q@node02",
        scene().running("r", 0, "-l h_rt=9").job("A", "-pe mpi 2,4,8").decide());
    assertEquals(
        "A@all.q@node01:2@all.q@node02",
        scene().running("r", 0, "-l h_rt=9 -q *@node02").job("A", "-pe mpi 2-").decide());
  }

  @Test
  void ofSeveralEnvironmentsTheOneWithMostSlotsNow() {
    assertEquals(
        "A@all.q@node01:2@all.q@node02:2",
        scene()
            .environment("pe_name mpi_a\nslots 2\nallocation_rule $fill_up\n")
            .environment("pe_name mpi_b\nslots 9\nallocation_rule $fill_up\n")
            .queue(BY_NUMBER.replace("mpi", "mpi_a mpi_b"))
            .job("A", "-pe mpi_* 1-8")
            .decide());
  }

  @Test
  void ofSeveralEnvironmentsTheEarliestLater() {
    // mpi_a is free at 20, mpi_b at 10: mpi_b, and there the most it has.
    GridEngineScene scene =
        scene()
            .environment("pe_name mpi_a\nslots 2\nallocation_rule $fill_up\n")
            .environment("pe_name mpi_b\nslots 3\nallocation_rule $fill_up\n")
            .queue(BY_NUMBER.replace("mpi", "mpi_a mpi_b"))
            .running("a", 0, "-pe mpi_a 2 -l h_rt=20")
            .running("b", 0, "-pe mpi_b 2 -l h_rt=10")
            .job("A", "-R y -pe mpi_* 2-8 -l h_rt=5");
    assertEquals("A>10@all.q@node02:2", scene.decide());
  }

  @Test
  void queuesOfOneHostCountTogether() {
    assertEquals(
        "A@fast.q@node01@all.q@node01:2",
        scene()
            .queue("qname fast.q\nhostlist node01\nslots 2\nseq_no 9\npe_list smp\n")
            .job("A", "-pe smp 3")
            .decide());
    assertEquals(
        "",
        scene()
            .queue("qname fast.q\nhostlist node01\nslots 2\nseq_no 9\npe_list smp\n")
            .host("hostname node01\ncomplex_values slots=2\n")
            .job("A", "-pe smp 3")
            .decide());
  }

  @Test
  void softRequestsDecideAmongPlacesOfTheSameTime() {
    GridEngineScene scene =
        scene()
            .queue("qname fast.q\nhostlist node02\nslots 1\nseq_no 9\ncomplex_values fast=TRUE\n");
    assertEquals("A@fast.q@node02", scene.job("A", "-soft -l fast=TRUE").decide());
    assertEquals("A@fast.q@node02 B@all.q@node01", scene.job("B", "-soft -l fast=TRUE").decide());
    assertEquals("C@all.q@node02", scene().job("C", "-soft -q all.q@node02").decide());
  }

  @Test
  void softRequestsOnLoadValues() {
    assertEquals(
        "A@all.q@node02",
        scene()
            .host("hostname node01\nload_values num_proc=2\n")
            .host("hostname node02\nload_values num_proc=4\n")
            .job("A", "-soft -l num_proc=4")
            .decide());
  }

  @Test
  void softRequestsOfParallelJobsOrderTheHosts() {
    assertEquals(
        "A@all.q@node02:2@all.q@node01", scene().job("A", "-pe mpi 3 -soft -q *@node02").decide());
  }

  @Test
  void instancesThatAreNotNamedCountInTheOrderOfHosts() {
    // all.q@node01 is not named, but all.q is: node01 comes first, with what big.q has there.
    String big = "qname big.q\nhostlist node01 node02\nslots 2\nseq_no 9\npe_list mpi\n";
    assertEquals(
        "A@big.q@node01:2@all.q@node02",
        scene().queue(big).job("A", "-pe mpi 3 -q all.q@node02,big.q").decide());
    assertEquals(
        "A@big.q@node02@all.q@node02:2",
        scene()
            .queue(big.replace("node01 ", ""))
            .job("A", "-pe mpi 3 -q all.q@node02,big.q")
            .decide());
    assertEquals(
        "A@big.q@node01:2@all.q@node02",
        scene()
            .queue(big)
            .queue(BY_NUMBER.replace("mpi rr smp two", "NONE,[node02=mpi]"))
            .job("A", "-pe mpi 3")
            .decide());
  }

  @Test
  void aLoadFormulaMayBeginWithASign() {
    assertEquals(
        "A@all.q@node02",
        scene()
            .set(
                SchedulerOptions.TABLE.parse(
                    "sched", "queue_sort_method load\nload_formula -num_proc\n"))
            .host("hostname node01\nload_values num_proc=2\n")
            .host("hostname node02\nload_values num_proc=4\n")
            .job("A", "")
            .decide());
  }

  @Test
  void aSoftRequestThatFoundNoPlaceLeavesInstancesInTheirOrder() {
    // A sorts the instances by violations, of which all have one. B's own violations on node01
    // change nothing, because the list is not sorted again before B.
    assertEquals(
        "P@all.q@node01 B@all.q@node01",
        scene()
            .job("P", "-p 200 -pe mpi 1")
            .job("A", "-p 100 -pe mpi 9 -q *@node02 -soft -q none.q")
            .job("B", "-p -100")
            .decide());
  }

  @Test
  void hardRequestsOnAttributesThatAreNotConsumed() {
    GridEngineScene scene =
        scene().queue("qname gpu.q\nhostlist node02\nslots 1\nseq_no 9\ncomplex_values kind=gpu\n");
    assertEquals("", scene.job("B", "-l kind=cpu").decide());
    assertEquals(
        "(-l kind=cpu) cannot run in queue \"gpu.q@node02\" because it offers only qf:kind=gpu",
        scene.reason("B"));
    assertEquals("A@gpu.q@node02", scene.job("A", "-l kind=gpu|tpu").decide());
  }

  @Test
  void forcedAttributes() {
    GridEngineScene scene = scene().host("hostname node01\ncomplex_values secret=TRUE\n");
    assertEquals("A@all.q@node02", scene.job("A", "").decide());
    assertEquals("A@all.q@node02 B@all.q@node01", scene.job("B", "-l secret=TRUE").decide());
  }

  @Test
  void exclusiveUse() {
    GridEngineScene scene =
        scene()
            .host("hostname node01\ncomplex_values alone=TRUE\n")
            .host("hostname node02\ncomplex_values alone=TRUE\n");
    assertEquals(
        "A@all.q@node01 B@all.q@node02",
        scene.job("A", "-l alone=TRUE").job("B", "").job("C", "-l alone=TRUE").decide());
  }

  @Test
  void whatAJobTakesOnce() {
    GridEngineScene scene = scene().host("hostname global\ncomplex_values token=1\n");
    assertEquals(
        "A@all.q@node01:2@all.q@node02",
        scene.job("A", "-pe mpi 3 -l token=1").job("B", "-l token=1").decide());
  }

  @Test
  void defaultRequests() {
    assertEquals(
        "A@all.q@node01 B@all.q@node02",
        scene()
            .complex("ram r INT <= YES YES 3 0")
            .host("hostname node01\ncomplex_values ram=4\n")
            .host("hostname node02\ncomplex_values ram=4\n")
            .job("A", "")
            .job("B", "")
            .job("C", "")
            .decide());
  }

  @Test
  void arraysTaskByTask() {
    assertEquals(
        "A.1@all.q@node01 A.3@all.q@node01 A.5>7@all.q@node02 A.7>7@all.q@node02",
        scene()
            .host("hostname global\ncomplex_values license=4\n")
            .job("A", "-t 1-7:2 -R y -l license=2,h_rt=7")
            .decide());
    assertEquals("A.1@all.q@node01 A.2@all.q@node01", scene().job("A", "-t 1-9 -tc 2").decide());
  }

  @Test
  void promisedTasksCountAmongThoseThatMayRunAtOnce() {
    String array = "-t 1-9 -tc 2 -R y -l license=2,h_rt=7";
    assertEquals(
        "A.1@all.q@node01 A.2>5@all.q@node01",
        scene()
            .host("hostname global\ncomplex_values license=4\n")
            .running("r", 0, "-l h_rt=5,license=2 -q *@node02")
            .job("A", array)
            .decide());
    assertEquals(
        "B@all.q@node01 A.1>5@all.q@node01 A.2>5@all.q@node01",
        scene()
            .host("hostname global\ncomplex_values license=4\n")
            .running("r", 0, "-l h_rt=5,license=4 -q *@node02")
            .job("A", array)
            .job("B", "-l h_rt=3")
            .decide());
  }

  @Test
  void maxReservationCountsTasks() {
    assertEquals(
        "A.1@all.q@node01 A.2>7@all.q@node01",
        scene()
            .scheduler("max_reservation", "1")
            .host("hostname global\ncomplex_values license=1\n")
            .job("A", "-t 1-5 -R y -l license=1,h_rt=7")
            .decide());
  }

  @Test
  void sequentialJobsThatWaitForSlotsOnly() {
    assertEquals(
        "A>10@all.q@node01 B>10@all.q@node01 C>10@all.q@node02",
        scene()
            .running("r", 0, "-l h_rt=10 -pe mpi 4")
            .job("A", "-R y -l h_rt=5")
            .job("B", "-R y -l h_rt=6")
            .job("C", "-R y -l h_rt=7")
            .decide());
  }

  @Test
  void immediateJobsGetNoReservation() {
    assertEquals(
        "",
        scene().running("r", 0, "-l h_rt=10 -pe mpi 4").job("A", "-now y -R y -l h_rt=5").decide());
  }

  @Test
  void hostGroupsInQueuesAndRequests() {
    GridEngineScene scene =
        new GridEngineScene()
            .scheduler("queue_sort_method", "seqno")
            .group("group_name @big\nhostlist node02 @more\n")
            .group("group_name @more\nhostlist node03\n")
            .queue("qname all.q\nhostlist node01 @big\nslots 1,[@big=2],[node03=3]\npe_list mpi\n");
    assertEquals(
        "A@all.q@node01@all.q@node02:2@all.q@node03:3", scene.job("A", "-pe mpi 1-9").decide());
    assertEquals(
        "B@all.q@node02:2@all.q@node03:3",
        new GridEngineScene()
            .group("group_name @big\nhostlist node02 node03\n")
            .queue("qname all.q\nhostlist node01 @big\nslots 1,[@big=2],[node03=3]\npe_list mpi\n")
            .job("B", "-q all.q@@big -pe mpi 1-9")
            .decide());
  }

  /** As in Grid Engine, even when the values are equal. */
  @Test
  void anInstanceOfWhichTwoGroupsGiveAValueTakesNoJobs() {
    GridEngineScene scene =
        new GridEngineScene()
            .scheduler("queue_sort_method", "seqno")
            .group("group_name @big\nhostlist node02 node03\n")
            .group("group_name @any\nhostlist node01 @big\n")
            .queue(
                "qname all.q\nhostlist @any node04\nslots 1,[@big=2],[@any=2],[node03=3]\n"
                    + "pe_list mpi\n");
    assertEquals(
        "A@all.q@node01:2@all.q@node03:3@all.q@node04", scene.job("A", "-pe mpi 1-9").decide());
    assertEquals(
        "queue instance \"all.q@node02\" dropped because it is temporarily not available",
        scene.decisions().information().get(0).text());
    assertEquals(
        List.of(
            "warning: \"slots\" has ambiguous value (\"@big\", \"@any\")",
            "warning: \"complex_values\" has ambiguous value (\"@big\", \"@any\")"),
        scene.cluster().queue("all.q@node02").orElseThrow().ambiguities());
  }

  @Test
  void theOrderOfJobs() {
    assertEquals(
        "high@all.q@node01:2@all.q@node02 low@all.q@node02",
        scene().job("low", "-p -100").job("high", "-p 100 -pe mpi 3").decide());
  }

  @Test
  void reasons() {
    GridEngineScene scene =
        scene()
            .host("hostname global\ncomplex_values license=5\n")
            .running("r", 0, "-pe mpi 4 -l h_rt=100");
    assertEquals(
        "(-l license=6) cannot run globally because it offers only gc:license=5.000000",
        scene.job("lic6", "-l license=6").reason("lic6"));
    assertEquals(
        "queue instance \"all.q@node01\" dropped because it is full",
        scene.decisions().information().get(0).text());
    assertEquals(
        "cannot run in PE \"mpi\" because it only offers 0 slots",
        scene.job("par", "-pe mpi 4").reason("par"));
    assertEquals("no matching PE found", scene.job("pe", "-pe nothing* 4").reason("pe"));
    GridEngineJob held =
        scene.parse("held", "someone", GridEngineScene.NOW, "", GridEngineJob.Waits.HELD);
    assertEquals("Job is in hold state", scene.job(held).reason("held"));
    assertEquals(
        "All queues dropped because of overload or full", scene.job("seq", "").reason("seq"));
  }

  @Test
  void aReservationIsNamedAsTheReason() {
    assertTrue(
        scene()
            .host("hostname global\ncomplex_values license=5\n")
            .running("r", 0, "-l license=3,h_rt=10")
            .job("A", "-p 100 -R y -l license=5,h_rt=5")
            .job("B", "-l license=1,h_rt=20")
            .reason("B")
            .endsWith("it offers only gc:license=0.000000 due to a reservation"));
  }

  @Test
  void tasksThatLeaveCountAmongThoseThatMayRunAtOnce() {
    ClusterState state = new GridEngineScene().job("A", "-t 1-3 -tc 2").state();
    PendingJob array = state.pending().get(0);
    ClusterState later =
        new ClusterState(
            state.cluster(),
            state.scheduler(),
            state.running(),
            List.of(new PendingJob(array.job(), array.tasks(), 1)));
    Instant now = Instant.ofEpochSecond(GridEngineScene.NOW);
    assertEquals(2, GridEngineScheduler.decide(state, now).starts().size());
    assertEquals(1, GridEngineScheduler.decide(later, now).starts().size());
  }
}
