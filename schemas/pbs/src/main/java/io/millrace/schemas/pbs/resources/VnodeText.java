package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.NodeShare;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shares as exec_vnode and resv_nodes show them. */
public final class VnodeText {
  private VnodeText() {}

  /**
   * {@code (node:ncpus=2:mem=1gb)+(...)}.
   *
   * @param asked Resource_List of whoever has them, whose order of resources is kept
   * @param named whether somebody named the nodes: as in PBS there are no brackets then
   */
  public static String of(
      List<NodeShare> shares, List<Attribute> asked, ResourceTable resources, boolean named) {
    StringBuilder vnodes = new StringBuilder();
    Comparator<String> order = asAsked(asked);
    for (NodeShare share : shares) {
      vnodes.append(vnodes.length() == 0 ? "" : "+");
      vnodes.append(named ? "" : "(").append(share.getNode());
      TreeMap<String, Long> amounts = new TreeMap<>(order);
      amounts.putAll(share.getAmounts());
      for (Map.Entry<String, Long> amount : amounts.entrySet()) {
        resources
            .find(amount.getKey())
            .filter(r -> !NodeAmounts.withoutLimit(r.name()))
            .ifPresent(
                r ->
                    vnodes
                        .append(':')
                        .append(r.name())
                        .append('=')
                        .append(Amounts.formatAssigned(r, amount.getValue())));
      }
      vnodes.append(named ? "" : ")");
    }
    return vnodes.toString();
  }

  /** The order of resources: as the list names them, then ncpus, mem, and the rest by name. */
  private static Comparator<String> asAsked(List<Attribute> asked) {
    Map<String, Integer> places = new HashMap<>();
    for (Attribute attribute : asked) {
      if (attribute.getName().equals("select")) {
        for (String word : attribute.getValue().split("[+:]")) {
          int equals = word.indexOf('=');
          if (equals > 0) {
            places.putIfAbsent(word.substring(0, equals), places.size());
          }
        }
      }
    }
    for (String usual : List.of("ncpus", "mem")) {
      places.putIfAbsent(usual, places.size());
    }
    return Comparator.comparingInt((String name) -> places.getOrDefault(name, places.size()))
        .thenComparing(Comparator.naturalOrder());
  }
}
