package io.millrace.server.gateway.admin;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeAccess;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * {@code qmgr --complete LINE}, called by the client at a terminal: what the last word of an
 * unfinished directive may become, one a line. A word ends at a blank, a comma or an equals sign.
 */
final class QmgrCompletion {

  private static final String OPTION = "--complete";

  private static final List<String> OPERATIONS =
      List.of(
          "active", "create", "delete", "exit", "help", "history", "list", "print", "quit", "set",
          "unset");

  private static final List<String> OBJECTS =
      List.of("node", "queue", "resource", "sched", "server");

  private final Site site;
  private final List<String> words;
  private final String last;

  private QmgrCompletion(Site site, String line) {
    this.site = site;
    // The last word may be empty: what may stand there is asked then.
    this.words = List.of(line.stripLeading().split("\\s+", -1));
    String[] parts = line.split("[\\s,=]", -1);
    this.last = parts[parts.length - 1];
  }

  /** Whether the client asks for completions rather than for a directive to be carried out. */
  static boolean asked(Call call) {
    return call.args().size() == 2 && call.args().get(0).equals(OPTION);
  }

  /** Prints the possible words; returns the exit status 0. */
  static int answer(Call call) {
    new QmgrCompletion(call.site(), call.args().get(1))
        .candidates()
        .forEach(word -> call.out(word + "\n"));
    return 0;
  }

  private List<String> candidates() {
    if (words.size() == 1) {
      return beginning(OPERATIONS.stream());
    }
    String operation = words.get(0).toLowerCase(Locale.ROOT);
    if ("help".startsWith(operation) || "?".equals(operation)) {
      return List.of();
    }
    if (words.size() == 2) {
      return beginning(OBJECTS.stream().filter(o -> !(active(operation) && o.equals("resource"))));
    }
    ObjectKind kind = QmgrWords.kind(words.get(1).split("@", 2)[0]).orElse(null);
    if (kind == null) {
      return List.of();
    }
    if (words.size() > 3 || kind == ObjectKind.SERVER) {
      return active(operation) ? List.of() : attributes(operation, kind);
    }
    List<String> names =
        "create".startsWith(operation)
            ? List.of()
            : beginning(site.cluster().all(kind).stream().map(ClusterObject::getName));
    // Without a name the active objects are meant, or the default scheduler.
    boolean named = !names.isEmpty() || active(operation);
    return named ? names : attributes(operation, kind);
  }

  private static boolean active(String operation) {
    return "active".startsWith(operation);
  }

  private List<String> beginning(Stream<String> all) {
    return all.filter(word -> word.startsWith(last)).distinct().sorted().toList();
  }

  /** Attributes where one may stand, and True and False for boolean ones. */
  private List<String> attributes(String operation, ObjectKind kind) {
    String line = String.join(" ", words);
    String attribute = line.substring(line.lastIndexOf(',') + 1);
    int operator = attribute.indexOf('=');
    boolean shown = "list".startsWith(operation) || "print".startsWith(operation);
    if (operator >= 0) {
      return shown ? List.of() : values(kind, attribute.substring(0, operator));
    }
    List<String> found = new ArrayList<>();
    for (AttributeDefinition each : AttributeTable.of(kind)) {
      if (!shown && each.access() == AttributeAccess.READ_ONLY) {
        continue;
      }
      if (!each.perResource()) {
        found.add(each.name());
      } else if (last.startsWith(each.name() + ".")) {
        site.resources().definitions().stream()
            .map(ResourceDefinition::name)
            .forEach(resource -> found.add(each.name() + "." + resource));
      } else {
        found.add(each.name() + ".");
      }
    }
    return beginning(found.stream());
  }

  private List<String> values(ObjectKind kind, String before) {
    String[] parts = before.strip().split("\\s+");
    String name = parts[parts.length - 1].replaceAll("[+-]$", "");
    boolean yesOrNo =
        AttributeTable.find(kind, name).filter(a -> a.type() == AttributeType.BOOLEAN).isPresent();
    return yesOrNo ? beginning(Stream.of("False", "True")) : List.of();
  }
}
