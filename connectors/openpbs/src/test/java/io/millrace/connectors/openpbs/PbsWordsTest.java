package io.millrace.connectors.openpbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.openpbs.family.PbsOrders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What OpenPBS's commands have said, and what is made of it. */
class PbsWordsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 12.vm | | Accepted",
        "0 | 12.other | | SubmissionUnclear",
        "0 | 12 | | SubmissionUnclear",
        "0 | | | SubmissionUnclear",
        "170 | | qsub: Unknown queue | SubmissionRefused",
        "173 | | qsub: Queue is not enabled | SubmissionRefused",
        "175 | | qsub: Bad UID for job execution | SubmissionRefused",
        "159 | | qsub: Unauthorized Request | SubmissionRefused",
        "188 | | qsub: Job violates queue and/or server resource limits | SubmissionRefused",
        "1 | | qsub: would exceed queue generic's per-user limit | LimitReached",
        "1 | | qsub: Maximum number of jobs for user bob already in queue workq | LimitReached",
        "1 | | qsub: would exceed per-user limit on resource ncpus in queue workq |"
            + " SubmissionRefused",
        "14 | | qsub: Illegal attribute or resource value Resource_List.walltime |"
            + " SubmissionRefused",
        "160 | | qsub: cannot connect to server vm (errno=15008) | SubmissionUnclear",
        "1 | | qsub: illegal -N value | SubmissionRefused",
        "3 | | qsub: Bad Request Protocol | SubmissionUnclear",
        "1 | | something that nobody has seen before | SubmissionUnclear",
        "1 | | sudo: a password is required | AccountRefused",
        "126 | | millrace-outside: refused: qsub does not take '-z' here | SubmissionRefused",
        "1 | | sudo: unable to resolve host n1 | SubmissionUnclear",
      })
  void answersToSubmissions(int status, String out, String err, String said) {
    Submitted answer =
        PbsSystem.WORDS.submitted(
            RecordedTexts.answer(status, out == null ? "" : out + "\n", err == null ? "" : err),
            "vm");
    assertEquals(said, answer.getClass().getSimpleName());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | | Done",
        "35 | qdel: Job has finished 45.vm | OutsideJobGone",
        "153 | qdel: Unknown Job Id 99.vm | OutsideJobGone",
        "159 | qsig: Unauthorized Request  45.vm | ControlRefused",
        "168 | qhold: Request invalid for state of job 45.vm | ControlRefused",
        "255 | qdel: cannot connect to server vm (errno=15008) | ControlUnclear",
      })
  void answersToOrders(int status, String err, String said) {
    Controlled answer =
        PbsSystem.WORDS.controlled(RecordedTexts.answer(status, "", err == null ? "" : err));
    assertEquals(said, answer.getClass().getSimpleName());
  }

  @ParameterizedTest
  @CsvSource({
    "0, EXITED",
    "127, EXITED",
    "128, EXITED",
    "129, SIGNALLED",
    "143, SIGNALLED",
    "192, SIGNALLED",
    "193, EXITED",
    "255, EXITED",
    "271, SIGNALLED",
    "-1, NOT_BEGUN",
    "-4, UNKNOWN",
    "-10, NOT_BEGUN",
    "-24, UNKNOWN",
    "-25, UNKNOWN",
    "-26, MEMORY",
    "-27, MEMORY",
    "-28, TIME_LIMIT",
    "-29, TIME_LIMIT",
    "-99, UNKNOWN",
  })
  void exitStatuses(int status, OutsideCause cause) {
    assertEquals(cause, PbsEnds.of(status, true).cause());
    boolean shell = status > 128 && status < 193;
    // Of the jobs of others this is what the script has ended with: signals are above 256.
    assertEquals(shell ? OutsideCause.EXITED : cause, PbsEnds.of(status, false).cause());
    assertEquals(
        shell ? status : PbsEnds.of(status, true).status(), PbsEnds.of(status, false).status());
    assertTrue(PbsEnds.of(status, true).words().contains(Integer.toString(status)));
  }

  @Test
  void namesThatItTakes() {
    assertEquals("a_b__-x", PbsOrders.name("a\nb' -x"));
    assertEquals("J1x", PbsOrders.name("1x"));
    assertEquals("J-x", PbsOrders.name("-x"));
    assertEquals("J", PbsOrders.name(""));
    assertEquals(200, PbsOrders.name("x".repeat(300)).length());
  }
}
