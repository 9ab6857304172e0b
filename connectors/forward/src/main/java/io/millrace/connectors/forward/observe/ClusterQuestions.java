package io.millrace.connectors.forward.observe;

import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import java.util.List;

/** What a look at a cluster asks for. */
public interface ClusterQuestions {

  /** As {@link OutsideSystem#changes}. */
  Told<OutsideChanges> changes(String cursor) throws InterruptedException;

  /** All jobs of the queue. */
  Told<List<OutsideJob>> queue() throws InterruptedException;

  /** Its hosts and queues. */
  Told<OutsideInventory> hosts() throws InterruptedException;

  /** The questions of an outside system. */
  static ClusterQuestions of(OutsideSystem system) {
    return new ClusterQuestions() {
      @Override
      public Told<OutsideChanges> changes(String cursor) throws InterruptedException {
        return system.changes(cursor);
      }

      @Override
      public Told<List<OutsideJob>> queue() throws InterruptedException {
        return system.snapshot();
      }

      @Override
      public Told<OutsideInventory> hosts() throws InterruptedException {
        return system.inventory();
      }
    };
  }
}
