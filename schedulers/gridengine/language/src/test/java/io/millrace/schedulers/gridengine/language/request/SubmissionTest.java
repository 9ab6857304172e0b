package io.millrace.schedulers.gridengine.language.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Command lines of qsub, and what a real one says about wrong ones. */
class SubmissionTest {

  private static final Complexes COMPLEXES =
      Complexes.parse(
          "complex",
          """
          slots   s    INT  <= YES YES 1 1000
          h_rt    h_rt TIME <= YES NO  0 0
          s_rt    s_rt TIME <= YES NO  0 0
          license lic  INT  <= YES YES 0 10
          fast    f    BOOL == YES NO  0 0
          """);

  private static Submission parse(String line) {
    return Submission.of(OptionLineWords.of(line));
  }

  @Test
  void allOptions() {
    Submission job =
        parse(
            "-terse -b y -N L4 -p -100 -R y -now n -t 1-10:3 -tc 2 -hold_jid a,7 -o /dev/null -j y"
                + " -l license=4,h_rt=0:0:30 -soft -l fast -q fast.q -hard -q all.q@node01"
                + " -pe mpi* 4,8,12- sleep 20");
    assertEquals("L4", job.name());
    assertEquals(-100, job.priority());
    assertTrue(job.reserve() && job.terse() && job.binary() && job.joined());
    assertFalse(job.immediate());
    assertEquals(List.of(1, 4, 7, 10), job.tasks().numbers());
    assertEquals(2, job.concurrent());
    assertEquals(List.of("a", "7"), job.after());
    assertEquals("/dev/null", job.output().orElseThrow());
    assertEquals(List.of("sleep", "20"), job.command());
    Needs needs = job.needs(COMPLEXES);
    assertEquals("h_rt=0:0:30,license=4", needs.quoted());
    assertEquals(30, needs.hard("h_rt").orElseThrow().amount());
    assertEquals("fast=TRUE", needs.soft().get(0).toString());
    assertEquals(List.of(new QueueRequest("all.q@node01")), needs.queues());
    assertEquals(List.of(new QueueRequest("fast.q")), needs.softQueues());
    EnvironmentRequest environment = needs.environment().orElseThrow();
    assertEquals("mpi* 4,8,12-9999999", environment.toString());
  }

  @Test
  void aReservationIsNamedByItsNumber() {
    Submission job = parse("-ar 7 -pe mpi 2 sleep 1");
    assertEquals(7, job.advance().orElseThrow());
    assertTrue(String.join(" ", job.words()).contains("-ar 7"));
    assertFalse(job.category("alice").equals(parse("-pe mpi 2 sleep 1").category("alice")));
    assertTrue(parse("sleep 1").advance().isEmpty());
    RequestRefused refused = assertThrows(RequestRefused.class, () -> parse("-ar -pe mpi 2 sleep"));
    assertEquals(
        "qsub: invalid advance reservation id, must be an unsigned integer", refused.printed());
    assertEquals(2, refused.exitCode());
  }

  @Test
  void laterOptionsWinOverThoseOfTheScript() {
    List<String> words =
        OptionLineWords.directives(
            "#!/bin/sh\n#$ -N fromscript -l h_rt=60\n#$ -l license=1\nsleep 1\n");
    assertEquals(List.of("-N", "fromscript", "-l", "h_rt=60", "-l", "license=1"), words);
    List<String> all = new java.util.ArrayList<>(words);
    all.addAll(List.of("-N", "typed", "-l", "license=2"));
    Submission job = Submission.of(all);
    assertEquals("typed", job.name());
    assertEquals("h_rt=60,license=2", job.needs(COMPLEXES).quoted());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "-p 2000|7|qsub: invalid priority \"2000\".  Must be an integer from -1023 to 1024",
        "-badopt|2|qsub: invalid option argument \"-badopt\"",
        "-R maybe|7|qsub: invalid option argument \"-R maybe\"",
        "-N 1bad|1|denied: \"1bad\" is not a valid object name (cannot start with a digit)",
        "-l nosuchres=1|1|unknown resource \"nosuchres\"",
        "-l h_rt=abc|1|attribute \"h_rt\" is not a time value",
        "-l license=-5|1|attribute \"license\" is consumable but has a negative value",
        "-pe mpi 0|1|\"job\" rejected: pe range must be greater than zero",
        "-soft -l license=1|1|denied: soft requests on consumables like \"license\" are not supported",
      })
  void wrongOnes(String line, int exit, String message) {
    RequestRefused refused =
        assertThrows(RequestRefused.class, () -> parse(line + " sleep 1").needs(COMPLEXES));
    assertEquals(message, refused.getMessage());
    assertEquals(exit, refused.exitCode());
    if (exit == 1) {
      assertEquals("Unable to run job: " + message + "\nExiting.", refused.printed());
    }
  }

  @Test
  void rangesTheWrongWayRound() {
    assertEquals("4-8", SlotRanges.of("8-4").toString());
    assertEquals("1-5:1", TaskRange.of("5-1").toString());
    assertEquals(List.of(8, 4, 3, 2, 1), SlotRanges.of("1-4,8").descending(9).boxed().toList());
    assertEquals(1, SlotRanges.of("-4").least());
  }

  @Test
  void words() {
    assertEquals(
        List.of("-q", "all.q@node*", "-N", "a b", "x y"),
        OptionLineWords.of("-q 'all.q@node*' -N \"a b\" x\\ y"));
  }
}
