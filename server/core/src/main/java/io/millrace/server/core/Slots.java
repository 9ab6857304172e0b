package io.millrace.server.core;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers behind hosts in exec_host, as in {@code n0/3*2}: what else holds something of the
 * same node meanwhile, suspended runs too, has other numbers. They are for people to tell jobs
 * apart and mean nothing else.
 */
public final class Slots {
  private static final int SLOT_MAX = 100_000;

  private final Map<String, BitSet> byHost = new HashMap<>();

  /** The lowest number that is free on a node, and on its host in the same allocation. */
  public int take(Node node) {
    BitSet taken = byHost.computeIfAbsent(node.getHost(), host -> new BitSet());
    BitSet used = (BitSet) taken.clone();
    node.getHoldings().forEach(holding -> used.set(holding.getSlot()));
    for (Holding holding : node.getSuspended()) {
      used.set(holding.getSlot());
    }
    int slot = used.nextClearBit(0);
    taken.set(slot);
    return slot;
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
