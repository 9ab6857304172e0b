package io.millrace.ops.word;

import io.millrace.ops.home.Home;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.nio.file.Path;

/** The option {@code --home} of the words that work on a home. */
public final class HomeOption {

  private static final String NAME = "--home";

  /** System property set by the script, from the environment or the checkout. */
  private static final String PROPERTY = "millrace.home";

  private HomeOption() {}

  /** Options of a word that has only {@code --home} so far. */
  public static ProgramOptions only(String word, String purpose) {
    return addTo(ProgramOptions.ofWord(word, purpose));
  }

  public static ProgramOptions addTo(ProgramOptions options) {
    return options.value(
        NAME, "DIR", "home folder (default $MILLRACE_HOME, else var in the checkout)");
  }

  /** The home from the option, else from the system property. */
  public static Home of(GivenOptions options) throws UsageException {
    String given = options.get(NAME).orElse(System.getProperty(PROPERTY, ""));
    if (given.isBlank()) {
      throw options.wrong(NAME + " is missing");
    }
    return new Home(Path.of(given));
  }
}
