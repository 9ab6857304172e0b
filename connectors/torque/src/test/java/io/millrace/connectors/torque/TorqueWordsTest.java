package io.millrace.connectors.torque;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.Submitted;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Torque's commands say by its source, and what is made of it. */
class TorqueWordsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 12.vm | | Accepted",
        "0 | 12.other | | SubmissionUnclear",
        "0 | | | SubmissionUnclear",
        "170 | | qsub: submit error (Unknown queue MSG=cannot locate queue) | SubmissionRefused",
        "173 | | qsub: submit error (Queue is not enabled MSG=queue is disabled) |"
            + " SubmissionRefused",
        "159 | | qsub: submit error (Unauthorized Request  MSG=no default queue) |"
            + " SubmissionRefused",
        "175 | | qsub: submit error (Bad UID for job execution MSG=root user) | SubmissionRefused",
        "1 | | qsub: illegal -N value | SubmissionRefused",
        "1 | | qsub: submit error (Maximum number of jobs already in queue MSG=total number of jobs"
            + " in queue exceeds the queue limit) | LimitReached",
        "1 | | qsub: Your job has been administratively rejected by the queueing system. |"
            + " SubmissionRefused",
        "15 | | qsub: submit error (Batch protocol error) | SubmissionUnclear",
        "15 | | qsub: submit error (PBS server internal error) | SubmissionUnclear",
        "15 | | qsub: submit error (Request not allowed: Server shutting down) | SubmissionUnclear",
        "15 | | qsub: submit error (Job with requested ID already exists) | SubmissionUnclear",
        "111 | | qsub: cannot connect to server vm (errno=111) Connection refused |"
            + " SubmissionUnclear",
        "1 | | Error communicating with vm(127.0.0.1) | SubmissionUnclear",
        "1 | | something that nobody has seen before | SubmissionUnclear",
        "1 | | sudo: a password is required | AccountRefused",
        "126 | | millrace-outside: refused: qsub does not take '-z' here | SubmissionRefused",
        "1 | | sudo: unable to resolve host n1 | SubmissionUnclear",
      })
  void answersToSubmissions(int status, String out, String err, String said) {
    Submitted answer =
        TorqueSystem.WORDS.submitted(
            RecordedTexts.answer(status, out == null ? "" : out + "\n", err == null ? "" : err),
            "vm");
    assertEquals(said, answer.getClass().getSimpleName());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | | Done",
        "153 | qdel: Unknown Job Id Error 45.vm | OutsideJobGone",
        "168 | qdel: Request invalid for state of job MSG=invalid state for job - COMPLETE 45.vm"
            + " | OutsideJobGone",
        "168 | qdel: Request invalid for state of job MSG=invalid state for job - EXITING 45.vm"
            + " | ControlRefused",
        "159 | qsig: Unauthorized Request  MSG=operation not permitted 45.vm | ControlRefused",
        "111 | qdel: cannot connect to server vm (errno=111) Connection refused | ControlUnclear",
      })
  void answersToOrders(int status, String err, String said) {
    Controlled answer =
        TorqueSystem.WORDS.controlled(RecordedTexts.answer(status, "", err == null ? "" : err));
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
    "-9, NOT_BEGUN",
    "-10, MEMORY",
    "-11, TIME_LIMIT",
    "-12, TIME_LIMIT",
    "-99, UNKNOWN",
  })
  void exitStatuses(int status, OutsideCause cause) {
    assertEquals(cause, TorqueEnds.of(status, true).cause());
    boolean shell = status > 128 && status < 193;
    // Of the jobs of others this is what the script has ended with: signals are above 256.
    assertEquals(shell ? OutsideCause.EXITED : cause, TorqueEnds.of(status, false).cause());
    assertEquals(
        shell ? status : TorqueEnds.of(status, true).status(),
        TorqueEnds.of(status, false).status());
  }
}
