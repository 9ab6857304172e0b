package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.system.OutsideHolding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Amounts of resources as systems of the PBS family write them. */
public final class PbsResources {

  private PbsResources() {}

  /** A number or a size in bytes; -1 for anything else. */
  public static long amount(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : PbsUnits.bytes(text);
  }

  /** What a chunk asks for beside processors and memory, each with a colon before it. */
  public static String words(Map<String, Long> asked) {
    return asked.entrySet().stream()
        .map(it -> ":" + it.getKey() + "=" + it.getValue())
        .collect(Collectors.joining());
  }

  /**
   * What an OpenPBS job has of its hosts.
   *
   * @param hosts its {@code exec_host}, a piece for each chunk
   * @param vnodes its {@code exec_vnode}, brackets for each chunk
   * @param table what resources are called there, by their names here
   */
  public static List<OutsideHolding> holdings(
      String hosts, String vnodes, Map<String, String> table) {
    if (!vnodes.startsWith("(") || !vnodes.endsWith(")")) {
      return List.of();
    }
    String[] chunks = vnodes.substring(1, vnodes.length() - 1).split("\\)\\+\\(");
    String[] places = hosts.isEmpty() ? new String[0] : hosts.split("\\+");
    List<OutsideHolding> holdings = new ArrayList<>();
    for (int i = 0; i < chunks.length; i++) {
      for (String part : chunks[i].split("\\+")) {
        String vnode = part.split(":", 2)[0];
        String host =
            places.length == chunks.length ? places[i].split("/", 2)[0] : vnode.split("\\[", 2)[0];
        holdings.add(OutsideHolding.of(host, ofChunk(part, table)));
      }
    }
    return holdings;
  }

  private static Map<String, Long> ofChunk(String chunk, Map<String, String> table) {
    Map<String, Long> amounts = new TreeMap<>();
    for (String word : chunk.split(":")) {
      String[] pair = word.split("=", 2);
      if (pair.length == 2) {
        long amount = amount(pair[1]);
        if (pair[0].equals(OutsideHolding.NCPUS) || pair[0].equals(OutsideHolding.MEM)) {
          amounts.merge(pair[0], amount, Long::sum);
        }
        table.forEach(
            (here, there) -> {
              if (there.equals(pair[0])) {
                amounts.merge(here, amount, Long::sum);
              }
            });
      }
    }
    return amounts;
  }

  /** Those of a host's fields that are resources of a table, by their names here. */
  public static Map<String, Long> ofHost(
      Map<String, String> fields, String prefix, Map<String, String> table) {
    Map<String, Long> amounts = new TreeMap<>();
    table.forEach(
        (here, there) -> {
          long amount = amount(fields.getOrDefault(prefix + there, ""));
          if (amount >= 0) {
            amounts.put(here, amount);
          }
        });
    return amounts;
  }
}
