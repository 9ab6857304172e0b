package io.millrace.ops.word;

import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.util.List;

/**
 * A word of {@code ./millrace}. It stands in the package of its subject and is found by {@link
 * Words}; it needs a public constructor without parameters that does nothing, since looking for one
 * word makes those before it too.
 */
public interface Word {

  /** What a user types. */
  String name();

  /** What it does, in one clause, for the list of words. */
  String summary();

  /**
   * @return exit status
   * @throws UsageException when the arguments are wrong, or the help was asked for
   * @throws WordFailed why it could not be done, in one line
   * @throws IOException the same
   */
  int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed;
}
