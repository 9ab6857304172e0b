package io.millrace.server.core.run.grant;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.placement.ComparedAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Places chunks on nodes, each on the first node in order that has room beside the chunks before.
 */
final class ChunkFit {

  /**
   * A node that a job may use.
   *
   * @param object what is set of it
   * @param properties what chunks may ask it to show
   * @param free amounts that nobody holds
   */
  record CandidateNode(
      Node node, ClusterObject object, Map<String, String> properties, Map<String, Long> free) {

    boolean shows(Chunk chunk, ResourceTable resources, ComparedAmounts compared) {
      return chunk.getMatches().entrySet().stream()
          .filter(m -> compared.asks(m.getKey(), properties))
          .allMatch(m -> NodeAmounts.matches(properties, m.getKey(), m.getValue(), resources));
    }
  }

  private final ResourceTable resources;
  private final ComparedAmounts compared;
  private final PlaceRequest.Arrangement arrangement;
  private final Map<String, Map<String, Long>> given = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  ChunkFit(
      ResourceTable resources, ComparedAmounts compared, PlaceRequest.Arrangement arrangement) {
    this.resources = resources;
    this.compared = compared;
    this.arrangement = arrangement;
  }

  /**
   * A share for each chunk; null when one does not fit. A node without room for a chunk is not
   * tried again for equal chunks.
   */
  List<NodeShare> lay(List<Chunk> kinds, List<CandidateNode> nodes) {
    List<NodeShare> shares = new ArrayList<>();
    for (Chunk kind : kinds) {
      int left = kind.getCount();
      for (int i = 0; i < nodes.size() && left > 0; i++) {
        CandidateNode node = nodes.get(i);
        if (!node.shows(kind, resources, compared)) {
          continue;
        }
        while (left > 0 && take(node, kind)) {
          shares.add(share(node.node(), kind));
          left--;
        }
      }
      if (left > 0) {
        return null;
      }
    }
    return shares;
  }

  static NodeShare share(Node node, Chunk chunk) {
    return new NodeShare(node.getName(), node.getHost(), 1, chunk.getAmounts());
  }

  private boolean take(CandidateNode candidate, Chunk chunk) {
    Node node = candidate.node();
    String place =
        switch (arrangement) {
          case SCATTER -> node.getHost();
          case VSCATTER -> node.getName();
          case FREE, PACK -> "";
        };
    if (used.contains(place)) {
      return false;
    }
    Map<String, Long> before = given.getOrDefault(node.getName(), Map.of());
    Map<String, Long> after = new HashMap<>(before);
    NodeAmounts.add(after, chunk.getAmounts());
    if (!NodeAmounts.fits(candidate.free(), compared.of(after, node, candidate.object()))) {
      return false;
    }
    given.put(node.getName(), after);
    if (!place.isEmpty()) {
      used.add(place);
    }
    return true;
  }
}
