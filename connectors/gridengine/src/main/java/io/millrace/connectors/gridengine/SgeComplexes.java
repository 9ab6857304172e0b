package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideHolding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Consumables, by what a cluster file calls them: {@code NAME} of one that Grid Engine counts once
 * for a job (JOB), {@code NAME/slot} of one that it counts for each of its slots (YES).
 *
 * @param table what they are called there, by the names of the resources here
 * @param memory the complex by which jobs ask for memory, by slot; empty where there is none
 */
record SgeComplexes(Map<String, String> table, Optional<String> memory) {

  private static final Set<String> AMOUNTS = Set.of("INT", "DOUBLE", "MEMORY");

  /** Columns of {@code qconf -sc}: name, shortcut, type, relop, requestable, consumable and two. */
  private static final int COLUMNS = 8;

  private static final int CONSUMABLE = 5;

  private static final String SLOT = "/slot";

  static final ClusterKey.TextForm FORM =
      new ClusterKey.TextForm(
          Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}(/slot)?"),
          "the name of a complex, with /slot behind it where it is counted for each slot");

  private static boolean isBySlot(String there) {
    return there.endsWith(SLOT);
  }

  /** The complex that is meant by what a cluster file says. */
  static String complex(String there) {
    return isBySlot(there) ? there.substring(0, there.length() - SLOT.length()) : there;
  }

  /**
   * The words of qsub that ask for amounts. Of a complex by slot the last unit is a whole one for
   * each slot.
   *
   * @param asked of a host, by what the cluster file calls them
   * @param slots on that host
   */
  static List<String> words(Map<String, Long> asked, int slots) {
    List<String> words = new ArrayList<>();
    asked.forEach(
        (there, amount) -> {
          long each = isBySlot(there) ? (amount + slots - 1) / slots : amount;
          words.addAll(List.of("-l", complex(there) + "=" + each));
        });
    return words;
  }

  /**
   * Why amounts cannot be asked for, in one line; empty when they can. What is asked for by slot is
   * the same on each host, and what is counted once for a job is not there on each.
   *
   * @param table what the cluster file calls the resources here
   */
  static Optional<String> refusal(OutsideAmounts amounts, Map<String, String> table) {
    if (!amounts.isSpread()) {
      return Optional.empty();
    }
    Optional<String> once =
        amounts.hosts().stream()
            .flatMap(it -> it.asked(table).keySet().stream())
            .filter(it -> !isBySlot(it))
            .sorted()
            .findFirst();
    if (once.isPresent()) {
      return Optional.of(
          "Grid Engine counts "
              + once.get()
              + " once for a job and not on each of its hosts; a job of several hosts takes a complex"
              + " that is counted for each slot");
    }
    return amounts.isEvenInResources(table)
        ? Optional.empty()
        : Optional.of(
            "Grid Engine gives a job as much of a complex for each slot, not more on one host; ask for"
                + " as much of each, as with place=scatter");
  }

  /**
   * What a job has of a host.
   *
   * @param requests what it asks for, by complex
   * @param slots that it has there
   */
  OutsideHolding holding(String host, Map<String, String> requests, long slots) {
    Map<String, Long> amounts = new TreeMap<>();
    amounts.put(OutsideHolding.NCPUS, slots);
    table.forEach(
        (here, there) -> {
          long each = amount(requests.getOrDefault(complex(there), ""));
          long times = isBySlot(there) ? slots : 1;
          amounts.put(here, times(each, times));
        });
    memory.ifPresent(
        it -> amounts.put(OutsideHolding.MEM, times(amount(requests.getOrDefault(it, "")), slots)));
    return OutsideHolding.of(host, amounts);
  }

  /** What a job has of a further host: what is counted once counts at the first one. */
  OutsideHolding again(OutsideHolding holding) {
    Map<String, Long> amounts = new TreeMap<>(holding.amounts());
    table.forEach(
        (here, there) -> {
          if (!isBySlot(there)) {
            amounts.remove(here);
          }
        });
    return new OutsideHolding(holding.host(), amounts);
  }

  private static long times(long each, long times) {
    return each > 0 && times > Long.MAX_VALUE / each ? Long.MAX_VALUE : each * times;
  }

  /**
   * Of the values of complexes that a host has set, those of resources here: 0 of one that it has
   * not.
   */
  Map<String, Long> amounts(Map<String, String> values) {
    Map<String, Long> amounts = new TreeMap<>();
    table.forEach(
        (here, there) -> {
          long amount = amount(values.getOrDefault(complex(there), ""));
          amounts.put(here, Math.max(0, amount));
        });
    return amounts;
  }

  /**
   * What is wrong with a cluster file that names one complex more than once, for which a job would
   * ask twice; empty for nothing.
   *
   * @param values of the file by its keys
   */
  static Optional<String> twice(Map<String, String> values) {
    Map<String, String> keys = new TreeMap<>();
    Optional.ofNullable(values.get(SgeKeys.MEMORY)).ifPresent(it -> keys.put(it, SgeKeys.MEMORY));
    for (Map.Entry<String, String> each : new TreeMap<>(values).entrySet()) {
      String key = each.getKey();
      String before = ClusterKeys.isResource(key) ? keys.put(complex(each.getValue()), key) : null;
      if (before != null) {
        return Optional.of(
            before + " and " + key + " are one complex, " + complex(each.getValue()));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether a complex is there, and counted as the cluster file says.
   *
   * @param table as {@code qconf -sc} prints it
   */
  static CheckLine check(String here, String there, String table) {
    String name = complex(there);
    Optional<String[]> row =
        table
            .lines()
            .filter(it -> !it.startsWith("#"))
            .map(it -> it.strip().split("\\s+"))
            .filter(it -> it.length == COLUMNS && (it[0].equals(name) || it[1].equals(name)))
            .findFirst();
    if (row.isPresent() && !row.get()[0].equals(name)) {
      // Queues and hosts are told by the long one.
      return CheckLine.wrong(
          name + " is the shortcut of complex " + row.get()[0],
          "set 'resource." + here + "' to " + row.get()[0] + (isBySlot(there) ? SLOT : ""));
    }
    if (row.isEmpty()) {
      return CheckLine.wrong(
          "there is no complex " + name, "set 'resource." + here + "' to one of 'qconf -sc'");
    }
    String wanted = isBySlot(there) ? "YES" : "JOB";
    if (!AMOUNTS.contains(row.get()[2]) || !row.get()[CONSUMABLE].equals(wanted)) {
      return CheckLine.wrong(
          "complex "
              + name
              + " is of type "
              + row.get()[2]
              + ", consumable "
              + row.get()[CONSUMABLE],
          "'resource."
              + here
              + " = NAME' needs INT, DOUBLE or MEMORY and JOB in 'qconf -sc', NAME/slot YES");
    }
    return CheckLine.good(here + ": complex " + there);
  }

  /** A number or a size, of which small letters count in thousands; -1 for none. */
  static long amount(String text) {
    if (!text.isEmpty() && "kmgt".indexOf(text.charAt(text.length() - 1)) >= 0) {
      long number = SgeHosts.bytes(text.substring(0, text.length() - 1));
      long unit = 1;
      for (int i = "kmgt".indexOf(text.charAt(text.length() - 1)); i >= 0; i--) {
        unit *= 1000;
      }
      return number < 0 || number > Long.MAX_VALUE / unit ? -1 : number * unit;
    }
    return SgeHosts.bytes(text);
  }
}
