package io.millrace.schemas.oar;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job asks of an OAR in OAR's own words. They go to its REST API, which puts them between
 * double quotes into a line for a shell: what else a shell could see there is refused.
 */
public final class OarAsked {

  /** Variable of a job with its resources: {@code /nodes=1/core=2}. */
  public static final String RESOURCES = "MILLRACE_OAR_RESOURCES";

  /** Variable of a job with what hosts have to show: {@code gpu = 'YES' AND arch = 'x'}. */
  public static final String PROPERTIES = "MILLRACE_OAR_PROPERTIES";

  private static final int CHARACTERS_MAX = 1_000;
  private static final long PROCESSORS_MAX = 1_000_000;
  private static final Pattern LEVEL = Pattern.compile("([a-z][a-z0-9_]{0,30})=([1-9][0-9]{0,6})");
  private static final Pattern SHAPE =
      Pattern.compile("/?[A-Za-z][A-Za-z0-9_]*=[^/,:+]+(/[A-Za-z][A-Za-z0-9_]*=[^/,:+]+)*");
  private static final Set<String> HOSTS = Set.of("nodes", "network_address", "host");

  private OarAsked() {}

  /** Whether a text begins as OAR's resources do, and not as those of PBS. */
  public static boolean looksLike(String text) {
    return text.startsWith("/") || SHAPE.matcher(text).matches() && text.contains("/");
  }

  /**
   * Processors that such resources are, counted by the last level and those above it.
   *
   * @throws IllegalArgumentException in words, when they are none or cannot be had here
   */
  public static int processors(String text) {
    if (text.length() > CHARACTERS_MAX) {
      throw new IllegalArgumentException("more than " + CHARACTERS_MAX + " characters");
    }
    long all = 1;
    for (String one : (text.startsWith("/") ? text.substring(1) : text).split("/", -1)) {
      Matcher level = LEVEL.matcher(one);
      if (!level.matches()) {
        String cut = one.length() > 40 ? one.substring(0, 40) : one;
        throw new IllegalArgumentException(
            "'" + cut.replaceAll("\\p{Cntrl}", "?") + "' is no NAME=NUMBER of OAR");
      }
      long many = Long.parseLong(level.group(2));
      if (HOSTS.contains(level.group(1)) && many != 1) {
        throw new IllegalArgumentException(
            level.group(1) + " is 1 here: a job on several hosts is not passed on");
      }
      if (level.group(1).equals("walltime")) {
        throw new IllegalArgumentException("walltime is asked for apart");
      }
      all *= many;
      if (all > PROCESSORS_MAX) {
        throw new IllegalArgumentException("at most " + PROCESSORS_MAX + " processors may be");
      }
    }
    return (int) all;
  }

  /**
   * The same as one host of an OAR has it.
   *
   * @throws IllegalArgumentException as above
   */
  public static String onOneHost(String text) {
    processors(text);
    String levels = text.startsWith("/") ? text.substring(1) : text;
    boolean named = HOSTS.stream().anyMatch(it -> ("/" + levels).contains("/" + it + "="));
    return (named ? "/" : "/network_address=1/") + levels;
  }

  /** Whether these are conditions that may go to an OAR as they are. */
  public static boolean areConditions(String text) {
    return OarProperties.isSafe(text);
  }
}
