package io.millrace.server.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.ObservedCluster;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.link.OutsidePicture;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code qstat @CLUSTER}. */
class OutsideJobsTest {

  private static final String HEAD =
      """
      Job id            Name             User              Time Use S Queue
      ----------------  ---------------- ----------------  -------- - -----
      """;

  private static final String RUNS =
      "17.c2             sleep            alice                    0 R mr.q@vm         \n";
  private static final String WAITS =
      "18.c2             sleep            bob                      0 Q @c2             \n";
  private static final String OVER =
      "16.c2             sleep            alice             00:01:01 F mr.q@vm         \n";

  private final FakeSite site = new FakeSite();

  private static ObservedJob job(String id, String account, String state, String place) {
    return ObservedJob.newBuilder()
        .setCluster("c2")
        .setId(id)
        .setName("sleep")
        .setAccount(account)
        .setState(state)
        .setWord("")
        .setPlace(place)
        .setSlots(1)
        .setCputMs(state.equals("F") ? 61_000 : 0)
        .build();
  }

  @BeforeEach
  void cluster() {
    picture("", FakeSite.NOW_MS - 60_000);
  }

  private void picture(String trouble, long heardMs) {
    List<ObservedJob> jobs =
        List.of(
            job("16", "alice", "F", "mr.q@vm"),
            job("17", "alice", "R", "mr.q@vm"),
            job("18", "bob", "Q", ""));
    ObservedCluster cluster =
        new ObservedCluster("c2", "gridengine", trouble, heardMs, List.of("all.q", "mr\u001b.q"));
    ObservedNode node = new ObservedNode("c2", "vm@c2", "job-busy", "up", 2, 2L << 30, 2L, 1);
    site.outside.put("c2", new OutsidePicture(cluster, jobs, List.of(node)));
  }

  private String said(String user, String... line) throws Exception {
    FakeInvocation told = site.run(user, line);
    return told.output() + told.errors();
  }

  @Test
  void jobsThatAreNotOverAreListed() throws Exception {
    assertEquals(HEAD + RUNS + WAITS, said("pbsu1", "qstat", "@c2"));
    assertEquals(0, site.status);
    assertEquals(HEAD + OVER + RUNS + WAITS, said("pbsu1", "qstat", "-x", "@c2"));
    assertEquals(HEAD + WAITS, said("pbsu1", "qstat", "-u", "bob", "@c2"));
    assertEquals("", said("pbsu1", "qstat", "-u", "nobody", "@c2"));
  }

  @Test
  void othersJobsAreHiddenWhereTheServerSaysSo() throws Exception {
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "query_other_jobs", "False");
    assertEquals(HEAD + WAITS, said("bob", "qstat", "@c2"));
    assertEquals(HEAD + RUNS + WAITS, said("root", "qstat", "@c2"));
  }

  @Test
  void anOldPictureSaysThatItIsOne() throws Exception {
    picture("", FakeSite.NOW_MS - 181_000);
    assertEquals(
        HEAD
            + RUNS
            + WAITS
            + "qstat: cluster c2 was last heard of at 2026-11-20T15:32:59Z: nobody observes it\n",
        said("pbsu1", "qstat", "@c2"));
    picture("qstat: no answer within 20 s", FakeSite.NOW_MS - 30_000);
    assertEquals(
        HEAD
            + RUNS
            + WAITS
            + "qstat: cluster c2 was last heard of at 2026-11-20T15:35:30Z: qstat: no answer within"
            + " 20 s\n",
        said("pbsu1", "qstat", "@c2"));
  }

  @Test
  void whatTheTableCannotShowIsRefused() throws Exception {
    assertEquals(
        "qstat: option -f is not supported: of cluster c2 there is the table only\n",
        said("pbsu1", "qstat", "-f", "@c2"));
    assertEquals(2, site.status);
  }

  @Test
  void itsQueuesAreListed() throws Exception {
    assertEquals(
        """
        Queue                             Cluster
        --------------------------------  ---------------
        all.q                             c2
        mr?.q                             c2
        """,
        said("pbsu1", "qstat", "-Q", "@c2"));
    assertEquals(
        "qstat: option -f is not supported: of cluster c2 there are the names of queues only\n",
        said("pbsu1", "qstat", "-Q", "-f", "@c2"));
    assertEquals(2, site.status);
  }

  @Test
  void itsHostsAreShownByTheirNames() throws Exception {
    assertEquals(
        """
        vm@c2
             state = job-busy
             resources_available.mem = 2097152kb
             resources_available.ncpus = 2
             resources_assigned.ncpus = 2
             comment = up

        """,
        said("pbsu1", "pbsnodes", "vm@c2"));
    assertEquals("Node: n1@c2,  Error: Unknown node \n", said("pbsu1", "pbsnodes", "n1@c2"));
  }

  @Test
  void anotherNameIsNoHost() throws Exception {
    said("pbsu1", "qstat", "@c3");
    assertEquals(255, site.status);
  }
}
