package io.millrace.ops.faults.outside;

import io.millrace.ops.outside.peer.PeerDaemon;
import io.millrace.ops.outside.peer.PeerDaemons;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Kills daemons of a batch system; each is started again after a while. */
final class DaemonKills implements AutoCloseable {
  private static final long REDELIVERY_MS = 10_000;

  private final PeerDaemons peer;
  private final ScheduledThreadPoolExecutor starter = new ScheduledThreadPoolExecutor(1);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<PeerDaemon> down = EnumSet.noneOf(PeerDaemon.class);
  private final Map<PeerDaemon, Integer> kills = new EnumMap<>(PeerDaemon.class);
  private Exception failure;

  DaemonKills(PeerDaemons peer) {
    this(peer, REDELIVERY_MS);
  }

  /**
   * @param redeliveryMs so often are jobs begun again that a killed host has never had
   */
  DaemonKills(PeerDaemons peer, long redeliveryMs) {
    this.peer = peer;
    starter.scheduleWithFixedDelay(
        this::redeliver, redeliveryMs, redeliveryMs, TimeUnit.MILLISECONDS);
  }

  private void redeliver() {
    lock.lock();
    try {
      if (down.isEmpty() && failure == null) {
        peer.redeliver();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      failure = e;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Kills one.
   *
   * @param downMs after which it is started again
   * @return false when it was down already
   */
  boolean kill(PeerDaemon daemon, long downMs) throws IOException, InterruptedException {
    lock.lock();
    try {
      if (down.contains(daemon) || !peer.kill(daemon)) {
        return false;
      }
      down.add(daemon);
      kills.merge(daemon, 1, Integer::sum);
    } finally {
      lock.unlock();
    }
    starter.schedule(() -> start(daemon), downMs, TimeUnit.MILLISECONDS);
    return true;
  }

  private void start(PeerDaemon daemon) {
    lock.lock();
    try {
      peer.start(daemon);
      down.remove(daemon);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = e;
    } catch (IOException | RuntimeException e) {
      failure = e;
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  /** How often one was killed. */
  int of(PeerDaemon daemon) {
    lock.lock();
    try {
      return kills.getOrDefault(daemon, 0);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the system serves.
   *
   * @throws IOException when a daemon cannot be started, or the system does not serve
   */
  void awaitServes() throws IOException, InterruptedException {
    lock.lock();
    try {
      while (!down.isEmpty() && failure == null) {
        changed.await();
      }
      if (failure != null) {
        throw new IOException(failure.getMessage(), failure);
      }
    } finally {
      lock.unlock();
    }
    peer.awaitServes();
  }

  /** Starts nothing more. */
  @Override
  public void close() {
    starter.shutdownNow();
  }
}
