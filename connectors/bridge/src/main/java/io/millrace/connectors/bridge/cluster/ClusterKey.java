package io.millrace.connectors.bridge.cluster;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A key of a cluster file.
 *
 * @param name as it is written; one that ends in a dot is followed by a name of the user's choice
 * @param usual value when the key is not given; empty when it has none
 * @param required whether it must be given
 * @param form what its values are
 * @param sentence what it is for
 */
public record ClusterKey(
    String name, Optional<String> usual, boolean required, ClusterKeyForm form, String sentence) {

  /** What values a key has. */
  public sealed interface ClusterKeyForm {
    /** What is wrong with a value; empty when nothing is. */
    Optional<String> wrong(String value);

    /** The form in words, for the page. */
    String words();
  }

  /** A whole number. */
  public record NumberForm(long least, long most, String unit) implements ClusterKeyForm {
    @Override
    public Optional<String> wrong(String value) {
      boolean fits =
          value.matches("[0-9]{1,18}")
              && Long.parseLong(value) >= least
              && Long.parseLong(value) <= most;
      return fits
          ? Optional.empty()
          : Optional.of("takes a number from " + least + " to " + most + ", not '" + value + "'");
    }

    @Override
    public String words() {
      return unit + ", " + least + " to " + most;
    }
  }

  /** One of some words. */
  public record ChoiceForm(List<String> choices) implements ClusterKeyForm {
    @Override
    public Optional<String> wrong(String value) {
      return choices.contains(value)
          ? Optional.empty()
          : Optional.of("is one of " + String.join(", ", choices) + ", not '" + value + "'");
    }

    @Override
    public String words() {
      return String.join(" or ", choices);
    }
  }

  /** A text of a form. */
  public record TextForm(Pattern pattern, String words) implements ClusterKeyForm {
    @Override
    public Optional<String> wrong(String value) {
      return pattern.matcher(value).matches()
          ? Optional.empty()
          : Optional.of("is " + words + ", not '" + value + "'");
    }
  }

  public static ClusterKey number(String name, long usual, NumberForm form, String sentence) {
    return new ClusterKey(name, Optional.of(Long.toString(usual)), false, form, sentence);
  }

  public static ClusterKey with(String name, String usual, ClusterKeyForm form, String sentence) {
    return new ClusterKey(name, Optional.of(usual), false, form, sentence);
  }

  public static ClusterKey required(String name, ClusterKeyForm form, String sentence) {
    return new ClusterKey(name, Optional.empty(), true, form, sentence);
  }

  public static ClusterKey optional(String name, ClusterKeyForm form, String sentence) {
    return new ClusterKey(name, Optional.empty(), false, form, sentence);
  }
}
