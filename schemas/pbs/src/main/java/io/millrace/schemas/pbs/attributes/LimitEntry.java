package io.millrace.schemas.pbs.attributes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One bracket of a limit such as {@code [u:alice=3],[u:PBS_GENERIC=2],[o:PBS_ALL=10]}.
 *
 * @param whom {@code u} for a user, {@code g} for a group, {@code p} for a project, {@code o} for
 *     all jobs together
 * @param name of the user, group or project; {@link #EACH} for each that has no entry of its own;
 *     {@link #ALL} for all together
 * @param amount as it was written: a count, or an amount of a resource
 */
public record LimitEntry(char whom, String name, String amount) {

  /** Name that stands for each user, group or project without an entry of its own. */
  public static final String EACH = "PBS_GENERIC";

  /** Name that stands for all together; the only one that may follow {@code o:}. */
  public static final String ALL = "PBS_ALL";

  /** How the key of a server's limit ends that holds for what runs use, after the resource. */
  public static final String OF_RUNS = "@running";

  private static final Pattern ENTRY =
      Pattern.compile(
          "\\s*\\[\\s*([ugpo])\\s*:\\s*([^\\s=,:\\[\\]\"]+)\\s*=\\s*([^\\s=,\\[\\]]+)\\s*]\\s*");

  /** Parses a limit; empty when it is malformed, holds no entry, or holds one twice. */
  public static Optional<List<LimitEntry>> parse(String text) {
    Map<String, LimitEntry> entries = new LinkedHashMap<>();
    Matcher matcher = ENTRY.matcher(text);
    int at = 0;
    while (matcher.find(at) && matcher.start() == at) {
      LimitEntry entry =
          new LimitEntry(matcher.group(1).charAt(0), matcher.group(2), matcher.group(3));
      boolean named = entry.whom == 'o' == entry.name.equals(ALL);
      if (!named || entries.put(entry.key(), entry) != null) {
        return Optional.empty();
      }
      at = matcher.end();
      if (at == text.length()) {
        return Optional.of(List.copyOf(entries.values()));
      }
      if (text.charAt(at) != ',') {
        return Optional.empty();
      }
      at++;
    }
    return Optional.empty();
  }

  /** The entries as a text in normal form. */
  public static String format(List<LimitEntry> entries) {
    return entries.stream().map(LimitEntry::toString).collect(Collectors.joining(","));
  }

  /**
   * The limit {@code now} with the entries of {@code more} added or replacing entries for the same
   * name (qmgr +=).
   */
  public static String with(String now, String more) {
    Map<String, LimitEntry> entries = new LinkedHashMap<>();
    parse(now).ifPresent(all -> all.forEach(it -> entries.put(it.key(), it)));
    parse(more).ifPresent(all -> all.forEach(it -> entries.put(it.key(), it)));
    return format(new ArrayList<>(entries.values()));
  }

  /**
   * The limit {@code now} without the entries that {@code less} names with the same amount (qmgr
   * -=).
   */
  public static String without(String now, String less) {
    List<LimitEntry> entries = new ArrayList<>(parse(now).orElse(List.of()));
    parse(less).ifPresent(entries::removeAll);
    return format(entries);
  }

  private String key() {
    return whom + ":" + name;
  }

  @Override
  public String toString() {
    return "[" + key() + "=" + amount + "]";
  }
}
