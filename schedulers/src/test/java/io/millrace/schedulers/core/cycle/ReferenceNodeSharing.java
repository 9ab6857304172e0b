package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.List;
import java.util.function.Function;

/** Checks the sharing of nodes the slow way: node by node. */
final class ReferenceNodeSharing {

  private final Function<String, NodeSharing> nodes;

  /**
   * @param nodes attribute sharing of the node of a name
   */
  ReferenceNodeSharing(Function<String, NodeSharing> nodes) {
    this.nodes = nodes;
  }

  /**
   * True when two jobs cannot be on their nodes together, because one of them has nodes or hosts
   * exclusively.
   */
  boolean excludes(Sharing one, List<NodeShare> its, Sharing other, List<NodeShare> others) {
    return keepsAway(one, its, others) || keepsAway(other, others, its);
  }

  private boolean keepsAway(Sharing asked, List<NodeShare> its, List<NodeShare> others) {
    for (NodeShare share : its) {
      Sharing here = asked.on(nodes.apply(share.getNode()));
      for (NodeShare other : others) {
        boolean met =
            switch (here) {
              case EXCLHOST, WHOLE -> share.getHost().equals(other.getHost());
              case EXCL -> share.getNode().equals(other.getNode());
              default -> false;
            };
        // A share without chunks only keeps its host free; the host is checked by its other shares.
        if (met && share.getChunks() > 0 && other.getChunks() > 0) {
          return true;
        }
      }
    }
    return false;
  }
}
