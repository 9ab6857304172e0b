package io.millrace.connectors.bridge.far;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of commands in another place than this host, whatever the way there. */
public abstract class FarRunnerContract {

  @TempDir protected Path folder;

  /** Runs a command that gets a line "in" to read and a variable X of {@code a 'b'}. */
  protected abstract OutsideAnswer run(String... words) throws InterruptedException;

  @Test
  void anAnswerIsThatOfACommandHere() throws Exception {
    OutsideAnswer answer =
        run(
            "/bin/sh",
            "-c",
            "cat; printf '<%s>' \"$X\" \"$PWD\" \"$1\"; echo no >&2; exit 7",
            "sh",
            "it's\n$(id)");
    assertEquals(ProcessEnding.EXITED, answer.ending(), answer::trouble);
    assertEquals(7, answer.status());
    assertEquals("in\n<a 'b'></><it's\n$(id)>", answer.out());
    assertEquals("no\n", answer.err());
  }

  @Test
  void nothingOfTheEnvironmentThereComesWithIt() throws Exception {
    assertEquals(
        List.of("LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin:/usr/sbin:/sbin", "X=a 'b'"),
        run("/usr/bin/env").out().lines().sorted().toList());
  }

  @Test
  void aProgramThatIsNotThereWasNeverStarted() throws Exception {
    OutsideAnswer answer = run("/nosuch/sbatch", "-x");
    assertEquals(ProcessEnding.NOT_STARTED, answer.ending());
    assertEquals("/nosuch/sbatch: No such file or directory", answer.trouble());
    assertEquals(ProcessEnding.NOT_STARTED, run("-i", "/bin/true").ending());
    assertEquals(ProcessEnding.NOT_STARTED, run("/a=b", "/bin/true").ending());
  }

  @Test
  void aProgramsOwn127IsItsOwn() throws Exception {
    OutsideAnswer answer = run("/bin/sh", "-c", "exit 127");
    assertEquals(ProcessEnding.EXITED, answer.ending());
    assertEquals(127, answer.status());
    assertEquals(137, run("/bin/sh", "-c", "kill -9 $$").status(), "its own end");
  }

  /** One command has the time of all others, where there are more than go at once. */
  @Test
  void soManyAtOnceAndNoMore() throws Exception {
    String most = "n=$(ls " + folder + "/run.* | wc -l); echo $n";
    List<CompletableFuture<OutsideAnswer>> all = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      String mark = folder + "/run." + i;
      String text = "touch " + mark + "; " + most + "; sleep 0.1; rm " + mark;
      all.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return run("/bin/sh", "-c", text);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    for (CompletableFuture<OutsideAnswer> each : all) {
      OutsideAnswer answer = each.get(60, TimeUnit.SECONDS);
      assertTrue(answer.isGood(), answer::trouble);
      assertTrue(Integer.parseInt(answer.out().strip()) <= 7, answer::out);
    }
  }
}
