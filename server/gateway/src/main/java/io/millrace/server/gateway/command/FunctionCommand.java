package io.millrace.server.gateway.command;

import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.util.Optional;

/** A command made of its syntax and a function. */
record FunctionCommand(Syntax how, Command function) implements Command {

  @Override
  public int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    return function.run(call);
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(how);
  }
}
