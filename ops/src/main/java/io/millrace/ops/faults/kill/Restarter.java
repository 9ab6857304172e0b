package io.millrace.ops.faults.kill;

import io.millrace.ops.process.StartedParts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Does what an init system does: restarts a part that has ended at once, for whatever reason. Also
 * records how long each took to serve again.
 */
public final class Restarter implements AutoCloseable {
  private static final long LOOK_MS = 10;

  /** Kills, ends and restarts of one part. */
  public static final class Fate {
    private int kills;
    private int ownEnds;
    private long slowestNanos;
    private long downNanos;
    private boolean down;
    private boolean killed;
    private int lives = 1;

    public int kills() {
      return kills;
    }

    /** Ends that were not kills by the harness. */
    public int ownEnds() {
      return ownEnds;
    }

    public double slowestSeconds() {
      return slowestNanos / 1e9;
    }
  }

  private final StartedParts system;
  private final Path evidence;
  private final Map<String, Fate> fates = new TreeMap<>();
  private final Set<String> held = new HashSet<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private boolean closed;
  private IOException failure;

  /**
   * @param evidence folder for the output of parts that ended by themselves
   */
  public Restarter(StartedParts system, Path evidence) {
    this.system = system;
    this.evidence = evidence;
    system.parts().forEach(part -> fates.put(part, new Fate()));
    this.thread = new Thread(this::keep, "restarter");
    thread.setDaemon(true);
    thread.start();
  }

  private void keep() {
    lock.lock();
    try {
      while (!closed) {
        for (String part : system.parts()) {
          look(part, fates.computeIfAbsent(part, name -> new Fate()));
        }
        nextLook();
      }
    } catch (IOException e) {
      failure = e;
      changed.signalAll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void nextLook() throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(LOOK_MS);
    while (left > 0 && !closed) {
      left = changed.awaitNanos(left);
    }
  }

  private void look(String part, Fate fate) throws IOException, InterruptedException {
    if (!system.alive(part)) {
      if (!fate.down) {
        fate.down = true;
        fate.downNanos = System.nanoTime();
      }
      if (!held.contains(part)) {
        again(part, fate);
      }
    } else if (fate.down && system.ready(part)) {
      fate.down = false;
      fate.slowestNanos = Math.max(fate.slowestNanos, System.nanoTime() - fate.downNanos);
      changed.signalAll();
    }
  }

  private void again(String part, Fate fate) throws IOException, InterruptedException {
    if (!fate.killed) {
      fate.ownEnds++;
      system.keepPrinted(part, evidence, fate.lives);
    }
    fate.killed = false;
    fate.lives++;
    system.start(part);
  }

  /**
   * Sends SIGKILL; the part comes back at once unless it is held.
   *
   * @return false when there was nothing to kill: the part had not come back from its last end
   */
  public boolean kill(String part) throws IOException, InterruptedException {
    return end(part, system::kill);
  }

  /** The same with SIGTERM: the part ends as it does when it is told to. */
  public boolean end(String part) throws IOException, InterruptedException {
    return end(part, system::askToEnd);
  }

  /** How the end of a part is brought about. */
  @FunctionalInterface
  private interface PartEnding {
    boolean begin(String part) throws IOException;
  }

  private boolean end(String part, PartEnding ending) throws IOException, InterruptedException {
    lock.lock();
    try {
      Fate fate = fates.get(part);
      boolean killed = ending.begin(part);
      if (killed) {
        fate.killed = true;
        fate.kills++;
        system.awaitEnd(part);
        if (!fate.down) {
          fate.down = true;
          fate.downNanos = System.nanoTime();
        }
      }
      changed.signalAll();
      return killed;
    } finally {
      lock.unlock();
    }
  }

  /** Kills a part and keeps it down. */
  public void hold(String part) throws IOException, InterruptedException {
    lock.lock();
    try {
      held.add(part);
      kill(part);
    } finally {
      lock.unlock();
    }
  }

  /** Lets a part that was held come back. */
  public void release(String part) {
    lock.lock();
    try {
      held.remove(part);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all parts serve that are not held.
   *
   * @throws IOException with the names of those that do not, when the time is up
   */
  public void awaitReady(long patienceMs) throws IOException, InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(patienceMs);
    lock.lock();
    try {
      while (!down().isEmpty()) {
        if (failure != null) {
          throw failure;
        }
        if (left <= 0) {
          throw new IOException(down() + " cannot serve after " + patienceMs / 1000 + " s");
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private List<String> down() {
    return fates.keySet().stream()
        .filter(part -> fates.get(part).down && !held.contains(part))
        .toList();
  }

  /** What befell each part; read after {@link #close}. */
  public Map<String, Fate> fates() {
    return fates;
  }

  @Override
  public void close() throws InterruptedException {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    thread.join();
  }
}
