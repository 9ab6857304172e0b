package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What each run and each proposal holds, by job number; keeps the nodes in step. */
final class HoldingBook {

  private final NodeTable nodes;
  private final ResourceNames names;
  private final Map<Long, Held> held = new HashMap<>();

  /** Told of a class that may fit since a node has more free. */
  private final Consumer<ClassState> woken;

  HoldingBook(NodeTable nodes, ResourceNames names, Consumer<ClassState> woken) {
    this.nodes = nodes;
    this.names = names;
    this.woken = woken;
  }

  /** A holding that the node's state lists; one that is known already changes nothing. */
  void listed(NodeState node, Holding holding) {
    Held known = held.get(holding.getNumber());
    if (known != null && known.takes().stream().anyMatch(it -> it.node() == node)) {
      return;
    }
    Sharing sharing = known == null ? Sharing.SHARED : known.sharing();
    Take take = new Take(node, holding.getChunks(), names.array(holding.getAmounts()));
    List<Take> takes = new ArrayList<>(known == null ? List.of() : known.takes());
    takes.add(take);
    held.put(holding.getNumber(), new Held(List.copyOf(takes), sharing));
    nodes.take(new Held(List.of(take), sharing));
  }

  /** How the job shares its nodes, which the nodes' own state does not tell. */
  void sharing(long number, Sharing sharing) {
    Held known = held.get(number);
    if (known != null && known.sharing() != sharing) {
      nodes.giveBack(known);
      hold(number, new Held(known.takes(), sharing));
    }
  }

  void hold(long number, Held now) {
    held.put(number, now);
    nodes.take(now);
  }

  /** The run was granted these shares; what the proposal held counts as part of them. */
  void granted(long number, List<NodeShare> shares, Sharing sharing) {
    List<Take> takes = new ArrayList<>();
    for (NodeShare share : shares) {
      NodeState node = nodes.get(share.getNode());
      if (node != null) {
        takes.add(new Take(node, share.getChunks(), names.array(share.getAmounts())));
      }
    }
    Held now = new Held(List.copyOf(takes), sharing);
    Held before = held.get(number);
    if (before == null || !before.sameTakes(now)) {
      release(number);
      hold(number, now);
    }
  }

  void release(long number) {
    Held before = held.remove(number);
    if (before == null) {
      return;
    }
    nodes.giveBack(before);
    for (Take take : before.takes()) {
      Pool pool = nodes.pool(take.node().partition);
      if (pool != null && take.node().usable) {
        pool.grown(take.node()).forEach(woken);
      }
    }
  }

  List<NodeShare> shares(Held of) {
    List<NodeShare> shares = new ArrayList<>();
    for (Take take : of.takes()) {
      Map<String, Long> amounts = new TreeMap<>();
      for (int resource = 0; resource < take.amounts().length; resource++) {
        if (take.amounts()[resource] != 0) {
          amounts.put(names.name(resource), take.amounts()[resource]);
        }
      }
      NodeState node = take.node();
      shares.add(new NodeShare(node.name, node.node.getHost(), take.chunks(), amounts));
    }
    return shares;
  }
}
