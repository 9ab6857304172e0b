package io.millrace.server.gateway.command;

import io.millrace.schemas.Topics;
import io.millrace.schemas.attributes.AttributeAccess;
import io.millrace.schemas.attributes.AttributeDefinition;
import io.millrace.schemas.attributes.AttributeTable;
import io.millrace.schemas.attributes.AttributeType;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.print.Shown;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** qmgr: makes, changes, lists and prints the server, queues, nodes, schedulers and resources. */
final class Qmgr implements Command {

  private static final String USAGE =
      """
      Usage: qmgr [-a] [-c command] [-e] [-n] [-z] [server...]
             qmgr --version
      """;

  private static final String HELP =
      """
      General syntax: command [object][@server] [name attribute[.resource] OP value]
      Commands: active create delete set unset list print help quit.
      Objects: server queue node sched resource. Of each word any beginning will do.
      OP is =, += or -=. Several names are separated by commas, and several attributes too.
      active object names: the other commands mean these when they name none; active object shows them.
      Lines of input may hold several commands with ; between, and a remark behind #.
      At a terminal history shows what was typed, and !N does number N of it again.
      """;

  private static final String LETTERS = "ac:enz";

  /** What the default scheduler has without being told, and would be refused elsewhere. */
  private static final Set<String> FIXED_BY_DEFAULT = Set.of("partition", "sched_host");

  /** What is read as more than a letter of a value that is not in quotes. */
  private static final String MEANING = ",;#\"'\\";

  private static final int NO_CONNECTION = 3;
  private static final int ILLEGAL_VALUE = 15014;

  /** With -a: of what cannot be read, and of what is refused. */
  private static final int UNREADABLE = 1;

  private static final int ABORTED = 2;

  /** Of a directive that asks for nothing, as PBS has it. */
  private static final int HELPED = 255;

  @Override
  public int unreachableStatus() {
    return NO_CONNECTION;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(LETTERS, USAGE));
  }

  @Override
  public int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    if (QmgrCompletion.asked(call)) {
      return QmgrCompletion.answer(call);
    }
    GetOpt options = call.options(LETTERS);
    if (options.wrong()) {
      throw new Failure(USAGE, 1);
    }
    for (String server : options.operands()) {
      if (!JobIds.names(server, call.site().server())) {
        throw unknownServer(server, NO_CONNECTION);
      }
    }
    if (options.has('c')) {
      String directive = options.argument('c');
      call.out(options.has('e') ? directive + "\n" : "");
      return one(call, directive, new ActiveObjects(), options);
    }
    return many(call, options);
  }

  static Failure unknownServer(String server, int status) {
    return new Failure("Unknown Host.\nqmgr: cannot connect to server " + server + "\n", status);
  }

  /**
   * Directives from standard input; an error ends them only with -a.
   *
   * @return the status of the last one
   */
  private static int many(Call call, GetOpt options)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    boolean prompt = call.invocation().stdinIsTerminal();
    if (prompt) {
      call.invocation().streaming();
    }
    call.out("Max open servers: 49\n");
    TextLines lines = new TextLines(call.invocation().stdin());
    StringBuilder joined = new StringBuilder();
    ActiveObjects active = new ActiveObjects();
    int status = 0;
    while (true) {
      if (prompt) {
        call.out(joined.length() == 0 ? "Qmgr: " : "Qmgr< ");
      }
      String line = next(call, lines, joined.length());
      if (line == null && joined.length() == 0) {
        return status;
      }
      if (line == null) {
        // The last line ended with a backslash: what stands before it is still a directive.
        line = "";
      }
      if (line.stripLeading().startsWith("#")) {
        // A remark does not go on, and what goes on goes on behind it.
        continue;
      }
      if (line.endsWith("\\")) {
        joined.append(line, 0, line.length() - 1).append(' ');
        continue;
      }
      String directives = joined.append(line).toString();
      joined.setLength(0);
      for (String directive : QmgrWords.directives(directives)) {
        call.out(options.has('e') ? directive + "\n" : "");
        if (quits(directive)) {
          return 0;
        }
        status = one(call, directive, active, options);
        if (status != 0 && status != HELPED && options.has('a')) {
          return status;
        }
      }
    }
  }

  private static boolean quits(String directive) {
    String word = directive.split("\\s+", 2)[0];
    return QmgrWords.operation(word).filter(QmgrSyntax.Operation.QUIT::equals).isPresent();
  }

  private static String next(Call call, TextLines lines, int joined) throws Failure, IOException {
    if (joined > TextLines.LINE_BYTES_MAX) {
      throw call.failure("line " + lines.number() + " continues a directive that is too long", 1);
    }
    try {
      return lines.next();
    } catch (TextLines.WrongLine e) {
      throw call.failure(e.getMessage(), 1);
    }
  }

  private static int one(Call call, String line, ActiveObjects active, GetOpt options)
      throws LinkException, QueryException, InterruptedException {
    QmgrSyntax.Directive given;
    try {
      given = QmgrSyntax.parse(line, call.site().server());
    } catch (Failure failure) {
      int status = told(call, failure, options);
      return options.has('a') ? UNREADABLE : status;
    }
    if (given == null) {
      return HELPED;
    }
    if (options.has('n') && given.operation() != QmgrSyntax.Operation.HELP) {
      return 0;
    }
    int status = carryOut(call, given, active, options);
    boolean failed = status != 0 && status != HELPED;
    return failed && options.has('a') ? ABORTED : status;
  }

  private static int told(Call call, Failure failure, GetOpt options) {
    if (!options.has('z')) {
      call.invocation().err(failure.text());
    }
    return failure.status();
  }

  private static int carryOut(
      Call call, QmgrSyntax.Directive given, ActiveObjects active, GetOpt options)
      throws LinkException, QueryException, InterruptedException {
    try {
      for (String server : given.servers()) {
        if (!JobIds.names(server, call.site().server())) {
          throw unknownServer(server, 1);
        }
      }
      QmgrSyntax.Directive directive = active.named(given);
      return switch (directive.operation()) {
        case HELP -> {
          call.out(HELP);
          yield HELPED;
        }
        case QUIT, OF_HOOKS -> 0;
        case ACTIVE -> active.choose(call, directive);
        case LIST, PRINT -> show(call, directive, options.has('z'));
        case CREATE -> change(call, directive, ChangeOperation.CREATE, options);
        case DELETE -> change(call, directive, ChangeOperation.DELETE, options);
        case SET -> change(call, directive, ChangeOperation.SET, options);
        case UNSET -> change(call, directive, ChangeOperation.UNSET, options);
      };
    } catch (Failure failure) {
      return told(call, failure, options);
    }
  }

  private static int change(
      Call call, QmgrSyntax.Directive directive, ChangeOperation operation, GetOpt options)
      throws Failure, LinkException, InterruptedException {
    boolean quiet = options.has('z');
    boolean everyOne =
        directive.atServer()
            && directive.names().isEmpty()
            && operation != ChangeOperation.CREATE
            && directive.kind() != ObjectKind.SERVER;
    List<String> names = everyOne ? all(call, directive) : directive.names();
    boolean mayBeActive = mayBeActive(directive.kind());
    boolean standsForOne =
        directive.kind() == ObjectKind.SERVER || directive.kind() == ObjectKind.SCHEDULER;
    boolean delete = operation == ChangeOperation.DELETE;
    if (names.isEmpty() && delete && !mayBeActive && directive.kind() != ObjectKind.SERVER) {
      throw call.failure("delete needs a name", NO_CONNECTION);
    }
    if (names.isEmpty() && !standsForOne) {
      return nothingActive(call, directive.kind(), quiet);
    }
    if (operation == ChangeOperation.SET && !Preset.legal(call, directive)) {
      return illegal(call, quiet);
    }
    int status = 0;
    for (String name : names.isEmpty() ? List.of("") : names) {
      Reply reply =
          call.send(
              Topics.ADMINISTRATIVE_SHARD,
              meta ->
                  new ChangeObject(
                      meta,
                      operation,
                      directive.kind(),
                      realName(call, directive.kind(), name),
                      directive.changes()));
      if (reply.getCode() == 0) {
        continue;
      }
      status = Failure.status(reply.getCode());
      if (!quiet) {
        for (String text : reply.getLines()) {
          call.invocation().err("qmgr obj=" + name + " svr=default: " + text + "\n");
        }
        call.complain("Error (" + reply.getCode() + ") returned from server");
      }
      if (options.has('a')) {
        break;
      }
    }
    call.site().cluster().barrier();
    return status;
  }

  /** Only qsub's own reader knows; a wrong preset would keep everybody from submitting. */
  private static int illegal(Call call, boolean quiet) {
    refused(call, quiet, "", ILLEGAL_VALUE, "Illegal attribute or resource value");
    return Failure.status(ILLEGAL_VALUE);
  }

  /** "@server" stands for all objects of a kind; the default scheduler is never deleted. */
  private static List<String> all(Call call, QmgrSyntax.Directive directive) {
    boolean delete = directive.operation() == QmgrSyntax.Operation.DELETE;
    return new Inventory(call.site())
        .all(directive.kind()).stream()
            .map(ClusterObject::getName)
            .filter(
                name ->
                    !(delete && directive.kind() == ObjectKind.SCHEDULER && name.equals("default")))
            .toList();
  }

  /** The server has one object whatever it is called; "sched" alone is the default scheduler. */
  private static String realName(Call call, ObjectKind kind, String name) {
    if (kind == ObjectKind.SERVER) {
      return call.site().cluster().server().map(ClusterObject::getName).orElse("server");
    }
    return name.isEmpty() ? "default" : name;
  }

  /** Kinds of which nothing is meant when neither the directive nor "active" names any. */
  private static boolean mayBeActive(ObjectKind kind) {
    return kind == ObjectKind.QUEUE || kind == ObjectKind.NODE;
  }

  private static int nothingActive(Call call, ObjectKind kind, boolean quiet) {
    if (mayBeActive(kind) && !quiet) {
      String what = kind == ObjectKind.QUEUE ? "Queues" : "Nodes";
      call.invocation().err("No Active " + what + ", nothing done.\n");
    }
    return 0;
  }

  private static int show(Call call, QmgrSyntax.Directive directive, boolean quiet)
      throws QueryException, LinkException, InterruptedException {
    ObjectKind kind = directive.kind();
    boolean needsName = mayBeActive(kind);
    if (needsName && directive.names().isEmpty() && !directive.atServer()) {
      return nothingActive(call, kind, quiet);
    }
    if (!defined(directive)) {
      List<String> names = directive.names().isEmpty() ? List.of("") : directive.names();
      names.forEach(name -> refused(call, quiet, name, 15002, "Undefined attribute "));
      return 1;
    }
    Inventory inventory = new Inventory(call.site());
    List<ClusterObject> objects = new ArrayList<>();
    int status = 0;
    if (directive.names().isEmpty() || kind == ObjectKind.SERVER) {
      objects.addAll(inventory.all(kind));
    }
    for (String name : kind == ObjectKind.SERVER ? List.<String>of() : directive.names()) {
      Optional<ClusterObject> found = call.site().find(kind, name);
      found.ifPresent(objects::add);
      // PBS says nothing of a scheduler that does not exist.
      if (found.isEmpty() && kind != ObjectKind.SCHEDULER) {
        status = 1;
        switch (kind) {
          case QUEUE -> refused(call, quiet, name, 15018, "Unknown queue");
          case NODE -> refused(call, quiet, name, 15062, "Unknown node ");
          default -> refused(call, quiet, name, 15035, "Unknown resource");
        }
      }
    }
    StringBuilder out = new StringBuilder();
    if (directive.operation() == QmgrSyntax.Operation.LIST) {
      for (ClusterObject object : objects) {
        list(out, call, directive, object, inventory.attributes(object, null));
      }
    } else {
      print(out, call, directive, objects, inventory);
    }
    call.out(out.toString());
    return status;
  }

  /** Whether objects of that kind have all the attributes that are asked for, here or in PBS. */
  private static boolean defined(QmgrSyntax.Directive directive) {
    return directive.changes().stream()
        .map(it -> it.getName().split("\\.", 2)[0])
        .allMatch(name -> QmgrWords.attribute(directive.kind(), name));
  }

  private static void refused(Call call, boolean quiet, String name, int code, String text) {
    if (!quiet) {
      call.invocation().err("qmgr obj=" + name + " svr=default: " + text + "\n");
      call.complain("Error (" + code + ") returned from server");
    }
  }

  private static void list(
      StringBuilder out,
      Call call,
      QmgrSyntax.Directive directive,
      ClusterObject object,
      List<Shown> attributes) {
    String title =
        switch (object.getKind()) {
          case SERVER -> "Server " + call.site().server();
          case QUEUE -> "Queue " + object.getName();
          case NODE -> "Node " + object.getName();
          case SCHEDULER -> "Sched " + object.getName();
          default -> "Resource " + object.getName();
        };
    out.append(title).append('\n');
    for (Shown attribute : chosen(directive, attributes)) {
      out.append("    ").append(attribute.fullName()).append(" = ");
      out.append(attribute.value()).append('\n');
    }
    out.append('\n');
  }

  /** The attributes that were asked for, the last one first, as PBS does; else all. */
  private static List<Shown> chosen(QmgrSyntax.Directive directive, List<Shown> attributes) {
    if (directive.changes().isEmpty()) {
      return attributes;
    }
    List<AttributeChange> wanted = new ArrayList<>(directive.changes());
    Collections.reverse(wanted);
    List<Shown> chosen = new ArrayList<>();
    for (AttributeChange name : wanted) {
      for (Shown attribute : attributes) {
        if (attribute.fullName().equalsIgnoreCase(name.getName())
            || attribute.name().equalsIgnoreCase(name.getName())) {
          chosen.add(attribute);
        }
      }
    }
    return chosen;
  }

  private static void print(
      StringBuilder out,
      Call call,
      QmgrSyntax.Directive directive,
      List<ClusterObject> objects,
      Inventory inventory)
      throws QueryException, InterruptedException {
    ObjectKind kind = directive.kind();
    if (kind == ObjectKind.SERVER) {
      if (directive.changes().isEmpty()) {
        printCreated(out, directive, inventory.all(ObjectKind.RESOURCE), inventory);
        printCreated(out, directive, inventory.all(ObjectKind.QUEUE), inventory);
      }
      out.append("#\n# Set server attributes.\n#\n");
      for (ClusterObject server : objects) {
        settings(out, "set server", chosen(directive, inventory.attributes(server, null)), server);
      }
      return;
    }
    printCreated(out, directive, objects, inventory);
  }

  private static void printCreated(
      StringBuilder out,
      QmgrSyntax.Directive directive,
      List<ClusterObject> objects,
      Inventory inventory)
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
      List<Shown> attributes = inventory.attributes(object, null);
      if (object.getKind() == ObjectKind.NODE) {
        attributes.stream()
            .filter(a -> a.name().equals("Mom") && !a.value().equals(name))
            .forEach(a -> out.append(" Mom=").append(a.value()));
      }
      out.append('\n');
      boolean onlySome = directive.kind() == object.getKind();
      List<Shown> shown = onlySome ? chosen(directive, attributes) : attributes;
      settings(out, "set " + word + " " + name, shown, object);
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
  private static void settings(
      StringBuilder out, String head, List<Shown> attributes, ClusterObject object) {
    boolean defaultScheduler =
        object.getKind() == ObjectKind.SCHEDULER && object.getName().equals("default");
    for (Shown attribute : attributes) {
      AttributeDefinition definition =
          AttributeTable.find(object.getKind(), attribute.fullName()).orElseThrow();
      boolean fixed =
          definition.access() == AttributeAccess.READ_ONLY
              || attribute.name().equals("Mom")
              // Of nodes PBS prints what was set alone.
              || (object.getKind() == ObjectKind.NODE
                  && attribute.value().equals(definition.defaultValue()))
              // Nobody who reads it back wants everything to stand still.
              || attribute.name().equals(AttributeTable.TERMINATING)
              || (defaultScheduler && FIXED_BY_DEFAULT.contains(attribute.name()))
              || (!attribute.value().isEmpty() && settable(object, attribute).isEmpty());
      if (fixed) {
        continue;
      }
      String line = head + " " + attribute.fullName();
      if (attribute.name().equals(AttributeTable.GRID_ENGINE_CONFIGURATION)) {
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
        String value = settable(object, attribute);
        out.append(line).append(" = ").append(quoted(value)).append('\n');
      }
    }
  }

  /** What of a value may be given to an object that is made anew; empty when nothing. */
  private static String settable(ClusterObject object, Shown attribute) {
    if (attribute.name().equals("state")) {
      return settable(attribute.value());
    }
    boolean flags =
        object.getKind() == ObjectKind.RESOURCE && attribute.name().equals(AttributeTable.FLAG);
    return flags
        ? attribute.value().replaceAll("[" + AttributeTable.ABSENT_FLAGS + "]", "")
        : attribute.value();
  }

  /** What of a node's state an administrator may give it; empty when nothing. */
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
