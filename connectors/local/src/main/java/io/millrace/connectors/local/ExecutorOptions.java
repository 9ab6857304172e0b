package io.millrace.connectors.local;

import io.millrace.schemas.HostName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command line of an executor process.
 *
 * @param settings of the executor
 * @param supervisor program that starts runs; null with the null executor
 * @param tmp where TMPDIRs are made
 * @param rootJobs whether root's jobs are run
 * @param nullDurationMs how long the null executor's runs take
 */
record ExecutorOptions(
    ExecutorSettings settings, Path supervisor, Path tmp, boolean rootJobs, long nullDurationMs) {

  static final String USAGE =
      String.join(
          "\n",
          "usage: millrace-executor --bootstrap-servers HOST:PORT[,...] --spool DIR [options]",
          "  --properties FILE      Kafka client settings (security, schema.registry.url)",
          "  --host NAME            name of this host in nodes and orders (default: host name)",
          "  --supervisor PATH      millrace-supervisor or millrace-supervisor.sh",
          "  --executor local|null  null starts no process and ends each run at once",
          "  --duration-ms N        how long a run of the null executor takes (default 0)",
          "  --resources LIST       such as ncpus=8,mem=16gb (default: what the host has)",
          "  --tmp DIR              where the TMPDIR of a job is made (default /tmp)",
          "  --root-jobs true|false whether jobs of root are run (default false)",
          "  --durable true|false   force claims and outcomes to the disk (default false)",
          "  --take-over true|false serve the host instead of an executor whose spool is gone for"
              + " good:",
          "                         its runs are given up (default false)");

  private static final List<String> KNOWN =
      List.of(
          "--bootstrap-servers",
          "--properties",
          "--host",
          "--spool",
          "--supervisor",
          "--executor",
          "--duration-ms",
          "--resources",
          "--tmp",
          "--root-jobs",
          "--durable",
          "--take-over");

  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,15})(b|kb|mb|gb|tb|pb)?");

  boolean isNull() {
    return supervisor == null;
  }

  /**
   * @throws IllegalArgumentException with one line that says what is wrong and what would be right
   */
  static ExecutorOptions parse(String[] args) throws IOException {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      if (!KNOWN.contains(args[i])) {
        throw new IllegalArgumentException("unknown option " + args[i] + "; known are " + KNOWN);
      }
      if (i + 1 == args.length) {
        throw new IllegalArgumentException("option " + args[i] + " needs a value");
      }
      given.put(args[i], args[i + 1]);
    }
    Map<String, Object> kafka = kafka(given);
    String kind = given.getOrDefault("--executor", "local");
    if (!kind.equals("local") && !kind.equals("null")) {
      throw new IllegalArgumentException("--executor is local or null, not " + kind);
    }
    boolean local = kind.equals("local");
    Path supervisor = local ? Path.of(need(given, "--supervisor")) : null;
    ExecutorSettings settings =
        new ExecutorSettings(
            given.containsKey("--host") ? given.get("--host") : HostName.whole(),
            kafka,
            Path.of(need(given, "--spool")).toAbsolutePath().normalize(),
            measured(given.get("--resources")),
            flag(given, "--durable"),
            flag(given, "--take-over"));
    return new ExecutorOptions(
        settings,
        supervisor,
        Path.of(given.getOrDefault("--tmp", "/tmp")),
        flag(given, "--root-jobs"),
        duration(given.getOrDefault("--duration-ms", "0")));
  }

  private static Map<String, Object> kafka(Map<String, String> given) throws IOException {
    Properties properties = new Properties();
    String file = given.get("--properties");
    if (file != null) {
      try (InputStream in = Files.newInputStream(Path.of(file))) {
        properties.load(in);
      }
    }
    if (given.containsKey("--bootstrap-servers")) {
      properties.put("bootstrap.servers", given.get("--bootstrap-servers"));
    }
    if (!properties.containsKey("bootstrap.servers")) {
      throw new IllegalArgumentException("option --bootstrap-servers is missing");
    }
    Map<String, Object> kafka = new HashMap<>();
    properties.forEach((name, value) -> kafka.put(name.toString(), value));
    return kafka;
  }

  /** Reads {@code ncpus=8,mem=16gb}; sizes become bytes, the host's measures fill the rest. */
  static Map<String, Long> measured(String list) throws IOException {
    Map<String, Long> measured = new HashMap<>(HostProcesses.measure());
    measured.putAll(resources(list == null ? "" : list));
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

  private static long duration(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException("--duration-ms wants a number, not " + text);
    }
    return Long.parseLong(text);
  }

  private static boolean flag(Map<String, String> given, String name) {
    String value = given.getOrDefault(name, "false");
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(name + " is true or false, not " + value);
    }
    return value.equals("true");
  }

  private static String need(Map<String, String> given, String name) {
    String value = given.get(name);
    if (value == null) {
      throw new IllegalArgumentException("option " + name + " is missing");
    }
    return value;
  }
}
