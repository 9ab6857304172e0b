package io.millrace.schedulers.dialects.gridengine.options;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a value may look like.
 *
 * @param expected for the message to the one who wrote it otherwise
 * @param accepts whether a value has this form
 */
public record Form(String expected, Predicate<String> accepts) {

  public static final Form TIME = of("a time ([[h:]m:]s or INFINITY)", Numbers::time);
  public static final Form MEMORY = of("an amount of memory (as 4G or INFINITY)", Numbers::memory);
  public static final Form REAL = of("a number", Numbers::real);
  public static final Form TRUTH = of("TRUE or FALSE", Numbers::truth);
  public static final Form COUNT =
      new Form("a whole number, 0 or more", text -> text.matches("\\d{1,9}"));
  public static final Form INTEGER = new Form("a whole number", text -> text.matches("-?\\d{1,9}"));
  public static final Form TEXT = new Form("a text", text -> !text.isEmpty());
  public static final Form WORD = new Form("one word", text -> text.matches("\\S+"));
  public static final Form AMOUNTS =
      new Form(
          "NONE or a list NAME=VALUE,...",
          text ->
              none(text)
                  || List.of(text.split(",", -1)).stream()
                      .allMatch(part -> part.strip().matches("[^=\\s]+=\\S+")));

  public static boolean none(String text) {
    return text.equalsIgnoreCase("NONE");
  }

  private static Form of(String expected, java.util.function.Function<String, Optional<?>> parse) {
    return new Form(expected, text -> parse.apply(text).isPresent());
  }

  /** One of these words, in any case. */
  public static Form oneOf(String... words) {
    return new Form(
        (words.length > 1 ? "one of " : "") + String.join(", ", words),
        text -> List.of(words).stream().anyMatch(word -> word.equalsIgnoreCase(text)));
  }

  public static Form matching(String expected, String pattern) {
    return new Form(expected, text -> text.matches(pattern));
  }
}
