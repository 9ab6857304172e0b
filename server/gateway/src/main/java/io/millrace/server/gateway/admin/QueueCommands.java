package io.millrace.server.gateway.admin;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.Destinations;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.status.Inventory;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** qenable, qdisable, qstart and qstop, which set one attribute of queues, and qterm. */
final class QueueCommands {

  private static final String QTERM =
      """
      Usage: qterm [-t immediate|delay|[quick]] [-m] [-s] [-f|-i] [server ...]
             qterm --version
      """;

  private static final String QTERM_LETTERS = "t:msfFi";

  private static final String QUICK = "quick";

  /** Options of PBS's qterm that are refused, each with the reason. */
  private static final Map<String, String> NOT_ENDED =
      Map.of(
          "m", "executors are ended where they were started: ./millrace down",
          "f", "there is no secondary server",
          "F", "there is no secondary server");

  /** Exit status of these commands when a destination was refused. */
  private static final int REFUSED = 2;

  private QueueCommands() {}

  static final Command ENABLE = setting("qenable", "enabled", "True");
  static final Command DISABLE = setting("qdisable", "enabled", "False");
  static final Command START = setting("qstart", "started", "True");
  static final Command STOP = setting("qstop", "started", "False");

  static final Command TERMINATE =
      Command.of(Syntax.of(QTERM_LETTERS, QTERM), QueueCommands::terminate);

  private static int terminate(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = call.options(QTERM_LETTERS);
    boolean known =
        !options.has('t')
            || List.of(ServerEnd.IMMEDIATE, ServerEnd.DELAY, QUICK).contains(options.argument('t'));
    if (options.wrong() || !known) {
      throw new Failure(QTERM, 1);
    }
    for (String server : options.operands()) {
      if (!JobIds.names(server, call.site().server())) {
        return notReached(call, server);
      }
    }
    if (call.role() == Role.USER) {
      throw call.failure(PbsError.UNAUTHORIZED.text() + " ", REFUSED);
    }
    for (GetOpt.GivenOption option : options.options()) {
      String why = NOT_ENDED.get(Character.toString(option.letter()));
      if (why != null) {
        throw call.refused("-" + option.letter(), why);
      }
    }
    String way = options.has('t') ? options.argument('t') : QUICK;
    return way.equals(QUICK) ? TerminateProgram.begin(call) : ServerEnd.run(call, way);
  }

  /** As in PBS there are no options: whatever stands there is taken for a queue. */
  private static Command setting(String name, String attribute, String value) {
    String usage = "Usage: " + name + " [queue][@server] ...\n       " + name + " --version\n";
    Command command =
        call -> {
          if (call.args().isEmpty()) {
            throw new Failure(usage, 1);
          }
          int status = 0;
          for (String destination : call.args()) {
            int failed =
                set(
                    call,
                    destination,
                    new AttributeChange(attribute, value, AttributeOperation.ASSIGN));
            status = failed == 0 ? status : failed;
          }
          call.site().cluster().barrier();
          return status;
        };
    return Command.of(Syntax.of("", usage), command);
  }

  private static int set(Call call, String destination, AttributeChange change)
      throws LinkException, InterruptedException {
    String[] parts = destination.split("@", -1);
    String queue = parts[0];
    if (destination.isEmpty() || !Destinations.legal(destination)) {
      call.complain("illegally formed destination: " + destination);
      return 1;
    }
    if (parts.length == 2 && !JobIds.names(parts[1], call.site().server())) {
      return notReached(call, parts[1]);
    }
    for (String name : queue.isEmpty() ? allQueues(call) : List.of(queue)) {
      Reply reply =
          call.send(
              Topics.ADMINISTRATIVE_SHARD,
              meta ->
                  new ChangeObject(
                      meta, ChangeOperation.SET, ObjectKind.QUEUE, name, List.of(change)));
      if (reply.getCode() != 0) {
        call.complain(JobList.text(reply) + " " + destination);
        return REFUSED;
      }
    }
    return 0;
  }

  /** The queues that a destination without a queue ({@code @server}) stands for: all. */
  private static List<String> allQueues(Call call) {
    return new Inventory(call.site())
        .all(ObjectKind.QUEUE).stream().map(ClusterObject::getName).toList();
  }

  private static int notReached(Call call, String server) {
    call.invocation().err("Unknown Host.\n");
    call.complain(
        "could not connect to server " + server + " (" + PbsError.HOST_REFUSED.code() + ")");
    return REFUSED;
  }
}
