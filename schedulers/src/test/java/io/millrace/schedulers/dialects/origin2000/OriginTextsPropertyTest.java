package io.millrace.schedulers.dialects.origin2000;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.dedicated.OutageCache;
import io.millrace.schedulers.dialects.origin2000.usage.Allocations;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import io.millrace.schedulers.dialects.origin2000.usage.PastUsage;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.SeedSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;

/** Whatever stands in a text: it is read, or refused with file and line. */
class OriginTextsPropertyTest {

  private static final OriginPlace PLACE = new OriginPlace("hopper", ZoneOffset.UTC);
  private static final String[] PIECES = {
    " ",
    "\t",
    "#",
    "*",
    "=",
    ",",
    "@",
    ":",
    "/",
    "-",
    "+",
    "%",
    ".",
    "\r",
    "\0",
    "é",
    "0",
    "1",
    "9",
    "59",
    "60",
    "99999999999",
    "11/09/1999",
    "22:00-23:00",
    "HOPPER",
    "P=",
    "P= a = b = 1",
    "True",
    "RERUN",
    "queue@host",
    "ERROR",
    "CANCELLED",
    "YEAR",
    "315",
    "Nov",
    "Feb 30",
    "x".repeat(600)
  };

  @ParameterizedTest
  @SeedSource(
      value = {1, 2},
      night = 200)
  void eachLineIsReadOrRefused(long seed) {
    lines(5_000, new Random(seed));
  }

  private static void lines(int count, Random random) {
    OriginOption[] options = OriginOption.values();
    for (int i = 0; i < count; i++) {
      StringBuilder line = new StringBuilder();
      if (random.nextBoolean()) {
        line.append(options[random.nextInt(options.length)]).append(' ');
      }
      for (int piece = random.nextInt(6); piece > 0; piece--) {
        line.append(PIECES[random.nextInt(PIECES.length)]);
      }
      each(line.toString());
    }
  }

  private static void each(String line) {
    refusesOrTakes(line, () -> OriginConfigText.read("f", line, PLACE));
    refusesOrTakes(line, () -> OriginHolidays.read("f", line));
    new PastUsage().read("Tue\n" + line, 0);
    new Allocations().read(new InputFile(line, 1), new InputFile(line, 1));
    OutageCache.Asking asking =
        new OutageCache.Asking(name -> Optional.of(line), Optional.of("all"), 0, ZoneOffset.UTC);
    new OutageCache().next("hopper", 0, 0, asking);
  }

  private static void refusesOrTakes(String line, Runnable read) {
    try {
      read.run();
    } catch (ConfigurationRefused e) {
      assertTrue(e.getMessage().startsWith("f:1: "), () -> line + " gives " + e.getMessage());
      assertTrue(e.getMessage().length() < 400, () -> "a long message: " + e.getMessage());
    }
  }
}
