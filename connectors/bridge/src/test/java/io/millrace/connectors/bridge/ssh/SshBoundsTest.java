package io.millrace.connectors.bridge.ssh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands on another host may take, print and read. */
class SshBoundsTest {

  private static final int MOST = 1 << 20;

  @TempDir Path folder;
  private EmbeddedSshd sshd;
  private SshRunner runner;

  @BeforeEach
  void start() throws Exception {
    sshd = new EmbeddedSshd(folder);
    runner = new SshRunner(sshd.terms());
  }

  @AfterEach
  void stop() throws Exception {
    runner.close();
    sshd.close();
  }

  private static OutsideCommand command(Duration limit, int most, String... words) {
    return new OutsideCommand(
        List.of(words), "in\n".getBytes(StandardCharsets.UTF_8), Map.of("X", "a 'b'"), limit, most);
  }

  private OutsideAnswer run(String... words) throws InterruptedException {
    return runner.run(command(Duration.ofSeconds(20), MOST, words));
  }

  @Test
  void aCommandThatHangsIsEndedThereToo() throws Exception {
    Path mark = folder.resolve("mark");
    String hang = "echo $$ > " + mark + "; printf half; exec sleep 300";
    OutsideAnswer answer = runner.run(command(Duration.ofSeconds(1), MOST, "/bin/sh", "-c", hang));
    assertEquals(ProcessEnding.TIMED_OUT, answer.ending());
    assertEquals("half", answer.out());
    long pid = Long.parseLong(Files.readString(mark).strip());
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    assertEquals("on\n", run("/bin/echo", "on").out(), "the connection goes on");
  }

  /** Nothing was sent: it can be given again at once, and no submission is in doubt. */
  @Test
  void aCommandWithoutAChannelWasNotStarted() throws Exception {
    assertTrue(run("/bin/echo").isGood());
    sshd.refuseChannels();
    OutsideAnswer answer = run("/bin/echo");
    assertEquals(ProcessEnding.NOT_STARTED, answer.ending(), answer::trouble);
    assertTrue(answer.trouble().contains("see 'ssh_channels', MaxSessions"), answer::trouble);
  }

  @Test
  void outputHasABound() throws Exception {
    OutsideAnswer answer =
        runner.run(command(Duration.ofSeconds(20), 100_000, "/usr/bin/yes", "line"));
    assertEquals(ProcessEnding.TOO_LONG, answer.ending());
    assertEquals(100_000, answer.out().length());
    OutsideAnswer errors =
        runner.run(command(Duration.ofSeconds(20), 1000, "/bin/sh", "-c", "exec /usr/bin/yes >&2"));
    assertEquals(ProcessEnding.TOO_LONG, errors.ending());
    assertEquals(1000, errors.err().length());
  }

  @Test
  void muchOutputComesWhole() throws Exception {
    OutsideAnswer answer =
        runner.run(
            command(
                Duration.ofSeconds(60), 16 << 20, "/usr/bin/head", "-c", "10000000", "/dev/zero"));
    assertEquals(ProcessEnding.EXITED, answer.ending(), answer::trouble);
    assertEquals(10_000_000, answer.out().length());
  }

  @Test
  void muchInputComesWhole() throws Exception {
    OutsideCommand count =
        new OutsideCommand(
            List.of("/usr/bin/wc", "-c"),
            new byte[5 << 20],
            Map.of(),
            Duration.ofSeconds(60),
            MOST);
    assertEquals(5 << 20, Integer.parseInt(runner.run(count).out().strip()));
  }
}
