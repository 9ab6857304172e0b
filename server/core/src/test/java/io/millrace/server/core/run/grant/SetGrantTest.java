package io.millrace.server.core.run.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shard holds runs to placement sets. */
class SetGrantTest {
  private static final int WRONG = PbsError.WRONG_PLACEMENT.code();

  private final TestShards shards = TestShards.threePartitions();

  /** Switch A: a1 and a2 with 4 cpus; B: b1, b2 and b3 with 2; none: n0, which is down. */
  SetGrantTest() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "sw", "type=string_array", "flag=h");
    node("a1", "A", 4);
    node("a2", "A", 4);
    node("b1", "B", 2);
    node("b2", "B", 2);
    node("b3", "B", 2);
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    set(ObjectKind.SERVER, "server", "node_group_key=sw");
    set(ObjectKind.SERVER, "server", "node_group_enable=True");
  }

  private void node(String name, String on, int cpus) {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, name, "resources_available.sw=" + on);
    shards.nodeUp(name, cpus);
  }

  private void set(ObjectKind kind, String name, String pair) {
    shards.must(ChangeOperation.SET, kind, name, pair);
  }

  private void refused(String answer, ObjectKind kind, String name, String pair) {
    Reply reply = shards.qmgr(ChangeOperation.SET, kind, name, pair);
    assertEquals(answer, reply.getCode() + " " + String.join("", reply.getLines()));
  }

  private String job(String place, int count, long ncpus) {
    Chunk chunk = new Chunk(count, Map.of("ncpus", ncpus), Map.of());
    return shards.submit(Calls.job("ann", "workq", Calls.request(place, chunk)));
  }

  private int propose(String job, NodeShare... shares) {
    return shards.code(
        0, Calls.run(shards.engine("default"), "default", shards.epoch("default"), job, shares));
  }

  private int runNow(String job, String... nodes) {
    return shards.ask(0, new RunNow(shards.operator(), job, List.of(nodes))).getCode();
  }

  private String where(String job) {
    return shards.job(job).getAllocation().getExecVnode();
  }

  @Test
  void oneThatMayNotSpanDoesNot() {
    set(ObjectKind.SCHEDULER, "default", "do_not_span_psets=True");
    String job = job("", 2, 1);
    NodeShare a1 = Calls.share("a1", 1, 1);
    NodeShare b1 = Calls.share("b1", 1, 1);
    assertEquals(WRONG, propose(job, a1, b1));
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals(0, propose(job, a1, Calls.share("a2", 1, 1)));
    set(ObjectKind.SERVER, "server", "node_group_enable=False");
    assertEquals(0, propose(job("", 2, 1), a1, b1));
    assertEquals(WRONG, propose(job("group=sw", 2, 1), a1, b1), "its own key counts");
    set(ObjectKind.SCHEDULER, "default", "do_not_span_psets=False");
    assertEquals(0, propose(job("group=sw", 2, 1), a1, b1), "it may span for all we know");
  }

  @Test
  void keysOfTheQueueComeFirst() {
    set(ObjectKind.SCHEDULER, "default", "do_not_span_psets=True");
    set(ObjectKind.QUEUE, "workq", "node_group_key=host");
    NodeShare a1 = Calls.share("a1", 1, 1);
    assertEquals(WRONG, propose(job("", 2, 1), a1, Calls.share("a2", 1, 1)));
    assertEquals(0, propose(job("", 2, 1), Calls.share("a1", 2, 2)));
  }

  @Test
  void qrunTakesTheSmallestSetAndSpansWhatFitsIntoNone() {
    String small = job("", 1, 1);
    assertEquals(0, runNow(small));
    assertEquals("(b1:ncpus=1)", where(small));
    String larger = job("", 3, 2);
    assertEquals(PbsError.INSUFFICIENT.code(), runNow(job("", 4, 2), "b1", "b2"));
    assertEquals(0, runNow(larger));
    assertEquals("(a1:ncpus=2)+(a1:ncpus=2)+(a2:ncpus=2)", where(larger));
    assertEquals(PbsError.INSUFFICIENT.code(), runNow(job("", 2, 2), "a1", "b1"));
    String both = job("", 2, 1);
    assertEquals(0, runNow(both, "a2", "b2"), "where an operator says so");
  }

  @Test
  void qrunSpansOnlyWhatNoSetCouldHold() {
    String fits = job("", 3, 2);
    assertEquals(0, propose(job("", 1, 4), Calls.share("a1", 1, 4)));
    assertEquals(0, propose(job("", 1, 2), Calls.share("b1", 1, 2)));
    assertEquals(PbsError.INSUFFICIENT.code(), runNow(fits), "it waits for a set");
    assertEquals(0, runNow(job("", 4, 1)), "b2 and b3 hold it");
  }

  @Test
  void qrunSpansOneThatFitsIntoNoSet() {
    String wide = job("", 6, 2);
    assertEquals(0, runNow(wide));
    assertEquals(
        "(a1:ncpus=2)+(a1:ncpus=2)+(a2:ncpus=2)+(a2:ncpus=2)+(b1:ncpus=2)+(b2:ncpus=2)",
        where(wide));
  }

  @Test
  void keysAreResourcesOfTexts() {
    refused(
        "15035 Unknown resource node_group_key", ObjectKind.SERVER, "server", "node_group_key=no");
    refused(
        "15100 Resource is not of type string or array_of_strings node_group_key",
        ObjectKind.QUEUE,
        "workq",
        "node_group_key=sw,mem");
    Reply busy = shards.qmgr(ChangeOperation.DELETE, ObjectKind.RESOURCE, "sw");
    assertEquals(PbsError.ILLEGAL_VALUE.code(), busy.getCode());
  }
}
