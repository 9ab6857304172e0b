package io.millrace.server.gateway.admin;

import io.millrace.schemas.output.ObservedNode;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.link.OutsidePicture;
import io.millrace.server.gateway.print.NodeTables;
import io.millrace.server.gateway.print.ShownAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Hosts of outside clusters that are observed, as pbsnodes shows them by their names. */
final class OutsideNodes {

  private OutsideNodes() {}

  /** The host that is called so; empty when no observed cluster has it. */
  static Optional<NodeTables.NodeRow> row(Call call, String name) throws InterruptedException {
    int at = name.lastIndexOf('@');
    if (at <= 0) {
      return Optional.empty();
    }
    Optional<OutsidePicture> picture = call.site().cluster().outside(name.substring(at + 1));
    return picture.stream()
        .flatMap(it -> it.nodes().stream())
        .filter(it -> it.getName().equals(name))
        .map(it -> new NodeTables.NodeRow(name, attributes(it), 0))
        .findFirst();
  }

  private static List<ShownAttribute> attributes(ObservedNode node) {
    List<ShownAttribute> all = new ArrayList<>();
    all.add(ShownAttribute.of("state", node.getState()));
    if (node.getMemBytes() >= 0) {
      String memory = (node.getMemBytes() >> 10) + "kb";
      all.add(new ShownAttribute("resources_available", "mem", memory));
    }
    if (node.getNcpus() >= 0) {
      String processors = Integer.toString(node.getNcpus());
      all.add(new ShownAttribute("resources_available", "ncpus", processors));
    }
    all.add(new ShownAttribute("resources_assigned", "ncpus", Long.toString(node.getHeld())));
    all.add(ShownAttribute.of("comment", node.getWord()));
    return all;
  }
}
