package io.millrace.ops.gridengine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.plus.ReservableText;
import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigChecks;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.usage.Allocations;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import io.millrace.schedulers.dialects.origin2000.usage.PastUsage;
import io.millrace.schedulers.dialects.plus.PlusText;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.ObjectTables;
import io.millrace.schedulers.gridengine.language.options.Option;
import io.millrace.schemas.Seeds;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.DateTimeException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Random lines to the parser of each file of each dialect: it takes them or refuses them in one
 * line, throws nothing else, and needs no longer than 10 ms of processor time.
 */
class DialectLinesPropertyTest {

  private static final int LINES = Seeds.NIGHT ? 1_000_000 : 3_000;
  private static final long MOST_NS = 10_000_000;

  /**
   * What collects garbage meanwhile, and code that is not compiled yet as at the very first text,
   * are not meant: the quickest of so many counts.
   */
  private static final int TRIES = 500;

  private static final int SHOWN = 300;

  private static final OriginPlace PLACE = new OriginPlace("hopper", ZoneOffset.UTC);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final List<String> PIECES =
      List.of(
          " ",
          "  ",
          "\t",
          ":",
          ": ",
          ",",
          ", ",
          ";",
          "=",
          "\"",
          "'",
          "#",
          "*",
          "\\",
          "/",
          "@",
          "%",
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          "!",
          "-",
          "+",
          ".",
          "\r",
          "\u00e9",
          "\u2028",
          "\ufeff",
          "0",
          "1",
          "7",
          "60",
          "366",
          "99999999999999999999",
          "0.5",
          "1e309",
          "-1",
          "1:00:00",
          "08:00",
          "02/30/2026",
          "11/24/2026 08:00",
          "true",
          "False",
          "NONE",
          "none",
          "all",
          "ALL",
          "prime",
          "non_prime",
          "ncpus HIGH",
          "walltime LOW unused",
          "ncpus*walltime",
          "euser",
          "YEAR 2026",
          "weekday 0800 1800",
          "root",
          "ann 10 root 50",
          "SubmitTime",
          "NodeName",
          "ByQueue",
          "exec@host1",
          "-15%,+10%",
          "RERUN",
          "P= a = b = 1",
          "n1 n2",
          "[n1=4]",
          "a=1,b=2.5",
          "INT <= YES YES 1 1000",
          "$fill_up",
          "MONITOR=1",
          "np_load_avg",
          "[ a = 1; b = a + 2 ]",
          "requirements",
          "regexp(",
          "undefined",
          "? :",
          "&&",
          "||");

  /** What is repeated, to find readers that take long over much of the same. */
  private static final int REPEATED_MAX = 2_000;

  /** The parsers by their names, each with the words that its lines begin with. */
  private static Map<String, Parser> parsers() {
    Map<String, Parser> all = new LinkedHashMap<>();
    for (String file : SitePolicyFolder.FILES) {
      all.put(
          "pbs " + file,
          new Parser(
              SchedConfigOptions.all().stream().map(SchedConfigOption::name).toList(),
              text -> SitePolicyFolder.read(Map.of(file, text)).explain()));
    }
    all.put(
        "pbs, as loaded",
        new Parser(List.of("=== sched_config", "=== time_zone", "==="), StoredPolicy::read));
    all.put(
        "origin config",
        new Parser(
            Arrays.stream(OriginOption.values()).map(OriginOption::name).toList(),
            DialectLinesPropertyTest::origin));
    all.put(
        "origin holidays",
        new Parser(List.of("YEAR", "315 Nov 11"), text -> OriginHolidays.read("f", text)));
    all.put(
        "origin decay_usage",
        new Parser(List.of("Tue", "g:u 5.0"), text -> new PastUsage().read(text, 0)));
    all.put(
        "origin allocations",
        new Parser(
            List.of("HOPPER", "P="),
            text -> new Allocations().read(new InputFile(text, 1), new InputFile(text, 1))));
    all.put(
        "plus sched_conf",
        new Parser(
            List.of("JobSortKey:", "NodeSortKey:", "OwnersOrder:", "GroupsOrder:", "HostsOrder:"),
            text -> PlusText.read("f", text)));
    all.put(
        "plus reservable.ad",
        new Parser(List.of("[", "requirements ="), text -> ReservableText.of("f", text)));
    ObjectTables.all()
        .forEach(
            (name, table) ->
                all.put(
                    "cell " + name,
                    new Parser(
                        table.options().stream().map(Option::name).toList(),
                        text -> table.parse("f", text))));
    all.put(
        "cell",
        new Parser(List.of("slots s", "qname q", "#"), text -> PolicyText.parse("f", text)));
    return all;
  }

  private static void origin(String text) {
    OriginConfig config = OriginConfigText.read("f", text, PLACE).config();
    OriginConfigChecks.check("f", config, program -> true);
  }

  /**
   * @param words with which lines begin that may be right
   */
  private record Parser(List<String> words, Consumer<String> read) {

    /** Reads a text; nanoseconds of processor time. */
    private long timed(String text) {
      long begin = THREADS.getCurrentThreadCpuTime();
      try {
        read.accept(text);
      } catch (ConfigurationRefused e) {
        assertTrue(
            e.getMessage().lines().count() == 1 && e.getMessage().length() < 1_000,
            () -> "refused in too many words: " + e.getMessage());
      }
      return THREADS.getCurrentThreadCpuTime() - begin;
    }

    private String text(Random random) {
      List<String> lines = new ArrayList<>();
      for (int n = random.nextInt(3); n >= 0; n--) {
        lines.add(line(random));
      }
      return String.join("\n", lines);
    }

    private String line(Random random) {
      StringBuilder line = new StringBuilder();
      if (random.nextInt(4) > 0) {
        line.append(words.get(random.nextInt(words.size())));
        line.append(random.nextBoolean() ? " " : ": ");
      }
      for (int pieces = random.nextInt(6); pieces > 0; pieces--) {
        String piece = PIECES.get(random.nextInt(PIECES.size()));
        line.append(random.nextInt(300) == 0 ? piece.repeat(random.nextInt(REPEATED_MAX)) : piece);
      }
      if (random.nextInt(20) == 0) {
        line.append((char) random.nextInt(0xD800));
      }
      return line.toString();
    }
  }

  @Test
  void anyLineIsTakenOrRefusedAtOnce() {
    long seed = Long.getLong("millrace.day", 20261125L);
    Map<String, String> wrong = new LinkedHashMap<>();
    parsers()
        .forEach(
            (name, parser) -> {
              Random random = new Random(seed);
              for (int i = 0; i < LINES; i++) {
                String problem = problem(parser, parser.text(random));
                if (!problem.isEmpty()) {
                  wrong.putIfAbsent(name, problem);
                }
              }
            });
    assertTrue(wrong.isEmpty(), () -> "seed " + seed + ": " + wrong);
  }

  /** What is wrong with how a text was read; empty for nothing. */
  private static String problem(Parser parser, String text) {
    String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    long tookNs = Long.MAX_VALUE;
    try {
      for (int tries = 0; tries < TRIES && tookNs > MOST_NS; tries++) {
        tookNs = Math.min(tookNs, parser.timed(text));
      }
    } catch (IllegalArgumentException
        | IllegalStateException
        | IndexOutOfBoundsException
        | ArithmeticException
        | DateTimeException
        | StackOverflowError
        | AssertionError e) {
      return e + " at " + Arrays.asList(e.getStackTrace()).subList(0, 5) + " for: " + shown;
    }
    return tookNs <= MOST_NS ? "" : tookNs / 1_000 + " us for: " + shown;
  }
}
