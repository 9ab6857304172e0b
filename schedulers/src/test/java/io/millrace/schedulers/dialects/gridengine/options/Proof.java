package io.millrace.schedulers.dialects.gridengine.options;

import java.util.function.Function;

/**
 * A test of one option: a text that sets it, what is seen with those settings, and what must be
 * seen. It must fail when the option has its usual value instead.
 *
 * @param shows what is seen, in words, for the documentation
 * @param text of the object, which sets the option
 * @param see what comes of the settings
 */
record Proof(
    OptionTable table,
    String option,
    String shows,
    String text,
    Function<Settings, Object> see,
    Object expected) {

  /** What is seen of the settings, or of the refusal of the text. */
  Object seen(boolean ignored) {
    if (table.option(option).effect() == Option.Effect.FIXED) {
      return refusal(ignored ? text.replaceAll("(?m)^" + option + "\\s.*$", "") : text);
    }
    Settings settings = table.parse("text", text);
    return see.apply(ignored ? settings.reset(option) : settings);
  }

  private Object refusal(String changed) {
    try {
      table.parse("text", changed);
      return "accepted";
    } catch (Refused e) {
      return e.getMessage();
    }
  }

  boolean holds(boolean ignored) {
    return expected.equals(seen(ignored));
  }

  String name() {
    return table.title() + ": " + option;
  }
}
