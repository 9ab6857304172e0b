package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Outside systems with the mistakes that connectors make. */
final class PlantedFaults {

  private PlantedFaults() {}

  /** Nobody looks for tags: what is not answered is submitted again. */
  static OutsideSystem withoutLooks(OutsideSystem system) {
    return new Passing(system) {
      @Override
      public Told<List<OutsideJob>> tagged() {
        return Told.of(List.of());
      }
    };
  }

  /** A failed query counts as an empty queue. */
  static OutsideSystem emptyWhenSilent(OutsideSystem system) {
    return new Passing(system) {
      @Override
      public Told<List<OutsideJob>> snapshot() throws InterruptedException {
        Told<List<OutsideJob>> told = system.snapshot();
        return told instanceof Told.Nothing<List<OutsideJob>> ? Told.of(List.of()) : told;
      }

      @Override
      public Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(
          String account, Collection<OutsideId> ids) throws InterruptedException {
        Told<Map<OutsideId, Optional<OutsideJob>>> told = system.byNumber(account, ids);
        return told instanceof Told.Nothing<Map<OutsideId, Optional<OutsideJob>>>
            ? Told.of(OutsideJob.byNumber(List.of(), ids))
            : told;
      }
    };
  }

  /** Passes all on. */
  private static class Passing implements OutsideSystem {
    private final OutsideSystem system;

    Passing(OutsideSystem system) {
      this.system = system;
    }

    @Override
    public Submitted submit(OutsideSubmission submission) throws InterruptedException {
      return system.submit(submission);
    }

    @Override
    public boolean isSubmitting(OutsideTag tag, String account) {
      return system.isSubmitting(tag, account);
    }

    @Override
    public Told<List<OutsideJob>> tagged() throws InterruptedException {
      return system.tagged();
    }

    @Override
    public Controlled control(OutsideId id, String account, OutsideAction action)
        throws InterruptedException {
      return system.control(id, account, action);
    }

    @Override
    public Controlled signal(OutsideId id, String account, int signal) throws InterruptedException {
      return system.signal(id, account, signal);
    }

    @Override
    public Told<OutsideChanges> changes(String cursor) throws InterruptedException {
      return system.changes(cursor);
    }

    @Override
    public Told<List<OutsideJob>> snapshot() throws InterruptedException {
      return system.snapshot();
    }

    @Override
    public Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(
        String account, Collection<OutsideId> ids) throws InterruptedException {
      return system.byNumber(account, ids);
    }

    @Override
    public Told<OutsideInventory> inventory() throws InterruptedException {
      return system.inventory();
    }

    @Override
    public boolean hasAccounting() {
      return system.hasAccounting();
    }

    @Override
    public boolean recordsUsage() {
      return system.recordsUsage();
    }
  }
}
