package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeTable;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.BookedNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What records of reservations say of nodes, as the scheduler's state has it. */
final class BookedTakes {

  private final NodeTable nodes;
  private final ResourceNames names;

  BookedTakes(NodeTable nodes, ResourceNames names) {
    this.nodes = nodes;
    this.names = names;
  }

  /**
   * What is booked; each node once, with the chunks that lie on it.
   *
   * @param shares where the chunks lie; a node may have several
   */
  List<NodeAllocation> of(List<NodeShare> shares, List<BookedNode> booked) {
    int[] chunks = chunks(shares, booked);
    List<NodeAllocation> takes = new ArrayList<>(chunks.length);
    // Mostly the next node has the very amounts of the one before: records share them.
    Map<String, Long> last = Map.of();
    long[] amounts = names.kept(last);
    for (BookedNode one : booked) {
      amounts = one.getAmounts() == last ? amounts : names.kept(one.getAmounts());
      last = one.getAmounts();
      takes.add(nodes.named(one.getNode()).taken(chunks[takes.size()], amounts));
    }
    return List.copyOf(takes);
  }

  /** Mostly the shares are one for each of the nodes, in the same order. */
  private static int[] chunks(List<NodeShare> shares, List<BookedNode> booked) {
    int[] chunks = new int[booked.size()];
    boolean alike = shares.size() == chunks.length;
    for (int i = 0; alike && i < chunks.length; i++) {
      chunks[i] = shares.get(i).getChunks();
      alike = shares.get(i).getNode().equals(booked.get(i).getNode());
    }
    if (!alike) {
      Map<String, Integer> byNode = new HashMap<>();
      shares.forEach(it -> byNode.merge(it.getNode(), it.getChunks(), Integer::sum));
      Arrays.setAll(chunks, i -> byNode.getOrDefault(booked.get(i).getNode(), 0));
    }
    return chunks;
  }
}
