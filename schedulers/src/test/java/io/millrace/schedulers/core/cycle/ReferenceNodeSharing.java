package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.List;
import java.util.function.Function;

/** Who may be on nodes together, the slow way: node by node. */
final class ReferenceNodeSharing {

  private final Function<String, NodeSharing> nodes;

  /**
   * @param nodes what a node of that name says
   */
  ReferenceNodeSharing(Function<String, NodeSharing> nodes) {
    this.nodes = nodes;
  }

  /** True when two cannot be where they are because one of them has nodes or hosts for itself. */
  boolean excludes(Sharing one, List<NodeShare> its, Sharing other, List<NodeShare> others) {
    return keepsAway(one, its, others) || keepsAway(other, others, its);
  }

  private boolean keepsAway(Sharing asked, List<NodeShare> its, List<NodeShare> others) {
    for (NodeShare share : its) {
      Sharing here = asked.on(nodes.apply(share.getNode()));
      for (NodeShare other : others) {
        boolean met =
            switch (here) {
              case EXCLHOST -> share.getHost().equals(other.getHost());
              case EXCL -> share.getNode().equals(other.getNode());
              default -> false;
            };
        // One without chunks is kept free for the sake of its host, which is looked at itself.
        if (met && share.getChunks() > 0 && other.getChunks() > 0) {
          return true;
        }
      }
    }
    return false;
  }
}
