package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.execution.LiveRun.RunStage;
import io.millrace.connectors.local.host.ProcessorGroups;
import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.PrintedOutput;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.connectors.local.spool.OutcomeFile;
import io.millrace.connectors.local.spool.Spool;
import io.millrace.connectors.local.spool.SpoolFields;
import io.millrace.connectors.local.spool.SpoolLock;
import io.millrace.connectors.local.spool.SpoolWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes runs on this host. Knows nothing of Kafka.
 *
 * <p>{@link #start} makes the run's directory and returns: the run will be started once, also when
 * this process dies right after. Reports come through the {@link RunObserver}; a run stays in the
 * spool until {@link #release}. Opening the same spool again finds all runs as they are now.
 */
public final class LocalExecution implements Execution {
  private static final Logger log = LoggerFactory.getLogger(LocalExecution.class);
  private static final long LAUNCH_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LocalSettings settings;
  private final RunObserver observer;
  private final Spool spool;
  private final SpoolLock spoolLock;
  private final RunProcessors processors;
  private final SpawnServer server;
  private final SpoolWatch watch;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition roomToWait = lock.newCondition();
  private final Map<RunId, LiveRun> runs = new HashMap<>();
  private final LaunchQueue queue;

  /** Makes ready what runs have of the host's control groups, in a spool that nobody else has. */
  public interface GroupOffer {
    Optional<ProcessorGroups> make(Path spool) throws IOException;
  }

  private LocalExecution(
      LocalSettings settings, RunObserver observer, GroupOffer groups, SpoolLock spoolLock)
      throws IOException {
    this.settings = settings;
    this.observer = observer;
    this.spoolLock = spoolLock;
    this.spool = Spool.open(settings.spool());
    this.processors = new RunProcessors(groups.make(settings.spool()));
    this.queue = new LaunchQueue(settings.bounds().starting(), this::launch);
    recover();
    this.server = SpawnServer.open(settings.supervisor());
    this.watch = new SpoolWatch(spool.events(), new SpoolListener());
  }

  /**
   * Opens the spool and continues with its runs: those that ended are reported, those that run are
   * watched, those that never started are started.
   *
   * @throws IOException with one clear line when the spool is in use or the supervisor program
   *     cannot be executed
   */
  public static LocalExecution open(LocalSettings settings, RunObserver observer, GroupOffer groups)
      throws IOException {
    Files.createDirectories(settings.spool());
    SpoolLock spoolLock = SpoolLock.take(settings.spool());
    try {
      LocalExecution execution = new LocalExecution(settings, observer, groups, spoolLock);
      execution.watch.start();
      return execution;
    } catch (IOException | RuntimeException e) {
      spoolLock.close();
      throw e;
    }
  }

  /** The same, with the groups that are there; runs share all processors. */
  public static LocalExecution open(LocalSettings settings, RunObserver observer)
      throws IOException {
    return open(settings, observer, spool -> Optional.empty());
  }

  /**
   * Accepts a run. Blocks while too many wait to be started.
   *
   * @return false when the run is known already; nothing was done then
   * @throws IOException when its directory could not be made, for example on a full disk: nothing
   *     was done, the call may be repeated
   */
  @Override
  public boolean start(RunRequest request) throws IOException, InterruptedException {
    LiveRun run = new LiveRun(request.id(), request.terms().origin());
    String cpus;
    lock.lockInterruptibly();
    try {
      while (queue.waiting() >= settings.bounds().waiting()) {
        roomToWait.await();
      }
      if (runs.containsKey(run.id)) {
        return false;
      }
      cpus = processors.bind(run, request, runs.values());
      runs.put(run.id, run);
    } finally {
      lock.unlock();
    }
    boolean made = false;
    try {
      made = spool.create(request, settings, cpus);
    } finally {
      lock.lock();
      try {
        if (made) {
          queue.add(run, runs.values());
          launchWaiting();
        } else {
          runs.remove(run.id);
        }
      } finally {
        lock.unlock();
      }
    }
    return made;
  }

  /**
   * Ends a run: signal 15 (TERM), and 9 (KILL) after the run's kill delay. A run that has not
   * started is cancelled. Signal 9 ends it at once; other signals are passed on to a started run.
   *
   * @return false when there is no such run here, or it is over
   */
  @Override
  public boolean kill(RunId id, int signal) throws IOException {
    return unlessOver(
        id,
        run -> {
          if (signal != 9 && signal != 15) {
            return spool.tell(id, signal);
          }
          spool.requestKill(id, signal);
          cancel(id);
          return true;
        });
  }

  @Override
  public boolean discard(RunId id) throws IOException {
    return unlessOver(
        id,
        run -> {
          spool.requestDiscard(id);
          cancel(id);
          return true;
        });
  }

  private boolean unlessOver(RunId id, SpoolRequest request) throws IOException {
    LiveRun run = find(id);
    if (run == null || run.stage == RunStage.ENDED) {
      return false;
    }
    try {
      return request.make(run);
    } catch (NoSuchFileException e) {
      return false; // ended and released meanwhile
    }
  }

  /** A request to the supervisor of a run, by a file in the run's directory. */
  private interface SpoolRequest {
    boolean make(LiveRun run) throws IOException;
  }

  @Override
  public boolean order(RunId id, int number, String order) throws IOException {
    return unlessOver(
        id,
        run -> {
          if (OrderSubject.of(order) == OrderSubject.STANDING) {
            locked(() -> processors.standing(run, order, runs.values()));
          }
          spool.order(id, number, order);
          return true;
        });
  }

  @Override
  public void write(RunId id, boolean output, String line) throws IOException {
    LiveRun run = find(id);
    if (run != null && run.stage != RunStage.ENDED) {
      spool.write(id, output, line);
    }
  }

  /**
   * Forgets a run whose end was safely handed over.
   *
   * @throws IllegalStateException when the run is not over
   */
  @Override
  public void release(RunId id) throws IOException {
    LiveRun run = find(id);
    if (run == null) {
      return;
    }
    if (run.stage != RunStage.ENDED) {
      throw new IllegalStateException(id + " is not over and cannot be released");
    }
    spool.remove(id);
    locked(() -> runs.remove(id));
  }

  @Override
  public Optional<RunUsage> sample(RunId id) throws IOException {
    return spool.fields(id, "usage").map(OutcomeFile::usage);
  }

  /** Whether the run is in the spool. */
  @Override
  public boolean knows(RunId id) {
    return find(id) != null;
  }

  /** All runs in the spool, ended ones that were not released included. */
  @Override
  public List<RunId> runs() {
    return locked(() -> List.copyOf(runs.keySet()));
  }

  @Override
  public List<StartedRun> begun() {
    return snapshot().stream().map(run -> run.begun).filter(Objects::nonNull).toList();
  }

  @Override
  public boolean survives() {
    return true;
  }

  /** Stops watching. Runs go on; the next opening of the spool finds them. */
  @Override
  public void close() throws IOException {
    watch.close();
    server.close();
    spoolLock.close();
  }

  /** One that is to end need not wait for an earlier run of its job: it is cancelled. */
  private void cancel(RunId id) {
    lock.lock();
    try {
      LiveRun run = runs.get(id);
      if (run != null) {
        run.comesAfter(List.of());
        launchWaiting();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Continues with the runs of an earlier process. */
  private void recover() throws IOException {
    List<LiveRun> found = LeftRuns.read(spool, settings);
    found.forEach(run -> runs.put(run.id, run));
    processors.recover(found, spool);
    for (LiveRun run : found) {
      if (run.stage == RunStage.RUNNING) {
        continue;
      }
      if (run.begun != null || spool.has(run.id, "kill")) {
        queue.addEnding(run);
      } else {
        queue.add(run, found);
      }
    }
  }

  /** Hands waiting runs to the spawn server as far as the bound allows. Holds the lock. */
  private void launchWaiting() {
    queue.launch();
    roomToWait.signalAll();
  }

  /** A launch that the server did not take is repeated by the sweep. */
  private void launch(LiveRun run) {
    run.launchedNanos = System.nanoTime();
    server.launch(spool.directory(run.id));
  }

  private void advance(LiveRun run, RunStage stage) {
    lock.lock();
    try {
      queue.advance(run, stage);
      launchWaiting();
    } finally {
      lock.unlock();
    }
  }

  private LiveRun find(RunId id) {
    return locked(() -> runs.get(id));
  }

  /** The runs that are not over. */
  private List<LiveRun> snapshot() {
    return locked(() -> runs.values().stream().filter(run -> run.stage != RunStage.ENDED).toList());
  }

  private <T> T locked(Supplier<T> look) {
    lock.lock();
    try {
      return look.get();
    } finally {
      lock.unlock();
    }
  }

  /** Everything below runs on the watch's thread. */
  private final class SpoolListener implements SpoolWatch.SpoolWatcher {

    @Override
    public void begin() throws IOException {
      lock.lock();
      try {
        launchWaiting();
      } finally {
        lock.unlock();
      }
      for (LiveRun run : snapshot()) {
        guarded(run, () -> look(run));
      }
      for (String event : spool.pendingEvents()) {
        appeared(event);
      }
    }

    @Override
    public void appeared(String fileName) throws IOException {
      int dot = fileName.lastIndexOf('.');
      LiveRun run = find(RunId.ofDirectoryName(fileName.substring(0, Math.max(dot, 0))));
      if (run == null) { // repeated by the supervisor of a released run
        Files.deleteIfExists(spool.events().resolve(fileName));
      } else if (fileName.endsWith("." + LiveRun.OUTCOME)) {
        seeOutcome(run);
      } else {
        seeStarted(run);
      }
    }

    @Override
    public void sweep() throws IOException {
      boolean revived = server.revive();
      for (LiveRun run : snapshot()) {
        guarded(run, () -> check(run, revived));
      }
    }

    private void look(LiveRun run) throws IOException {
      seeStarted(run);
      seeOutcome(run);
    }

    private void check(LiveRun run, boolean revived) throws IOException {
      if (run.stage == RunStage.LAUNCHED) {
        look(run);
        boolean late = System.nanoTime() - run.launchedNanos > LAUNCH_PATIENCE_NANOS;
        if (run.stage == RunStage.LAUNCHED && (late || revived)) {
          launch(run);
        }
      } else if (run.stage == RunStage.RUNNING && !run.hasSupervisor()) {
        seeOutcome(run);
        if (run.stage == RunStage.RUNNING) {
          log.warn("the supervisor of {} died", run.id);
          relaunch(run);
        }
      }
    }

    /** One bad run directory must not hide the others; the next sweep tries it again. */
    private void guarded(LiveRun run, SpoolWatch.SpoolStep step) {
      try {
        step.run();
      } catch (IOException | RuntimeException e) {
        log.error("cannot read the spool of {}; trying again", run.id, e);
      }
    }

    /** A supervisor that finds a claim without an outcome clears up and writes the outcome. */
    private void relaunch(LiveRun run) {
      lock.lock();
      try {
        queue.again(run);
        launchWaiting();
      } finally {
        lock.unlock();
      }
    }

    private void seeStarted(LiveRun run) throws IOException {
      if (run.toldStarted) {
        return;
      }
      Optional<SpoolFields> started = spool.fields(run.id, LiveRun.STARTED);
      if (started.isEmpty()) {
        return;
      }
      run.supervisedBy(started.get());
      run.toldStarted = true;
      if (run.stage != RunStage.RUNNING && run.hasSupervisor()) {
        advance(run, RunStage.RUNNING);
      }
      observer.started(run.begun);
      spool.forgetEvent(run.id, LiveRun.STARTED);
    }

    private void seeOutcome(LiveRun run) throws IOException {
      if (run.stage == RunStage.ENDED) {
        return;
      }
      Optional<SpoolFields> outcome = spool.fields(run.id, LiveRun.OUTCOME);
      if (outcome.isEmpty()) {
        return;
      }
      seeStarted(run);
      // What may fail comes before the run counts as ended, so that the next sweep tries again.
      PrintedOutput printed = run.id.task() == 0 ? spool.steps(run.id) : spool.printed(run.id);
      spool.settle(outcome.get());
      spool.forgetEvent(run.id, LiveRun.OUTCOME);
      advance(run, RunStage.ENDED);
      observer.finished(
          new FinishedRun(run.id, run.origin, OutcomeFile.outcome(outcome.get()), printed));
    }
  }
}
