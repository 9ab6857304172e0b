package io.millrace.schedulers.gridengine.language.options;

import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a value may look like.
 *
 * @param expected for the message to the one who wrote it otherwise
 * @param accepts whether a value has this form
 * @param hint for a value that has not: what is wrong in it or what it probably means, in brackets;
 *     empty when nothing comes near
 */
public record Form(String expected, Predicate<String> accepts, Function<String, String> hint) {

  private static final Predicate<String> USAGE_NAME = whole("\\s*(cpu|mem|io)=.*");
  private static final Pattern BETWEEN_WORDS = Pattern.compile("[,\\s]+");

  /** Largest weight: a larger one would drown all others, and sums of weights could overflow. */
  private static final double REAL_MAX = 1e12;

  /** So many words of a wrong value are looked at for what they may mean: it can have thousands. */
  private static final int HINTED_WORDS = 100;

  public static final Form TIME = of("a time ([[h:]m:]s or INFINITY)", Numbers::time);
  public static final Form MEMORY =
      new Form(
          "an amount of memory (as 4G or INFINITY)",
          text -> Numbers.memory(text).filter(bytes -> bytes >= 0).isPresent());
  public static final Form REAL =
      new Form(
          "a number of at most 1e12", text -> Numbers.real(text).filter(Form::usable).isPresent());
  public static final Form TRUTH =
      new Form(
          "TRUE or FALSE",
          text -> Numbers.truth(text).isPresent(),
          text -> Nearest.hint(text, List.of("TRUE", "FALSE")));
  public static final Form COUNT = new Form("a whole number, 0 or more", whole("\\d{1,9}"));
  public static final Form POSITIVE = new Form("a whole number above 0", whole("0*[1-9]\\d{0,8}"));
  public static final Form INTEGER = new Form("a whole number", whole("-?\\d{1,9}"));
  public static final Form TEXT = new Form("a text", text -> !text.isEmpty());

  /** Name of an object, without the characters that lists, patterns and exceptions use. */
  public static final Form NAME =
      new Form(
          "a name, not NONE or ALL, without any of @ , = : ; * ? ! | & ( ) [ ] { } / and quotes",
          whole("[^\\s@,=:;*?!|&()\\[\\]{}/\\\\\"']+").and(whole("(?i)none|all").negate()));

  /** List of names, separated by blanks or commas. */
  public static final Form NAMES = names("NONE or a list of names", "[\\w.+-]+");

  /** List of hosts and host groups, separated by blanks or commas. */
  public static final Form HOSTS =
      names("NONE or a list of hosts and host groups (@NAME)", "@?[\\w.-]+");

  /** List NAME=VALUE,... of attributes. */
  public static final Form AMOUNTS = amounts("VALUE", "\\S+");

  private static final String NUMBER = "[+-]?(\\d{1,12}(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d)?";

  /** List NAME=NUMBER,... */
  public static final Form FACTORS = amounts("NUMBER", NUMBER);

  /** List of kinds of usage with numbers. */
  public static final Form USAGE =
      new Form(
          "NONE or a list cpu=NUMBER,mem=NUMBER,io=NUMBER, each name once",
          text ->
              FACTORS.accepts().test(text)
                  && (none(text) || Stream.of(text.split(",")).allMatch(USAGE_NAME)),
          FACTORS.hint());

  public Form(String expected, Predicate<String> accepts) {
    this(expected, accepts, text -> "");
  }

  public static boolean none(String text) {
    return text.equalsIgnoreCase("NONE");
  }

  private static boolean usable(double number) {
    return Math.abs(number) <= REAL_MAX;
  }

  /** Whether a whole text has this pattern; compiled once, since a value can have thousands. */
  private static Predicate<String> whole(String pattern) {
    return Pattern.compile(pattern).asMatchPredicate();
  }

  private static Form of(String expected, Function<String, Optional<?>> parse) {
    return new Form(expected, text -> parse.apply(text).isPresent());
  }

  /** One of these words, in any case. */
  public static Form oneOf(String... words) {
    List<String> valid = List.of(words);
    return new Form(
        (words.length > 1 ? "one of " : "") + String.join(", ", words),
        text -> valid.stream().anyMatch(word -> word.equalsIgnoreCase(text)),
        text -> Nearest.hint(text, valid));
  }

  /**
   * @param words those that a value is made of, as far as they are known: what a wrong one probably
   *     means
   */
  public static Form matching(String expected, String pattern, String... words) {
    List<String> valid = List.of(words);
    return new Form(
        expected,
        whole(pattern),
        text ->
            Stream.of(BETWEEN_WORDS.split(text, HINTED_WORDS + 1))
                .limit(HINTED_WORDS)
                .filter(word -> valid.stream().noneMatch(word::equalsIgnoreCase))
                .map(word -> Nearest.hint(word, valid))
                .filter(hint -> !hint.isEmpty())
                .findFirst()
                .orElse(""));
  }

  /**
   * NONE or a list of names, separated by blanks or commas.
   *
   * @param name the pattern of one of them
   */
  static Form names(String expected, String name) {
    Predicate<String> valid = whole(name).and(each -> !none(each));
    return new Form(
        expected, text -> none(text) || Stream.of(BETWEEN_WORDS.split(text)).allMatch(valid));
  }

  private static Form amounts(String what, String value) {
    Predicate<String> pair = whole("[^=\\s]+=" + value);
    return new Form(
        "NONE or a list NAME=" + what + ",..., each name once",
        text -> none(text) || amountsHint(text, pair).isEmpty(),
        text -> amountsHint(text, pair));
  }

  /** What is wrong in a list; empty when it is valid. */
  private static String amountsHint(String text, Predicate<String> pair) {
    Set<String> names = new HashSet<>();
    for (String each : text.split(",", -1)) {
      String part = each.strip();
      if (!pair.test(part)) {
        return " (not '" + part + "')";
      }
      String name = part.substring(0, part.indexOf('='));
      if (!names.add(name)) {
        return " (" + name + " is there twice)";
      }
    }
    return "";
  }
}
