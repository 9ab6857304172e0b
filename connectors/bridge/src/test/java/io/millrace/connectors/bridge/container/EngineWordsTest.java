package io.millrace.connectors.bridge.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.container.ContainerTerms.EngineCall;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What docker 20.10.24 and 28.2.2, and podman 4.3.1, printed when containers ended, and what
 * programs print.
 */
class EngineWordsTest {

  private static final String ID = PlayedEngine.FIRST;

  private static OutsideAnswer answer(int status, String out, String err) {
    return new OutsideAnswer(ProcessEnding.EXITED, status, out, err, Duration.ZERO);
  }

  private static String kind(OutsideAnswer answer) {
    if (EngineWords.notBegun(answer)) {
      return "not begun";
    }
    return EngineWords.brokenOff(answer) ? "broken off" : "its own";
  }

  /** On standard output, with the statuses that they came with. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not begun | 126 | cannot exec in a stopped state: unknown",
        "not begun | 126 | cannot exec in a deleted state: unknown",
        "not begun | 126 | OCI runtime exec failed: exec failed: unable to start container process:"
            + " exec: \"/usr/bin/timeout\": stat /usr/bin/timeout: no such file or directory:"
            + " unknown",
        "not begun | 126 | OCI runtime exec failed: exec failed: unable to start container process:"
            + " exec: \"/etc/passwd\": permission denied: unknown",
        "broken off | 126 | OCI runtime exec failed: exec failed: unable to start container"
            + " process: error executing setns process: exit status 1: unknown",
        "broken off | 126 | OCI runtime exec failed: exec failed: unable to start container"
            + " process: error writing config to pipe: write init-p: broken pipe: unknown",
        "its own | 0 | cannot exec in a stopped state: unknown",
        "its own | 1 | sbatch: error: Batch job submission failed: Invalid partition name",
        "its own | 137 | half of a queue",
      })
  void onItsOutput(String kind, int status, String text) {
    assertEquals(kind, kind(answer(status, text + "\r\n", "")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not begun | Error: No such container: c1",
        "not begun | Error response from daemon: No such container: c1",
        "not begun | Error response from daemon: Container " + ID + " is not running",
        "not begun | Error response from daemon: Container c1 is paused, unpause the container"
            + " before exec",
        "not begun | Error response from daemon: Container "
            + ID
            + " is restarting, wait until the"
            + " container is running",
        "broken off | Error response from daemon: No such exec instance: 12",
        "broken off | Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the"
            + " docker daemon running?",
        "broken off | error during connect: Get \"http://%2Fvar%2Frun%2Fdocker.sock/v1.41/exec/1\":"
            + " EOF",
        "its own | squeue: error: slurm_load_jobs: Unable to contact slurm controller",
        "its own | Error: nobody knows what this is",
        "not begun | Error: no container with name or ID \"c1\" found: no such container",
        "not begun | Error: can only create exec sessions on running containers: container state"
            + " improper",
        "not begun | Error: /usr/sbin/runc: exec failed: unable to start container process: exec:"
            + " \"/nosuch/x\": stat /nosuch/x: no such file or directory: OCI runtime attempted to"
            + " invoke a command that was not found",
      })
  void onItsErrorOutput(String kind, String text) {
    assertEquals(kind, kind(answer(1, "", text + "\n")));
  }

  /** What a command has printed before is no word of the engine. */
  @Test
  void behindOtherWordsItSaysThatItBrokeOff() {
    String last = "Error response from daemon: Container " + ID + " is not running\n";
    assertEquals("broken off", kind(answer(1, "12\n", last)));
  }

  /** In one line with a cure, whatever it was. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Error: No such container: c1 | there is no container c1; see 'container'",
        "Error: inspecting object: no such container c1 | there is no container c1; see"
            + " 'container'",
        "Error response from daemon: Container c1 is paused, unpause it | container c1 is paused;"
            + " unpause it",
        "Error response from daemon: Container 12 is restarting, wait | container c1 is restarting;"
            + " see its log",
        "Error response from daemon: Container 12 is not running | container c1 is not running;"
            + " start it",
        "sudo: a password is required | sudo: a password is required; put the line of sudo that"
            + " container_sudo = yes needs into /etc/sudoers.d",
        "cannot exec; in a stopped state | nothing is started in container c1: cannot exec, in a"
            + " stopped state; it needs timeout, env and id of GNU's coreutils in /usr/bin",
      })
  void itsTroubleHasACure(String text, String said) {
    ContainerTerms terms =
        new ContainerTerms(
            new EngineCall(List.of("docker"), false), "c1", "mr", "/x", 1, Duration.ofSeconds(1));
    assertEquals(said, EngineWords.trouble(answer(1, "", text + "\n"), terms));
    OutsideAnswer silent =
        new OutsideAnswer(ProcessEnding.TIMED_OUT, -1, "", "", Duration.ofSeconds(20));
    assertEquals(
        "the container engine does not answer: no answer within 20 s; see its log",
        EngineWords.trouble(silent, terms));
  }
}
