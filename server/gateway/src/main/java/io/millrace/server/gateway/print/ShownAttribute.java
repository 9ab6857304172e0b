package io.millrace.server.gateway.print;

/**
 * One attribute as it is shown.
 *
 * @param name attribute
 * @param part resource or variable behind the attribute; null when it has none
 * @param value text, or in JSON a number when it is one
 */
public record ShownAttribute(String name, String part, String value) {

  public static ShownAttribute of(String name, String value) {
    return new ShownAttribute(name, null, value);
  }

  public static ShownAttribute of(String name, long value) {
    return new ShownAttribute(name, null, Long.toString(value));
  }

  /** {@code name} or {@code name.part}. */
  public String fullName() {
    return part == null ? name : name + "." + part;
  }
}
