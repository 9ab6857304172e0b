package io.millrace.server.gridengine.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schemas.pbs.attributes.AccessList;
import io.millrace.schemas.state.Node;
import io.millrace.server.gridengine.cell.CellHosts;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What of a cluster could be reserved. */
class FreeClusterTest {

  private static final Cluster CLUSTER =
      Configuration.stored(
              Configuration.join(
                  Map.of(
                      "complex", "slots s INT <= YES YES 1 1000\n",
                      "sched", "schedule_interval 0:0:1\n",
                      "acl.staff", "name staff\ntype ACL\nentries alice\n",
                      "queue.all.q", "qname all.q\nhostlist n1.site n2 n3\nslots 4\nqtype BATCH\n",
                      "queue.talk.q", "qname talk.q\nhostlist n2\nslots 2\nqtype INTERACTIVE\n",
                      "queue.staff.q",
                          "qname staff.q\nhostlist n2\nslots 2\nqtype BATCH\nuser_lists staff\n",
                      "queue.off.q", "qname off.q\nhostlist n2\nslots 2\ninitial_state disabled\n",
                      "host.n2", "hostname n2\ncomplex_values slots=3\n")))
          .cluster();

  private static Cluster free(Map<String, Long> left, Predicate<QueueInstance> wanted) {
    return new FreeCluster(left).of(CLUSTER, new CellHosts(CLUSTER, List.of()), wanted);
  }

  private static List<String> names(Cluster cluster) {
    return cluster.queues().stream().map(QueueInstance::name).sorted().toList();
  }

  @Test
  void instancesOfHostsWithAFreeNode() {
    Cluster free = free(Map.of("n1", 2L, "n2", 8L), it -> true);
    assertEquals(List.of("all.q@n1.site", "all.q@n2", "staff.q@n2", "talk.q@n2"), names(free));
    assertEquals(2.0, free.host("n1.site").offers().capacities().get("slots"));
    assertEquals(3.0, free.host("n2").offers().capacities().get("slots"), "no more than its own");
  }

  @Test
  void hostsOfAClusterOfAnotherSystemAreToldApart() {
    Node node =
        Node.newBuilder()
            .setName("n2")
            .setHost("m1@c1")
            .setUp(true)
            .setMeasured(Map.of())
            .setHoldings(List.of())
            .build();
    CellHosts reports = new CellHosts(CLUSTER, List.of(node));
    Cluster free = new FreeCluster(Map.of("n1", 2L, "n2", 8L)).of(CLUSTER, reports, it -> true);
    assertEquals("c1", free.host("n2").outside());
    assertEquals("", free.host("n1.site").outside());
  }

  @Test
  void onlyThoseThatAreWanted() throws Exception {
    Map<String, Long> left = Map.of("n2", 8L);
    Predicate<QueueInstance> bobs = AdvanceRequest.wanted(CLUSTER, List.of("alice", "bob"), false);
    assertEquals(List.of("all.q@n2", "talk.q@n2"), names(free(left, bobs)));
    Predicate<QueueInstance> alices = AdvanceRequest.wanted(CLUSTER, List.of("alice"), false);
    assertEquals(List.of("all.q@n2", "staff.q@n2", "talk.q@n2"), names(free(left, alices)));
    Predicate<QueueInstance> talks = AdvanceRequest.wanted(CLUSTER, List.of(), true);
    assertEquals(List.of("talk.q@n2"), names(free(left, talks)));
  }

  @Test
  void theOwnerMayUseHisReservationFromAnyHost() {
    String users = String.join(",", AdvanceRequest.users("alice", List.of("bob", "alice"), true));
    assertEquals("alice,bob", users);
    String queue = users + ",alice@here"; // the shard adds where it was asked for
    assertEquals(true, AccessList.allowsUser(queue, "alice", "elsewhere"));
    assertEquals(true, AccessList.allowsUser(queue, "alice", "here"));
    assertEquals(false, AccessList.allowsUser(queue, "carol", "here"));
  }

  @Test
  void withoutUsersEverybodyMayUseIt() {
    String users = String.join(",", AdvanceRequest.users("alice", List.of(), false));
    assertEquals(true, AccessList.allowsUser(users + ",alice@here", "carol", "elsewhere"));
  }

  @Test
  void aListOfNobodyOpensItToNobodyElse() {
    String users = String.join(",", AdvanceRequest.users("alice", List.of(), true));
    assertEquals(true, AccessList.allowsUser(users + ",alice@here", "alice", "elsewhere"));
    assertEquals(false, AccessList.allowsUser(users + ",alice@here", "carol", "elsewhere"));
  }
}
