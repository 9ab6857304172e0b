package io.millrace.connectors.forward.observe;

import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Answers about a cluster that somebody else asks for, as the bridge of its runs does. Each is
 * handed over once, and says when its question began: one that is older than what a log has told
 * since, or that comes a second time, would tell of jobs as lost that are there. The last one waits
 * here until it is taken, and is not kept then.
 */
public final class HandedAnswers {

  private record HandedAnswer<T>(T value, Instant asked) {}

  private final AtomicReference<HandedAnswer<List<OutsideJob>>> queue = new AtomicReference<>();
  private final AtomicReference<HandedAnswer<OutsideInventory>> hosts = new AtomicReference<>();
  private final HostSilence silence;
  private volatile Optional<String> untold = Optional.empty();
  private volatile boolean looked;

  /**
   * @param silence of the hosts, as whoever asks for them knows it
   */
  public HandedAnswers(HostSilence silence) {
    this.silence = silence;
  }

  /** The whole queue, asked for at a moment. */
  public void queue(List<OutsideJob> jobs, Instant asked) {
    queue.set(new HandedAnswer<>(jobs, asked));
  }

  /** The hosts, asked for at a moment. */
  public void hosts(OutsideInventory inventory, Instant asked) {
    hosts.set(new HandedAnswer<>(inventory, asked));
  }

  /** What a bridge knows of silence; called by its thread after each of its steps. */
  public void look(OutsideBridge bridge) {
    untold = bridge.untold().or(bridge::silence);
    looked = true;
  }

  /** Has all that was handed over since the last time shown. */
  void into(ClusterPicture picture, Instant now) {
    HandedAnswer<OutsideInventory> inventory = hosts.getAndSet(null);
    if (inventory != null) {
      picture.hosts(inventory.value(), inventory.asked());
    }
    HandedAnswer<List<OutsideJob>> jobs = queue.getAndSet(null);
    if (jobs != null) {
      picture.queue(jobs.value(), jobs.asked());
    }
    // From a bridge whose steps fail nothing is heard, and nothing is known of silence.
    if (looked) {
      looked = false;
      Optional<String> nothing = silence.why();
      Optional<String> noQueue = untold;
      picture.troubles(nothing, noQueue);
      if (nothing.isEmpty() && noQueue.isEmpty()) {
        picture.heardAll(now);
      }
    }
  }
}
