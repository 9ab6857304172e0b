package io.millrace.schemas.pbs.origin;

import io.millrace.schemas.pbs.schedconfig.JoinedFiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts of an Origin2000 scheduler as far as shards look at them: without any check of values,
 * since schedulers obey no text that is wrong.
 *
 * @param files texts by their names
 * @param options words of the config by their options; queues of several lines are joined
 */
public record OriginWords(Map<String, String> files, Map<String, String> options) {
  private static final List<String> QUEUES =
      List.of(
          "SUBMIT_QUEUE", "BATCH_QUEUES", "SPECIAL_QUEUE", "DEDICATED_QUEUES", "EXTERNAL_QUEUES");

  private static final double DECAY_FACTOR = 0.75;

  /** Reads the text that a scheduler object carries. */
  public static OriginWords of(String text) {
    Map<String, String> files = JoinedFiles.split(text);
    Map<String, String> options = new LinkedHashMap<>();
    for (String line : files.getOrDefault("config", "").lines().toList()) {
      String[] words = line.split("#", 2)[0].strip().split("\\s+");
      if (words.length > 1) {
        boolean joined = QUEUES.contains(words[0]);
        options.merge(words[0], words[1], (old, now) -> joined ? old + "," + now : now);
      }
    }
    return new OriginWords(files, options);
  }

  /** A file's text; empty when it is not there. */
  public String file(String name) {
    return files.getOrDefault(name, "");
  }

  /** What is left of past usage after a day; the usual value where the text has no number. */
  public double decayFactor() {
    try {
      double factor = Double.parseDouble(options.getOrDefault("DECAY_FACTOR", ""));
      return Double.isFinite(factor) && factor >= 0 ? factor : DECAY_FACTOR;
    } catch (NumberFormatException e) {
      return DECAY_FACTOR;
    }
  }
}
