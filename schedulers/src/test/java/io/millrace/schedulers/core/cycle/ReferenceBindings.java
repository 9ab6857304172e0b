package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import java.util.List;

/** Finds the nodes for a queue by a look at all of them. */
final class ReferenceBindings {

  private ReferenceBindings() {}

  /** Checks that a job's granted or promised shares are on nodes for its queue. */
  static void check(SchedulerFixture world, long number, List<NodeShare> shares, String where) {
    if (world.standsStill(number)) {
      return; // it goes on where it is, whatever has become of its nodes
    }
    String queue = world.jobs.get(number).getSpec().getQueue();
    boolean own =
        world.objects.values().stream()
            .filter(it -> it.getKind() == ObjectKind.NODE)
            .anyMatch(it -> queueOf(it).equals(queue));
    for (NodeShare share : shares) {
      if (share.getChunks() > 0) {
        ClusterObject node = world.object(ObjectKind.NODE, share.getNode());
        assertEquals(own ? queue : "", queueOf(node), where + ": " + number + " on " + share);
      }
    }
  }

  private static String queueOf(ClusterObject node) {
    return ObjectAttributes.text(node, "queue", "");
  }
}
