package io.millrace.server.core.cluster;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.SchedulerFolders;
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
  /** Name of the continued work; its cursor is "server name;managers;home". */
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
    String[] given = cursor.split(";", 3);
    String home = given.length > 2 ? given[2] : "";
    if (changing[0] || begun && isAtHome(c, home)) {
      return Decision.none();
    }
    long number = begun ? c.numbers().getLastChange() + 1 : 1;
    OpenChange change = Changes.record(c, number, c.meta(), what());
    change.setObjects(begun ? List.of(moved(c, home, number)) : objects(given[0], given[1], home));
    Decision decision = Decision.none();
    Changes.openPrepared(c, change, decision);
    return decision;
  }

  /** Whether the server's object names this home, below which its schedulers' folders are. */
  private static boolean isAtHome(Context c, String home) {
    ClusterObject server = c.view().objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
    return Context.attribute(server, SchedulerFolders.HOME, "").equals(home);
  }

  private static ClusterObject moved(Context c, String home, long number) {
    ClusterObject server = c.view().objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
    List<Attribute> attributes = new ArrayList<>(server.getAttributes());
    attributes.removeIf(it -> it.getName().equals(SchedulerFolders.HOME));
    if (!home.isEmpty()) {
      attributes.add(new Attribute(SchedulerFolders.HOME, home));
    }
    return new ClusterObject(
        ObjectKind.SERVER, Keys.SERVER, number, attributes, server.getCreated());
  }

  private static ObjectChange what() {
    return new ObjectChange("INITIALISE", ObjectKind.SERVER, Keys.SERVER, List.of());
  }

  private static List<ClusterObject> objects(String server, String managers, String home) {
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
            "600",
            SchedulerFolders.HOME,
            home));
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
