package io.millrace.ops.token;

import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.util.List;

/** {@code ./millrace token}. */
public final class TokenWord implements Word {

  @Override
  public String name() {
    return "token";
  }

  @Override
  public String summary() {
    return "make, list and revoke tokens with which users reach the door for HTTP";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    return TokenCommand.run(arguments, console);
  }
}
