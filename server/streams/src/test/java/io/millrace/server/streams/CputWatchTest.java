package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.NoteCputExceeded;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.output.RunSample;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.RunTasks;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Tables;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What a shard is told of runs that use too much on all their hosts together. */
class CputWatchTest {
  private static final CommandMeta META =
      new CommandMeta(new CommandId(new byte[16]), "shard-0", "", "", Role.SHARD, -1);

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
    usages.heard(List.of(sample(0, 4_000)));
    usages.heard(List.of(sample(1, 3_900)));
    assertEquals(List.of(), due(10_000), "10 s of 10");
    usages.heard(List.of(sample(1, 4_100)));
    NoteCputExceeded over = new NoteCputExceeded(META, "7.vm", 2, 11L);
    assertEquals(List.of(over), due(20_000));
    assertEquals(List.of(), due(22_000), "it may be ending");
    assertEquals(List.of(over), due(51_000), "the order was lost");
  }

  @Test
  void whatHasNoLimitOrEndsAnywayIsLeftAlone() {
    usages.heard(List.of(sample(1, 400_000)));
    assertEquals(List.of(), due(10_000), "a job of another shard");
    put(job(""));
    assertEquals(List.of(), due(20_000));
    Job killed = job("00:00:10");
    killed.setKilling(KillPurpose.DELETE);
    put(killed);
    assertEquals(List.of(), due(30_000));
  }

  @Test
  void theSupervisorOfARunWithoutTasksSeesItItself() {
    put(job("00:00:10"));
    usages.heard(List.of(sample(0, 400_000)));
    assertEquals(List.of(), due(10_000));
  }
}
