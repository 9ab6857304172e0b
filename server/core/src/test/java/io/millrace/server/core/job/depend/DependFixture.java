package io.millrace.server.core.job.depend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.job.depend.waiting.DependencyLists;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;

/** Jobs that wait for others, in a cluster of a few shards. */
abstract class DependFixture {
  final TestShards shards = TestShards.threePartitions();

  WaitedJob name(String job) {
    long number = Keys.jobNumber(job);
    var block = shards.tables(0).blocks().get(Keys.block(number));
    return new WaitedJob(number, block == null ? -1 : block.getShard(), false);
  }

  Dependency on(DependencyKind kind, String... jobs) {
    List<WaitedJob> names = new ArrayList<>();
    for (String job : jobs) {
      names.add(name(job));
    }
    return new Dependency(kind, 0, names);
  }

  static Dependency expects(int count) {
    return new Dependency(DependencyKind.ON, count, List.of());
  }

  static NewJob job(String queue, Dependency... depend) {
    NewJob job = Calls.job("ann", queue, 1);
    job.setDepend(List.of(depend));
    return job;
  }

  String after(String queue, DependencyKind kind, String... jobs) {
    return shards.submit(job(queue, on(kind, jobs)));
  }

  StartRun start(String job, String scheduler, String node) {
    assertEquals(0, shards.grant(job, scheduler, node, 1).getCode());
    return shards.lastStart();
  }

  void run(String job, int exitStatus) {
    StartRun order = start(job, "default", "n0");
    shards.started(order);
    shards.finished(order, exitStatus);
  }

  void waits(String job) {
    assertEquals(JobStatus.HELD, shards.status(job));
    assertTrue(shards.job(job).getHolds().contains("s"));
    assertTrue(DependencyLists.waits(shards.job(job)));
  }

  void free(String job) {
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals("n", shards.job(job).getHolds());
    assertEquals(List.of(), shards.job(job).getDepend());
  }

  void impossible(String job, String why) {
    Job gone = shards.job(job);
    assertEquals(JobStatus.FINISHED, gone.getStatus());
    assertNull(gone.getExitStatus());
    assertEquals("", gone.getEndedBy());
    assertEquals(why, gone.getEvents().get(gone.getEvents().size() - 1).getDetail());
  }

  static String because(String job) {
    return "Job deleted as result of dependency on job " + job;
  }

  AlterJob.Builder alter(String job) {
    return AlterJob.newBuilder().setMeta(shards.user("ann")).setJobId(job);
  }

  int count(int shard) {
    int[] count = {0};
    shards.tables(shard).dependents().each(one -> count[0]++);
    return count[0];
  }
}
