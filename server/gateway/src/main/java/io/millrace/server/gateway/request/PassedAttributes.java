package io.millrace.server.gateway.request;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.pbs.jobs.StagingPair;
import io.millrace.server.gateway.operand.ShellWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Attributes of a job without meaning for shards: they are passed on to the executor that runs it
 * and to whoever sends mail about it, and shown by qstat -f. Each is given by a letter of qsub and
 * qalter, or as {@code -W name=value}.
 */
public enum PassedAttributes {
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

  /** The attribute that an option of this letter sets. */
  static Optional<PassedAttributes> of(char letter) {
    return find(it -> it.letter == letter && letter != ' ');
  }

  /** The attribute that a word of -W sets. */
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
  public String attribute() {
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
  public String of(JobOptions jobOptions) {
    String value = letter == ' ' ? jobOptions.attribute(attribute) : jobOptions.get(letter, null);
    return value == null ? null : shown.apply(value);
  }

  /** All that were given, with the values as they are shown. */
  public static List<Attribute> all(JobOptions jobOptions) {
    List<Attribute> given = new ArrayList<>();
    for (PassedAttributes each : values()) {
      String value = each.of(jobOptions);
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
        && ShellWords.splitList(value).stream()
            .allMatch(item -> NAME_AT_HOST.matcher(item.strip()).matches());
  }

  /** Whether it is a list of users to whom mail goes; each letter has all of them. */
  private static boolean isMailUsers(String value) {
    return value.length() <= MAIL_USERS_MAX && isUsers(value);
  }

  /** As of users, with no host twice and at most one group for all hosts. */
  private static boolean isGroups(String value) {
    return isUsers(value) && noHostTwice(value);
  }

  /** Whether it is a list {@code path[@host],...} of absolute paths. */
  static boolean isShells(String value) {
    return isGroups(value)
        && ShellWords.splitList(value).stream().allMatch(item -> item.strip().startsWith("/"));
  }

  private static boolean noHostTwice(String value) {
    return ShellWords.splitList(value).stream()
            .map(item -> item.strip().replaceFirst("^[^@]*", ""))
            .distinct()
            .count()
        == ShellWords.splitList(value).size();
  }

  private static boolean isSandbox(String value) {
    return SANDBOXES.contains(value.toLowerCase(Locale.ROOT));
  }

  /** {@code path@host:path,...} */
  private static boolean isStaging(String value) {
    return !value.endsWith(",")
        && ShellWords.splitList(value).stream()
            .allMatch(item -> StagingPair.of(item.strip()).isPresent());
  }

  private static boolean isUmask(String value) {
    return UMASK_DIGITS.matcher(value).matches();
  }

  private static boolean isTruth(String value) {
    return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
  }

  private static String list(String value) {
    return String.join(",", ShellWords.splitList(value).stream().map(String::strip).toList());
  }

  /** PBS keeps the octal digits as a number. */
  private static String digits(String value) {
    return value.replaceFirst("^0+(?=.)", "");
  }

  private static String truth(String value) {
    return value.equalsIgnoreCase("true") ? "True" : "False";
  }
}
