package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Node objects and the hosts they are on. */
public final class Nodes {
  private Nodes() {}

  /** Host of a node: its attribute Mom, else its name. */
  public static String host(ClusterObject node) {
    return Context.attribute(node, "Mom", node.getName());
  }

  public static List<ClusterObject> onHost(View view, String host) {
    List<ClusterObject> found = new ArrayList<>(1);
    each(
        view,
        ObjectKind.NODE,
        node -> {
          if (host(node).equals(host)) {
            found.add(node);
          }
        });
    return found;
  }

  /**
   * Name of the node to which the measured amounts of a host belong: the one with the host's name,
   * else the one that was made first; empty when the host has no node.
   *
   * @param nodes all of the host, in whatever shards
   */
  public static String ofWholeHost(List<ClusterObject> nodes, String host) {
    return nodes.stream()
        .min(
            Comparator.comparing((ClusterObject node) -> !node.getName().equals(host))
                .thenComparingLong(ClusterObject::getCreated)
                .thenComparing(ClusterObject::getName))
        .map(ClusterObject::getName)
        .orElse("");
  }

  /** Whether any node object satisfies the condition. */
  public static boolean any(View view, Predicate<ClusterObject> such) {
    return any(view, ObjectKind.NODE, such);
  }

  public static boolean any(View view, ObjectKind kind, Predicate<ClusterObject> such) {
    boolean[] found = {false};
    each(view, kind, object -> found[0] |= such.test(object));
    return found[0];
  }

  public static void each(View view, ObjectKind kind, Consumer<ClusterObject> each) {
    String prefix = kind.name() + "/";
    view.objects()
        .scan(
            prefix,
            prefix + Character.MAX_VALUE,
            (key, object) -> {
              each.accept(object);
              return true;
            });
  }

  /** A new node that no executor serves yet. */
  public static Node fresh(String name, String host) {
    return Node.newBuilder()
        .setName(name)
        .setHost(host)
        .setMeasured(Map.of())
        .setHoldings(List.of())
        .setSuspended(List.of())
        .build();
  }
}
