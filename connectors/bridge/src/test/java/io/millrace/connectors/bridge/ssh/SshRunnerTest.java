package io.millrace.connectors.bridge.ssh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.far.FarRunnerContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands on another host, which is played by the library's own sshd. */
class SshRunnerTest extends FarRunnerContract {

  private static final int MOST = 1 << 20;

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

  @Override
  protected OutsideAnswer run(String... words) throws InterruptedException {
    return runner.run(command(Duration.ofSeconds(20), MOST, words));
  }

  @Test
  void aWordStandsInQuotes() {
    assertEquals("''", ShellLine.quoted(""));
    assertEquals("'a b'", ShellLine.quoted("a b"));
    assertEquals("''\\'''", ShellLine.quoted("'"));
  }

  @Test
  void aLineThatNoShellTakesIsNotSent() throws Exception {
    OutsideAnswer answer = run("/bin/echo", "x".repeat(ShellLine.BYTES_MOST));
    assertEquals(ProcessEnding.NOT_STARTED, answer.ending());
    assertEquals("echo: its words are longer than a shell takes", answer.trouble());
  }

  /** Nobody can take half a queue for a whole one. */
  @Test
  void aConnectionThatIsCutSaysNothing() throws Exception {
    Path mark = folder.resolve("mark");
    String words = "printf half; touch " + mark + "; sleep 300; printf whole";
    CompletableFuture<OutsideAnswer> cut =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run("/bin/sh", "-c", words);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(mark));
    sshd.stop();
    OutsideAnswer answer = cut.get(20, TimeUnit.SECONDS);
    assertEquals(ProcessEnding.CUT, answer.ending());
    assertFalse(answer.isGood());
    OutsideAnswer away = run("/bin/true");
    assertEquals(ProcessEnding.NOT_STARTED, away.ending());
    assertTrue(away.trouble().contains(" cannot be reached: "), away::trouble);
    sshd.start();
    assertTrue(run("/bin/true").isGood(), "it is made anew");
  }

  /** Attempts have pauses that grow: a host that is down is not knocked at by each question. */
  @Test
  void aHostThatIsDownIsLeftAlone() throws Exception {
    sshd.stop();
    List<String> said = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      said.add(run("/bin/true").trouble());
    }
    sshd.start();
    OutsideAnswer answer = run("/bin/true");
    assertEquals(ProcessEnding.NOT_STARTED, answer.ending(), "the pause is not over");
    assertEquals(said.get(0), answer.trouble());
    assertEquals(0, sshd.begun());
  }

  @Test
  void aLoginShellThatChangesWordsIsNotUsed() throws Exception {
    Path shell = folder.resolve("shell");
    Files.writeString(shell, "#!/bin/bash\nset -- \"${2//\\!/}\"\nexec /bin/sh -c \"$1\"\n");
    shell.toFile().setExecutable(true);
    sshd.shell(shell.toString(), "-c");
    OutsideAnswer answer = run("/bin/true");
    assertEquals(ProcessEnding.NOT_STARTED, answer.ending());
    assertTrue(answer.trouble().contains("changes words"), answer::trouble);
    assertEquals(1, sshd.begun(), "nothing but the trial was sent");
  }

  @Test
  void startFilesThatPrintAreSaid() throws Exception {
    Path shell = folder.resolve("shell");
    Files.writeString(shell, "#!/bin/bash\necho Welcome\nexec /bin/sh -c \"$2\"\n");
    shell.toFile().setExecutable(true);
    sshd.shell(shell.toString(), "-c");
    assertTrue(run("/bin/true").trouble().contains("start files print something"));
  }

  @Test
  void whoIsAskedWhatIsUnderWayAnswersOfOthersToo() throws Exception {
    Process ours = new ProcessBuilder("/bin/sh", "-c", "read line", "sh", "--c=mr.c1.7.1").start();
    try {
      String self = System.getProperty("user.name");
      assertTrue(runner.isUnderWay(self, "mr.c1.7.1"));
      assertFalse(runner.isUnderWay(self, "mr.c1.8.1"));
      sshd.stop();
      assertTrue(runner.isUnderWay(self, "mr.c1.8.1"), "nobody can say");
    } finally {
      ours.destroyForcibly();
    }
  }
}
