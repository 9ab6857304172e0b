package io.millrace.server.gateway.command;

import io.millrace.schemas.StagingPair;
import io.millrace.schemas.common.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Attributes of a job that no shard reckons with: they are passed on to the executor that runs it
 * and to whoever sends mail about it, and shown by qstat -f. Each is given by a letter of qsub and
 * qalter, or as {@code -W name=value}.
 */
enum PassedAttributes {
  GROUP_LIST("group_list", ' ', PassedAttributes::isGroups, PassedAttributes::list),
  KEEP_FILES("Keep_Files", 'k', PassedAttributes::isKeep, UnaryOperator.identity()),
  MAIL_POINTS("Mail_Points", 'm', PassedAttributes::isMailPoints, String::strip),
  MAIL_USERS("Mail_Users", 'M', PassedAttributes::isMailUsers, PassedAttributes::list),
  SANDBOX("sandbox", ' ', PassedAttributes::isSandbox, value -> value.toUpperCase(Locale.ROOT)),
  STAGEIN("stagein", ' ', PassedAttributes::isStaging, PassedAttributes::list),
  STAGEOUT("stageout", ' ', PassedAttributes::isStaging, PassedAttributes::list),
  UMASK("umask", ' ', PassedAttributes::isUmask, PassedAttributes::digits),
  BLOCK("block", ' ', PassedAttributes::isTruth, PassedAttributes::truth);

  private static final Pattern NAME_AT_HOST =
      Pattern.compile("[\\p{Graph}&&[^#@]]{1,1024}(@[\\p{Graph}&&[^#@]]{1,255})?");
  private static final int MAIL_USERS_MAX = 4096;
  private static final Pattern UMASK_DIGITS = Pattern.compile("0*[0-7]{1,3}");
  private static final Set<String> SANDBOXES = Set.of("home", "o_workdir", "private");

  private final String attribute;
  private final char letter;
  private final Predicate<String> legal;
  private final UnaryOperator<String> shown;

  PassedAttributes(
      String attribute, char letter, Predicate<String> legal, UnaryOperator<String> shown) {
    this.attribute = attribute;
    this.letter = letter;
    this.legal = legal;
    this.shown = shown;
  }

  /** The one that a letter gives. */
  static Optional<PassedAttributes> of(char letter) {
    return find(it -> it.letter == letter && letter != ' ');
  }

  /** The one that a word of -W gives. */
  static Optional<PassedAttributes> of(String word) {
    return find(it -> it.attribute.equals(word));
  }

  private static Optional<PassedAttributes> find(Predicate<PassedAttributes> wanted) {
    for (PassedAttributes each : values()) {
      if (wanted.test(each)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Its name in qstat -f. */
  String attribute() {
    return attribute;
  }

  /** How its values are given, for messages. */
  String option() {
    return letter == ' ' ? "-W " + attribute : "-" + letter;
  }

  boolean legal(String value) {
    return legal.test(value);
  }

  /** The value that was given, as qstat shows it; null when none was. */
  String of(Wishes wishes) {
    String value = letter == ' ' ? wishes.attribute(attribute) : wishes.get(letter, null);
    return value == null ? null : shown.apply(value);
  }

  /** All that were given, with the values as they are shown. */
  static List<Attribute> all(Wishes wishes) {
    List<Attribute> given = new ArrayList<>();
    for (PassedAttributes each : values()) {
      String value = each.of(wishes);
      if (value != null && !(each == BLOCK && value.equals("False"))) {
        given.add(new Attribute(each.attribute, value));
      }
    }
    return given;
  }

  private static boolean isKeep(String value) {
    boolean letters = value.matches("[oedn]+");
    boolean kept = value.indexOf('o') >= 0 || value.indexOf('e') >= 0;
    boolean none = value.indexOf('n') >= 0;
    return letters && !(kept && none) && (kept || none);
  }

  private static boolean isMailPoints(String value) {
    String points = value.strip();
    return points.equals("n") || (points.matches("[abej]+") && !points.equals("j"));
  }

  /** {@code name[@host],...} */
  private static boolean isUsers(String value) {
    return !value.endsWith(",")
        && Words.splitList(value).stream()
            .allMatch(item -> NAME_AT_HOST.matcher(item.strip()).matches());
  }

  /** As of users; each letter about the job has all of them. */
  private static boolean isMailUsers(String value) {
    return value.length() <= MAIL_USERS_MAX && isUsers(value);
  }

  /** As of users, with no host twice and at most one group for all hosts. */
  private static boolean isGroups(String value) {
    return isUsers(value) && noHostTwice(value);
  }

  /** As of groups, each from the root of its host. */
  static boolean isShells(String value) {
    return isGroups(value)
        && Words.splitList(value).stream().allMatch(item -> item.strip().startsWith("/"));
  }

  private static boolean noHostTwice(String value) {
    return Words.splitList(value).stream()
            .map(item -> item.strip().replaceFirst("^[^@]*", ""))
            .distinct()
            .count()
        == Words.splitList(value).size();
  }

  private static boolean isSandbox(String value) {
    return SANDBOXES.contains(value.toLowerCase(Locale.ROOT));
  }

  /** {@code path@host:path,...} */
  private static boolean isStaging(String value) {
    return !value.endsWith(",")
        && Words.splitList(value).stream()
            .allMatch(item -> StagingPair.of(item.strip()).isPresent());
  }

  private static boolean isUmask(String value) {
    return UMASK_DIGITS.matcher(value).matches();
  }

  private static boolean isTruth(String value) {
    return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
  }

  private static String list(String value) {
    return String.join(",", Words.splitList(value).stream().map(String::strip).toList());
  }

  /** PBS keeps the octal digits as a number. */
  private static String digits(String value) {
    return value.replaceFirst("^0+(?=.)", "");
  }

  private static String truth(String value) {
    return value.equalsIgnoreCase("true") ? "True" : "False";
  }
}
