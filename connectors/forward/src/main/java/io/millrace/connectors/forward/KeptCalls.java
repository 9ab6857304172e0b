package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideBridge;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of a bridge for whose answer nobody waits. One that fails, as where the disk of the journal
 * is full, is kept and made again until it does not; there is one for each thing that is to be
 * done. The thread of the bridge has it.
 */
final class KeptCalls {
  private static final Logger log = LoggerFactory.getLogger(KeptCalls.class);

  /** Failures after which the others wait for the next time. */
  private static final int FAILED_MOST = 10;

  private static final int NAMED_MOST = 20;

  private final OutsideBridge bridge;
  private final Map<String, BridgeThread.BridgeCall<?>> kept = new LinkedHashMap<>();

  /** What was said of the call that failed last, and why. */
  private String failure = "";

  KeptCalls(OutsideBridge bridge) {
    this.bridge = bridge;
  }

  /**
   * Makes a call.
   *
   * @param what is said of it while it fails, as "the run cannot be deleted"
   */
  void make(String what, BridgeThread.BridgeCall<?> call) throws InterruptedException {
    boolean first = kept.isEmpty();
    if (!carriesOut(what, call) && first) {
      log.error("{}: it is tried again until it can, as is what comes after it", failure);
    }
  }

  /** Makes those again that have failed. */
  void makeAgain() throws InterruptedException {
    if (kept.isEmpty()) {
      return;
    }
    int failures = 0;
    for (String what : List.copyOf(kept.keySet())) {
      if (failures == FAILED_MOST) {
        return;
      }
      failures += carriesOut(what, kept.get(what)) ? 0 : 1;
    }
    if (kept.isEmpty()) {
      log.info("what could not be noted is noted now");
    }
  }

  private boolean carriesOut(String what, BridgeThread.BridgeCall<?> call)
      throws InterruptedException {
    try {
      call.on(bridge);
      kept.remove(what);
      return true;
    } catch (IOException | RuntimeException e) {
      failure = what + ": " + e;
      // Behind those that were not tried yet.
      kept.remove(what);
      kept.put(what, call);
      return false;
    }
  }

  /** This process makes them no more; the next one finds what they are for. */
  void end() {
    if (!kept.isEmpty()) {
      log.error(
          "{} calls are left to the next process, among them: {}; the last: {}",
          kept.size(),
          kept.keySet().stream().limit(NAMED_MOST).toList(),
          failure);
    }
  }
}
