package io.millrace.server.gateway.command;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Node;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.print.Json;
import io.millrace.server.gateway.print.Listing;
import io.millrace.server.gateway.print.NodeTables;
import io.millrace.server.gateway.print.Shown;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** pbsnodes: shows nodes, takes them out of use and back. */
final class Pbsnodes implements Command {

  private static final String USAGE =
      """
      usage:\tpbsnodes [-{o|r}][-C comment][-s server] host host ...
      \tpbsnodes -l [-s server]
      \tpbsnodes [-s server] -v vnode vnode ...
      \tpbsnodes -a[v][S[j][L]][-F format][-D delim][-s server]
      \tpbsnodes -[H][S[j][L]][-F format][-D delim] host host ...
      \tpbsnodes --version

      """;

  private static final Map<Character, String> REFUSED =
      Map.of('j', "use -a", 'L', "columns have one width", 'd', "use -o", 'c', "use -r");

  @Override
  public int unreachableStatus() {
    return 1;
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    GetOpt options = call.options("arolvHSjLC:s:F:D:");
    String format = options.argument('F');
    boolean wrongFormat = format != null && !Set.of("json", "dsv").contains(format);
    boolean nothing = options.options().isEmpty() && options.operands().isEmpty();
    if (options.wrong() || wrongFormat || nothing) {
      throw new Failure(USAGE, 1);
    }
    for (GetOpt.Option option : options.options()) {
      String why = REFUSED.get(option.letter());
      if (why != null) {
        throw new Failure(call.refused("-" + option.letter(), why).text(), 1);
      }
    }
    if (!JobIds.names(options.argument('s'), call.site().server())) {
      throw Destinations.unknownHost(call, 1);
    }
    if (options.has('l')) {
      return listUnusable(call);
    }
    if (options.has('o') || options.has('r') || options.has('C')) {
      return mark(call, options);
    }
    return show(call, options);
  }

  private static int listUnusable(Call call) throws QueryException, InterruptedException {
    Inventory inventory = new Inventory(call.site());
    for (ClusterObject node : inventory.all(ObjectKind.NODE)) {
      String state = inventory.text().nodeState(node, inventory.node(node));
      if (state.contains("offline") || state.contains("down")) {
        String comment = ClusterView.attribute(node, "comment").orElse("");
        call.out(String.format("%-20s %s %s", node.getName(), state, comment).stripTrailing());
        call.out("\n");
      }
    }
    return 0;
  }

  /** -o offline, -r free again, -C comment: for every node of each host. */
  private static int mark(Call call, GetOpt options)
      throws Failure, LinkException, InterruptedException {
    if (options.operands().isEmpty() || (options.has('o') && options.has('r'))) {
      throw new Failure(USAGE, 1);
    }
    List<AttributeChange> changes = new ArrayList<>();
    if (options.has('o') || options.has('r')) {
      String state = options.has('o') ? "offline" : "free";
      changes.add(new AttributeChange("state", state, AttributeOperation.ASSIGN));
    }
    if (options.has('C')) {
      changes.add(new AttributeChange("comment", options.argument('C'), AttributeOperation.ASSIGN));
    }
    int status = 0;
    for (String host : options.operands()) {
      List<ClusterObject> nodes = ofHost(call, host);
      if (nodes.isEmpty()) {
        call.invocation().err("Error marking node " + host + " - Unknown node \n");
        status = 1;
      }
      for (ClusterObject node : nodes) {
        Reply reply =
            call.send(
                Topics.ADMINISTRATIVE_SHARD,
                meta ->
                    new ChangeObject(
                        meta, ChangeOperation.SET, ObjectKind.NODE, node.getName(), changes));
        if (reply.getCode() != 0) {
          String text = JobList.text(reply);
          call.invocation().err("Error marking node " + host + " - " + text + "\n");
          status = 1;
        }
      }
    }
    call.site().cluster().barrier();
    return status;
  }

  /** Nodes on a host, or the node of that name. */
  private static List<ClusterObject> ofHost(Call call, String host)
      throws LinkException, InterruptedException {
    List<ClusterObject> nodes = new ArrayList<>();
    for (ClusterObject node : call.site().cluster().all(ObjectKind.NODE)) {
      if (ClusterView.attribute(node, "Mom").orElse(node.getName()).equals(host)) {
        nodes.add(node);
      }
    }
    if (nodes.isEmpty()) {
      call.site().find(ObjectKind.NODE, host).ifPresent(nodes::add);
    }
    return nodes;
  }

  private static int show(Call call, GetOpt options)
      throws Failure, LinkException, QueryException, InterruptedException {
    int status = 0;
    Inventory inventory = new Inventory(call.site());
    List<ClusterObject> nodes = new ArrayList<>();
    if (options.has('a')) {
      nodes.addAll(inventory.all(ObjectKind.NODE));
    } else if (options.operands().isEmpty()) {
      throw new Failure(USAGE, 1);
    }
    for (String name : options.has('a') ? List.<String>of() : options.operands()) {
      List<ClusterObject> found =
          options.has('v')
              ? call.site().find(ObjectKind.NODE, name).stream().toList()
              : ofHost(call, name);
      nodes.addAll(found);
      if (found.isEmpty()) {
        call.invocation().err("Node: " + name + ",  Error: Unknown node \n");
        status = 1;
      }
    }
    print(call, options, nodes, inventory);
    return status;
  }

  private static void print(
      Call call, GetOpt options, List<ClusterObject> nodes, Inventory inventory)
      throws QueryException, InterruptedException {
    StringBuilder out = new StringBuilder();
    String format = options.argument('F');
    boolean asJson = "json".equals(format);
    Times times = format == null ? new Times(call.site().clock().getZone()) : null;
    Json json = new Json(out);
    if (asJson) {
      long now = call.site().clock().millis() / 1000;
      json.head(now, Version.text(), call.site().server()).open("nodes");
    }
    if (options.has('S') && !nodes.isEmpty()) {
      out.append(NodeTables.HEAD);
    }
    for (ClusterObject node : nodes) {
      Node run = inventory.node(node);
      List<Shown> attributes = inventory.attributes(node, times);
      if (options.has('S')) {
        out.append(NodeTables.row(node, run, inventory.text()));
      } else if (asJson) {
        json.object(node.getName(), attributes);
      } else if (format != null) {
        String delimiter = options.has('D') ? options.argument('D') : "|";
        Listing.separated(out, "Name=" + node.getName(), delimiter, attributes);
      } else {
        out.append(node.getName()).append('\n');
        Listing.wide(out, "     ", attributes);
        out.append('\n');
      }
    }
    if (asJson) {
      json.close().close();
    }
    call.out(out.toString());
  }
}
