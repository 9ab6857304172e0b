package io.millrace.ops.simulate;

import io.millrace.ops.word.Console;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerParams;
import io.millrace.schedulers.simulator.Metrics;
import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schedulers.simulator.Simulation;
import io.millrace.schedulers.simulator.TraceFinding;
import io.millrace.schedulers.simulator.TraceFindings;
import io.millrace.schedulers.simulator.Workload;
import io.millrace.schedulers.simulator.Workload.SameSecond;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** {@code ./millrace simulate}. */
public final class Simulate {

  private static final String STANDARD = "easy";

  private final GivenOptions options;
  private final Console console;
  private final PrintStream errors;

  private Simulate(GivenOptions options, Console console, PrintStream errors) {
    this.options = options;
    this.console = console;
    this.errors = errors;
  }

  /**
   * @return exit status
   */
  public static int run(List<String> arguments, Console console)
      throws IOException, UsageException {
    return new Simulate(options().parse(arguments), console, System.err).run();
  }

  private static ProgramOptions options() {
    return ProgramOptions.ofWord(
            "simulate",
            "Replays a workload trace (Standard Workload Format, plain or gzip), or what a PBS"
                + " server's accounting\ntells (a file of it, or the folder), through the"
                + " scheduler's own cycle with a virtual clock,\nand measures it. Policies: "
                + String.join(", ", SimulatedPolicy.names())
                + "\n"
                + "(strict: PBS's strict ordering, a start promised to one waiting job; strict:N to"
                + " N of them.\n"
                + "gridengine: a new cell, with up to 20 reservations; recorded: what happened.) Or a"
                + " FILE: attributes of a scheduler object,\n"
                + "one NAME = VALUE a line, or what qconf -ssconf prints; or a FILE or FOLDER of"
                + " PBS (sched_config), of\n"
                + "an Origin2000 scheduler (config) or of PluS (sched_conf), or a FOLDER of what"
                + " qconf prints.\n"
                + "With --case DIR it replays a recorded session of a Grid Engine instead (simulate"
                + " --case --help).")
        .operands("TRACE")
        .value("--policy", "NAME|FILE|FOLDER", "default " + STANDARD)
        .value("--compare", "A,B,...", "more policies, for the same trace")
        .value("--nodes", "N", "processors of the machine (default: the trace's header)")
        .value(AccountedDays.SINCE, "DAY", "first day of a folder of accounting files, 20261120")
        .value(AccountedDays.UNTIL, "DAY", "last day of it")
        .value("--zone", "ZONE", "time zone of the times in a policy's files (this host's)")
        .value("--same-second", "WHICH", "who is first of one second: shortest (default) or file")
        .value("--csv", "FILE", "times of each job")
        .value("--report", "FILE.html", "plots for a browser; needs no network")
        .value(
            BestEffortTable.OPTION,
            "SEED",
            "which starts differ when best-effort jobs have all that is left; policies by name, and"
                + " preemption")
        .flag("--json", "one JSON object instead of the table");
  }

  private int run() throws IOException, UsageException {
    if (options.operands().size() != 1) {
      throw options.wrong("one TRACE is needed");
    }
    Path file = Path.of(options.operands().get(0));
    TraceFile.check(file);
    AccountedDays days = AccountedDays.of(options);
    if (!days.equals(AccountedDays.ALL) && !Files.isDirectory(file)) {
      throw options.wrong("--since and --until are for a folder of accounting files");
    }
    if (options.has(BestEffortTable.OPTION)) {
      BestEffortTable table = new BestEffortTable(options, console);
      return table.run(TraceFile.title(file), workload(file, days));
    }
    List<SimulatedPolicy> policies = policies();
    OutputFiles files = new OutputFiles(options);
    boolean accounting = AccountedFiles.at(file);
    files.check(read(accounting ? AccountedFiles.files(file, days) : List.of(file), policies));
    Workload workload = workload(file, days);
    List<Result> results = new ArrayList<>();
    for (SimulatedPolicy policy : policies) {
      results.add(simulate(workload, policy));
    }
    String title = TraceFile.title(file);
    say(title, workload, results);
    files.write(OutputFiles.CSV, path -> ScheduleCsv.write(path, results));
    files.write(OutputFiles.REPORT, path -> ReportPage.write(path, title, results));
    return 0;
  }

  private Workload workload(Path file, AccountedDays days) throws IOException, UsageException {
    int processors = options.number("--nodes", 0, 1, Workload.PROCESSORS_MAX);
    boolean accounting = AccountedFiles.at(file);
    Workload workload =
        accounting
            ? TraceFile.accounted(file, days, processors, sameSecond())
            : TraceFile.read(file, processors, sameSecond());
    warn(workload.findings());
    if (accounting && processors == 0) {
      errors.println(
          "millrace simulate: a machine of "
              + workload.processors()
              + " processors, as many as were in use at once; --nodes N names another");
    }
    return workload;
  }

  /** The files that a simulation reads: those of the trace, and policy files. */
  private static List<Path> read(List<Path> trace, List<SimulatedPolicy> policies)
      throws IOException {
    List<Path> files = new ArrayList<>(trace);
    for (SimulatedPolicy policy : policies) {
      Path path = Path.of(policy.word());
      if (SimulatedPolicy.named(policy.word()).isEmpty()) {
        files.add(path);
        try (Stream<Path> inside = Files.isDirectory(path) ? Files.list(path) : Stream.empty()) {
          inside.forEach(files::add);
        }
      }
    }
    return files;
  }

  private void warn(TraceFindings findings) {
    for (TraceFinding finding : TraceFinding.values()) {
      String warning = finding.damage() ? "warning: " : "";
      findings
          .sentence(finding)
          .ifPresent(it -> errors.println("millrace simulate: " + warning + it));
    }
  }

  private List<SimulatedPolicy> policies() throws IOException, UsageException {
    List<String> words = new ArrayList<>();
    options.get("--policy").ifPresent(words::add);
    options.get("--compare").map(it -> List.of(it.split(",", -1))).ifPresent(words::addAll);
    if (words.isEmpty()) {
      words.add(STANDARD);
    }
    List<SimulatedPolicy> policies = new ArrayList<>();
    ZoneId zone = zone();
    for (String word : words.stream().map(String::strip).distinct().toList()) {
      SimulatedPolicy policy = NamedPolicy.read(word, zone, options);
      policy.gridEngine().ifPresent(scheduler -> warnOfFiles(word, scheduler));
      policies.add(policy);
    }
    if (options.has("--zone") && policies.stream().noneMatch(SimulatedPolicy::goesByTimes)) {
      throw options.wrong("--zone is for files of a PBS or Origin2000 scheduler");
    }
    return policies;
  }

  private ZoneId zone() throws UsageException {
    String name = options.get("--zone").orElseGet(() -> ZoneId.systemDefault().getId());
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw options.wrong("--zone takes a time zone such as Europe/Berlin, not " + name);
    }
  }

  /** Warns about settings that would make a cell write files, which a simulation does not. */
  private void warnOfFiles(String word, OptionValues scheduler) {
    OptionValues params = SchedulerParams.of(scheduler.get("params"));
    for (String param : List.of("MONITOR", "PROFILE")) {
      if (params.truth(param)) {
        errors.println("millrace simulate: " + word + ": " + param + " has no file to write here");
      }
    }
  }

  private SameSecond sameSecond() throws UsageException {
    return switch (options.get("--same-second").orElse("shortest")) {
      case "shortest" -> SameSecond.SHORTEST;
      case "file" -> SameSecond.FILE;
      default -> throw options.wrong("--same-second is shortest or file");
    };
  }

  private Result simulate(Workload workload, SimulatedPolicy policy) throws IOException {
    boolean terminal = System.getenv("MILLRACE_ERROR_TERMINAL") != null;
    ProgressBar bar = new ProgressBar(errors, terminal, policy.word(), System::nanoTime);
    // After an interrupt the prompt appears on a clean line.
    Runtime.getRuntime().addShutdownHook(new Thread(bar::end));
    long begin = System.nanoTime();
    Schedule schedule;
    try {
      schedule = Simulation.run(workload, policy, bar::at);
    } catch (IllegalStateException e) {
      throw new IOException(policy.word() + ": " + e.getMessage(), e);
    }
    double elapsedS = (System.nanoTime() - begin) / 1e9;
    bar.end();
    if (schedule.workload().jobs().isEmpty()) {
      throw new IOException(policy.word() + ": all jobs are deleted");
    }
    int left = workload.jobs().size() - schedule.workload().jobs().size();
    if (left > 0) {
      errors.println(
          "millrace simulate: "
              + policy.word()
              + ": "
              + left
              + " jobs are deleted, and not counted");
    }
    return new Result(policy.word(), schedule, Metrics.of(schedule), elapsedS);
  }

  private void say(String title, Workload workload, List<Result> results) {
    if (options.has("--json")) {
      console.say(ResultJson.text(title, workload, results));
    } else {
      console.say(
          title
              + ": "
              + workload.jobs().size()
              + " jobs on "
              + workload.processors()
              + " processors");
      ResultTable.lines(results).forEach(console::say);
    }
  }
}
