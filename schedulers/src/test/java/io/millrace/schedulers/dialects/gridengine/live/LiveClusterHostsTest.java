package io.millrace.schedulers.dialects.gridengine.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Hosts of clusters of other systems in the queues of a cell. */
class LiveClusterHostsTest extends LiveCellFixture {

  /**
   * Puts these hosts into the queue, in this order, with two slots each.
   *
   * @param hosts names of nodes; behind an @ stands the cluster that one is of
   */
  private void hosts(String... hosts) {
    List<String> names = new ArrayList<>();
    StringBuilder order = new StringBuilder("seq_no 0");
    for (String host : hosts) {
      String name = host.split("@")[0];
      names.add(name);
      order.append(",[").append(name).append('=').append(names.size()).append(']');
      state.written(Records.object(ObjectKind.NODE, name));
      state.node(Records.node(name, host, 2, 1L << 32));
    }
    files.put(
        "queue.all.q",
        "qname all.q\nhostlist "
            + String.join(" ", names)
            + "\nslots 2\npe_list mpi rr smp two\n"
            + order
            + "\n");
    files.put(
        "sched",
        "schedule_interval 0:0:1\nmax_reservation 5\nqueue_sort_method seqno\nparams MONITOR=1\n"
            + "schedd_job_info true\n");
    files.put("pe.rr", "pe_name rr\nslots 99\nallocation_rule $round_robin\n");
    files.put("pe.smp", "pe_name smp\nslots 99\nallocation_rule $pe_slots\n");
    files.put("pe.two", "pe_name two\nslots 99\nallocation_rule 2\n");
    state.written(object());
    assertTrue(state.configuration().isPresent(), state.problem());
  }

  private String decide(long number, String options) {
    submit(number, options);
    return again(number);
  }

  private String again(long second) {
    List<ProposedStart> launches = run(second);
    launches.forEach(it -> grant(it, second));
    return launches.stream().map(it -> nodes(it.shares())).collect(Collectors.joining(", "));
  }

  private static String nodes(List<NodeShare> shares) {
    return shares.stream()
        .map(it -> it.getNode() + "*" + it.getChunks())
        .collect(Collectors.joining(" "));
  }

  @Test
  void oneThatOnlyHostsOfBothWouldHoldWaits() {
    hosts("n1", "n2", "m1@c1");
    assertEquals("", decide(1, "-pe mpi 6"));
    assertEquals(
        "SGE_PE_SLOTS: cannot run in PE \"mpi\" because it only offers 4 slots",
        reasons().get("gridengine;-pe mpi 6"));
    assertEquals("n1*2 n2*2", decide(2, "-pe mpi 4"));
  }

  @Test
  void theFirstHostMayBeOfAClusterThatHasNoRoomForAll() {
    hosts("a1@c1", "n1", "n2");
    assertEquals("n1*2 n2*1", decide(1, "-pe mpi 3"));
    assertEquals("a1*2", decide(2, "-pe mpi 2"));
    assertEquals("n2*1", decide(3, ""));
  }

  @Test
  void twoClustersAreTwo() {
    hosts("a1@c1", "b1@c2", "b2@c2");
    assertEquals("b1*2 b2*2", decide(1, "-pe mpi 4"));
    assertEquals("a1*2", decide(2, "-pe mpi 1-6"), "the most that one of them has");
  }

  @Test
  void allRulesObeyAndOneHostIsTakenAsEver() {
    hosts("a1@c1", "n1", "a2@c1", "n2");
    assertEquals("a1*1", decide(1, ""));
    assertEquals("n1*2", decide(2, "-pe smp 2"), "the first host with two slots");
    assertEquals("a2*2", decide(3, "-pe two 2"), "the same");
    assertEquals("", decide(4, "-pe rr 3"));
    assertEquals("n2*2", decide(5, "-pe rr 2"));
  }

  @Test
  void whatIsReservedForLaterIsOfOne() {
    hosts("n1", "n2", "m1@c1", "m2@c1");
    decide(1, "-l h_rt=300 -q all.q@n1");
    decide(2, "-l h_rt=100 -q all.q@m1");
    assertEquals("", decide(3, "-R y -l h_rt=50 -pe mpi 4"));
    // It is to start on m1 and m2 when the second is gone; what ends before may run there.
    assertEquals("m1*1", decide(4, "-l h_rt=20 -q all.q@m*"));
    assertEquals("", decide(5, "-l h_rt=2000 -q all.q@m*"));
    assertEquals("n1*1", decide(6, "-l h_rt=2000 -q all.q@n1"));
    end(4);
    end(2);
    assertEquals("m1*2 m2*2", again(100));
  }

  @Test
  void theSameWithSoftRequests() {
    files.put("complex", COMPLEX + "fast f BOOL == YES NO 0 0\n");
    files.put("host.m1", "hostname m1\ncomplex_values fast=TRUE\n");
    hosts("n1", "n2", "m1@c1");
    assertEquals("", decide(1, "-soft -l fast=1 -hard -pe mpi 6"));
    assertEquals("", decide(2, "-R y -l h_rt=60 -soft -l fast=1 -hard -pe mpi 5"));
    assertEquals("n1*2 n2*1", decide(3, "-soft -l fast=1 -hard -pe mpi 3"));
  }
}
