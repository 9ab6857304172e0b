package io.millrace.server.web.route;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.session.CommandHandler;
import io.millrace.server.gateway.session.GatewayBusyException;
import io.millrace.server.gateway.session.SharedBytes;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.credential.Accounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The commands, carried out by the gateway's own set. */
public final class CommandRoutes {

  private final CommandHandler commands;
  private final List<String> names;
  private final Accounts accounts;
  private final SharedBytes output;

  /**
   * @param names of all commands that the set has
   * @param output in which all output is held until it is sent
   */
  public CommandRoutes(
      CommandHandler commands, List<String> names, Accounts accounts, SharedBytes output) {
    this.output = output;
    this.commands = commands;
    this.names = List.copyOf(new TreeSet<>(names));
    this.accounts = accounts;
  }

  List<String> names() {
    return names;
  }

  /** Their rows of the table of routes. */
  public List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/v1/commands",
            "The names of all commands",
            Route.RouteFacts.of("CommandNames"),
            asked -> list()),
        new Route(
            "POST",
            "/v1/commands/{command}",
            "Runs a command of the command line and gives what it says and its exit status",
            Route.RouteFacts.of(
                    "CommandResult",
                    Route.Parameter.path("command", "its name; a slash in it is written as %2F"))
                .repeatable("CommandCall"),
            this::run));
  }

  private HttpAnswer list() {
    ObjectNode body = JsonText.object();
    ArrayNode all = body.putArray("commands");
    names.forEach(all::add);
    return JsonText.answer(200, body);
  }

  private HttpAnswer run(RouteRequest asked) throws Problem, IOException, InterruptedException {
    String command = asked.variables().get("command");
    if (!names.contains(command)) {
      throw new Problem(
          404,
          PbsError.INVALID_REQUEST,
          "there is no command " + command + "; there are " + String.join(", ", names));
    }
    String user = asked.principal().user();
    String home = accounts.find(user).map(Accounts.Account::home).orElse("/");
    WebInvocation invocation =
        new WebInvocation(asked, command, CommandBody.parse(asked.body(), user, home), output);
    try {
      int status = commands.run(invocation);
      return JsonText.answer(200, result(invocation, status));
    } catch (GatewayBusyException e) {
      throw new Problem(
          503,
          PbsError.NO_SERVER,
          e.getMessage()
              + "; it may still be carried out: ask again under Idempotency-Key "
              + invocation.commandId());
    } catch (WebInvocation.NoRoomForOutput e) {
      throw new Problem(
          503,
          PbsError.NO_SERVER,
          "the output of the commands that run has all the memory; ask again under the same"
              + " Idempotency-Key");
    } catch (WebInvocation.TooMuchWebOutput e) {
      throw new Problem(
          413,
          PbsError.INVALID_REQUEST,
          "the command says more than "
              + WebInvocation.OUTPUT_BYTES_MAX
              + " bytes: ask for less, or for pages at /v1/jobs");
    } finally {
      invocation.release();
    }
  }

  private static ObjectNode result(WebInvocation invocation, int status) {
    ObjectNode body = JsonText.object();
    body.put("command", invocation.command());
    body.put("command_id", invocation.commandId().toString());
    body.put("exit_status", status);
    body.put("stdout", invocation.output());
    body.put("stderr", invocation.errors());
    ArrayNode files = body.putArray("files");
    for (Map.Entry<String, WebInvocation.WrittenFile> file : invocation.written().entrySet()) {
      files
          .addObject()
          .put("path", file.getKey())
          .put("append", file.getValue().append())
          .put("content", new String(file.getValue().content(), StandardCharsets.UTF_8));
    }
    return body;
  }
}
