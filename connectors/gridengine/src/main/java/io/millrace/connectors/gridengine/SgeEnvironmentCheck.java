package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Looks whether the parallel environments that jobs are submitted with are there, and give what is
 * asked for: all slots on one host, or as many on each host as the name says.
 */
final class SgeEnvironmentCheck {

  private static final String ONE_HOST = "$pe_slots";

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final List<CheckLine> lines = new ArrayList<>();

  SgeEnvironmentCheck(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(SgeKeys.environment(file));
  }

  List<CheckLine> lines() throws InterruptedException {
    Optional<String> one = file.given(SgeKeys.PE);
    if (one.isPresent()) {
      environment(SgeKeys.PE, one.get(), ONE_HOST);
    }
    Optional<String> several = file.given(SgeKeys.PE_HOSTS);
    if (several.isPresent()) {
      ofSeveralHosts(several.get());
    }
    return lines;
  }

  private OutsideAnswer ask(String... words) throws InterruptedException {
    List<String> all = new ArrayList<>(List.of(file.program("qconf")));
    all.addAll(Arrays.asList(words));
    return runner.run(commands.own(all));
  }

  private void ofSeveralHosts(String key) throws InterruptedException {
    String[] around = key.split(SgeKeys.SLOTS, -1);
    Pattern form =
        Pattern.compile(Pattern.quote(around[0]) + "[1-9][0-9]{0,5}" + Pattern.quote(around[1]));
    List<String> names =
        ask("-spl").out().lines().map(String::strip).filter(form.asMatchPredicate()).toList();
    if (names.isEmpty()) {
      lines.add(
          CheckLine.wrong(
              "there is no parallel environment " + SgeEnvironment.named(key, 1),
              "'qconf -ap', for each number of slots on a host that jobs ask for, with that as"
                  + " allocation_rule; or leave '"
                  + SgeKeys.PE_HOSTS
                  + "' out"));
    }
    int before = lines.size();
    for (String name : names) {
      String slots = name.substring(around[0].length(), name.length() - around[1].length());
      environment(SgeKeys.PE_HOSTS, name, slots);
    }
    if (!names.isEmpty() && lines.size() == before) {
      lines.add(CheckLine.good("jobs on several hosts by " + String.join(", ", names)));
    }
  }

  /**
   * With another rule the slots lie on other hosts than is said here, and the job does not know.
   */
  private void environment(String key, String name, String rule) throws InterruptedException {
    OutsideAnswer said = ask("-sp", name);
    if (!said.isGood()) {
      lines.add(
          CheckLine.wrong(
              "there is no parallel environment " + name,
              "set '" + key + "' to one that 'qconf -spl' lists"));
      return;
    }
    Map<String, String> fields = SgeManagedQueue.fields(said.out());
    String its = fields.getOrDefault("allocation_rule", "");
    if (!its.equals(rule)) {
      lines.add(
          CheckLine.wrong(
              "parallel environment " + name + " has the allocation_rule " + its,
              "give it " + rule + " with 'qconf -mp " + name + "', or name another one"));
    }
    if (key.equals(SgeKeys.PE_HOSTS)
        && !fields.getOrDefault("accounting_summary", "TRUE").equals("TRUE")) {
      lines.add(
          CheckLine.wrong(
              "accounting of jobs in " + name + " has a record for each of their parts",
              "accounting_summary TRUE, with 'qconf -mp " + name + "': only one counts here"));
    }
    Optional<String> queue = file.given("queue");
    if (queue.isPresent()) {
      inQueue(name, queue.get().replaceFirst("@.*", ""));
    }
  }

  private void inQueue(String name, String queue) throws InterruptedException {
    OutsideAnswer said = ask("-sq", queue);
    String listed = SgeManagedQueue.fields(said.out()).getOrDefault("pe_list", "");
    // Of a queue that cannot be read another line tells.
    if (said.isGood() && !Arrays.asList(listed.split("[\\s,=\\[\\]]+")).contains(name)) {
      lines.add(
          CheckLine.wrong(
              "queue " + queue + " does not have parallel environment " + name,
              "'qconf -aattr queue pe_list " + name + " " + queue + "'"));
    }
  }
}
