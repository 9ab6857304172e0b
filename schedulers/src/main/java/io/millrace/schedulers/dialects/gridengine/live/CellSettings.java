package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.util.Set;

/**
 * What the scheduler object and the server say of a cell: whether it is one, which partitions are
 * its own, its configuration, and whether anything may be started.
 */
final class CellSettings {

  private static final String POLICY = "gridengine";

  private final CellConfiguration configuration = new CellConfiguration();
  private Set<String> partitions = Set.of();
  private boolean chosen;
  private boolean scheduling;

  /** True while the server is being shut down. */
  private boolean ends;

  boolean chosen() {
    return chosen;
  }

  boolean scheduling() {
    return scheduling && !ends;
  }

  Set<String> partitions() {
    return partitions;
  }

  CellConfiguration configuration() {
    return configuration;
  }

  /** Takes over what the scheduler object says, but for its configuration. */
  void scheduler(ClusterObject object) {
    chosen =
        ObjectAttributes.text(object, "policy", "").equals(POLICY)
            && !ObjectAttributes.text(object, "strict_ordering", "False").equalsIgnoreCase("true");
    scheduling = SchedulerSettings.starts(object);
    partitions = SchedulerSettings.partitionsOf(object);
  }

  /** Takes over the scheduler object's configuration; returns whether it is another one. */
  boolean reconfigured(ClusterObject object) {
    return configuration.replace(
        ObjectAttributes.text(object, AttributeTable.GRID_ENGINE_CONFIGURATION, ""));
  }

  /** Takes over what the server's object says; returns whether that changes anything. */
  boolean server(ClusterObject object) {
    boolean before = ends;
    ends = SchedulerSettings.ends(object);
    return ends != before;
  }

  void schedulerDeleted() {
    chosen = false;
  }
}
