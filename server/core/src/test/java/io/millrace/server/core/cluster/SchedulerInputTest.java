package io.millrace.server.core.cluster;

import static io.millrace.schemas.command.ChangeOperation.CREATE;
import static io.millrace.schemas.command.ChangeOperation.SET;
import static io.millrace.schemas.common.ObjectKind.QUEUE;
import static io.millrace.schemas.common.ObjectKind.SCHEDULER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is wrong about a scheduler object is refused with PBS's code and text, and changes nothing.
 */
class SchedulerInputTest {
  private static final String LONG = "abcdefghijklmnop";

  private final TestShards shards = TestShards.initialised();

  @BeforeEach
  void twoSchedulers() {
    for (String name : List.of("s1", "s2")) {
      shards.must(CREATE, SCHEDULER, name);
      shards.must(SET, SCHEDULER, name, "partition=p" + name.charAt(1), "sched_log=/l/" + name);
    }
  }

  /** All objects as each shard has them. */
  private Map<String, List<ClusterObject>> objects() {
    Map<String, List<ClusterObject>> all = new TreeMap<>();
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards
          .tables(shard)
          .objects()
          .scan(
              "",
              null,
              (key, object) -> all.computeIfAbsent(key, it -> new ArrayList<>()).add(object));
    }
    return all;
  }

  private void refused(
      String answer, ChangeOperation how, ObjectKind kind, String name, String... pairs) {
    Map<String, List<ClusterObject>> before = objects();
    Reply reply = shards.qmgr(how, kind, name, pairs);
    assertEquals(answer, reply.getCode() + " " + String.join(" ", reply.getLines()));
    assertEquals(before, objects());
  }

  @Test
  void namesOfSixteenLetters() {
    refused("15212 Scheduler name is too long", CREATE, SCHEDULER, LONG);
    refused("15212 Scheduler name is too long", CREATE, SCHEDULER, LONG, "partition=p9");
    refused("15028 Queue name is too long", CREATE, QUEUE, LONG, "queue_type=e");
    refused("15213 Unknown Scheduler", SET, SCHEDULER, LONG, "scheduling=t");
  }

  @Test
  void aFolderThatAnotherOneHas() {
    String log = "15216 Another scheduler also has same value for its sched_log directory";
    refused(log, SET, SCHEDULER, "s1", "sched_log=/l/s2");
    refused(log, SET, SCHEDULER, "s1", "comment=x", "sched_log=/l/s2");
    refused(log, CREATE, SCHEDULER, "s3", "sched_log=/l/s1");
    shards.must(SET, SCHEDULER, "s2", "sched_priv=/p/s2");
    refused(
        "15215 Another scheduler also has same value for its sched_priv directory",
        SET,
        SCHEDULER,
        "s1",
        "sched_priv=/p/s2");
  }

  @Test
  void aHostThatDoesNotExist() {
    String host = "15014 Illegal attribute or resource value sched_host";
    refused(host, SET, SCHEDULER, "s1", "sched_host=nosuchhost");
    refused(host, CREATE, SCHEDULER, "s3", "partition=p9", "sched_host=nosuchhost");
  }

  @Test
  void aPartitionThatIsNamedTwice() {
    String taken = "15224 Partition is already associated with other scheduler";
    refused(taken, SET, SCHEDULER, "s1", "partition=p2");
    refused(taken, SET, SCHEDULER, "s1", "partition+=p2");
    refused(taken, SET, SCHEDULER, "s1", "partition=p9,p2");
    refused(taken, CREATE, SCHEDULER, "s3", "partition=p1");
    refused(
        "15228 Default partition name is not allowed",
        SET,
        SCHEDULER,
        "s1",
        "partition=pbs-default");
  }

  @Test
  void aPartitionThatIsNamedTwiceInAListIsOne() {
    shards.must(SET, SCHEDULER, "s1", "partition=p1,p9,p9");
    shards.must(SET, SCHEDULER, "s1", "partition-=p9");
    shards.must(SET, SCHEDULER, "s2", "partition+=p9");
    shards.must(SET, SCHEDULER, "s2", "partition+=p9");
    refused(
        "15224 Partition is already associated with other scheduler",
        SET,
        SCHEDULER,
        "s1",
        "partition+=p9");
  }

  @Test
  void tenMegabytes() {
    String text = "x".repeat(10_000_000);
    for (String attribute : List.of("comment", "partition", "sched_user", "job_sort_formula")) {
      Map<String, List<ClusterObject>> before = objects();
      Reply reply = shards.qmgr(SET, SCHEDULER, "s1", attribute + "=" + text);
      assertEquals(true, reply.getCode() > 0, attribute);
      assertEquals(true, String.join("", reply.getLines()).length() < 1_000, attribute);
      assertEquals(before, objects(), attribute);
    }
  }
}
