package io.millrace.server.gateway.admin;

import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.operand.JobIds;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads one directive of qmgr: {@code operation object [name[,name...]] [attribute OP value,...]}.
 * Errors have qmgr's words and statuses: 1 operation, 2 object, 3 name, 4 attribute.
 */
final class QmgrSyntax {

  private static final String NO_HOOKS =
      "There are no hooks: what jobs may ask for is limited by attributes, scripts before and after"
          + " jobs are the prologue and the epilogue, and programs follow the topics of events.\n";

  private final String line;
  private final String server;
  private final List<String> servers = new ArrayList<>();
  private int at;

  private QmgrSyntax(String line, String server) {
    this.line = line;
    this.server = server;
  }

  /** Reads a directive; null for an empty line. */
  static QmgrDirective parse(String line, String server) throws Failure {
    return new QmgrSyntax(line, server).directive();
  }

  private QmgrDirective directive() throws Failure {
    String word = word();
    if (word.isEmpty() || word.startsWith("#")) {
      return null;
    }
    QmgrOperation operation = QmgrWords.operation(word).orElse(null);
    if (operation == null) {
      throw illegal(word, "Try 'help' if you are having trouble.\n");
    }
    if (operation == QmgrOperation.QUIT || operation == QmgrOperation.HELP) {
      return new QmgrDirective(operation, null, List.of(), false, List.of(), List.of());
    }
    String object = word();
    if (object.isEmpty()) {
      throw new Failure("qmgr: No object type given\n", 2);
    }
    int suffix = object.indexOf('@');
    String type = suffix < 0 ? object : object.substring(0, suffix);
    if (operation == QmgrOperation.OF_HOOKS && QmgrWords.hooks(type)) {
      throw illegal(word, NO_HOOKS);
    }
    ObjectKind kind = QmgrWords.kind(type).orElse(null);
    if (kind == null) {
      String hint = QmgrWords.hooks(type) ? NO_HOOKS : "";
      throw new Failure("qmgr: Illegal object type: " + object + ".\n" + hint, 2);
    }
    if (operation == QmgrOperation.OF_HOOKS) {
      // PBS's message for a missing word points behind the end of the line.
      throw syntax(line.length() + 1, 4);
    }
    List<String> names = new ArrayList<>();
    boolean atServer = suffix >= 0 || names(operation, kind, names);
    skipBlanks();
    if (operation == QmgrOperation.ACTIVE && at < line.length()) {
      throw syntax(at, 4);
    }
    if (suffix >= 0) {
      servers.add(object.substring(suffix + 1));
    }
    return new QmgrDirective(operation, kind, names, atServer, attributes(operation), servers);
  }

  /** Reads the names if the next word is one; tells whether it was "@server" alone. */
  private boolean names(QmgrOperation operation, ObjectKind kind, List<String> names)
      throws Failure {
    skipBlanks();
    int start = at;
    String word = name();
    if (word.isEmpty() || isAttribute(operation, kind, word)) {
      at = start;
      return false;
    }
    if (word.startsWith("@")) {
      atServer(word.substring(1), start);
      return true;
    }
    if (kind == ObjectKind.SERVER
        && operation != QmgrOperation.ACTIVE
        && !JobIds.names(word, server)) {
      servers.add(word); // what follows are attributes
      return false;
    }
    int position = start;
    for (String item : word.split(",", -1)) {
      int suffix = serverSuffix(kind, item);
      String name = suffix < 0 ? item : item.substring(0, suffix);
      if (!legalName(kind, name)) {
        throw syntax(position, 3);
      }
      if (suffix >= 0) {
        atServer(item.substring(suffix + 1), position);
      }
      names.add(name);
      position += item.length() + 1;
    }
    return false;
  }

  /**
   * Where "@server" begins, or -1. A node of an outside cluster is HOST@CLUSTER; so behind a node's
   * name only this server's own name is a server.
   */
  private int serverSuffix(ObjectKind kind, String item) {
    int suffix = item.indexOf('@');
    return suffix >= 0
            && kind == ObjectKind.NODE
            && HostKey.isMember(item)
            && !JobIds.names(item.substring(suffix + 1), server)
        ? -1
        : suffix;
  }

  private void atServer(String name, int position) throws Failure {
    if (name.isEmpty()) {
      throw syntax(position, 3);
    }
    servers.add(name);
  }

  private static boolean legalName(ObjectKind kind, String name) {
    if (name.isEmpty()) {
      return false;
    }
    char first = name.charAt(0);
    return kind == ObjectKind.NODE ? first != '-' : Character.isLetter(first);
  }

  /**
   * "set sched scheduling=True": the word behind the object is an attribute, not a name, where any
   * object has an attribute of that name, as in PBS.
   */
  private static boolean isAttribute(QmgrOperation operation, ObjectKind kind, String word) {
    return switch (operation) {
      case SET, UNSET, LIST, PRINT ->
          kind != ObjectKind.RESOURCE && QmgrWords.attribute(word.split("[,.]", 2)[0]);
      default -> false;
    };
  }

  private boolean operatorAt(int position) {
    int i = position;
    while (i < line.length() && Character.isWhitespace(line.charAt(i))) {
      i++;
    }
    return operatorHere(i);
  }

  private boolean operatorHere(int i) {
    return i < line.length()
        && (line.charAt(i) == '='
            || ("+-".indexOf(line.charAt(i)) >= 0
                && i + 1 < line.length()
                && line.charAt(i + 1) == '='));
  }

  private List<AttributeChange> attributes(QmgrOperation operation) throws Failure {
    List<AttributeChange> changes = new ArrayList<>();
    int behindNames = at;
    skipBlanks();
    boolean valued = operation == QmgrOperation.SET || operation == QmgrOperation.CREATE;
    if (at >= line.length()
        && (operation == QmgrOperation.SET || operation == QmgrOperation.UNSET)) {
      throw syntax(line.length(), 4);
    }
    boolean more = at < line.length();
    while (more) {
      skipBlanks();
      int start = at;
      String name = attributeName();
      if (name.isEmpty()) {
        throw syntax(start == behindNames ? start + 1 : start, 4);
      }
      skipBlanks();
      if (operation == QmgrOperation.UNSET && operatorAt(at)) {
        operator();
        throw syntax(at, 4);
      }
      if (valued) {
        AttributeOperation how = operator();
        changes.add(new AttributeChange(name, value(name), how));
      } else {
        changes.add(new AttributeChange(name, "", AttributeOperation.ASSIGN));
      }
      skipBlanks();
      more = at < line.length();
      if (more && line.charAt(at) != ',') {
        throw syntax(at, 4);
      }
      at++;
    }
    return changes;
  }

  private AttributeOperation operator() throws Failure {
    if (!operatorAt(at)) {
      throw syntax(Math.min(at, line.length()), 4);
    }
    char first = line.charAt(at);
    at += first == '=' ? 1 : 2;
    return switch (first) {
      case '+' -> AttributeOperation.ADD;
      case '-' -> AttributeOperation.REMOVE;
      default -> AttributeOperation.ASSIGN;
    };
  }

  private String attributeName() {
    int start = at;
    while (at < line.length()) {
      char c = line.charAt(at);
      if (Character.isWhitespace(c) || c == ',' || c == '=' || operatorAt(at)) {
        break;
      }
      at++;
    }
    return line.substring(start, at);
  }

  private String value(String attribute) throws Failure {
    skipBlanks();
    if (at >= line.length()) {
      throw syntax(at, 4);
    }
    int begin = at;
    String value = value();
    int wrong = LimitForm.holdsFor(attribute) ? LimitForm.wrongAt(value) : -1;
    if (wrong >= 0) {
      throw syntax(begin + wrong, 4);
    }
    return value;
  }

  private String value() throws Failure {
    if (at < line.length() && (line.charAt(at) == '"' || line.charAt(at) == '\'')) {
      int end = line.indexOf(line.charAt(at), at + 1);
      if (end < 0) {
        throw syntax(at, 4);
      }
      String quoted = line.substring(at + 1, end);
      at = end + 1;
      return quoted;
    }
    int start = at;
    while (at < line.length() && line.charAt(at) != ',' && line.charAt(at) != ' ') {
      at++;
    }
    return line.substring(start, at);
  }

  /** The next word, which ends at a blank or at an operator. */
  private String name() {
    int start = at;
    while (at < line.length() && !Character.isWhitespace(line.charAt(at)) && !operatorHere(at)) {
      at++;
    }
    return line.substring(start, at);
  }

  private String word() {
    skipBlanks();
    int start = at;
    while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
      at++;
    }
    return line.substring(start, at);
  }

  private void skipBlanks() {
    while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
      at++;
    }
  }

  private static Failure illegal(String operation, String hint) {
    return new Failure("qmgr: Illegal operation: " + operation + "\n" + hint, 1);
  }

  private Failure syntax(int position, int status) {
    return new Failure("qmgr: Syntax error\n" + line + "\n" + " ".repeat(position) + "^\n", status);
  }
}
