package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.FollowedCommand;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.files.OutsideFile;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.gridengine.reserve.SgeReservations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks whether a Grid Engine cluster is as its file says, and can be used. */
final class SgeCheck {

  private static final String TESTED = "8.1.9";
  private static final String MASTER = "act_qmaster";
  private static final int NAME_MOST = 300;
  private static final Pattern VERSION = Pattern.compile("(?:SGE|GE|OGS/GE) ([0-9.]+)\\S*");
  private static final Pattern START = Pattern.compile("start time: .*\\(([0-9]{1,12})\\)");
  private static final Pattern RUN = Pattern.compile("run time \\[s\\]: +([0-9]{1,12})");
  private static final Pattern REPORTING = Pattern.compile("(?m)^reporting_params +(.*)$");

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final List<CheckLine> lines = new ArrayList<>();

  SgeCheck(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(SgeKeys.environment(file));
  }

  List<CheckLine> lines() throws InterruptedException {
    Path root = Path.of(file.text(SgeKeys.ROOT));
    if (!isFolder(root)) {
      lines.add(CheckLine.wrong("there is no folder " + root, "set 'sge_root' to its SGE_ROOT"));
      return lines;
    }
    if (!isFolder(SgeKeys.common(file))) {
      lines.add(
          CheckLine.wrong(
              root + " has no cell " + file.text(SgeKeys.CELL),
              "set 'sge_cell' to the name of a folder in it that has a folder common"));
      return lines;
    }
    version();
    Told<List<OutsideJob>> told = new SgeSystem(file, runner).snapshot();
    if (told instanceof Told.Nothing<List<OutsideJob>> nothing) {
      lines.add(
          CheckLine.wrong(
              "qmaster does not answer: " + nothing.why(),
              "start it, and make this host a submit host (qconf -as)"));
      return lines;
    }
    int jobs = ((Told.Answered<List<OutsideJob>>) told).value().size();
    lines.add(CheckLine.good("queue: " + jobs + " jobs"));
    clock();
    accounting();
    if (!file.observes()) {
      submission();
    }
    if (file.managedQueue().isPresent()) {
      lines.addAll(new SgeManagedQueue(file, runner).lines(file.managedQueue().get()));
    }
    if (file.reserves()) {
      reserve();
    }
    return lines;
  }

  /** This host may submit, and what submissions name is there. */
  private void submission() throws InterruptedException {
    String host = runner.run(commands.own(List.of("/usr/bin/uname", "-n"))).out().strip();
    OutsideAnswer submitting = ask("qconf", "-ss");
    if (!submitting.isGood()
        || submitting.out().lines().noneMatch(it -> first(it).equals(first(host)))) {
      lines.add(
          CheckLine.wrong(
              "this host, " + host + ", is no submit host",
              "'qconf -as " + host + "', as a manager"));
    }
    Optional<String> queue =
        file.given("queue").filter(it -> file.managedQueue().isEmpty() && !file.reserves());
    if (queue.isPresent() && !ask("qconf", "-sq", queue.get()).isGood()) {
      lines.add(
          CheckLine.wrong(
              "there is no queue " + queue.get(), "set 'queue' to one that 'qconf -sql' lists"));
    }
    complexes();
    lines.addAll(new SgeEnvironmentCheck(file, runner).lines());
  }

  /** Name of a host without its domain. */
  /** What jobs ask for is there, is an amount, and is counted as the file says. */
  private void complexes() throws InterruptedException {
    if (file.resources().isEmpty()) {
      return;
    }
    OutsideAnswer said = ask("qconf", "-sc");
    if (said.isGood()) {
      file.resources()
          .forEach((here, there) -> lines.add(SgeComplexes.check(here, there, said.out())));
    } else {
      lines.add(
          CheckLine.wrong("the complexes cannot be read: " + said.trouble(), "try 'qconf -sc'"));
    }
  }

  private static String first(String host) {
    return host.strip().replaceFirst("\\..*", "").toLowerCase(Locale.ROOT);
  }

  private OutsideAnswer ask(String program, String... arguments) throws InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(file.program(program));
    words.addAll(List.of(arguments));
    return runner.run(commands.own(words));
  }

  private void version() throws InterruptedException {
    OutsideAnswer said = ask("qstat", "-help");
    String first = said.out().lines().findFirst().orElse("").strip();
    Matcher version = VERSION.matcher(first);
    if (!version.matches()) {
      lines.add(
          CheckLine.wrong(
              "qstat -help says no version: " + said.trouble(),
              "set 'commands' to the folder of Grid Engine's commands"));
    } else if (!version.group(1).equals(TESTED)) {
      lines.add(
          CheckLine.wrong(
              "Grid Engine is " + version.group(1) + ", which was never tried",
              "use " + TESTED + ", whose answers are known"));
    } else {
      lines.add(CheckLine.good("version: " + first));
    }
  }

  private boolean isFolder(Path folder) {
    try {
      return runner.files().facts(folder).filter(FileFacts::isFolder).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isReadable(Path path) {
    try {
      return runner.files().isReadable(path);
    } catch (IOException e) {
      return false;
    }
  }

  private String master() throws IOException {
    try (OutsideFile file = runner.files().open(SgeKeys.common(this.file).resolve(MASTER))) {
      return new String(file.read(0, NAME_MOST), StandardCharsets.UTF_8).strip();
    }
  }

  private void clock() throws InterruptedException {
    String master;
    try {
      master = master();
    } catch (IOException e) {
      lines.add(
          CheckLine.wrong(
              "act_qmaster of the cell cannot be read: " + e.getMessage(),
              "give this account the right to read it"));
      return;
    }
    OutsideAnswer said = ask("qping", "-info", master, file.text(SgeKeys.PORT), "qmaster", "1");
    Matcher start = START.matcher(said.out());
    Matcher run = RUN.matcher(said.out());
    if (!start.find() || !run.find()) {
      lines.add(
          CheckLine.wrong(
              "qping says no time of qmaster on " + master + ": " + said.trouble(),
              "set 'sge_qmaster_port' to its port"));
      return;
    }
    long there = Long.parseLong(start.group(1)) + Long.parseLong(run.group(1));
    long apart = Math.abs(Instant.now().getEpochSecond() - there);
    lines.add(
        apart <= file.number("clock_skew_s")
            ? CheckLine.good("clock of qmaster on " + master)
            : CheckLine.wrong(
                "the clock of " + master + " differs by " + apart + " s",
                "have both follow one clock (NTP), or raise 'clock_skew_s'"));
  }

  private void accounting() throws InterruptedException {
    Path path = SgeKeys.accounting(file);
    // Long values are broken off with a backslash at the end of a line.
    String configuration = ask("qconf", "-sconf").out().replaceAll("\\\\\n\\s*", "");
    Matcher found = REPORTING.matcher(configuration);
    String reporting = found.find() ? found.group(1) : "";
    if (reporting.contains("accounting=false")) {
      lines.add(
          CheckLine.wrong(
              "qmaster writes no accounting", "set accounting=true in reporting_params"));
    } else if (!isReadable(path)) {
      lines.add(
          CheckLine.wrong(
              path + " cannot be read",
              "give this account the right to read it; qmaster makes it with the first job"));
    } else {
      lines.add(CheckLine.good("accounting in " + path));
    }
    if (file.given(SgeKeys.REPORTING).isPresent()) {
      reporting(Path.of(file.text(SgeKeys.REPORTING)), reporting);
    }
    if (file.given(SgeKeys.EVENTS).isPresent()) {
      events(file.text(SgeKeys.EVENTS));
    }
  }

  /** It is asked for its words only: who follows it is a client of qmaster's. */
  private void events(String program) throws InterruptedException {
    OutsideAnswer said = runner.run(commands.own(FollowedCommand.bound(List.of(program, "-help"))));
    if (!said.out().contains("-testsuite")) {
      lines.add(
          CheckLine.wrong(
              program + " is no qevent that can be followed: " + said.trouble(),
              "set 'events' to the qevent of Grid Engine; setpriv (util-linux 2.33) must be here"));
    } else {
      lines.add(CheckLine.good("begins and ends by " + program));
    }
  }

  /** Reservations are made by a manager of the cell, after the model of a queue. */
  private void reserve() throws InterruptedException {
    int before = lines.size();
    String self = runner.run(commands.own(List.of("/usr/bin/id", "-un"))).out().strip();
    OutsideAnswer managers = ask("qconf", "-sm");
    if (!managers.isGood() || managers.out().lines().noneMatch(it -> it.strip().equals(self))) {
      lines.add(
          CheckLine.wrong(
              self + " is no manager of the cell, and makes no reservations there",
              "'qconf -am " + self + "', as a manager"));
    }
    OutsideAnswer queue = ask("qconf", "-sq", file.text("queue"));
    if (!queue.isGood()) {
      lines.add(
          CheckLine.wrong(
              "queue " + file.text("queue") + " cannot be read: " + queue.trouble(),
              "set 'queue' to one that those of reservations are to be like"));
    }
    if (file.text(SgeReservations.AT_START).equals(SgeReservations.RESUBMIT)) {
      resubmit(self);
    }
    if (lines.size() == before) {
      lines.add(CheckLine.good("reservations by " + self));
    }
  }

  /** Whose jobs run there nobody knows before; one of those who are known stands for all. */
  private void resubmit(String self) throws InterruptedException {
    String owner = file.users().values().iterator().next();
    String program = file.program("qresub");
    OutsideAnswer sudo =
        runner.run(
            commands.own(List.of(file.text("sudo"), "-n", "-l", "-u", owner, "--", program)));
    if (!sudo.isGood()) {
      lines.add(
          CheckLine.wrong(
              self + " may not start " + program + " for others (" + sudo.trouble() + ")",
              "add to /etc/sudoers.d, with the group of those whose jobs run there: "
                  + self
                  + " ALL=(%GROUP) NOPASSWD: "
                  + program));
    }
  }

  private void reporting(Path path, String parameters) {
    if (!parameters.contains("reporting=true") || !parameters.contains("joblog=true")) {
      lines.add(
          CheckLine.wrong(
              "qmaster writes no job log to " + path,
              "set reporting=true joblog=true in reporting_params, or leave 'reporting' out"));
    } else if (!isReadable(path)) {
      lines.add(
          CheckLine.wrong(path + " cannot be read", "give this account the right to read it"));
    } else {
      lines.add(CheckLine.good("job log in " + path));
    }
  }
}
