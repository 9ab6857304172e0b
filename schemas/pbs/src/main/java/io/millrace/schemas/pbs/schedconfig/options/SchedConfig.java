package io.millrace.schemas.pbs.schedconfig.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of a sched_config, for prime and for non-prime time. Immutable once read.
 *
 * <p>Values are kept as normal texts: {@code true} and {@code false}, whole numbers, seconds.
 */
public final class SchedConfig {

  /** A time without end, as a number of seconds. */
  public static final long ENDLESS_S = Long.MAX_VALUE / 4;

  /**
   * One key of job_sort_key.
   *
   * @param name a resource, or a word such as job_priority
   * @param high true when jobs with more come first
   */
  public record JobKey(String name, boolean high) {}

  /**
   * One line of server_dyn_res.
   *
   * @param program with its arguments
   */
  public record Program(String resource, String program) {}

  /**
   * One key of node_sort_key.
   *
   * @param name of a resource, or a word such as sort_priority
   * @param high true when nodes with more are taken first
   * @param part total, assigned or unused: what of the resource counts
   */
  public record NodeKey(String name, boolean high, String part) {
    /** The part that does not change with what runs. */
    public static final String TOTAL = "total";
  }

  private final Map<SitePeriod, Map<String, List<String>>> values = new EnumMap<>(SitePeriod.class);

  private final Map<String, Integer> lines = new LinkedHashMap<>();

  SchedConfig() {
    for (SitePeriod period : SitePeriod.values()) {
      values.put(period, new LinkedHashMap<>());
    }
  }

  /** Number of the last line that named an option; 0 for none. */
  public int line(String name) {
    return lines.getOrDefault(name, 0);
  }

  /** The values of a file without any line. */
  public static SchedConfig usual() {
    return new SchedConfig();
  }

  void set(SitePeriod period, SchedConfigOption option, String value, int line) {
    lines.put(option.name(), line);
    String name = SchedConfigOptions.OLD_NAMES.getOrDefault(option.name(), option.name());
    boolean more =
        option.addsUp() || name.equals(SchedConfigOptions.NODE_SORT_KEY); // sort_nodes is a key too
    List<String> list = values.get(period).computeIfAbsent(name, it -> new ArrayList<>());
    if (!more) {
      list.clear();
    }
    // The old name says nothing but that nodes have an order.
    list.add(option.name().equals("sort_nodes") ? "sort_priority HIGH" : value);
  }

  /** The values that lines gave an option; empty when none did. */
  List<String> given(String name, SitePeriod period) {
    return List.copyOf(values.get(period).getOrDefault(name, List.of()));
  }

  /** True when a line named the option for the period. */
  public boolean names(String name, SitePeriod period) {
    return values.get(period).containsKey(name);
  }

  /** True when a line named an option that does not depend on the period. */
  public boolean names(String name) {
    return names(name, SitePeriod.PRIME);
  }

  /** The last value of the option; its usual one when no line gave it one. */
  public String text(String name, SitePeriod period) {
    List<String> list = values.get(period).get(name);
    return list == null || list.isEmpty()
        ? SchedConfigOptions.find(name).map(SchedConfigOption::usual).orElse("")
        : list.get(list.size() - 1);
  }

  /** The value of an option that does not depend on the period. */
  public String text(String name) {
    return text(name, SitePeriod.PRIME);
  }

  public boolean flag(String name, SitePeriod period) {
    return text(name, period).equals("true");
  }

  public boolean flag(String name) {
    return flag(name, SitePeriod.PRIME);
  }

  /** A whole number; {@link Integer#MAX_VALUE} for ALL_JOBS. */
  public int count(String name) {
    String text = text(name);
    if (text.equals(SchedConfigOptions.ALL_JOBS)) {
      return Integer.MAX_VALUE;
    }
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, Long.parseLong(text)));
  }

  /** Seconds; {@link #ENDLESS_S} for a time without end. */
  public long seconds(String name, SitePeriod period) {
    String text = text(name, period);
    return DurationText.seconds(text).orElse(ENDLESS_S);
  }

  public double factor(String name) {
    return Double.parseDouble(text(name));
  }

  /** Names of a list with commas, of all its lines. */
  public List<String> list(String name) {
    List<String> names = new ArrayList<>();
    for (String line : given(name, SitePeriod.PRIME)) {
      Arrays.stream(line.split(","))
          .map(String::strip)
          .filter(it -> !it.isEmpty())
          .forEach(names::add);
    }
    return List.copyOf(names);
  }

  /** The keys by which jobs are sorted. */
  public List<JobKey> jobKeys(SitePeriod period) {
    return given(SchedConfigOptions.JOB_SORT_KEY, period).stream()
        .map(text -> text.split("\\s+"))
        .map(words -> new JobKey(words[0], high(words[1])))
        .toList();
  }

  /** The keys by which nodes are sorted. */
  public List<NodeKey> nodeKeys(SitePeriod period) {
    return given(SchedConfigOptions.NODE_SORT_KEY, period).stream().map(SchedConfig::key).toList();
  }

  private static NodeKey key(String text) {
    String[] words = text.split("\\s+");
    return new NodeKey(words[0], high(words[1]), words.length > 2 ? words[2] : NodeKey.TOTAL);
  }

  private static boolean high(String word) {
    return word.equalsIgnoreCase("high");
  }

  /** The programs of server_dyn_res. */
  public List<Program> programs() {
    return given(SchedConfigOptions.SERVER_DYN_RES, SitePeriod.PRIME).stream()
        .map(text -> text.split("\\s*!", 2))
        .map(parts -> new Program(parts[0].strip(), parts[1].strip()))
        .toList();
  }
}
