package io.millrace.schedulers.dialects.gridengine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import org.junit.jupiter.api.Test;

/** Consumables in the load formula and in load thresholds count by what is left of them now. */
class ConsumableLoadTest {

  private static final String EQUAL_HOSTS =
      "qname all.q\nhostlist node01 node02 node03\nslots 9\nseq_no 0\npe_list mpi rr\n";

  private static GridEngineScene scene(String formula) {
    GridEngineScene scene =
        new GridEngineScene().queue(EQUAL_HOSTS).scheduler("load_formula", formula);
    for (int i = 1; i <= 3; i++) {
      scene.host("hostname node0" + i + "\ncomplex_values slots=4,hmem=6\n");
    }
    return scene;
  }

  private static GridEngineScene limited(String threshold) {
    GridEngineScene scene =
        new GridEngineScene()
            .queue(
                "qname all.q\nhostlist node01 node02\nslots 4\nseq_no 0,[node01=1],[node02=2]\n"
                    + "pe_list mpi rr\nload_thresholds "
                    + threshold
                    + "\n")
            .scheduler("queue_sort_method", "seqno");
    for (int i = 1; i <= 2; i++) {
      scene.host("hostname node0" + i + "\ncomplex_values hmem=6\n");
    }
    return scene;
  }

  @Test
  void hostsArePutInOrderAgainAfterEachStart() {
    // When all loads are equal again, the host that was first last stays first.
    assertEquals(
        "A@all.q@node01 B@all.q@node02 C@all.q@node03 D@all.q@node03",
        scene("-slots").job("A", "").job("B", "").job("C", "").job("D", "").decide());
    assertEquals(
        "A@all.q@node01 B@all.q@node01 C@all.q@node01",
        scene("slots").job("A", "").job("B", "").job("C", "").decide());
  }

  @Test
  void whatRunningTasksHoldCounts() {
    assertEquals(
        "A@all.q@node02",
        scene("-hmem").running("r", 5, "-l hmem=3 -q *@node01").job("A", "").decide());
  }

  @Test
  void whatIsPromisedIsStillThere() {
    // node02 has the most left, however much A will take of it.
    assertEquals(
        "B@all.q@node02 A>5@all.q@node02",
        scene("-hmem")
            .running("r1", 5, "-l hmem=4,h_rt=99 -q *@node01")
            .running("r2", 5, "-l hmem=3,h_rt=10 -q *@node02")
            .running("r3", 5, "-l hmem=4,h_rt=99 -q *@node03")
            .job("A", "-p 10 -R y -l hmem=6,h_rt=5 -q *@node02")
            .job("B", "-l hmem=1,h_rt=5")
            .decide());
  }

  @Test
  void whatAllHostsShareCountsForTheOnesThatAStartTouches() {
    // node01 and node03 have 5 licenses in sight, node02 three. After A, node01 has 4.
    assertEquals(
        "A@all.q@node01 B@all.q@node03 C@all.q@node01",
        scene("-license")
            .host("hostname global\ncomplex_values license=5\n")
            .host("hostname node02\ncomplex_values license=3\n")
            .job("A", "-l license=1")
            .job("B", "-l license=1")
            .job("C", "")
            .decide());
  }

  @Test
  void aFixedValueCountsToo() {
    assertEquals(
        "A@all.q@node02",
        scene("num_proc")
            .host("hostname node01\ncomplex_values num_proc=4\n")
            .host("hostname node02\ncomplex_values num_proc=2\n")
            .host("hostname node03\ncomplex_values num_proc=3\n")
            .job("A", "")
            .decide());
  }

  @Test
  void aThresholdIsReachedByWhatRuns() {
    assertEquals(
        "A@all.q@node02",
        limited("hmem=2").running("r", 5, "-l hmem=4 -q *@node01").job("A", "").decide());
    assertEquals(
        "A@all.q@node01",
        limited("hmem=2").running("r", 5, "-l hmem=3 -q *@node01").job("A", "").decide());
  }

  @Test
  void withLoadAdjustmentsAThresholdIsReachedWithinARun() {
    GridEngineScene scene = limited("hmem=2").job("A", "-p 10 -l hmem=4").job("B", "");
    assertEquals("A@all.q@node01 B@all.q@node01", scene.decide());
    assertEquals(
        "A@all.q@node01 B@all.q@node02",
        scene.scheduler("job_load_adjustments", "np_load_avg=0.5").decide());
  }

  @Test
  void aParallelJobTakesNoMoreThanIsAboveTheThreshold() {
    assertEquals(
        "A@all.q@node01:4@all.q@node02",
        limited("hmem=2").job("A", "-pe mpi 5 -l hmem=1").decide());
    assertEquals(
        "A@all.q@node01:2@all.q@node02",
        limited("hmem=2").job("A", "-pe mpi 3 -l hmem=2").decide());
    assertEquals("", limited("hmem=2").job("A", "-pe mpi 5 -l hmem=2").decide());
  }

  @Test
  void aPromiseKeepsAboveTheThresholdToo() {
    // The threshold of 10 leaves room for two slots of 2 on node01, and two on node02.
    assertEquals(
        "A>10@all.q@node01:2@all.q@node02:2",
        limited("hmem=2")
            .running("r", 0, "-l hmem=3,h_rt=10 -q *@node01")
            .job("A", "-R y -pe mpi 4 -l hmem=2,h_rt=5")
            .decide());
  }

  @Test
  void aParallelJobReachesAThresholdOfLoadThatItAddsTo() {
    String loads = "hostname %s\ncomplex_values hmem=6\nload_values np_load_avg=0.4,num_proc=1\n";
    GridEngineScene scene =
        limited("np_load_avg=1.0")
            .host(String.format(loads, "node01"))
            .host(String.format(loads, "node02"));
    assertEquals("A@all.q@node01:4", scene.job("A", "-pe mpi 4").decide());
    // 0.6 is two whole steps of 0.25; the next one reaches the threshold.
    assertEquals(
        "A@all.q@node01:3@all.q@node02",
        scene.scheduler("job_load_adjustments", "np_load_avg=0.25").decide());
  }

  @Test
  void aConsumableThatNobodyOffersHasReachedItsThreshold() {
    assertEquals(
        "A@all.q@node02",
        limited("hmem=2").host("hostname node01\ncomplex_values NONE\n").job("A", "").decide());
    GridEngineScene scene = limited("license=2").job("A", "");
    assertEquals("", scene.decide());
    assertEquals(
        "queue instance \"all.q@node01\" dropped because it is overloaded:"
            + " no complex attribute for threshold license",
        scene.decisions().information().get(0).text());
  }
}
