package io.millrace.schemas.engine;

/** Makes engines; the process that joins server and schedulers provides it. */
public interface EngineFactory {

  /** Reads the snapshot on the calling thread, then starts the engine's own thread. */
  SchedulingEngine start(EngineSeat seat, EngineSnapshot snapshot);
}
