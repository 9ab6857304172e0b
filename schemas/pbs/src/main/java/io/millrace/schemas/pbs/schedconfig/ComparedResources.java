package io.millrace.schemas.pbs.schedconfig;

import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which resources are compared with what there is, by a sched_config. */
public final class ComparedResources {
  /** Nodes are always asked about these. */
  private static final Set<String> ALWAYS = Set.of("host", "vnode");

  private ComparedResources() {}

  /**
   * Whether a resource is compared: one that is listed, and any where nothing is listed. PBS asks
   * nodes about booleans whatever is listed.
   */
  public static boolean compares(List<String> listed, String resource, ResourceTable table) {
    return listed.isEmpty()
        || listed.contains(resource)
        || ALWAYS.contains(resource)
        || table.find(resource).filter(it -> it.kind() == ResourceKind.BOOLEAN).isPresent();
  }

  /** Names of the resources that are not compared. */
  public static Set<String> not(SchedConfig config, ResourceTable table) {
    List<String> listed = config.list(SchedConfigOptions.RESOURCES);
    Set<String> names = new HashSet<>();
    for (ResourceDefinition resource : table.definitions()) {
      if (!compares(listed, resource.name(), table)) {
        names.add(resource.name());
      }
    }
    return names;
  }
}
