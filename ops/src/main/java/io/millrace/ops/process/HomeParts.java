package io.millrace.ops.process;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parts of one home, started and killed one by one. */
public class HomeParts implements StartedParts {

  /**
   * How long to wait for a killed process to be gone; on a machine short of memory or disk even
   * that takes time.
   */
  private static final Duration KILLED_PATIENCE = Duration.ofSeconds(60);

  private final Home home;
  private final Processes processes;
  private final Map<String, Part> parts = new LinkedHashMap<>();
  private boolean ended;

  public HomeParts(Home home, List<Part> parts) {
    this.home = home;
    this.processes = new Processes(home);
    parts.forEach(this::add);
  }

  protected final void add(Part part) {
    parts.put(part.name(), part);
  }

  public final Home home() {
    return home;
  }

  protected final Processes processes() {
    return processes;
  }

  @Override
  public final List<String> parts() {
    return List.copyOf(parts.keySet());
  }

  @Override
  public final synchronized void start(String part) throws IOException, InterruptedException {
    if (!ended) {
      processes.start(parts.get(part));
    }
  }

  @Override
  public final boolean alive(String part) throws IOException {
    return processes.alive(part).isPresent();
  }

  /** Process id of a part; empty when it is not alive. */
  public final Optional<Long> pid(String part) throws IOException {
    return processes.alive(part).map(PidFile::pid);
  }

  /**
   * Starts all parts and waits until each serves, or waits for what somebody has to do.
   *
   * @throws IOException in one line, when one does neither
   */
  public final void startAll() throws IOException, InterruptedException {
    for (Part part : parts.values()) {
      start(part.name());
    }
    for (Part part : parts.values()) {
      try {
        processes.awaitReady(part);
      } catch (PartFailed e) {
        throw new IOException(e.getMessage(), e);
      }
    }
  }

  @Override
  public final boolean ready(String part) throws IOException {
    return processes.ready(parts.get(part));
  }

  @Override
  public final boolean kill(String part) throws IOException {
    Optional<PidFile> running = processes.alive(part);
    return running.isPresent()
        && ProcessHandle.of(running.get().pid()).map(ProcessHandle::destroyForcibly).orElse(false);
  }

  @Override
  public final boolean askToEnd(String part) throws IOException {
    boolean alive = alive(part);
    processes.askToEnd(part);
    return alive;
  }

  @Override
  public final void awaitEnd(String part) throws IOException, InterruptedException {
    if (!processes.awaitEnd(part, KILLED_PATIENCE)) {
      throw new IOException(part + " did not end within " + KILLED_PATIENCE.toSeconds() + " s");
    }
  }

  @Override
  public final Path keepPrinted(String part, Path folder, int life) throws IOException {
    Path printed = home.printed(part);
    if (!Files.exists(printed) || Files.size(printed) == 0) {
      return null;
    }
    Path kept = folder.resolve(part + "-" + life + ".out");
    return Files.copy(printed, kept);
  }

  @Override
  public final synchronized void killAll() throws IOException {
    ended = true;
    for (String part : parts()) {
      kill(part);
    }
  }
}
