package io.millrace.ops.installation;

import io.millrace.ops.home.Home;
import io.millrace.ops.life.LifeFile;
import io.millrace.ops.process.EndReason;
import io.millrace.ops.process.HomeLock;
import io.millrace.ops.process.NextStart;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.process.PidFile;
import io.millrace.ops.process.Processes;
import io.millrace.ops.process.Restarts;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.OneLine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts parts again that died. A part that was ended in an orderly way has no pid file any more
 * and is left alone, and what {@code down} has ended is not started until the next {@code up}.
 */
final class Keeper {

  private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);

  /** Looks at a part that has not taken its lock yet, or is stopped, come after such pauses. */
  private static final long FIRST_LOOK_MS = 50;

  private static final long LAST_LOOK_MS = 2_000;

  /** The present command line of a part; empty when it is not wanted any more. */
  interface PartFinder {
    Optional<Part> find(String name) throws IOException, InterruptedException;
  }

  private final Home home;
  private final PartFinder parts;
  private final RoomToStart room;
  private final LongSupplier nanos;
  private final Processes processes;
  private final Console quiet =
      new Console(new PrintStream(OutputStream.nullOutputStream()), false);

  /** Within one process only one thread can have the lock of the home. */
  private final Object turn = new Object();

  /**
   * @param nanos a clock that nobody sets
   */
  Keeper(Home home, PartFinder parts, RoomToStart room, LongSupplier nanos) {
    this.home = home;
    this.parts = parts;
    this.room = room;
    this.nanos = nanos;
    this.processes = new Processes(home);
  }

  /** Keeps one part until the thread is interrupted. */
  void keep(String part) {
    KeptPart kept = new KeptPart(part);
    long pause = FIRST_LOOK_MS;
    try {
      while (true) {
        try {
          if (!awaitDeath(part) || Down.isMeant(home, part)) {
            pause = longer(pause);
            TimeUnit.MILLISECONDS.sleep(pause);
            continue;
          }
          startAgain(kept);
          pause = FIRST_LOOK_MS;
        } catch (IOException | PartFailed e) {
          pause = longer(pause);
          LOG.warn("{} is not started again yet: {}", part, OneLine.of(e));
          TimeUnit.MILLISECONDS.sleep(pause);
        } catch (RuntimeException e) {
          // Nobody else keeps this part.
          pause = longer(pause);
          LOG.error("{} is not started again yet", part, e);
          TimeUnit.MILLISECONDS.sleep(pause);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long longer(long pause) {
    return Math.min(pause * 2, LAST_LOOK_MS);
  }

  /**
   * Waits until a part that runs has ended.
   *
   * @return false when it was ended in an orderly way, or has never run
   */
  private boolean awaitDeath(String part) throws IOException, InterruptedException {
    long pause = FIRST_LOOK_MS;
    while (processes.alive(part).isPresent()) {
      LifeFile.awaitFree(home.life(part));
      if (processes.alive(part).isPresent()) {
        // It has just begun and not taken the lock yet, or is just ending.
        TimeUnit.MILLISECONDS.sleep(pause);
        pause = longer(pause);
      }
    }
    return Files.exists(home.pid(part));
  }

  private void startAgain(KeptPart kept) throws IOException, InterruptedException, PartFailed {
    String part = kept.part;
    Restarts restarts = kept.restarts;
    Duration wait = restarts.after(kept.life());
    if (room.await(part)) {
      // It died of the full disk, which is over: it need not wait any longer.
      restarts.forget();
      wait = Duration.ZERO;
    }
    if (wait.isZero()) {
      NextStart.forget(home, part);
    } else {
      NextStart.write(home, part, restarts.shortLives(), Instant.now().plus(wait));
      TimeUnit.MILLISECONDS.sleep(wait.toMillis());
    }
    synchronized (turn) {
      try (FileChannel lock = HomeLock.take(home, quiet)) {
        // Another launcher may have started or stopped it meanwhile.
        boolean dead = Files.exists(home.pid(part)) && processes.alive(part).isEmpty();
        if (dead && !Down.isMeant(home, part)) {
          startOrForget(kept, parts.find(part));
        }
      }
    }
  }

  private void startOrForget(KeptPart kept, Optional<Part> wanted)
      throws IOException, InterruptedException, PartFailed {
    String part = kept.part;
    if (wanted.isEmpty()) {
      processes.forget(part);
      NextStart.forget(home, part);
      LOG.warn("{} ended and is not wanted any more: ./millrace up would not start it", part);
      return;
    }
    String why = EndReason.ofDead(home, wanted.get());
    processes.start(wanted.get());
    kept.started();
    Optional<PidFile> next = processes.alive(part);
    LOG.warn(
        "{} ended{} and was started again{}",
        part,
        why.isEmpty() ? "" : " (" + why + ")",
        next.map(it -> ", pid " + it.pid()).orElse(", but has ended already"));
  }

  /** What is known of one part from one of its starts to the next. */
  private final class KeptPart {
    private final String part;
    private final Restarts restarts = new Restarts();
    private Optional<PidFile> started = Optional.empty();
    private long startedNanos;

    KeptPart(String part) {
      this.part = part;
    }

    void started() throws IOException {
      startedNanos = nanos.getAsLong();
      started = processes.marked(part);
    }

    /**
     * How long ago a part that is dead was started. Of one that somebody else has started the pid
     * file alone tells, by the clock of the host, which may have been set meanwhile.
     */
    Duration life() throws IOException {
      if (started.isPresent() && started.equals(processes.marked(part))) {
        return Duration.ofNanos(nanos.getAsLong() - startedNanos);
      }
      try {
        Instant begun = Files.getLastModifiedTime(home.pid(part)).toInstant();
        return Duration.between(begun, Instant.now());
      } catch (NoSuchFileException e) {
        return Duration.ZERO;
      }
    }
  }
}
