package io.millrace.connectors.bridge.system;

/** What a question brought: an answer, or nothing, which says nothing about what was asked. */
public sealed interface Told<T> {

  /** A whole answer. */
  record Answered<T>(T value) implements Told<T> {}

  /** No answer, a broken one or one that cannot be understood, and why, in one line. */
  record Nothing<T>(String why) implements Told<T> {}

  static <T> Told<T> of(T value) {
    return new Answered<>(value);
  }

  static <T> Told<T> nothing(String why) {
    return new Nothing<>(why);
  }
}
