package io.millrace.schedulers.dialects.schedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Seeds;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigReader;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigText;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lines: nothing is thrown, what is taken can be used, and what is printed reads the same.
 */
class SitePolicyFilesPropertyTest {

  private static final int TEXTS = Seeds.NIGHT ? 20_000 : 5_000;

  private static final List<String> WORDS =
      List.of(
          "true",
          "False",
          "0",
          "7",
          "perhaps",
          "prime",
          "non_prime",
          "ALL",
          "none",
          "sometimes",
          "\"ncpus HIGH\"",
          "\"walltime LOW unused\"",
          "\"",
          "'x",
          "1:00:00",
          "soon",
          "3600",
          "0.25",
          "1",
          "-1",
          "half",
          "euser",
          "project",
          "ncpus*walltime",
          "ncpus*",
          "\"dyn !/bin/x 1\"",
          "weekday",
          "monday",
          "YEAR",
          "2026",
          "all",
          "0600",
          "2575",
          "root",
          "u1",
          "a",
          "b",
          "11/24/2026",
          "13/45/27",
          "08:00",
          "25:61",
          "99999999999999",
          "#",
          "*",
          ":",
          "ALL_JOBS");

  private static String line(Random random) {
    List<SchedConfigOption> options = SchedConfigOptions.all();
    StringBuilder line = new StringBuilder();
    if (random.nextInt(3) > 0) {
      line.append(options.get(random.nextInt(options.size())).name());
      line.append(random.nextInt(5) == 0 ? " " : ": ");
    }
    for (int words = random.nextInt(6); words > 0; words--) {
      line.append(WORDS.get(random.nextInt(WORDS.size())))
          .append(random.nextInt(9) == 0 ? "" : " ");
    }
    if (random.nextInt(20) == 0) {
      line.append((char) random.nextInt(0x3000));
    }
    return line.toString();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void anyLineIsTakenOrRefused(long offset) {
    long seed = Long.getLong("millrace.day", 20261125L) * 10 + offset;
    Random random = new Random(seed);
    for (int i = 0; i < TEXTS; i++) {
      List<String> lines = new ArrayList<>();
      for (int n = random.nextInt(4); n >= 0; n--) {
        lines.add(line(random));
      }
      String text = String.join("\n", lines);
      String where = "seed " + seed + ", text:\n" + text;
      SitePolicyFolder folder =
          SitePolicyFolder.read(
              Map.of(
                  SitePolicyFolder.SCHED_CONFIG, text,
                  SitePolicyFolder.HOLIDAYS, text,
                  SitePolicyFolder.DEDICATED_TIME, text,
                  SitePolicyFolder.RESOURCE_GROUP, text));
      usable(folder, where);
      String printed = SchedConfigText.print(folder.config());
      SchedConfigReader.SchedConfigRead again = SchedConfigReader.read("again", printed);
      assertEquals(printed, SchedConfigText.print(again.config()), where);
      // The odd character of a line may be one that ends it.
      long count = text.lines().count();
      folder.findings().forEach(it -> assertTrue(it.line() <= count, where));
    }
  }

  /** Each value can be read in the form that its option has. */
  private static void usable(SitePolicyFolder folder, String where) {
    for (SitePeriod period : SitePeriod.values()) {
      folder.config().jobKeys(period);
      folder.config().nodeKeys(period);
      assertTrue(folder.config().seconds(SchedConfigOptions.PRIME_SPILL, period) >= 0, where);
    }
    folder.config().count(SchedConfigOptions.MAX_JOB_CHECK);
    folder.config().count(SchedConfigOptions.PREEMPT_ATTEMPTS);
    folder.config().count(SchedConfigOptions.UNKNOWN_SHARES);
    double factor = folder.config().factor(SchedConfigOptions.DECAY_FACTOR);
    assertTrue(factor > 0 && factor < 1, where);
    folder.config().programs();
    folder.explain();
  }
}
