package io.millrace.connectors.local;

import io.millrace.connectors.local.host.ExecutorSettings;
import io.millrace.connectors.local.host.GroupSettings;
import io.millrace.connectors.local.host.HostProcesses;
import io.millrace.connectors.local.host.ProcessorSet;
import io.millrace.schemas.HostName;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command line of an executor process.
 *
 * @param settings of the executor
 * @param supervisor program that starts runs; null with the null executor
 * @param tmp where TMPDIRs are made
 * @param rootJobs whether root's jobs are run
 * @param groups what of the host's control groups runs have
 * @param nullDurationMs how long the null executor's runs take
 */
record ExecutorOptions(
    ExecutorSettings settings,
    Path supervisor,
    Path tmp,
    boolean rootJobs,
    GroupSettings groups,
    long nullDurationMs) {

  private static final ProgramOptions OPTIONS =
      Health.addTo(
              ProgramOptions.ofProcess("millrace-executor", "Carries out the runs of this host."))
          .kafka()
          .value("--spool", "DIR", "what it has to remember")
          .value("--host", "NAME", "name of this host in nodes and orders (default: host name)")
          .value("--supervisor", "PATH", "millrace-supervisor or millrace-supervisor.sh")
          .value("--executor", "local|null", "null starts no process and ends each run at once")
          .value("--duration-ms", "N", "how long a run of the null executor takes (default 0)")
          .value("--resources", "LIST", "such as ncpus=8,mem=16gb (default: what the host has)")
          .value("--tmp", "DIR", "where the TMPDIR of a job is made (default /tmp)")
          .value("--root-jobs", "true|false", "whether jobs of root are run (default false)")
          .value(
              "--control-groups",
              "true|false",
              "a control group (v2) for each run where the host has them (default true)")
          .value(
              "--cpuset",
              "all|none|LIST",
              "processors that runs are given for themselves where control groups have that: all,"
                  + " or these alone, such as 2-63; none: they share all (default all)")
          .value("--durable", "true|false", "force claims and outcomes to disk (default false)")
          .value(
              "--take-over",
              "true|false",
              "serve the host instead of an executor whose spool is gone for good: its runs are"
                  + " given up (default false)");

  private static final int LONGEST_RUN_MS = 999_999_999;

  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,15})(b|kb|mb|gb|tb|pb)?");

  boolean isNull() {
    return supervisor == null;
  }

  /** The command line, unread. */
  static GivenOptions given(String... args) throws UsageException {
    return OPTIONS.parse(args);
  }

  /**
   * @throws UsageException with one line that says what is wrong and what would be right
   * @throws IllegalArgumentException the same of {@code --resources}
   */
  static ExecutorOptions parse(String... args) throws IOException, UsageException {
    GivenOptions given = given(args);
    Map<String, Object> kafka = given.kafka();
    boolean local = given.isFirst("--executor", "local", "null", "local");
    Path supervisor = local ? Path.of(given.require("--supervisor")) : null;
    GroupSettings groups = groups(given);
    ExecutorSettings settings =
        new ExecutorSettings(
            key(given, kafka.remove(HostKey.PROPERTY)),
            kafka,
            Path.of(given.require("--spool")).toAbsolutePath().normalize(),
            measured(given.get("--resources").orElse(""), groups.only()),
            yes(given, "--durable"),
            yes(given, "--take-over"));
    return new ExecutorOptions(
        settings,
        supervisor,
        Path.of(given.get("--tmp").orElse("/tmp")),
        yes(given, "--root-jobs"),
        groups,
        given.number("--duration-ms", 0, 0, LONGEST_RUN_MS));
  }

  /**
   * The key without which nothing that the executor says is heard, and no order is read.
   *
   * @param text from the client settings; null when they do not hold it
   */
  private static HostKey key(GivenOptions given, Object text) throws IOException, UsageException {
    String host = given.has("--host") ? given.require("--host") : HostName.whole();
    if (text == null) {
      throw given.wrong(
          "host "
              + host
              + " has no key: give as --properties the file that ./millrace keys host add "
              + host
              + " makes");
    }
    return HostKey.of(host, text.toString());
  }

  private static GroupSettings groups(GivenOptions given) throws UsageException {
    boolean offered = given.isFirst("--control-groups", "true", "false", "true");
    String text = given.get("--cpuset").orElse("all");
    if (text.equals("all") || text.equals("none")) {
      return new GroupSettings(offered, text.equals("all"), ProcessorSet.NONE);
    }
    ProcessorSet only = ProcessorSet.NONE;
    try {
      only = ProcessorSet.of(text);
    } catch (IllegalArgumentException e) {
      // said below
    }
    if (only.isEmpty()) {
      throw given.wrong("--cpuset is all, none or processors such as 2-63, not " + text);
    }
    if (!offered) {
      throw given.wrong("--cpuset " + text + " needs --control-groups true");
    }
    return new GroupSettings(true, true, only);
  }

  private static boolean yes(GivenOptions given, String name) throws UsageException {
    return given.isFirst(name, "true", "false", "false");
  }

  /**
   * Reads {@code ncpus=8,mem=16gb}, sizes in bytes; what is not named is measured on the host.
   *
   * @param only the processors that runs may have; none: all of the host
   */
  static Map<String, Long> measured(String list, ProcessorSet only) throws IOException {
    Map<String, Long> measured = new HashMap<>(HostProcesses.measure());
    if (!only.isEmpty()) {
      measured.put("ncpus", (long) only.size());
    }
    measured.putAll(resources(list));
    return measured;
  }

  /** The amounts of a list, sizes in bytes. */
  static Map<String, Long> resources(String list) {
    Map<String, Long> measured = new HashMap<>();
    if (list.isBlank()) {
      return measured;
    }
    for (String item : list.split(",")) {
      String[] pair = item.split("=", 2);
      Matcher amount = AMOUNT.matcher(pair.length == 2 ? pair[1].toLowerCase(Locale.ROOT) : "");
      if (!amount.matches()) {
        throw new IllegalArgumentException(
            "--resources wants NAME=AMOUNT, such as ncpus=8,mem=16gb, not " + item);
      }
      measured.put(pair[0].strip(), Long.parseLong(amount.group(1)) * unit(amount.group(2)));
    }
    return measured;
  }

  private static long unit(String suffix) {
    int power = suffix == null ? 0 : List.of("b", "kb", "mb", "gb", "tb", "pb").indexOf(suffix);
    return 1L << (10 * power);
  }
}
