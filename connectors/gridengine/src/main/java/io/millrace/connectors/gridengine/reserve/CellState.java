package io.millrace.connectors.gridengine.reserve;

import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideReservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands in a cell.
 *
 * @param prefix begins the names of all that is ours
 * @param queues all cluster queues
 * @param sets our user sets
 * @param groups our host groups with their hosts, without the letter @
 * @param states letters of queue instances, by queue and host
 */
record CellState(
    String prefix,
    Set<String> queues,
    Set<String> sets,
    Map<String, List<String>> groups,
    Map<String, Map<String, String>> states) {

  static final String HOSTS = "_hosts";
  static final String USERS = "_users";

  /** Between a reservation and the queue whose instances were suspended for it. */
  static final String CLOSED = ".closed.";

  private static final String FIELD = "queue.";
  private static final String STATE = ".state_string";
  private static final Pattern OURS = Pattern.compile("mr\\.[a-z][a-z0-9-]*\\.[RSM][0-9]+");

  static CellState read(CellCommands commands, String cluster, List<OutsideHost> hosts)
      throws CellTrouble, InterruptedException {
    String prefix = OutsideReservation.queue(cluster, "");
    Map<String, List<String>> groups = new TreeMap<>();
    for (String group : commands.list("-shgrpl")) {
      if (group.startsWith("@" + prefix)) {
        groups.put(group.substring(1), members(commands.ask("qconf", "-shgrp", group)));
      }
    }
    Set<String> sets = new TreeSet<>(commands.list("-sul"));
    sets.removeIf(it -> !it.startsWith(prefix));
    Map<String, Map<String, String>> states = new TreeMap<>();
    for (OutsideHost host : hosts) {
      host.fields()
          .forEach(
              (field, value) -> {
                if (field.startsWith(FIELD) && field.endsWith(STATE)) {
                  String queue = field.substring(FIELD.length(), field.length() - STATE.length());
                  states.computeIfAbsent(queue, it -> new TreeMap<>()).put(host.name(), value);
                }
              });
    }
    return new CellState(prefix, new TreeSet<>(commands.list("-sql")), sets, groups, states);
  }

  /** The hosts of a group as qconf prints it. */
  private static List<String> members(String text) {
    List<String> hosts =
        new ArrayList<>(List.of(fields(text).getOrDefault("hostlist", "").split("\\s+")));
    hosts.removeIf(it -> it.isEmpty() || it.equals("NONE"));
    return hosts;
  }

  /** Long values are broken off with a backslash at the end of a line. */
  static Map<String, String> fields(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : text.replaceAll("\\\\\n\\s*", "").lines().toList()) {
      String[] pair = line.strip().split("\\s+", 2);
      if (!pair[0].isEmpty() && !pair[0].startsWith("#")) {
        fields.put(pair[0], pair.length > 1 ? pair[1].strip() : "");
      }
    }
    return fields;
  }

  /** Names of all reservations of which something is there. */
  Set<String> reservations() {
    Set<String> names = new TreeSet<>();
    List<String> all = new ArrayList<>(queues);
    all.addAll(sets);
    all.addAll(groups.keySet());
    for (String each : all) {
      Matcher ours = OURS.matcher(each);
      if (each.startsWith(prefix) && ours.lookingAt()) {
        names.add(ours.group().substring(prefix.length()));
      }
    }
    return names;
  }

  /** Whether a queue is one of a reservation, of this or another cluster file. */
  static boolean isReserved(String queue) {
    return OURS.matcher(queue).matches();
  }

  boolean isSuspended(String queue, String host) {
    return states.getOrDefault(queue, Map.of()).getOrDefault(host, "").contains("s");
  }

  /** Whether an instance is there, and its queue still names the host. */
  boolean isAttached(String queue, String host) {
    String state = states.getOrDefault(queue, Map.of()).get(host);
    return state != null && !state.contains("o");
  }

  /** The group of the hosts on which a queue was suspended for a reservation. */
  String closed(String name, String queue) {
    return prefix + name + CLOSED + queue;
  }
}
