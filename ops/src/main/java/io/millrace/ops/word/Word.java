package io.millrace.ops.word;

import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.util.List;

/**
 * A word of {@code ./millrace}. It stands in the package of its subject and is found by {@link
 * Words}; it needs a public constructor without parameters that does nothing, since finding one
 * word instantiates those before it too.
 */
public interface Word {

  /** The word as a user types it. */
  String name();

  /** Description in one clause, for the list of words. */
  String summary();

  /**
   * Does what the word is for.
   *
   * @return exit status
   * @throws UsageException when the arguments are wrong, or the help was asked for
   * @throws WordFailed why it could not be done, in one line
   * @throws IOException why it could not be done, in one line
   */
  int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed;
}
