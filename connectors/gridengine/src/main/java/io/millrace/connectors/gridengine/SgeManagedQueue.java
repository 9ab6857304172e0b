package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.Told;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks whether Grid Engine's scheduler starts nothing by itself on the hosts of the managed queue:
 * only what asks for its complex runs in it, and no other queue is open there.
 */
final class SgeManagedQueue {

  private static final String PREFIX = "queue.";
  private static final String STATE = ".state_string";

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;

  SgeManagedQueue(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(SgeKeys.environment(file));
  }

  List<CheckLine> lines(String queue) throws InterruptedException {
    OutsideAnswer said = runner.run(commands.own(List.of(file.program("qconf"), "-sq", queue)));
    if (!said.isGood()) {
      return List.of(
          CheckLine.wrong(
              "queue " + queue + " cannot be read: " + said.trouble(),
              "make it with 'qconf -aq " + queue + "', or set 'queue' to the managed one"));
    }
    List<CheckLine> lines = new ArrayList<>();
    String name = file.text(SgeKeys.MANAGED);
    OutsideAnswer complexes = runner.run(commands.own(List.of(file.program("qconf"), "-sc")));
    if (!complexes.isGood()) {
      lines.add(
          CheckLine.wrong(
              "the complexes cannot be read: " + complexes.trouble(), "try 'qconf -sc'"));
    } else if (!isForced(name, complexes.out())) {
      lines.add(
          CheckLine.wrong(
              "there is no complex " + name + " that jobs have to ask for",
              "add with 'qconf -mc' the line '" + name + " " + name + " BOOL == FORCED NO 0 0'"));
    }
    String values = fields(said.out()).getOrDefault("complex_values", "NONE");
    if (!List.of(values.toLowerCase().split(",")).contains(name.toLowerCase() + "=true")) {
      lines.add(
          CheckLine.wrong(
              "queue " + queue + " takes jobs that Millrace has not sent",
              "'qconf -aattr queue complex_values " + name + "=TRUE " + queue + "'"));
    }
    others(queue, lines);
    if (lines.isEmpty()) {
      lines.add(CheckLine.good("queue " + queue + " has jobs from here only"));
    }
    return lines;
  }

  /** Columns: name, shortcut, type, relation, requestable, and what does not matter. */
  private static boolean isForced(String name, String complexes) {
    return complexes
        .lines()
        .map(it -> List.of(it.strip().split("\\s+")))
        .anyMatch(
            it ->
                it.size() > 4
                    && it.get(0).equals(name)
                    && it.get(2).equals("BOOL")
                    && it.get(4).equals("FORCED"));
  }

  /** A host of another queue that is open has jobs that are not counted here. */
  private void others(String queue, List<CheckLine> lines) throws InterruptedException {
    List<String> words = List.of(file.program("qhost"), "-xml", "-q");
    Told<OutsideInventory> told = SgeHosts.read(runner.run(commands.own(words)), Optional.empty());
    if (told instanceof Told.Nothing<OutsideInventory> nothing) {
      lines.add(CheckLine.wrong("the hosts cannot be read: " + nothing.why(), "try 'qhost -q'"));
      return;
    }
    boolean any = false;
    for (OutsideHost host : ((Told.Answered<OutsideInventory>) told).value().hosts()) {
      if (!host.fields().containsKey(PREFIX + queue + STATE)) {
        continue;
      }
      any = true;
      for (Map.Entry<String, String> each : host.fields().entrySet()) {
        String other = queueOf(each.getKey());
        if (!other.isEmpty() && !other.equals(queue) && !each.getValue().contains("d")) {
          lines.add(
              CheckLine.wrong(
                  "host " + host.name() + " of queue " + queue + " takes jobs of " + other + " too",
                  "'qmod -d " + other + "@" + host.name() + "', or take it out of one of them"));
        }
      }
    }
    if (!any) {
      lines.add(CheckLine.wrong("queue " + queue + " has no host", "name some in its 'hostlist'"));
    }
  }

  private static String queueOf(String field) {
    return field.startsWith(PREFIX) && field.endsWith(STATE)
        ? field.substring(PREFIX.length(), field.length() - STATE.length())
        : "";
  }

  /** Long values are broken off with a backslash at the end of a line. */
  static Map<String, String> fields(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : text.replaceAll("\\\\\n\\s*", "").lines().toList()) {
      String[] pair = line.strip().split("\\s+", 2);
      fields.put(pair[0], pair.length > 1 ? pair[1] : "");
    }
    return fields;
  }
}
