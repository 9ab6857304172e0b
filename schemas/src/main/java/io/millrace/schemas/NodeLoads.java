package io.millrace.schemas;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The load values among the amounts that an executor measures. Their names are Grid Engine's with
 * {@link #PREFIX} in front. Load averages are counted in millionths, memory in bytes, processors
 * one by one. The announcement of a host contains none of them, a load report does.
 */
public final class NodeLoads {

  public static final String PREFIX = "load.";

  /**
   * Whether a node of an outside cluster is away, which is told with load values: 0, or one of the
   * two values below. Such a node gets no runs, and those that it has stay.
   */
  public static final String AWAY = PREFIX + "away";

  /** Its cluster does not answer. */
  public static final long SILENT = 1;

  /** Its cluster gives it no jobs. */
  public static final long CLOSED = 2;

  /** How hard pressed the cluster outside is to which a node belongs, in thousandths. */
  public static final String STRESS = PREFIX + "stress";

  public static final double STRESS_MOST = 1_000;

  /** 1 on nodes of an OAR, which is asked in its own words. */
  public static final String OAR = PREFIX + "oar";

  /** Above it nothing new is sent to the cluster. */
  public static final long STRESS_TOO_MUCH = 800;

  /** Smallest change of it that is reported. */
  private static final long STRESS_FLOOR = 100;

  /**
   * Begin of the names of amounts that jobs of its cluster which are no runs of ours hold of a
   * node: they are taken off what is free, and are nobody's here.
   */
  public static final String HELD = PREFIX + "held.";

  private static final double MILLIONTHS = 1e6;
  private static final double MEBIBYTE = 1 << 20;

  /** Smallest change of a load average that is reported, in millionths. */
  private static final long LOAD_FLOOR = 250_000;

  /** Smallest change of free memory that is reported, in bytes. */
  private static final long MEMORY_FLOOR = 256L << 20;

  private NodeLoads() {}

  /** Whether there is any load value among the amounts. */
  public static boolean among(Map<String, Long> measured) {
    return measured.keySet().stream().anyMatch(name -> name.startsWith(PREFIX));
  }

  /** Whether a node is away, and why; 0 when it is not. */
  public static long away(Map<String, Long> measured) {
    return measured.getOrDefault(AWAY, 0L);
  }

  /** What others hold of a node outside, by resource. */
  public static Map<String, Long> held(Map<String, Long> measured) {
    Map<String, Long> held = new TreeMap<>();
    measured.forEach(
        (name, amount) -> {
          if (name.startsWith(HELD) && amount > 0) {
            held.put(name.substring(HELD.length()), amount);
          }
        });
    return held;
  }

  /** The load values alone. */
  public static Map<String, Long> of(Map<String, Long> measured) {
    Map<String, Long> loads = new TreeMap<>(measured);
    loads.keySet().removeIf(name -> !name.startsWith(PREFIX));
    return loads;
  }

  /**
   * The amounts without load values, but for the mark of a node that is away; the same map when
   * there are none.
   */
  public static Map<String, Long> without(Map<String, Long> measured) {
    if (!among(measured)) {
      return measured;
    }
    Map<String, Long> amounts = new TreeMap<>(measured);
    amounts.keySet().removeIf(name -> name.startsWith(PREFIX));
    if (away(measured) != 0) {
      amounts.put(AWAY, away(measured));
    }
    return amounts;
  }

  /** The same with what others hold, so with all on which it depends what a node has room for. */
  public static Map<String, Long> ofRoom(Map<String, Long> measured) {
    Map<String, Long> held = held(measured);
    if (held.isEmpty()) {
      return without(measured);
    }
    Map<String, Long> amounts = new TreeMap<>(without(measured));
    held.forEach((name, amount) -> amounts.put(HELD + name, amount));
    return amounts;
  }

  /**
   * Whether the load differs enough from the reported one to be reported again: by a tenth, and by
   * more than the floors above. The one-minute average does not count, because it changes all the
   * time. That a node is away, or no more, always counts, and what it has and what others hold of
   * it; so does a stress that differs by 0.1, or has passed what is too much.
   */
  public static boolean news(Map<String, Long> reported, Map<String, Long> now) {
    long stress = reported.getOrDefault(STRESS, 0L) - now.getOrDefault(STRESS, 0L);
    return !Objects.equals(reported.get(AWAY), now.get(AWAY))
        || !without(reported).equals(without(now))
        || !held(reported).equals(held(now))
        || Math.abs(stress) >= STRESS_FLOOR
        || isStressed(reported) != isStressed(now)
        || differs(reported, now, "load_medium", LOAD_FLOOR)
        || differs(reported, now, "load_long", LOAD_FLOOR)
        || differs(reported, now, "mem_free", MEMORY_FLOOR)
        || differs(reported, now, "swap_free", MEMORY_FLOOR);
  }

  private static boolean isStressed(Map<String, Long> measured) {
    return measured.getOrDefault(STRESS, 0L) > STRESS_TOO_MUCH;
  }

  private static boolean differs(
      Map<String, Long> reported, Map<String, Long> now, String name, long floor) {
    Long before = reported.get(PREFIX + name);
    Long after = now.get(PREFIX + name);
    if (before == null || after == null) {
      return after != null;
    }
    long difference = Math.abs(before - after);
    return difference >= floor && difference * 10 >= Math.max(before, after);
  }

  /** Load values as Grid Engine's hosts report them, derived ones included, in its order. */
  public static Map<String, String> texts(Map<String, Long> measured) {
    Map<String, String> texts = new LinkedHashMap<>();
    Map<String, Long> loads = of(measured);
    double processors = Math.max(1, loads.getOrDefault(PREFIX + "num_proc", 1L));
    average(texts, loads, "load_avg", "load_medium", 1);
    for (String name : new String[] {"load_short", "load_medium", "load_long"}) {
      average(texts, loads, name, name, 1);
    }
    if (loads.containsKey(PREFIX + "num_proc")) {
      texts.put("num_proc", loads.get(PREFIX + "num_proc").toString());
    }
    memory(texts, loads);
    average(texts, loads, "np_load_avg", "load_medium", processors);
    for (String name : new String[] {"load_short", "load_medium", "load_long"}) {
      average(texts, loads, "np_" + name, name, processors);
    }
    return texts;
  }

  private static void average(
      Map<String, String> texts, Map<String, Long> loads, String name, String from, double by) {
    Long value = loads.get(PREFIX + from);
    if (value != null) {
      texts.put(name, six(value / MILLIONTHS / by));
    }
  }

  private static void memory(Map<String, String> texts, Map<String, Long> loads) {
    for (String kind : new String[] {"free", "total", "used"}) {
      bytes(texts, "mem_" + kind, amount(loads, "mem_", kind));
      bytes(texts, "swap_" + kind, amount(loads, "swap_", kind));
      long both = amount(loads, "mem_", kind) + Math.max(0, amount(loads, "swap_", kind));
      bytes(texts, "virtual_" + kind, amount(loads, "mem_", kind) < 0 ? -1 : both);
    }
  }

  /** An amount of a kind; negative when it is unknown. */
  private static long amount(Map<String, Long> loads, String of, String kind) {
    long free = loads.getOrDefault(PREFIX + of + "free", -1L);
    long total = loads.getOrDefault(PREFIX + of + "total", -1L);
    if (free < 0 || total < 0) {
      return -1;
    }
    return kind.equals("free") ? free : kind.equals("total") ? total : total - free;
  }

  private static void bytes(Map<String, String> texts, String name, long bytes) {
    if (bytes >= 0) {
      texts.put(name, six(bytes / MEBIBYTE) + "M");
    }
  }

  private static String six(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }
}
