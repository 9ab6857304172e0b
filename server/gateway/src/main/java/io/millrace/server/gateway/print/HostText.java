package io.millrace.server.gateway.print;

import io.millrace.schemas.pbs.attributes.NodeSharing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A host's attributes from those of its nodes, as PBS's pbs_stathost makes them: what differs is
 * {@code <various>}, jobs are strung together, amounts are added up, sizes in kb.
 */
public final class HostText {
  private static final String VARIOUS = "<various>";
  private static final String AVAILABLE = "resources_available";
  private static final String ASSIGNED = "resources_assigned";
  private static final String JOBS = "jobs";

  /** A host does not show what only a node has, such as its partition. */
  private static final List<String> SHOWN =
      List.of(
          "Mom",
          "ntype",
          "state",
          "Priority",
          JOBS,
          "queue",
          "comment",
          NodeSharing.ATTRIBUTE,
          "last_state_change_time",
          "last_used_time");

  private HostText() {}

  /** The sum of one resource over the nodes. */
  private static final class ResourceSum {
    private boolean consumable;
    private boolean size;
    private long available;
    private long assigned;
    private String text;
  }

  /** The attributes of a host with these nodes; of one node all that it has. */
  public static List<ShownAttribute> of(List<List<ShownAttribute>> nodes) {
    if (nodes.size() == 1) {
      return nodes.get(0);
    }
    List<ShownAttribute> host = new ArrayList<>();
    for (String name : SHOWN) {
      Set<String> values = new LinkedHashSet<>();
      for (List<ShownAttribute> node : nodes) {
        node.stream().filter(it -> it.name().equals(name)).forEach(it -> values.add(it.value()));
      }
      if (!values.isEmpty()) {
        String one = values.size() == 1 ? values.iterator().next() : VARIOUS;
        host.add(ShownAttribute.of(name, name.equals(JOBS) ? String.join(", ", values) : one));
      }
    }
    Map<String, ResourceSum> sums = sums(nodes);
    sums.forEach((name, sum) -> host.add(new ShownAttribute(AVAILABLE, name, available(sum))));
    sums.forEach(
        (name, sum) -> {
          if (sum.consumable) {
            host.add(new ShownAttribute(ASSIGNED, name, sum.assigned + (sum.size ? "kb" : "")));
          }
        });
    return host;
  }

  private static String available(ResourceSum sum) {
    return sum.consumable ? sum.available + (sum.size ? "kb" : "") : sum.text;
  }

  private static Map<String, ResourceSum> sums(List<List<ShownAttribute>> nodes) {
    Map<String, ResourceSum> sums = new LinkedHashMap<>();
    for (List<ShownAttribute> node : nodes) {
      for (ShownAttribute shown : node) {
        if (shown.name().equals(AVAILABLE) || shown.name().equals(ASSIGNED)) {
          ResourceSum sum = sums.computeIfAbsent(shown.part(), it -> new ResourceSum());
          sum.consumable |= shown.name().equals(ASSIGNED);
          sum.size |= SizeText.is(shown.value());
        }
      }
    }
    for (List<ShownAttribute> node : nodes) {
      node.forEach(shown -> add(shown, sums.get(shown.part())));
    }
    return sums;
  }

  private static void add(ShownAttribute shown, ResourceSum sum) {
    boolean available = shown.name().equals(AVAILABLE);
    if (!available && !shown.name().equals(ASSIGNED)) {
      return;
    }
    if (!sum.consumable) {
      boolean other = sum.text != null && !sum.text.equals(shown.value());
      sum.text = other ? VARIOUS : shown.value();
      return;
    }
    long amount = sum.size ? SizeText.kilobytes(shown.value()) : SizeText.leading(shown.value());
    if (available) {
      sum.available += amount;
    } else {
      sum.assigned += amount;
    }
  }
}
