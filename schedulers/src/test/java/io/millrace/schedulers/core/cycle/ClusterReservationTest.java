package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Reservations where nodes of clusters of other systems stand beside others. */
class ClusterReservationTest extends ReservationCycleFixture {

  /** n1, n2 and n3 are of no cluster. */
  private void clusters() {
    node("a4@c1");
    node("n3");
    node("z5@c1");
  }

  @Test
  void itsNodesAreOfOneClusterOrOfNone() {
    clusters();
    ask(1, 100, 200, "select=3:ncpus=8");
    assertEquals("1:n1*1+n2*1+n3*1", decide(), "a4@c1 comes first, but has no two beside it");
    ask(2, 100, 200, "select=2:ncpus=8,place=scatter");
    assertEquals("2:a4@c1*1+z5@c1*1", decide());
  }

  @Test
  void oneThatOnlyNodesOfBothWouldHoldIsDenied() {
    clusters();
    ask(1, 100, 200, "select=4:ncpus=8");
    assertEquals(
        "1:its nodes have to be all of one cluster of another system, or all of none, and none of"
            + " these in partition pbs-default ever has room for its chunks",
        decide());
    reserve(2, 100, 200, "select=1:ncpus=8:vnode=n1");
    reserve(3, 100, 200, "select=1:ncpus=8:vnode=a4@c1");
    ask(4, 150, 180, "select=3:ncpus=8");
    assertEquals(
        "4:too little is free of runs and of other reservations throughout its time", decide());
  }

  @Test
  void whatIsLostIsReplacedByOneOfTheSame() {
    clusters();
    reserve(1, 100, 200, "select=2:ncpus=8");
    assertEquals("a4@c1*1+z5@c1*1", nodes(of(1).getShares()));
    reserve(2, 100, 200, "select=2:ncpus=8");
    assertEquals("n1*1+n2*1", nodes(of(2).getShares()));
    node("b6@c1", "state", "offline");
    tell(SampleReservations.lost(of(2), "n1"));
    tell(SampleReservations.lost(of(1), "z5@c1"));
    assertEquals("2:n2*1+n3*1", decide(), "none is left of the cluster of the first");
    node("b6@c1");
    assertEquals("1:a4@c1*1+b6@c1*1", decide());
  }

  @Test
  void soonestIsWhenOneOfThemIsFree() {
    clusters();
    submit(1, "workq", "select=1:ncpus=8:vnode=a4@c1,walltime=300");
    submit(2, "workq", "select=1:ncpus=8:vnode=n1,walltime=500");
    submit(3, "workq", "select=1:ncpus=8:vnode=n2,walltime=400");
    cycle();
    ask(1, 250, 350, "select=2:ncpus=8");
    assertEquals(
        "1:too little is free of runs and of other reservations throughout its time", decide());
    ask(2, 300, 350, "select=2:ncpus=8");
    assertEquals(List.of("2:a4@c1*1+z5@c1*1"), List.of(decide()));
  }
}
