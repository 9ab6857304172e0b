package io.millrace.connectors.openpbs;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ResourceCheck;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsAccounting;
import io.millrace.connectors.openpbs.family.PbsClock;
import io.millrace.connectors.openpbs.family.PbsFamilyKind;
import io.millrace.connectors.openpbs.family.PbsHiddenJobs;
import io.millrace.connectors.openpbs.family.PbsManagedQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks whether an OpenPBS server is as its file says, and can be used. */
final class PbsCheck {

  private static final String KNOWN = "23.06";

  private final ClusterFile file;
  private final CommandRunner runner;
  private final List<CheckLine> lines = new ArrayList<>();
  private final List<OutsideJob> jobs = new ArrayList<>();
  private final List<OutsideHost> nodes = new ArrayList<>();

  PbsCheck(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
  }

  List<CheckLine> lines() throws InterruptedException {
    String server = file.text(PbsFamilyKind.SERVER);
    List<String> words = List.of(file.program("qstat"), "-B", "-f", "-F", "json", server);
    OutsideAnswer said = runner.run(file.commands(Map.of()).own(words));
    Map<String, String> settings = new LinkedHashMap<>();
    Optional<String> trouble =
        PbsJson.read(said, server, "Server", (name, fields) -> settings.putAll(fields));
    if (trouble.isPresent()) {
      lines.add(
          CheckLine.wrong(
              "the server does not answer: " + trouble.get(),
              "start it, set PBS_SERVER in /etc/pbs.conf, and 'server' to the name behind the dot"
                  + " in numbers of jobs"));
      return lines;
    }
    lines.add(CheckLine.good("server " + server));
    version(settings.getOrDefault("pbs_version", ""));
    queue();
    PbsHiddenJobs.wrong(settings).ifPresent(lines::add);
    hosts();
    lines.add(PbsClock.check(jobs, nodes, Instant.now(), file.number("clock_skew_s")));
    routes(server);
    accounting(settings);
    file.given(PbsFamilyKind.HOOK_FILE).ifPresent(it -> hook(Path.of(it)));
    if (file.managedQueue().isPresent()) {
      managed(file.managedQueue().get(), settings.getOrDefault("default_queue", ""));
    }
    return lines;
  }

  /** Whether the scheduler starts nothing by itself on the vnodes of the managed queue. */
  private void managed(String queue, String usual) throws InterruptedException {
    String server = file.text(PbsFamilyKind.SERVER);
    List<String> words = List.of(file.program("qstat"), "-Q", "-f", "-F", "json", "@" + server);
    OutsideAnswer said = runner.run(file.commands(Map.of()).own(words));
    Map<String, String> fields = new LinkedHashMap<>();
    Optional<String> trouble =
        PbsJson.read(
            said,
            server,
            "Queue",
            (name, all) -> {
              if (name.equals(queue)) {
                fields.putAll(all);
              }
            });
    if (trouble.isPresent()) {
      return; // the line of the hosts tells it
    }
    List<CheckLine> wrong = new ArrayList<>(PbsManagedQueue.wrong(queue, fields, usual));
    Told<OutsideInventory> told = new PbsSystem(file, runner).inventory();
    if (told instanceof Told.Answered<OutsideInventory> answer
        && answer.value().hosts().stream().noneMatch(it -> it.cpus() > 0)) {
      wrong.add(
          CheckLine.wrong(
              "queue " + queue + " has no host for itself",
              "qmgr -c 'set node HOST queue=" + queue + "' for each of its hosts"));
    }
    lines.addAll(wrong);
    if (wrong.isEmpty()) {
      lines.add(CheckLine.good("queue " + queue + " has jobs from here only"));
    }
  }

  private void version(String version) {
    lines.add(
        version.startsWith(KNOWN)
            ? CheckLine.good("version: " + version)
            : CheckLine.wrong(
                "OpenPBS is '" + version + "', whose answers are not known",
                "use " + KNOWN + ", whose answers are"));
  }

  private void queue() throws InterruptedException {
    Told<List<OutsideJob>> told = new PbsSystem(file, runner).snapshot();
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
    Told<OutsideInventory> told = new PbsSystem(file, runner).inventory();
    if (told instanceof Told.Answered<OutsideInventory> answer) {
      nodes.addAll(answer.value().hosts());
      lines.add(CheckLine.good("hosts: " + nodes.size()));
      lines.addAll(
          ResourceCheck.lines(
              file, nodes, "qmgr -c 'set node HOST resources_available.NAME = AMOUNT' there"));
    } else if (told instanceof Told.Nothing<OutsideInventory> nothing) {
      lines.add(
          CheckLine.wrong(
              "the hosts cannot be read: " + nothing.why(), "try 'pbsnodes -av -F json'"));
    }
  }

  /** A job that goes to another server is lost sight of, and would count as ended. */
  private void routes(String server) throws InterruptedException {
    List<String> words = List.of(file.program("qstat"), "-Q", "-f", "-F", "json", "@" + server);
    OutsideAnswer said = runner.run(file.commands(Map.of()).own(words));
    // What cannot be read has a line of the hosts.
    PbsJson.read(
        said,
        server,
        "Queue",
        (name, fields) -> {
          for (String to : fields.getOrDefault("route_destinations", "").split(",")) {
            int at = to.indexOf('@');
            if (at >= 0 && !to.substring(at + 1).strip().equals(server)) {
              lines.add(
                  CheckLine.wrong(
                      "queue " + name + " routes to another server: " + to.strip(),
                      "take that destination away with qmgr: a job that has gone there is not"
                          + " seen here any more"));
            }
          }
        });
  }

  private void accounting(Map<String, String> settings) {
    Optional<String> given = file.given(PbsFamilyKind.ACCOUNTING);
    boolean history = settings.getOrDefault("job_history_enable", "").equals("True");
    if (given.isEmpty()) {
      lines.add(
          history
              ? CheckLine.good("accounting: none; ends are read from the history of jobs")
              : CheckLine.wrong(
                  "the server keeps no history of jobs, and no accounting is read",
                  "set job_history_enable=True with qmgr, or 'accounting' to the folder of the"
                      + " accounting files"));
      return;
    }
    lines.add(PbsAccounting.check(runner.files(), given.get()));
  }

  /** The hook makes it with the first job that begins. */
  private void hook(Path written) {
    Optional<FileFacts> facts = Optional.empty();
    boolean readable = false;
    try {
      facts = runner.files().facts(written);
      readable = runner.files().isReadable(written);
    } catch (IOException e) {
      // The same as one that cannot be read.
    }
    lines.add(
        readable && facts.filter(FileFacts::isRegular).isPresent()
            ? CheckLine.good("begins and ends by the hook, in " + written)
            : CheckLine.wrong(
                written + " cannot be read",
                "import millrace-pbs-hook.py on the server, have a job begin, and give this account"
                    + " the right to read the file"));
  }
}
