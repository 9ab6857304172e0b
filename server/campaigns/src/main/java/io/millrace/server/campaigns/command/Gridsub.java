package io.millrace.server.campaigns.command;

import io.millrace.server.campaigns.jdl.JdlSchema;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import java.util.List;
import java.util.Optional;

/** gridsub: reads descriptions of campaigns. */
final class Gridsub implements Command {

  private static final String SCHEMA = "--schema";
  private static final String CHECK = "--check";
  private static final String USAGE =
      "usage: gridsub --check FILE|-|JSON\n       gridsub --schema\n";

  static final Syntax SYNTAX = Syntax.of("", USAGE).with(CHECK + " FILE|-|JSON", SCHEMA);

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  @Override
  public int run(Call call) throws Failure {
    List<String> args = call.args();
    if (args.equals(List.of(SCHEMA))) {
      call.out(JdlSchema.text());
      return 0;
    }
    if (args.size() == 2 && args.get(0).equals(CHECK)) {
      return new JdlCheck(call.invocation(), call.name()).run(args.get(1));
    }
    throw call.usage(USAGE);
  }
}
