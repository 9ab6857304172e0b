package io.millrace.schedulers.dialects.gridengine.proof;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.Option;
import io.millrace.schedulers.gridengine.language.options.OptionTable;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import java.util.function.Function;

/**
 * A test of one option: a text that sets it, what is seen with those settings, and what must be
 * seen. It must fail when the option has its usual value instead.
 *
 * @param shows what is seen, in words, for the documentation
 * @param text of the object, which sets the option
 * @param see what comes of the settings
 */
public record Proof(
    OptionTable table,
    String option,
    String shows,
    String text,
    Function<OptionValues, Object> see,
    Object expected) {

  /** What is seen with the settings, or the refusal of the text. */
  Object seen(boolean ignored) {
    if (table.option(option).effect() == Option.Effect.FIXED) {
      return refusal(ignored ? text.replaceAll("(?m)^" + option + "\\s.*$", "") : text);
    }
    OptionValues settings = table.parse("text", text);
    return see.apply(ignored ? settings.reset(option) : settings);
  }

  private Object refusal(String changed) {
    try {
      table.parse("text", changed);
      return "accepted";
    } catch (ConfigurationRefused e) {
      return e.getMessage();
    }
  }

  boolean holds(boolean ignored) {
    return expected.equals(seen(ignored));
  }

  public String name() {
    return table.title() + ": " + option;
  }
}
