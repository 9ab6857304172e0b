package io.millrace.server.gateway.admin;

import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeAccess;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.print.ShownAttribute;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.status.Inventory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** What "list" and "print" of qmgr show of objects. One for each directive. */
final class QmgrPrinter {

  /** Attributes that the default scheduler always has and that may not be set on others. */
  private static final Set<String> FIXED_BY_DEFAULT = Set.of("partition", "sched_host");

  /** Characters with a meaning outside quotes. */
  private static final String MEANING = ",;#\"'\\";

  private final Call call;
  private final QmgrDirective directive;
  private final Inventory inventory;
  private final StringBuilder out = new StringBuilder();

  /**
   * @param directive its attributes are shown; all where it names none
   */
  QmgrPrinter(Call call, QmgrDirective directive, Inventory inventory) {
    this.call = call;
    this.directive = directive;
    this.inventory = inventory;
  }

  /** The objects with the values of their attributes, as they are now. */
  String list(List<ClusterObject> objects) throws QueryException, InterruptedException {
    for (ClusterObject object : objects) {
      list(object);
    }
    return out.toString();
  }

  /** Directives that make the objects again. */
  String print(List<ClusterObject> objects) throws QueryException, InterruptedException {
    printAll(objects);
    return out.toString();
  }

  private void list(ClusterObject object) throws QueryException, InterruptedException {
    String title =
        switch (object.getKind()) {
          case SERVER -> "Server " + call.site().server();
          case QUEUE -> "Queue " + object.getName();
          case NODE -> "Node " + object.getName();
          case SCHEDULER -> "Sched " + object.getName();
          default -> "Resource " + object.getName();
        };
    out.append(title).append('\n');
    for (ShownAttribute attribute : chosen(inventory.attributes(object, null))) {
      out.append("    ").append(attribute.fullName()).append(" = ");
      out.append(attribute.value()).append('\n');
    }
    out.append('\n');
  }

  /** The attributes that were asked for, the last one first, as PBS does; else all. */
  private List<ShownAttribute> chosen(List<ShownAttribute> attributes) {
    if (directive.changes().isEmpty()) {
      return attributes;
    }
    List<AttributeChange> wanted = new ArrayList<>(directive.changes());
    Collections.reverse(wanted);
    List<ShownAttribute> chosen = new ArrayList<>();
    for (AttributeChange name : wanted) {
      for (ShownAttribute attribute : attributes) {
        if (attribute.fullName().equalsIgnoreCase(name.getName())
            || attribute.name().equalsIgnoreCase(name.getName())) {
          chosen.add(attribute);
        }
      }
    }
    return chosen;
  }

  private void printAll(List<ClusterObject> objects) throws QueryException, InterruptedException {
    ObjectKind kind = directive.kind();
    if (kind == ObjectKind.SERVER) {
      if (directive.changes().isEmpty()) {
        printCreated(inventory.all(ObjectKind.RESOURCE));
        printCreated(inventory.all(ObjectKind.QUEUE));
      }
      out.append("#\n# Set server attributes.\n#\n");
      for (ClusterObject server : objects) {
        settings("set server", chosen(inventory.attributes(server, null)), server);
      }
      return;
    }
    printCreated(objects);
  }

  private void printCreated(List<ClusterObject> objects)
      throws QueryException, InterruptedException {
    if (objects.isEmpty()) {
      return;
    }
    String word = word(objects.get(0).getKind());
    switch (objects.get(0).getKind()) {
      case QUEUE -> out.append("#\n# Create queues and set their attributes.\n#\n");
      case NODE -> out.append("#\n# Create nodes and set their properties.\n#\n");
      case RESOURCE -> out.append("#\n# Create resources and set their properties.\n#\n");
      default -> {}
    }
    for (ClusterObject object : objects) {
      String name = object.getName();
      String full = word.equals("sched") ? "scheduler" : word;
      out.append("#\n# Create and define ").append(full).append(' ').append(name).append("\n#\n");
      out.append("create ").append(word).append(' ').append(name);
      List<ShownAttribute> attributes = inventory.attributes(object, null);
      if (object.getKind() == ObjectKind.NODE) {
        attributes.stream()
            .filter(a -> a.name().equals("Mom") && !a.value().equals(name))
            .forEach(a -> out.append(" Mom=").append(a.value()));
      }
      out.append('\n');
      boolean onlySome = directive.kind() == object.getKind();
      List<ShownAttribute> shown = onlySome ? chosen(attributes) : attributes;
      settings("set " + word + " " + name, shown, object);
    }
  }

  private static String word(ObjectKind kind) {
    return switch (kind) {
      case QUEUE -> "queue";
      case NODE -> "node";
      case SCHEDULER -> "sched";
      case RESOURCE -> "resource";
      default -> "server";
    };
  }

  /** Lines that set again what is set: only attributes that may be set, lists word by word. */
  private void settings(String head, List<ShownAttribute> attributes, ClusterObject object) {
    boolean defaultScheduler =
        object.getKind() == ObjectKind.SCHEDULER && object.getName().equals("default");
    for (ShownAttribute attribute : attributes) {
      AttributeDefinition definition =
          AttributeTable.find(object.getKind(), attribute.fullName()).orElseThrow();
      boolean fixed =
          definition.access() == AttributeAccess.READ_ONLY
              || attribute.name().equals("Mom")
              // For nodes PBS prints only what was set.
              || (object.getKind() == ObjectKind.NODE
                  && attribute.value().equals(definition.defaultValue()))
              // Reading it back must not stop scheduling.
              || attribute.name().equals(AttributeTable.TERMINATING)
              || (defaultScheduler && FIXED_BY_DEFAULT.contains(attribute.name()))
              || (!attribute.value().isEmpty() && settable(attribute).isEmpty());
      if (fixed) {
        continue;
      }
      String line = head + " " + attribute.fullName();
      boolean loaded =
          attribute.name().equals(AttributeTable.GRID_ENGINE_CONFIGURATION)
              || attribute.name().equals(AttributeTable.SCHED_CONFIG)
              || attribute.name().equals(AttributeTable.POLICY_FOLDER)
              || attribute.name().equals(AttributeTable.POLICY_PROBLEM)
              || attribute.name().startsWith(AttributeTable.RESERVABLE)
              || attribute.value().equals(AttributeTable.SCHED_CONFIG)
              || attribute.name().equals(AttributeTable.ORIGIN2000)
              || attribute.value().equals(AttributeTable.ORIGIN2000);
      if (loaded) {
        out.append("# ").append(line).append(" = ").append(attribute.value()).append('\n');
        continue;
      }
      boolean words =
          definition.type() == AttributeType.LIST
              || definition.type() == AttributeType.LIMITS
              || definition.type() == AttributeType.RESOURCE_LIMITS;
      if (words && !attribute.name().equals("partition")) {
        String operator = " = ";
        // No comma is inside a word, nor inside the brackets of a limit.
        for (String word : attribute.value().split(",")) {
          out.append(line).append(operator).append(word).append('\n');
          operator = " += ";
        }
      } else {
        out.append(line).append(" = ").append(quoted(settable(attribute))).append('\n');
      }
    }
  }

  /** The part of a value that can be set on a new object; empty when there is none. */
  private static String settable(ShownAttribute attribute) {
    return attribute.name().equals("state") ? settable(attribute.value()) : attribute.value();
  }

  /** The part of a node's state that an administrator can set; empty when there is none. */
  private static String settable(String state) {
    if (List.of(state.split(",")).contains("offline")) {
      return "offline";
    }
    return state.equals("free") ? state : "";
  }

  private static String quoted(String value) {
    boolean plain =
        value.chars().noneMatch(c -> MEANING.indexOf(c) >= 0 || Character.isWhitespace(c));
    if (plain) {
      return value;
    }
    return value.indexOf('"') < 0 ? '"' + value + '"' : '\'' + value + '\'';
  }
}
