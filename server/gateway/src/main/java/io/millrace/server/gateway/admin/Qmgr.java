package io.millrace.server.gateway.admin;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.TextLines;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.request.DefaultArguments;
import io.millrace.server.gateway.status.Inventory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /** Objects of a list whose changes go out before the first of them is answered. */
  private static final int TOGETHER_MAX = 20;

  private static final int NO_CONNECTION = 3;

  /** Exit status with -a when a directive cannot be read; {@link #ABORTED} when it is refused. */
  private static final int UNREADABLE = 1;

  private static final int ABORTED = 2;

  /** Status of a directive that asks for nothing, such as help: PBS has this one. */
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
        throw QmgrDirective.unknownServer(server, NO_CONNECTION);
      }
    }
    if (options.has('c')) {
      String directive = options.argument('c');
      call.out(options.has('e') ? directive + "\n" : "");
      return one(call, directive, new ActiveObjects(), options);
    }
    return many(call, options);
  }

  /**
   * Carries out directives from standard input; only with -a does an error end them.
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
        // A comment cannot be continued; the directive continues after it.
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
    return QmgrWords.operation(word).filter(QmgrOperation.QUIT::equals).isPresent();
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
    QmgrDirective given;
    try {
      given = QmgrSyntax.parse(line, call.site().server());
    } catch (Failure failure) {
      int status = told(call, failure, options);
      return options.has('a') ? UNREADABLE : status;
    }
    if (given == null) {
      return HELPED;
    }
    if (options.has('n') && given.operation() != QmgrOperation.HELP) {
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

  private static int carryOut(Call call, QmgrDirective given, ActiveObjects active, GetOpt options)
      throws LinkException, QueryException, InterruptedException {
    try {
      for (String server : given.servers()) {
        if (!JobIds.names(server, call.site().server())) {
          throw QmgrDirective.unknownServer(server, 1);
        }
      }
      QmgrDirective directive = active.named(given);
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
      Call call, QmgrDirective directive, ChangeOperation operation, GetOpt options)
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
    if (operation == ChangeOperation.SET && !legalPreset(call, directive)) {
      return illegal(call, quiet);
    }
    return changeEach(call, directive, operation, names.isEmpty() ? List.of("") : names, options);
  }

  /**
   * Changes of a list go out together, so the shard makes them in few transactions; with -a none
   * may follow one that is refused, so each waits for the one before. More than some at once would
   * wait in the shard for so long that it tells of shards without an owner.
   */
  private static int changeEach(
      Call call,
      QmgrDirective directive,
      ChangeOperation operation,
      List<String> names,
      GetOpt options)
      throws LinkException, InterruptedException {
    int most = options.has('a') ? 1 : TOGETHER_MAX;
    int status = 0;
    for (int from = 0; from < names.size(); from += most) {
      List<String> together = names.subList(from, Math.min(names.size(), from + most));
      List<Call.Addressed> commands = new ArrayList<>();
      for (String name : together) {
        String object = realName(call, directive.kind(), name);
        commands.add(
            new Call.Addressed(
                Topics.ADMINISTRATIVE_SHARD,
                meta ->
                    new ChangeObject(
                        meta, operation, directive.kind(), object, directive.changes())));
      }
      Call.CommandAnswers answers = call.sendAll(commands);
      for (int i = 0; i < together.size(); i++) {
        int code = told(call, together.get(i), answers.replies().get(i), options.has('z'));
        status = code == 0 ? status : code;
      }
      if (answers.failure().isPresent()) {
        tellUnanswered(call, together, answers.failures());
        tellUnsent(call, names.subList(from + together.size(), names.size()));
        throw answers.failure().get();
      }
      if (status != 0 && options.has('a')) {
        break;
      }
    }
    call.site().cluster().barrier();
    return status;
  }

  private static void tellUnanswered(
      Call call, List<String> together, Map<Integer, LinkException> failures) {
    if (together.size() > 1) {
      failures.forEach(
          (i, why) ->
              call.invocation()
                  .err("qmgr obj=" + together.get(i) + " svr=default: " + unanswered(why) + "\n"));
    }
  }

  private static String unanswered(LinkException why) {
    return switch (why.kind()) {
      case UNANSWERED, CLOSED -> "no answer, it may still be carried out";
      case UNREACHABLE, TOO_LARGE, NO_ROOM -> "not carried out";
    };
  }

  private static void tellUnsent(Call call, List<String> unsent) {
    if (!unsent.isEmpty()) {
      String more = unsent.size() == 1 ? "" : " and the " + (unsent.size() - 1) + " behind it";
      call.invocation().err("qmgr obj=" + unsent.get(0) + more + " svr=default: not sent\n");
    }
  }

  /** Tells what was refused of one object, and returns its exit status. */
  private static int told(Call call, String name, Optional<Reply> answer, boolean quiet) {
    if (answer.isEmpty() || answer.get().getCode() == 0) {
      return 0;
    }
    Reply reply = answer.get();
    if (!quiet) {
      for (String text : reply.getLines()) {
        call.invocation().err("qmgr obj=" + name + " svr=default: " + text + "\n");
      }
      call.complain("Error (" + reply.getCode() + ") returned from server");
    }
    return PbsError.exitStatus(reply.getCode());
  }

  /** Whether qsub can obey what a directive presets; true of one that presets nothing. */
  private static boolean legalPreset(Call call, QmgrDirective directive)
      throws LinkException, InterruptedException {
    for (AttributeChange change : directive.changes()) {
      boolean preset =
          directive.kind() == ObjectKind.SERVER
              && change.getName().equals(DefaultArguments.NAME)
              && !change.getValue().isBlank();
      if (preset && !DefaultArguments.legal(call, change.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Refuses wrong default_qsub_arguments, which would keep everybody from submitting. */
  private static int illegal(Call call, boolean quiet) {
    refused(call, quiet, "", PbsError.ILLEGAL_VALUE);
    return PbsError.ILLEGAL_VALUE.exitStatus();
  }

  /** "@server" stands for all objects of a kind; the default scheduler is never deleted. */
  private static List<String> all(Call call, QmgrDirective directive) {
    boolean delete = directive.operation() == QmgrOperation.DELETE;
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

  private static int show(Call call, QmgrDirective directive, boolean quiet)
      throws QueryException, LinkException, InterruptedException {
    ObjectKind kind = directive.kind();
    boolean needsName = mayBeActive(kind);
    if (needsName && directive.names().isEmpty() && !directive.atServer()) {
      return nothingActive(call, kind, quiet);
    }
    if (!defined(directive)) {
      List<String> names = directive.names().isEmpty() ? List.of("") : directive.names();
      names.forEach(name -> refused(call, quiet, name, PbsError.UNDEFINED_ATTRIBUTE));
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
          case QUEUE -> refused(call, quiet, name, PbsError.UNKNOWN_QUEUE);
          case NODE -> refused(call, quiet, name, PbsError.UNKNOWN_NODE);
          default -> refused(call, quiet, name, PbsError.UNKNOWN_RESOURCE);
        }
      }
    }
    QmgrPrinter printer = new QmgrPrinter(call, directive, inventory);
    call.out(
        directive.operation() == QmgrOperation.LIST
            ? printer.list(objects)
            : printer.print(objects));
    return status;
  }

  /** Whether objects of that kind have all the attributes that are asked for, here or in PBS. */
  private static boolean defined(QmgrDirective directive) {
    return directive.changes().stream()
        .map(it -> it.getName().split("\\.", 2)[0])
        .allMatch(name -> QmgrWords.attribute(directive.kind(), name));
  }

  private static void refused(Call call, boolean quiet, String name, PbsError error) {
    if (!quiet) {
      call.invocation().err("qmgr obj=" + name + " svr=default: " + error.text() + "\n");
      call.complain("Error (" + error.code() + ") returned from server");
    }
  }
}
