package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ResourceCheck;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsAccounting;
import io.millrace.connectors.openpbs.family.PbsClock;
import io.millrace.connectors.openpbs.family.PbsFamilyKind;
import io.millrace.connectors.openpbs.family.PbsHiddenJobs;
import io.millrace.connectors.openpbs.family.PbsManagedQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks whether a Torque server is as its file says, and can be used. */
final class TorqueCheck {

  /** Versions whose source the formats are taken from. */
  private static final List<String> KNOWN = List.of("6.1.", "7.");

  private static final int KEPT_LEAST_S = 60;
  private static final String NAME = "Server: ";

  private final ClusterFile file;
  private final CommandRunner runner;
  private final List<CheckLine> lines = new ArrayList<>();
  private final List<OutsideJob> jobs = new ArrayList<>();
  private final List<OutsideHost> nodes = new ArrayList<>();

  TorqueCheck(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
  }

  List<CheckLine> lines() throws InterruptedException {
    String server = file.text(PbsFamilyKind.SERVER);
    List<String> words = List.of(file.program("qstat"), "-B", "-f", server);
    OutsideAnswer said = runner.run(file.commands(Map.of()).own(words));
    Map<String, String> settings = said.isGood() ? settings(said.out()) : Map.of();
    String name = settings.getOrDefault(NAME, "");
    if (!name.equals(server)) {
      String why =
          !said.isGood()
              ? "the server does not answer: " + said.trouble()
              : "this is the server '" + name + "', not " + server;
      lines.add(
          CheckLine.wrong(
              why,
              "start it and trqauthd, and set 'server' to the name behind the dot in numbers of"
                  + " jobs"));
      return lines;
    }
    lines.add(CheckLine.good("server " + server));
    version(settings.getOrDefault("pbs_version", ""));
    queue();
    PbsHiddenJobs.wrong(settings).ifPresent(lines::add);
    hosts();
    lines.add(PbsClock.check(jobs, nodes, Instant.now(), file.number("clock_skew_s")));
    accounting(settings.getOrDefault("keep_completed", "0"));
    if (file.managedQueue().isPresent()) {
      managed(file.managedQueue().get(), settings.getOrDefault("default_queue", ""));
    }
    return lines;
  }

  /** Whether only jobs from here come into the managed queue. */
  private void managed(String queue, String usual) throws InterruptedException {
    List<String> words =
        List.of(file.program("qstat"), "-Q", "-f", "@" + file.text(PbsFamilyKind.SERVER));
    OutsideAnswer said = runner.run(file.commands(Map.of()).own(words));
    if (!said.isGood()) {
      return; // the line of the hosts tells it
    }
    Map<String, String> fields = new LinkedHashMap<>();
    boolean own = false;
    for (String line : said.out().lines().toList()) {
      int equals = line.indexOf(" = ");
      if (line.startsWith(TorqueHosts.QUEUE)) {
        own = line.substring(TorqueHosts.QUEUE.length()).strip().equals(queue);
      } else if (own && equals > 0) {
        fields.put(line.substring(0, equals).strip(), line.substring(equals + 3).strip());
      }
    }
    List<CheckLine> wrong = PbsManagedQueue.wrong(queue, fields, usual);
    lines.addAll(wrong);
    if (wrong.isEmpty()) {
      lines.add(CheckLine.good("queue " + queue + " has jobs from here only"));
    }
  }

  /** Settings of a server as {@code qstat -B -f} prints them. */
  private static Map<String, String> settings(String text) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      int equals = line.indexOf(" = ");
      if (line.startsWith(NAME)) {
        settings.put(NAME, line.substring(NAME.length()).strip());
      } else if (equals > 0) {
        settings.put(line.substring(0, equals).strip(), line.substring(equals + 3).strip());
      }
    }
    return settings;
  }

  private void version(String version) {
    lines.add(
        KNOWN.stream().anyMatch(version::startsWith)
            ? CheckLine.good("version: " + version)
            : CheckLine.wrong(
                "Torque is '" + version + "', whose answers are not known",
                "use 6.1 or 7, whose answers are known from their source"));
  }

  private void queue() throws InterruptedException {
    Told<List<OutsideJob>> told = new TorqueSystem(file, runner).snapshot();
    if (told instanceof Told.Answered<List<OutsideJob>> answer) {
      jobs.addAll(answer.value());
      lines.add(CheckLine.good("queue: " + jobs.size() + " jobs"));
    } else if (told instanceof Told.Nothing<List<OutsideJob>> nothing) {
      lines.add(
          CheckLine.wrong(
              "the queue cannot be read: " + nothing.why(),
              "set query_other_jobs=True with qmgr, and let this host ask the server"));
    }
  }

  private void hosts() throws InterruptedException {
    Told<OutsideInventory> told = new TorqueSystem(file, runner).inventory();
    if (told instanceof Told.Answered<OutsideInventory> answer) {
      nodes.addAll(answer.value().hosts());
      lines.add(CheckLine.good("hosts: " + nodes.size()));
      lines.addAll(ResourceCheck.lines(file, nodes, "qmgr -c 'set node HOST gpus = N' there"));
    } else if (told instanceof Told.Nothing<OutsideInventory> nothing) {
      lines.add(CheckLine.wrong("the hosts cannot be read: " + nothing.why(), "try 'pbsnodes -x'"));
    }
  }

  private void accounting(String kept) {
    Optional<String> given = file.given(PbsFamilyKind.ACCOUNTING);
    boolean enough = kept.matches("[0-9]{1,9}") && Integer.parseInt(kept) >= KEPT_LEAST_S;
    if (given.isEmpty()) {
      lines.add(
          enough
              ? CheckLine.good("accounting: none; jobs that are over are kept for " + kept + " s")
              : CheckLine.wrong(
                  "the server keeps jobs that are over for "
                      + kept
                      + " s, and no accounting is read",
                  "set keep_completed=300 with qmgr, or 'accounting' to the folder of the"
                      + " accounting files"));
      return;
    }
    lines.add(PbsAccounting.check(runner.files(), given.get()));
  }
}
