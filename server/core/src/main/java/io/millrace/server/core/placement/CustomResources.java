package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;

/** The resources that there are: PBS's own, and those that an administrator has made. */
public final class CustomResources {
  private CustomResources() {}

  /** PBS's own with those of the cluster. */
  public static ResourceTable with(View view) {
    List<ClusterObject> custom = new ArrayList<>();
    Nodes.each(view, ObjectKind.RESOURCE, custom::add);
    return custom.isEmpty() ? ResourceTable.standard() : ResourceTable.of(custom);
  }
}
