package io.millrace.connectors.bridge.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SudoWordsTest {

  private static OutsideAnswer answer(ProcessEnding ending, int status, String out, String err) {
    return new OutsideAnswer(ending, status, out, err, Duration.ofMillis(20));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sudo: a password is required | true",
        "sudo: unable to resolve host n1: Name or service not known%sudo: a password is required"
            + " | true",
        "sudo: unknown user: alice | true",
        "sudo: unknown user alice%sudo: error initializing audit plugin sudoers_audit | true",
        "sudo: mill is not allowed to execute '/usr/bin/qsub' as alice on n1. | true",
        "sudo: no tty present and no askpass program specified | true",
        "sudo: sorry, you must have a tty to run sudo | true",
        "sudo: /opt/pbs/bin/qsub: command not found | true",
        "Sorry, user mill is not allowed to execute '/usr/bin/qsub' as alice on n1. | true",
        "Sorry, user mill may not run sudo on n1. | true",
        "millrace-outside: refused: scancel does not take '-u' here | true",
        "sudo: unable to resolve host n1%millrace-outside: refused: a command is missing | true",
        "unable to find user bob: no matching entries in passwd file | true",
        "Error: unable to find user bob: no matching entries in passwd file | true",
        "qsub: unable to find user bob: no matching entries in passwd file | false",
        "millrace-outside: refused: x%qsub: cannot connect to server vm | false",
        "sudo: unable to resolve host n1: Name or service not known | false",
        "sudo: unable to resolve host n1%qsub: cannot connect to server vm | false",
        "sudo: a password is required%qsub: cannot connect to server vm | false",
        "qsub: cannot connect%sudo: a password is required | false",
        "qsub: a password is required | false",
        "'' | false",
      })
  void onlyARefusalIsOne(String err, boolean refused) {
    String lines = err.replace('%', '\n') + "\n";
    assertEquals(refused, SudoWords.refused(answer(ProcessEnding.EXITED, 1, "", lines)));
  }

  /** The next command of the same account may be taken. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "millrace-outside: refused: sbatch does not take '--time=0:1e9' here | true",
        "sudo: unable to resolve host n1%millrace-outside: refused: qsub does not take '' here |"
            + " true",
        "millrace-outside: refused: 'qalter' is no command of torque | false",
        "millrace-outside: refused: the uid 12 is the machine's | false",
        "sudo: a password is required | false",
        "qsub: x does not take 'y' here | false",
      })
  void whatIsAboutWordsIsOfOneCommand(String err, boolean words) {
    String lines = err.replace('%', '\n') + "\n";
    assertEquals(words, SudoWords.refusedWords(answer(ProcessEnding.EXITED, 126, "", lines)));
    assertFalse(SudoWords.refusedWords(answer(ProcessEnding.EXITED, 126, "12\n", lines)));
  }

  @Test
  void whatPrintedOrCutOffHasBegun() {
    String err = "sudo: a password is required\n";
    assertFalse(SudoWords.refused(answer(ProcessEnding.EXITED, 0, "", err)));
    assertFalse(SudoWords.refused(answer(ProcessEnding.EXITED, 1, "12.vm\n", err)));
    assertFalse(SudoWords.refused(answer(ProcessEnding.TIMED_OUT, 1, "", err)));
    assertFalse(SudoWords.refused(answer(ProcessEnding.CUT, 1, "", err)));
  }
}
