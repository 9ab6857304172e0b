package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.Numbers;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Types of complex attributes. */
public enum ValueType {
  INT(1, "an integer", text -> text.matches("-?\\d+") ? Numbers.real(text) : infinite(text)),
  DOUBLE(8, "a double", Numbers::real),
  TIME(3, "a time", Numbers::time),
  MEMORY(4, "a memory", Numbers::memory),
  BOOL(5, "a boolean", Numbers::truth),
  STRING(2, "a string", null),
  CSTRING(6, "a string", null),
  HOST(7, "a host", null),
  RESTRING(9, "a string", null);

  private final int code;
  private final String spoken;
  private final Function<String, Optional<Double>> parse;

  ValueType(int code, String spoken, Function<String, Optional<Double>> parse) {
    this.code = code;
    this.spoken = spoken;
    this.parse = parse;
  }

  private static Optional<Double> infinite(String text) {
    return text.equalsIgnoreCase("INFINITY") ? Numbers.real(text) : Optional.empty();
  }

  /** The type's number in Grid Engine's XML output. */
  public int code() {
    return code;
  }

  /** The type's name in messages. */
  public String spoken() {
    return spoken;
  }

  public boolean numeric() {
    return parse != null;
  }

  /** The amount that a text means; 0 for texts of types that are no numbers. */
  public Optional<Double> amount(String text) {
    return numeric() ? parse.apply(text) : Optional.of(0.0);
  }

  static Optional<ValueType> of(String name) {
    for (ValueType type : values()) {
      if (type.name().equals(name.toUpperCase(Locale.ROOT))) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
