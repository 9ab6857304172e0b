package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds a policy by the name that a user gives. */
public final class NamedPolicy {

  private static final int NEAREST = 2;

  private NamedPolicy() {}

  /**
   * The policy of a name; or of a file with attributes of a scheduler object, or with the settings
   * of a Grid Engine's scheduler; or of a file or folder in the language of another scheduler.
   *
   * @param zone of the times in a file
   * @param options options of the word, for the usage error when there is no such policy
   */
  public static SimulatedPolicy read(String word, ZoneId zone, GivenOptions options)
      throws IOException, UsageException {
    Optional<SimulatedPolicy> named = SimulatedPolicy.named(word);
    if (named.isPresent()) {
      return named.get();
    }
    Path path = Path.of(word);
    if (!word.isEmpty() && Files.exists(path)) {
      Optional<SimulatedPolicy> site = SitePolicies.find(word, path, zone);
      if (site.isPresent()) {
        return site.get();
      }
      if (!Files.isDirectory(path)) {
        return PolicyFile.read(word, path);
      }
      throw new IOException(
          word
              + " holds no policy by which a trace can be replayed: no sched_config of PBS, config"
              + " of an Origin2000 scheduler, sched_conf of PluS, or sched of a Grid Engine");
    }
    throw options.wrong(
        "there is no policy '"
            + word
            + "' and no such file; the nearest are "
            + String.join(" and ", nearest(word, SimulatedPolicy.names()))
            + ", all are "
            + String.join(", ", SimulatedPolicy.names()));
  }

  /** Names with the smallest edit distance. */
  static List<String> nearest(String word, List<String> names) {
    String asked = word.toLowerCase(Locale.ROOT);
    return names.stream()
        .sorted(Comparator.comparingInt(name -> changes(asked, name)))
        .limit(NEAREST)
        .toList();
  }

  /** Edit distance of two words. */
  private static int changes(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int k = 0; k <= to.length(); k++) {
      row[k] = k;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int k = 1; k <= to.length(); k++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(k - 1) ? 0 : 1);
        diagonal = row[k];
        row[k] = Math.min(replaced, 1 + Math.min(row[k], row[k - 1]));
      }
    }
    return row[to.length()];
  }
}
