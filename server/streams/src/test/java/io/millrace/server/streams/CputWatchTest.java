package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.NoteCputExceeded;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.TaskOrdered;
import io.millrace.schemas.output.RunSample;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.RunTasks;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What a shard is told of runs that use too much on all their hosts together. */
class CputWatchTest {
  private static final CommandMeta META =
      new CommandMeta(new CommandId(new byte[16]), "shard-0", "", "", Role.SHARD, -1, 0L);

  private final Tables tables = Tables.inMemory(0, 1);
  private final LiveUsages usages = new LiveUsages();
  private final CputWatch watch = new CputWatch(usages);

  private List<SpecificRecord> due(long nowMs) {
    return watch.due(tables, nowMs, () -> META);
  }

  /** Run 2 of job 7, with a task that lives and others that have used 3 s. */
  private Job job(String limit) {
    Job job = LiveUsagesTest.job();
    RunTask lives = new RunTask(1, 1, 1, job.getStartedMs(), null);
    Usage ended = Usage.newBuilder().setCputS(3).build();
    job.setTasks(RunTasks.newBuilder().setLast(2).setLive(List.of(lives)).setUsed(ended).build());
    if (!limit.isEmpty()) {
      job.getSpec().setResourceList(List.of(new Attribute("cput", limit)));
    }
    return job;
  }

  private void put(Job job) {
    tables.jobs().put(Keys.number(job.getNumber()), job);
  }

  private static RunSample sample(int task, long cputMs) {
    return new RunSample(7L, 2, task, cputMs, 0L, 0L);
  }

  @Test
  void aRunIsToldWhenAllItsPartsTogetherAreOver() {
    put(job("00:00:10"));
    usages.heard("a", List.of(sample(0, 4_000)));
    usages.heard("b", List.of(sample(1, 3_900)));
    assertEquals(List.of(), due(10_000), "10 s of 10");
    usages.heard("b", List.of(sample(1, 4_100)));
    NoteCputExceeded over = new NoteCputExceeded(META, "7.vm", 2, 11L);
    assertEquals(List.of(over), due(20_000));
    assertEquals(List.of(), due(22_000), "it may be ending");
    assertEquals(List.of(over), due(51_000), "the order was lost");
  }

  @Test
  void aJobOfAnotherShardIsLeftAlone() {
    usages.heard("b", List.of(sample(1, 400_000)));
    assertEquals(List.of(), due(10_000));
  }

  @Test
  void whatHasNoLimitOrEndsAnywayIsLeftAlone() {
    usages.heard("b", List.of(sample(1, 400_000)));
    put(job(""));
    assertEquals(List.of(), due(10_000));
    Job killed = job("00:00:10");
    killed.setKilling(KillPurpose.DELETE);
    put(killed);
    watch.hear(tables, List.of(ordered(2)));
    assertEquals(List.of(), due(20_000));
  }

  /** A thousand programs of a second each are never sampled while they run. */
  @Test
  void tasksThatAreTooShortToBeHeardOfCount() {
    Job job = job("00:00:10");
    job.getTasks().setLive(List.of());
    put(job);
    watch.hear(tables, List.of(ordered(2)));
    assertEquals(List.of(), due(10_000), "3 s of 10");
    Job later = job("00:00:10");
    later.getTasks().setLive(List.of());
    later.getTasks().setUsed(Usage.newBuilder().setCputS(11).build());
    put(later);
    assertEquals(List.of(new NoteCputExceeded(META, "7.vm", 2, 11L)), due(20_000));
  }

  @Test
  void theNextRunIsBoundedAgain() {
    put(job("00:00:10"));
    watch.hear(tables, List.of(ordered(2)));
    usages.heard("a", List.of(sample(0, 20_000)));
    assertEquals(1, due(10_000).size());
    Job next = job("00:00:10");
    next.setRun(3);
    next.getTasks().setUsed(Usage.newBuilder().setCputS(12).build());
    put(next);
    assertEquals(List.of(), due(20_000), "no task of this run was heard of");
    watch.hear(tables, List.of(ordered(3)));
    assertEquals(List.of(new NoteCputExceeded(META, "7.vm", 3, 12L)), due(30_000));
  }

  /** Of other shards' jobs and of those without a limit, which are most. */
  @Test
  void whatIsNotBoundedIsReadOnce() {
    usages.heard("b", List.of(sample(1, 1_000)));
    assertEquals(List.of(), due(10_000));
    put(job("00:00:01")); // not looked at any more, or it would be told
    usages.heard("b", List.of(sample(1, 2_000)));
    assertEquals(List.of(), due(20_000));
  }

  /** Whatever it says of the run, the limit of others' runs holds, and no run ends by it. */
  @Test
  void aHostThatHasNothingOfARunNeitherEndsItNorLiftsItsLimit() {
    put(job("00:00:10"));
    usages.heard("c", List.of(new RunSample(7L, 9, 1, 0L, 0L, 0L), sample(0, 900_000)));
    usages.heard("c", List.of(sample(1, 900_000)));
    assertEquals(List.of(), due(10_000));
    usages.heard("a", List.of(sample(0, 4_000)));
    usages.heard("b", List.of(sample(1, 4_100)));
    assertEquals(List.of(new NoteCputExceeded(META, "7.vm", 2, 11L)), due(20_000));
  }

  private TaskOrdered ordered(int run) {
    RunTask task = new RunTask(3, 1, 1, 0L, null);
    return new TaskOrdered(null, "7.vm", run, task, List.of("true"));
  }

  @Test
  void theSupervisorOfARunWithoutTasksSeesItItself() {
    put(job("00:00:10"));
    usages.heard("a", List.of(sample(0, 400_000)));
    assertEquals(List.of(), due(10_000));
  }
}
