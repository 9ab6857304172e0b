package io.millrace.server.streams.engine;

import io.millrace.schemas.engine.EngineFactory;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Knows which engines of this process are in a cycle just now. For all threads. */
public final class EnginesAtWork implements EngineFactory {

  private final EngineFactory factory;
  private final Map<String, SchedulingEngine> last = new ConcurrentHashMap<>();

  /**
   * @param factory makes the engines
   */
  public EnginesAtWork(EngineFactory factory) {
    this.factory = factory;
  }

  @Override
  public SchedulingEngine start(EngineSeat seat, EngineSnapshot snapshot) {
    SchedulingEngine engine = factory.start(seat, snapshot);
    last.values().removeIf(SchedulingEngine::ended);
    last.put(seat.scheduler(), engine);
    return engine;
  }

  /** Whether the engine of a scheduler object that sits here is in a cycle. */
  public boolean inCycle(String scheduler) {
    SchedulingEngine engine = last.get(scheduler);
    return engine != null && !engine.ended() && engine.inCycle();
  }
}
