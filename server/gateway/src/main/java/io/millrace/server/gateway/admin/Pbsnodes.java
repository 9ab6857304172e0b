package io.millrace.server.gateway.admin;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.admin.NodeOptions.NodeFormat;
import io.millrace.server.gateway.admin.NodeOptions.Request;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Version;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.print.HostText;
import io.millrace.server.gateway.print.Json;
import io.millrace.server.gateway.print.Listing;
import io.millrace.server.gateway.print.NodeTables;
import io.millrace.server.gateway.print.ShownAttribute;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.status.Inventory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** pbsnodes: shows nodes and hosts, takes them out of use and back. */
final class Pbsnodes implements Command {

  /** Longest comment that pbsnodes sets, as in PBS. */
  private static final int COMMENT_MAX = 79;

  @Override
  public int unreachableStatus() {
    return 1;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(NodeOptions.SYNTAX);
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    NodeOptions options = NodeOptions.of(call);
    if (!JobIds.names(options.server(), call.site().server())) {
      String told = "pbsnodes: cannot connect to server " + options.server();
      String code = ", error=" + PbsError.HOST_REFUSED.code() + "\n";
      throw new Failure("Unknown Host.\n" + (options.quiet() ? "" : told + code), 1);
    }
    return switch (options.request()) {
      case OFFLINE -> mark(call, options, "offline");
      case RESET -> mark(call, options, "free");
      case COMMENT -> mark(call, options, null);
      case LIST_UNUSABLE -> listUnusable(call, options);
      case SHOW, SHOW_ALL, SHOW_NODES_OF_HOSTS -> show(call, options);
    };
  }

  /** What is shown of a node, or of all nodes of a host. */
  private static NodeTables.NodeRow row(
      String name, List<ClusterObject> nodes, Inventory inventory, Times times)
      throws QueryException, InterruptedException {
    List<List<ShownAttribute>> attributes = new ArrayList<>();
    int suspended = 0;
    for (ClusterObject node : nodes) {
      attributes.add(inventory.attributes(node, times));
      suspended += inventory.node(node).getSuspended().size();
    }
    return new NodeTables.NodeRow(name, HostText.of(attributes), suspended);
  }

  /** All nodes by the hosts that they are on, hosts in the order of their first nodes. */
  private static Map<String, List<ClusterObject>> hosts(Inventory inventory) {
    Map<String, List<ClusterObject>> hosts = new LinkedHashMap<>();
    for (ClusterObject node : inventory.all(ObjectKind.NODE)) {
      hosts.computeIfAbsent(host(node), it -> new ArrayList<>()).add(node);
    }
    return hosts;
  }

  private static String host(ClusterObject node) {
    return ClusterView.attribute(node, "Mom").orElse(node.getName());
  }

  private static List<NodeTables.NodeRow> all(Inventory inventory, boolean nodes, Times times)
      throws QueryException, InterruptedException {
    List<NodeTables.NodeRow> rows = new ArrayList<>();
    if (nodes) {
      for (ClusterObject node : inventory.all(ObjectKind.NODE)) {
        rows.add(row(node.getName(), List.of(node), inventory, times));
      }
    } else {
      for (Map.Entry<String, List<ClusterObject>> host : hosts(inventory).entrySet()) {
        rows.add(row(host.getKey(), host.getValue(), inventory, times));
      }
    }
    return rows;
  }

  private static int listUnusable(Call call, NodeOptions options)
      throws Failure, QueryException, InterruptedException {
    List<NodeTables.NodeRow> rows = all(new Inventory(call.site()), options.nodes(), null);
    refuseNone(call, options, rows.isEmpty());
    for (NodeTables.NodeRow row : rows) {
      String state = text(row, "state");
      if (state.contains("offline") || state.contains("down")) {
        String line = String.format("%-20s %s %s", row.name(), state, text(row, "comment"));
        call.out(line.stripTrailing() + "\n");
      }
    }
    return 0;
  }

  private static String text(NodeTables.NodeRow row, String name) {
    return row.attributes().stream()
        .filter(it -> it.part() == null && it.name().equals(name))
        .map(ShownAttribute::value)
        .findFirst()
        .orElse("");
  }

  private static void refuseNone(Call call, NodeOptions options, boolean none) throws Failure {
    if (none) {
      throw new Failure(options.quiet() ? "" : "pbsnodes: Server has no node list\n", 1);
    }
  }

  /** Sets state and comment of every node of each host. */
  private static int mark(Call call, NodeOptions options, String state)
      throws LinkException, InterruptedException {
    List<AttributeChange> changes = new ArrayList<>();
    if (state != null) {
      changes.add(new AttributeChange("state", state, AttributeOperation.ASSIGN));
    }
    if (options.comment() != null) {
      String comment = options.comment();
      String kept = comment.substring(0, Math.min(comment.length(), COMMENT_MAX));
      changes.add(new AttributeChange("comment", kept, AttributeOperation.ASSIGN));
    }
    int status = 0;
    for (String host : options.names()) {
      List<ClusterObject> nodes = onHost(call, host);
      String refusal = nodes.isEmpty() ? "Unknown node " : "";
      for (ClusterObject node : nodes) {
        String said = change(call, node, changes);
        refusal = refusal.isEmpty() ? said : refusal;
      }
      if (!refusal.isEmpty()) {
        err(call, options, "Error marking node " + host + " - " + refusal + "\n");
        status = 1;
      }
    }
    call.site().cluster().barrier();
    return status;
  }

  /** Why a node does not take the changes; empty when it does. */
  private static String change(Call call, ClusterObject node, List<AttributeChange> changes)
      throws LinkException, InterruptedException {
    Reply reply =
        call.send(
            Topics.ADMINISTRATIVE_SHARD,
            meta ->
                new ChangeObject(
                    meta, ChangeOperation.SET, ObjectKind.NODE, node.getName(), changes));
    return reply.getCode() == 0 ? "" : JobList.text(reply);
  }

  private static void err(Call call, NodeOptions options, String text) {
    if (!options.quiet()) {
      call.invocation().err(text);
    }
  }

  private static List<ClusterObject> onHost(Call call, String host)
      throws LinkException, InterruptedException {
    List<ClusterObject> nodes = known(call, host);
    if (nodes.isEmpty()) {
      call.site().cluster().barrier();
      nodes = known(call, host);
    }
    return nodes;
  }

  private static List<ClusterObject> known(Call call, String host) {
    return call.site().cluster().all(ObjectKind.NODE).stream()
        .filter(node -> host(node).equals(host))
        .toList();
  }

  private static int show(Call call, NodeOptions options)
      throws Failure, LinkException, QueryException, InterruptedException {
    Inventory inventory = new Inventory(call.site());
    boolean listed = options.format() == NodeFormat.LIST && !options.rows();
    Times times = listed ? new Times(call.zone()) : null;
    List<String> unknown = new ArrayList<>();
    List<NodeTables.NodeRow> rows =
        options.request() == Request.SHOW_ALL
            ? all(inventory, options.nodes(), times)
            : named(call, options, inventory, times, unknown);
    refuseNone(call, options, options.request() == Request.SHOW_ALL && rows.isEmpty());
    for (String name : List.copyOf(unknown)) {
      Optional<NodeTables.NodeRow> outside = OutsideNodes.row(call, name);
      if (outside.isPresent()) {
        rows.add(outside.get());
        unknown.remove(name);
      }
    }
    print(call, options, rows, unknown);
    if (options.format() == NodeFormat.JSON) {
      return 0;
    }
    unknown.forEach(name -> call.invocation().err("Node: " + name + ",  Error: Unknown node \n"));
    return unknown.isEmpty() ? 0 : 1;
  }

  private static List<NodeTables.NodeRow> named(
      Call call, NodeOptions options, Inventory inventory, Times times, List<String> unknown)
      throws LinkException, QueryException, InterruptedException {
    List<NodeTables.NodeRow> rows = new ArrayList<>();
    for (String name : options.names()) {
      if (options.nodes() && options.request() == Request.SHOW) {
        List<ClusterObject> node = call.site().find(ObjectKind.NODE, name).stream().toList();
        for (ClusterObject one : node) {
          rows.add(row(name, List.of(one), inventory, times));
        }
        unknown.addAll(node.isEmpty() ? List.of(name) : List.of());
        continue;
      }
      List<ClusterObject> nodes = onHost(call, name);
      unknown.addAll(nodes.isEmpty() ? List.of(name) : List.of());
      if (options.nodes()) {
        for (ClusterObject node : nodes) {
          rows.add(row(node.getName(), List.of(node), inventory, times));
        }
      } else if (!nodes.isEmpty()) {
        rows.add(row(name, nodes, inventory, times));
      }
    }
    return rows;
  }

  private static void print(
      Call call, NodeOptions options, List<NodeTables.NodeRow> rows, List<String> unknown) {
    StringBuilder out = new StringBuilder();
    NodeTables tables = new NodeTables(options.rowsOfJobs(), options.whole(), call.site().server());
    if (options.format() == NodeFormat.JSON) {
      Json json = new Json(out);
      long now = call.site().clock().millis() / 1000;
      json.head(now, Version.text(), call.site().server()).open("nodes");
      for (NodeTables.NodeRow row : rows) {
        if (options.rows()) {
          tables.json(json, row);
        } else {
          NodeTables.attributes(json, row.name(), row.attributes());
        }
      }
      unknown.forEach(name -> json.open(name).text(name, "Unknown node ").close());
      json.close().close();
    } else {
      boolean head = options.rows() && options.format() == NodeFormat.LIST && !rows.isEmpty();
      out.append(head ? tables.head() : "");
      rows.forEach(row -> out.append(line(options, tables, row)));
    }
    call.out(out.toString());
  }

  private static String line(NodeOptions options, NodeTables tables, NodeTables.NodeRow row) {
    if (options.rows()) {
      return options.format() == NodeFormat.DSV
          ? tables.separated(row, options.delimiter())
          : tables.row(row);
    }
    StringBuilder out = new StringBuilder();
    if (options.format() == NodeFormat.DSV) {
      String first = "Name=" + row.name();
      Listing.separated(out, first, options.delimiter(), row.attributes());
    } else {
      out.append(row.name()).append('\n');
      Listing.wide(out, "     ", row.attributes());
      out.append('\n');
    }
    return out.toString();
  }
}
