package io.millrace.connectors.bridge.system;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hosts in the words for where a job is. */
public final class OutsidePlaces {

  /** More hosts than any cluster has: a longer list is none. */
  static final int HOSTS_MOST = 100_000;

  /** A name, perhaps with numbers in brackets, up to the comma behind it. */
  private static final Pattern PART = Pattern.compile("([^\\[\\],]+)(?:\\[([0-9,-]+)])?(?:,|$)");

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

  private OutsidePlaces() {}

  /**
   * The hosts of a place, {@code QUEUE@HOST}, {@code HOST} or Slurm's {@code n[1-3,07],m}, without
   * their domains, since they are called with them in one place and without in another; none for
   * what is no list of hosts.
   */
  public static List<String> hosts(String place) {
    String text = place.substring(place.lastIndexOf('@') + 1);
    List<String> hosts = new ArrayList<>();
    Matcher part = PART.matcher(text);
    int at = 0;
    while (at < text.length() && part.find(at) && part.start() == at) {
      if (part.group(2) == null) {
        hosts.add(name(part.group(1)));
      } else if (!numbered(part.group(1), part.group(2), hosts)) {
        return List.of();
      }
      at = part.end();
    }
    return at < text.length() ? List.of() : hosts;
  }

  /** A host without its domain. */
  public static String name(String host) {
    return host.toLowerCase(Locale.ROOT).split("\\.", 2)[0];
  }

  private static boolean numbered(String begin, String ranges, List<String> hosts) {
    for (String each : ranges.split(",")) {
      Matcher range = RANGE.matcher(each);
      if (!range.matches()) {
        return false;
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (last < first || last - first >= HOSTS_MOST - hosts.size()) {
        return false;
      }
      String form = "%0" + range.group(1).length() + "d";
      for (int number = first; number <= last; number++) {
        hosts.add(name(begin + String.format(Locale.ROOT, form, number)));
      }
    }
    return true;
  }
}
