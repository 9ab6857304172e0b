package io.millrace.server.core.shard;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.JobBlock;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;

/** What jobs of a random history are and ask for. */
final class JobWishes {
  private static final List<String> PLACES =
      List.of("excl", "exclhost", "pack", "scatter", "vscatter", "scatter:exclhost");

  private final Random random;
  private final TestShards shards;
  private final Supplier<String> anyJob;
  private final Supplier<Optional<String>> running;

  /**
   * Draws from what the history draws from.
   *
   * @param anyJob the id of a job, or of one that there is not
   * @param running the id of one that an executor has
   */
  JobWishes(
      Random random,
      TestShards shards,
      Supplier<String> anyJob,
      Supplier<Optional<String>> running) {
    this.random = random;
    this.shards = shards;
    this.anyJob = anyJob;
    this.running = running;
  }

  /** A job for that queue or, rarely, another one. */
  NewJob job(String owner, String queue, Script script) {
    NewJob wish = Calls.job(owner, chance(3) ? pick(History.QUEUES) : queue, request());
    if (chance(30)) {
      wish.getSpec().setAsked(List.of());
    }
    if (chance(15)) {
      Calls.held(wish, pick(History.HOLDS));
    }
    if (chance(50)) {
      Calls.withScript(wish, script);
    }
    if (chance(5)) {
      wish.getSpec().setExecutionMs(shards.nowMs + random.nextInt(120_000));
    }
    if (chance(6)) {
      wish.setDepend(dependencies());
    } else if (chance(3)) {
      wish.setBefore(List.of(dependency(DependencyKind.AFTERANY)));
    }
    return wish;
  }

  SpecificRecord depending(CommandMeta meta, String job) {
    AlterJob.Builder wish = AlterJob.newBuilder().setMeta(meta).setJobId(job);
    if (job.indexOf("[]") > 0 && chance(50)) {
      return wish.setMaxRunSubjobs(random.nextInt(5)).build();
    }
    if (chance(25)) {
      return wish.setExecutionMs(shards.nowMs + random.nextInt(60_000) - 10_000L).build();
    }
    return chance(80)
        ? wish.setDepend(chance(20) ? List.of() : dependencies()).build()
        : wish.setBefore(List.of(dependency(DependencyKind.AFTEROK))).build();
  }

  private List<Dependency> dependencies() {
    if (chance(25)) {
      return List.of(new Dependency(DependencyKind.ON, 1 + random.nextInt(3), List.of()));
    }
    Dependency first = dependency(DependencyKind.values()[random.nextInt(3)]);
    return chance(70) ? List.of(first) : List.of(first, dependency(DependencyKind.AFTERANY));
  }

  private Dependency dependency(DependencyKind kind) {
    List<WaitedJob> names = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      String job = chance(50) ? running.get().orElseGet(anyJob) : anyJob.get();
      long number = JobNumbers.array(Keys.jobNumber(job));
      JobBlock block = shards.tables(0).blocks().get(Keys.block(number));
      // Who does not know what is an array names it wrongly.
      boolean array = job.indexOf('[') > 0 != chance(3);
      names.add(new WaitedJob(number, block == null ? -1 : block.getShard(), array));
    }
    return new Dependency(kind, 0, names);
  }

  ResourceRequest request() {
    Chunk chunk =
        new Chunk(
            1 + random.nextInt(2),
            chance(20) ? Map.of("ncpus", 1L, "foo", 1L) : Map.of("ncpus", 1L + random.nextInt(3)),
            Map.of());
    ResourceRequest request = Calls.request(chance(85) ? "" : pick(PLACES), chunk);
    if (chance(60)) {
      request.setWalltimeS(1L + random.nextInt(7200));
    }
    return request;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
