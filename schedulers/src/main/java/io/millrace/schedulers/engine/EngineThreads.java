package io.millrace.schedulers.engine;

import io.millrace.schedulers.engine.measure.CycleMeasures;
import io.millrace.schedulers.engine.measure.ScheduleFile;
import io.millrace.schemas.engine.EngineFactory;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.output.CycleDone;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes engines that sit beside their shard. */
public final class EngineThreads implements EngineFactory {

  private final EngineLimits limits;
  private final Optional<Path> monitorFolder;
  private final Consumer<CycleDone> cycles;

  public EngineThreads() {
    this(EngineLimits.standard());
  }

  public EngineThreads(EngineLimits limits) {
    this(limits, Optional.empty(), cycle -> {});
  }

  /**
   * @param monitorFolder below it each scheduler object with a Grid Engine policy and MONITOR=1 has
   *     a folder of its name with the file {@code schedule}; empty where none is written
   * @param cycles takes what is to be known of each cycle; never blocks
   */
  public EngineThreads(
      EngineLimits limits, Optional<Path> monitorFolder, Consumer<CycleDone> cycles) {
    this.cycles = new CycleMeasures(Measures.ofProcess(), cycles);
    this.limits = limits;
    this.monitorFolder = monitorFolder;
  }

  @Override
  public SchedulingEngine start(EngineSeat seat, EngineSnapshot snapshot) {
    Followers states = Followers.of(seat.scheduler(), seat.shard(), limits.proposalsInFlight());
    states.read(snapshot);
    return start(seat, states);
  }

  /** Starts an engine on states that were built from a ledger. */
  SchedulingEngine start(EngineSeat seat, Followers states) {
    Optional<Path> file =
        monitorFolder.map(folder -> folder.resolve(seat.scheduler()).resolve("schedule"));
    EngineThread engine = new EngineThread(seat, limits, states, new ScheduleFile(file), cycles);
    engine.start();
    return engine;
  }
}
