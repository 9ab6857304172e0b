package io.millrace.server.gridengine.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Command lines of qalter: what it changes, and what it refuses rather than to lose it. */
class AlterationTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5 -l h_rt=60 -N later",
        "-l h_rt=60 -N later 5",
        "-h u -l h_rt=60 -N later 5",
        "5 -a 203001010000 -l h_rt=60",
        "5 -w v -soft -l fast -hard -q all.q -l h_rt=60",
        "-e /tmp/e -o /tmp/o -j y -p -5 -pe mpi 2-4 -R y -hold_jid 3 -l h_rt=60 5",
        "-cwd -S /bin/sh -l h_rt=60 5",
        "-wd /tmp -l h_rt=60 5",
      })
  void whatCanBeChanged(String line) {
    Alteration alteration = Alteration.of(OptionLineWords.of(line));
    assertEquals(List.of("5"), alteration.jobs());
    assertEquals("h_rt=60", alteration.change().hardText());
    assertEquals(line.contains("-h u") ? "u" : "", alteration.holds());
  }

  @ParameterizedTest
  @CsvSource({
    "-r, -r n",
    "-v, -v A=1",
    "-V, -V",
    "-m, -m e",
    "-M, -M root",
    "-now, -now y",
    "-b, -b y",
    "-i, -i /dev/null",
    "-dl, -dl 203001010000",
    "-A, -A account",
    "-ar, -ar 7",
    "-P, -P project",
    "-t, -t 1-5",
    "-tc, -tc 2",
    "-sync, -sync y",
    "-terse, -terse",
  })
  void whatCannotBeChangedIsRefusedByName(String option, String line) {
    RequestRefused refused =
        assertThrows(
            RequestRefused.class,
            () -> Alteration.of(OptionLineWords.of("-N later " + line + " 5")));
    assertEquals("qalter: option " + option + " is not supported", refused.getMessage());
    assertEquals(1, refused.exitCode());
  }

  @ParameterizedTest
  @CsvSource({"-h u, false", "-N x, true", "-a 203001010000, true", "-soft -q all.q, true"})
  void tasksTakeHoldsOnly(String options, boolean more) {
    Alteration alteration = Alteration.of(OptionLineWords.of(options + " 5.2"));
    assertEquals(more, alteration.changesMoreThanHolds());
  }

  @Test
  void theTimeOfAStartIsKeptAsSeconds() {
    Clock clock = Clock.fixed(Instant.parse("2026-11-21T12:00:00Z"), ZoneOffset.UTC);
    Alteration alteration =
        Alteration.of(OptionLineWords.of("5 -a 12312359.30")).startingAt("qalter", clock);
    assertEquals(
        Instant.parse("2026-12-31T23:59:30Z").getEpochSecond(), alteration.change().earliest_s());
    Alteration wrong = Alteration.of(OptionLineWords.of("5 -a badtime"));
    RequestRefused refused =
        assertThrows(RequestRefused.class, () -> wrong.startingAt("qalter", clock));
    assertEquals(
        "\nInvalid format of date/hour-minute field.\n"
            + "qalter: Wrong date/time format \"badtime\" specified to -a option",
        refused.printed());
    assertEquals(7, refused.exitCode());
  }

  @Test
  void jobsThatDidNotComeBeforeAreNamed() {
    Alteration alteration = Alteration.of(OptionLineWords.of("40 -hold_jid 39,50,step,40"));
    assertEquals(List.of(50L, 40L), alteration.notBefore(40));
    assertEquals(List.of(), alteration.notBefore(51));
    assertEquals(List.of(), Alteration.of(OptionLineWords.of("40 -N later")).notBefore(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"5 -h", "5 -h x", "5 -nosuch"})
  void wrongLines(String line) {
    assertThrows(RequestRefused.class, () -> Alteration.of(OptionLineWords.of(line)));
  }
}
