package io.millrace.schedulers.dialects.schedconfig.proof;

import io.millrace.schedulers.dialects.schedconfig.replay.SiteOutcome;
import io.millrace.schedulers.dialects.schedconfig.replay.SitePlayer;
import io.millrace.schedulers.dialects.schedconfig.replay.SiteSession;
import io.millrace.schedulers.dialects.schedconfig.replay.SiteStep;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A session of a PBS server, in which an option is seen at work. */
final class SchedConfigScene {

  /** In prime time, on a Tuesday. */
  private static final Instant DAY = Instant.parse("2026-11-24T10:00:00Z");

  private static final Instant NIGHT = Instant.parse("2026-11-24T22:00:00Z");
  private static final String HOURS =
      "YEAR 2026\nweekday 0600 1800\nsaturday none all\nsunday none all\n";

  /** Without them OpenPBS takes every queue for one of each kind. */
  private static final Map<String, String> PREFIXES =
      Map.of("primetime_prefix", "p_", "nonprimetime_prefix", "np_", "dedicated_prefix", "ded");

  private static final int LONG_S = 100_000;

  private final Map<String, String> files = new TreeMap<>();
  private final List<String> setup = new ArrayList<>();
  private final List<SiteStep> steps = new ArrayList<>();
  private final String config;
  private Instant begin = DAY;
  private double atS;
  private String programSays = "";

  /**
   * @param lines of the sched_config
   * @param proven option of which the text alone speaks
   */
  SchedConfigScene(String lines, String proven) {
    String prefixes =
        PREFIXES.entrySet().stream()
            .filter(prefix -> !prefix.getKey().equals(proven))
            .map(prefix -> prefix.getKey() + ": " + prefix.getValue() + "\n")
            .collect(Collectors.joining());
    config = prefixes + lines;
    files.put("holidays", HOURS);
  }

  /** It is not prime time. */
  SchedConfigScene night() {
    begin = NIGHT;
    return this;
  }

  SchedConfigScene file(String name, String text) {
    files.put(name, text);
    return this;
  }

  SchedConfigScene resource(String definition) {
    setup.add("create resource " + definition);
    return this;
  }

  /** A node with words such as {@code resources_available.ncpus=4}. */
  SchedConfigScene node(String name, String... attributes) {
    setup.add("create node " + name);
    for (String attribute : attributes) {
      setup.add("set node " + name + " " + attribute);
    }
    return this;
  }

  SchedConfigScene node(String name, int cpus) {
    return node(name, "resources_available.ncpus=" + cpus);
  }

  SchedConfigScene queue(String name, int priority) {
    setup.add("create queue " + name + " queue_type=execution");
    setup.add("set queue " + name + " Priority = " + priority);
    setup.add("set queue " + name + " enabled = True");
    setup.add("set queue " + name + " started = True");
    return this;
  }

  /** What the program of server_dyn_res says. */
  SchedConfigScene program(String line) {
    programSays = line;
    return this;
  }

  /** What follows happens so many seconds after the beginning. */
  SchedConfigScene at(double seconds) {
    atS = seconds;
    return this;
  }

  /** A job with options of qsub, which runs for long. */
  SchedConfigScene job(String label, String user, String options) {
    return job(label, user, options, LONG_S);
  }

  SchedConfigScene job(String label, String user, String options, double runS) {
    steps.add(new SiteStep(atS, "submit", label, Arrays.asList(options.split(" ")), user, runS));
    return this;
  }

  SchedConfigScene cycle() {
    steps.add(new SiteStep(atS, "cycle", "", List.of(), "", 0));
    return this;
  }

  /** Jobs in the order of their starts. */
  String starts() {
    return String.join(" ", play().startOrder());
  }

  /** Jobs with the number of the cycle in which they started. */
  String cycles() {
    return play().jobs().entrySet().stream()
        .filter(job -> job.getValue().start() != null)
        .map(job -> job.getKey() + job.getValue().start().cycle())
        .collect(Collectors.joining(" "));
  }

  /** The first nodes of all jobs that have started, in the order of submission. */
  String nodes() {
    return play().jobs().values().stream()
        .map(SiteOutcome.SiteJobEnd::start)
        .filter(Objects::nonNull)
        .map(start -> start.nodes().substring(1, start.nodes().indexOf(':')))
        .collect(Collectors.joining(" "));
  }

  /** The comments of the jobs that wait. */
  String comments() {
    return play().jobs().values().stream()
        .map(SiteOutcome.SiteJobEnd::comment)
        .filter(comment -> !comment.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private SiteOutcome play() {
    files.put("sched_config", config);
    return SitePlayer.play(
        new SiteSession(begin, ZoneId.of("UTC"), files, setup, steps, new Says(programSays)));
  }

  /** A program that says the same each time. */
  private record Says(String line) implements SiteSession.Programs {

    @Override
    public Optional<String> firstLine(String commandLine, int limitS) {
      return Optional.of(line);
    }

    @Override
    public void replaced(String name, String content) {
      throw new IllegalStateException("no scene replaces a file: " + name);
    }
  }
}
