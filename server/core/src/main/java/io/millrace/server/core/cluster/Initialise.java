package io.millrace.server.core.cluster;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.schemas.state.OpenChange;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;

/** The first objects of a cluster: what a fresh PBS has. */
public final class Initialise {
  /** Name of the continued work; its cursor is "server name;managers". */
  public static final String WORK = "initialise";

  private static final String QUEUE = "workq";

  private Initialise() {}

  static Decision go(Context c, String cursor) {
    boolean begun = c.view().objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER)) != null;
    boolean[] changing = {false};
    c.view()
        .changes()
        .scan(
            "",
            null,
            (key, change) -> {
              changing[0] = true;
              return false;
            });
    if (begun || changing[0]) {
      return Decision.none();
    }
    String server = cursor.substring(0, cursor.indexOf(';'));
    String managers = cursor.substring(cursor.indexOf(';') + 1);
    OpenChange change = Changes.record(c, 1, c.meta(), what());
    change.setObjects(objects(server, managers));
    Decision decision = Decision.none();
    Changes.openPrepared(c, change, decision);
    return decision;
  }

  private static ObjectChange what() {
    return new ObjectChange("INITIALISE", ObjectKind.SERVER, Keys.SERVER, List.of());
  }

  private static List<ClusterObject> objects(String server, String managers) {
    List<ClusterObject> objects = new ArrayList<>();
    objects.add(
        object(
            ObjectKind.SERVER,
            Keys.SERVER,
            "server_host",
            server,
            "scheduling",
            "True",
            "managers",
            managers,
            "default_queue",
            QUEUE,
            "scheduler_iteration",
            "600"));
    objects.add(
        object(
            ObjectKind.PARTITION,
            PartitionTable.DEFAULT_PARTITION,
            "scheduler",
            Draft.DEFAULT_SCHEDULER,
            "shard",
            "0"));
    objects.add(
        object(
            ObjectKind.SCHEDULER,
            Draft.DEFAULT_SCHEDULER,
            "sched_host",
            server,
            "scheduling",
            "True",
            "scheduler_iteration",
            "600",
            "shard",
            "0"));
    objects.add(
        object(
            ObjectKind.QUEUE,
            QUEUE,
            "queue_type",
            "Execution",
            "enabled",
            "True",
            "started",
            "True"));
    return objects;
  }

  private static ClusterObject object(ObjectKind kind, String name, String... pairs) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      if (!pairs[i + 1].isEmpty()) {
        attributes.add(new Attribute(pairs[i], pairs[i + 1]));
      }
    }
    return new ClusterObject(kind, name, 1L, attributes, 1L);
  }
}
