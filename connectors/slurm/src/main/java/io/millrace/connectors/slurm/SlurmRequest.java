package io.millrace.connectors.slurm;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to slurmrestd.
 *
 * @param path behind the address
 * @param body JSON
 */
record SlurmRequest(String method, String path, Optional<String> body) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of Slurm 22.05. */
  private static final String API = "/slurm/v0.0.38/";

  private static final String JOB = API + "job/";

  /** Options of sbatch that have a field of the same meaning; those of numbers stand below. */
  private static final Map<String, String> FIELDS =
      Map.of(
          "comment", "comment",
          "wckey", "wckey",
          "job-name", "name",
          "output", "standard_output",
          "error", "standard_error",
          "chdir", "current_working_directory",
          "partition", "partition",
          "array", "array",
          "gres", "gres");

  private static final Map<String, String> NUMBERS =
      Map.of(
          "ntasks", "tasks",
          "ntasks-per-node", "tasks_per_node",
          "cpus-per-task", "cpus_per_task",
          "nodes", "nodes");

  /** sbatch takes a unit, slurmrestd counts in megabytes. */
  private static final Map<String, String> MEGABYTES =
      Map.of("mem", "memory_per_node", "mem-per-cpu", "memory_per_cpu");

  /**
   * The request that does what a command does.
   *
   * @param words of a command that this connector gives
   * @throws IllegalArgumentException when slurmrestd has no such request
   */
  static SlurmRequest of(List<String> words, byte[] input) {
    String last = words.get(words.size() - 1);
    return switch (words.get(0)) {
      case "squeue" -> get("jobs");
      case "sinfo" -> get("nodes");
      case "sbatch" -> submission(words, input);
      case "scancel" -> new SlurmRequest("DELETE", JOB + last + signal(words), Optional.empty());
      case "scontrol" -> control(words);
      default -> throw none(words.get(0));
    };
  }

  private static SlurmRequest get(String what) {
    return new SlurmRequest("GET", API + what, Optional.empty());
  }

  private static IllegalArgumentException none(String what) {
    return new IllegalArgumentException("slurmrestd has no request for '" + what + "'");
  }

  private static String signal(List<String> words) {
    return words.stream()
        .filter(it -> it.startsWith("--signal="))
        .map(it -> "?signal=" + it.substring("--signal=".length()))
        .findFirst()
        .orElse("");
  }

  private static SlurmRequest control(List<String> words) {
    String order = words.get(1);
    String number = value(words.get(2));
    return switch (order) {
      case "update" ->
          new SlurmRequest(
              "POST",
              JOB + number,
              Optional.of("{\"time_limit\":" + minutes(value(words.get(3))) + "}"));
      case "hold" -> new SlurmRequest("POST", JOB + number, Optional.of("{\"hold\":true}"));
      case "release" -> new SlurmRequest("POST", JOB + number, Optional.of("{\"hold\":false}"));
      default -> throw none(order);
    };
  }

  private static SlurmRequest submission(List<String> words, byte[] script) {
    ObjectNode all = JSON.createObjectNode();
    all.put("script", text(script));
    ObjectNode job = all.putObject("job");
    ObjectNode environment = job.putObject("environment").put("PATH", "/usr/bin:/bin");
    for (Map.Entry<String, String> option : options(words).entrySet()) {
      put(job, option.getKey(), option.getValue());
      if (option.getKey().equals("cpus-per-task")) {
        // sbatch gives it to scripts; slurmrestd does not.
        environment.put("SLURM_CPUS_PER_TASK", option.getValue());
      }
    }
    return new SlurmRequest("POST", JOB + "submit", Optional.of(all.toString()));
  }

  /** JSON has texts, and no bytes that are none. */
  private static String text(byte[] script) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(script)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("slurmrestd takes no script that is not in UTF-8", e);
    }
  }

  private static int number(String option, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "slurmrestd takes a number up to "
              + Integer.MAX_VALUE
              + " for "
              + option
              + ", not "
              + value,
          e);
    }
  }

  private static void put(ObjectNode job, String option, String value) {
    if (FIELDS.containsKey(option)) {
      job.put(FIELDS.get(option), value);
    } else if (NUMBERS.containsKey(option)) {
      job.put(NUMBERS.get(option), number(option, value));
    } else if (MEGABYTES.containsKey(option)) {
      job.put(MEGABYTES.get(option), number(option, value.substring(0, value.length() - 1)));
    } else if (option.equals("no-requeue")) {
      job.put("requeue", false);
    } else if (option.equals("time")) {
      job.put("time_limit", minutes(value));
    } else if (!option.equals("parsable")) {
      throw none("sbatch --" + option);
    }
  }

  private static String value(String word) {
    return word.substring(word.indexOf('=') + 1);
  }

  /** It counts in minutes; ours is minutes, a colon, and seconds. */
  private static long minutes(String value) {
    List<Long> parts = new ArrayList<>();
    for (String part : value.split(":")) {
      parts.add(Long.parseLong(part));
    }
    return parts.get(0) + (parts.get(1) + 59) / 60;
  }

  private static Map<String, String> options(List<String> words) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String word : words.subList(1, words.size())) {
      int equals = word.indexOf('=');
      options.put(
          word.substring(2, equals < 0 ? word.length() : equals),
          equals < 0 ? "" : word.substring(equals + 1));
    }
    return options;
  }
}
