package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RoutingAdvanced;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations that administrators may set, at the end of their range: nothing comes too early. */
class LongestTimesTest {
  private final TestShards shards = TestShards.threePartitions();

  @ParameterizedTest
  @ValueSource(longs = {999_999_999_999_999_999L, 9_223_372_036_854_775L, 9_223_372_036_854_776L})
  void aPassThatIsNeverDueDoesNotBegin(long seconds) {
    shards.queue("closed", "");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "closed", "enabled=f");
    shards.must(
        ChangeOperation.CREATE,
        ObjectKind.QUEUE,
        "r0",
        "queue_type=r",
        "enabled=t",
        "started=t",
        "route_destinations=closed",
        "route_retry_time=" + seconds,
        "route_lifetime=" + seconds);
    String job = shards.submit(Calls.job("ann", "r0", 1));
    int passes = shards.facts(RoutingAdvanced.class).size();
    shards.pass(86_400_000);
    assertEquals(passes, shards.facts(RoutingAdvanced.class).size());
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @ParameterizedTest
  @ValueSource(strings = {"999999999999:59:59", "277777777:46:39", "277777500:00:00"})
  void aHistoryWithoutEndIsKept(String duration) {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "job_history_duration=" + duration);
    String job = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(0, shards.code(shards.where(job), Calls.delete(shards.user("ann"), job, false)));
    shards.pass(365L * 86_400_000);
    assertNotNull(shards.job(job));
  }

  @ParameterizedTest
  @CsvSource({
    "walltime,2562047788015215:30:07,2562047788015215:30:08",
    "mem,9223372036854775807b,9223372036854775808b",
    "mem,8191pb,8192pb",
    "ncpus,9223372036854775807,9223372036854775808"
  })
  void aQueuesLimitIsWithinTheRange(String resource, String greatest, String above) {
    String attribute = "resources_max." + resource + "=";
    Reply reply = shards.qmgr(ChangeOperation.SET, ObjectKind.QUEUE, "workq", attribute + greatest);
    assertEquals(0, reply.getCode(), reply.toString());
    reply = shards.qmgr(ChangeOperation.SET, ObjectKind.QUEUE, "workq", attribute + above);
    assertTrue(
        reply.getCode() == PbsError.ILLEGAL_VALUE.code(), () -> "told " + above + " is within");
    shards.submit(Calls.job("ann", "workq", 1));
  }
}
