package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;

/** An engine on threads of its own, whose shard is the test. */
abstract class EngineFixture {
  static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
  static final CommandId NOBODY = new CommandId(new byte[16]);

  final AtomicInteger wakes = new AtomicInteger();
  SchedulingEngine engine;
  long seq;

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  void start(EngineLimits limits, Job... jobs) {
    engine = new EngineThreads(limits).start(seat(), snapshot("True", jobs));
  }

  void start(EngineSnapshot state) {
    engine = new EngineThreads(EngineLimits.standard()).start(seat(), state);
  }

  EngineSeat seat() {
    return new EngineSeat("default", 3, 0, "vm", wakes::incrementAndGet);
  }

  static EngineSnapshot snapshot(String scheduling, Job... jobs) {
    return snapshot(
        Records.object(ObjectKind.SCHEDULER, "default", "scheduling", scheduling), jobs);
  }

  static EngineSnapshot snapshot(ClusterObject scheduler, Job... jobs) {
    List<ClusterObject> objects =
        List.of(scheduler, Records.queue("workq"), Records.object(ObjectKind.NODE, "n1"));
    return SampleSnapshot.of(objects, List.of(Records.node("n1", "h1", 8, 1L << 32)), jobs);
  }

  FactMeta meta(CommandId cause) {
    return new FactMeta(++seq, seq, cause, "u");
  }

  JobQueued queued(long number, String request) {
    return new JobQueued(meta(NOBODY), Records.job(number, "workq", 0, request), List.of());
  }

  List<RunJob> runs() throws InterruptedException {
    List<RunJob> runs = new ArrayList<>();
    for (SpecificRecord it : next()) {
      if (it instanceof RunJob run) {
        runs.add(run);
      }
    }
    return runs;
  }

  List<SpecificRecord> next() throws InterruptedException {
    assertTrue(engine.awaitSettled(DEADLINE_NANOS));
    return engine.proposals(1000);
  }

  RunJob nextRun() throws InterruptedException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (System.nanoTime() < end) {
      for (RunJob run : runs()) {
        return run;
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("no proposal within the deadline");
  }

  <P> P proposed(Class<P> wanted) throws InterruptedException {
    return next(wanted, DEADLINE_NANOS)
        .orElseThrow(
            () -> new AssertionError("no " + wanted.getSimpleName() + " within the deadline"));
  }

  <P> Optional<P> next(Class<P> wanted, long patienceNanos) throws InterruptedException {
    long end = System.nanoTime() + patienceNanos;
    while (System.nanoTime() < end) {
      for (SpecificRecord it : next()) {
        if (wanted.isInstance(it)) {
          return Optional.of(wanted.cast(it));
        }
      }
      Thread.onSpinWait();
    }
    return Optional.empty();
  }

  static ClusterObject scheduler(String... pairs) {
    List<String> all = new ArrayList<>(List.of("scheduling", "True"));
    all.addAll(List.of(pairs));
    return Records.object(ObjectKind.SCHEDULER, "default", all.toArray(new String[0]));
  }
}
