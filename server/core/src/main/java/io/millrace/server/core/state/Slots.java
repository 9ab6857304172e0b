package io.millrace.server.core.state;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Node;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers behind hosts in exec_host, as in {@code n0/3*2}: everything that holds something of
 * the same host at the same time, suspended runs included, has another number. They only help
 * people to tell jobs apart.
 */
public final class Slots {
  private static final int SLOT_MAX = 100_000;

  private final Map<String, BitSet> byHost = new HashMap<>();

  /**
   * The lowest number that is free on a host, also of those that this allocation has taken.
   *
   * @param nodes all of the host that this shard knows
   */
  public int take(String host, List<Node> nodes) {
    BitSet used = byHost.computeIfAbsent(host, name -> used(nodes));
    int slot = used.nextClearBit(0);
    used.set(slot);
    return slot;
  }

  private static BitSet used(List<Node> nodes) {
    BitSet used = new BitSet();
    for (Node node : nodes) {
      node.getHoldings().forEach(holding -> used.set(holding.getSlot()));
      node.getSuspended().forEach(holding -> used.set(holding.getSlot()));
    }
    return used;
  }

  /** The number of each share of an allocation; 0 where exec_host has none. */
  static List<Integer> of(Allocation allocation) {
    String[] entries = allocation.getExecHost().split("\\+");
    List<NodeShare> shares = allocation.getShares();
    List<Integer> slots = new ArrayList<>(shares.size());
    for (int i = 0; i < shares.size(); i++) {
      slots.add(i < entries.length ? number(entries[i]) : 0);
    }
    return slots;
  }

  private static int number(String entry) {
    int slash = entry.lastIndexOf('/');
    int number = 0;
    for (int i = slash + 1; slash >= 0 && i < entry.length() && number < SLOT_MAX; i++) {
      char digit = entry.charAt(i);
      if (digit < '0' || digit > '9') {
        break;
      }
      number = 10 * number + digit - '0';
    }
    return number;
  }
}
