package io.millrace.server.gateway.admin;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AbsentAttributes;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The words with which a directive begins, and where it ends. Of each word any beginning will do;
 * where it begins several, the first one of the list is meant, as in PBS.
 */
final class QmgrWords {

  private static final Map<String, QmgrOperation> OPERATIONS = new LinkedHashMap<>();
  private static final Map<String, ObjectKind> KINDS = new LinkedHashMap<>();

  static {
    OPERATIONS.put("create", QmgrOperation.CREATE);
    OPERATIONS.put("delete", QmgrOperation.DELETE);
    OPERATIONS.put("set", QmgrOperation.SET);
    OPERATIONS.put("unset", QmgrOperation.UNSET);
    OPERATIONS.put("list", QmgrOperation.LIST);
    OPERATIONS.put("print", QmgrOperation.PRINT);
    OPERATIONS.put("active", QmgrOperation.ACTIVE);
    OPERATIONS.put("import", QmgrOperation.OF_HOOKS);
    OPERATIONS.put("export", QmgrOperation.OF_HOOKS);
    OPERATIONS.put("help", QmgrOperation.HELP);
    OPERATIONS.put("?", QmgrOperation.HELP);
    OPERATIONS.put("quit", QmgrOperation.QUIT);
    OPERATIONS.put("exit", QmgrOperation.QUIT);
    KINDS.put("server", ObjectKind.SERVER);
    KINDS.put("queues", ObjectKind.QUEUE);
    KINDS.put("nodes", ObjectKind.NODE);
    KINDS.put("resource", ObjectKind.RESOURCE);
    KINDS.put("sched", ObjectKind.SCHEDULER);
  }

  private static final List<ObjectKind> ATTRIBUTED =
      List.of(ObjectKind.SERVER, ObjectKind.NODE, ObjectKind.QUEUE, ObjectKind.SCHEDULER);

  private QmgrWords() {}

  static Optional<QmgrOperation> operation(String word) {
    return begun(OPERATIONS, word);
  }

  /** The kind of objects that a word stands for. */
  static Optional<ObjectKind> kind(String word) {
    return begun(KINDS, word);
  }

  /** Whether PBS would take this for a hook. */
  static boolean hooks(String word) {
    return !word.isEmpty() && ("hook".startsWith(word) || "pbshook".startsWith(word));
  }

  /** Whether some object has an attribute of this name, here or in PBS. */
  static boolean attribute(String name) {
    return ATTRIBUTED.stream().anyMatch(kind -> attribute(kind, name));
  }

  /** Whether objects of this kind have an attribute of this name, here or in PBS. */
  static boolean attribute(ObjectKind kind, String name) {
    return AttributeTable.of(kind).stream().anyMatch(it -> it.name().equalsIgnoreCase(name))
        || AbsentAttributes.of(kind).keySet().stream().anyMatch(name::equalsIgnoreCase);
  }

  private static <T> Optional<T> begun(Map<String, T> words, String beginning) {
    if (beginning.isEmpty()) {
      return Optional.empty();
    }
    return words.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(beginning))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /**
   * The directives of a line of input: a semicolon ends one, and a # before which a blank or
   * nothing stands begins a remark, which goes on to the end of the line. Neither does so within
   * quotes.
   */
  static List<String> directives(String line) {
    List<String> all = new ArrayList<>();
    int start = 0;
    int at = 0;
    while (at < line.length()) {
      char c = line.charAt(at);
      if (c == '#' && (at == start || Character.isWhitespace(line.charAt(at - 1)))) {
        break;
      }
      if (c == ';') {
        all.add(line.substring(start, at));
        start = at + 1;
      } else if (c == '"' || c == '\'') {
        int end = line.indexOf(c, at + 1);
        at = end < 0 ? line.length() - 1 : end;
      }
      at++;
    }
    all.add(line.substring(start, at));
    return all.stream().map(String::strip).filter(it -> !it.isEmpty()).toList();
  }
}
