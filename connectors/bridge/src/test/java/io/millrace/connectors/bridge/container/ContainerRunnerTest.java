package io.millrace.connectors.bridge.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.command.SudoWords;
import io.millrace.connectors.bridge.far.FarRunnerContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands in a container, of which the engine's program is played. */
class ContainerRunnerTest extends FarRunnerContract {

  private static final int MOST = 1 << 20;

  private PlayedEngine engine;
  private ContainerRunner runner;

  @BeforeEach
  void start() throws Exception {
    engine = new PlayedEngine(folder);
    runner = engine.runner();
  }

  @AfterEach
  void stop() throws Exception {
    runner.close();
    engine.killAll();
  }

  private static OutsideCommand command(Duration limit, Optional<String> account, String... words) {
    return new OutsideCommand(
        List.of(words),
        "in\n".getBytes(StandardCharsets.UTF_8),
        Map.of("X", "a 'b'"),
        limit,
        MOST,
        account);
  }

  @Override
  protected OutsideAnswer run(String... words) throws InterruptedException {
    return runner.run(command(Duration.ofSeconds(20), Optional.empty(), words));
  }

  @Test
  void aCommandIsStartedAsWhomItSays() throws Exception {
    OutsideCommand command =
        command(Duration.ofSeconds(20), Optional.of("alice"), "/bin/echo", "yes");
    assertEquals("yes\n", runner.run(command).out());
    assertEquals("alice", engine.users().get(engine.users().size() - 1));
    run("/bin/true");
    assertEquals(System.getProperty("user.name"), engine.users().get(engine.users().size() - 1));
  }

  /** Nothing was begun in the name of that account; of others this says nothing. */
  @Test
  void anAccountThatItDoesNotHaveIsRefusedAlone() throws Exception {
    OutsideAnswer answer =
        runner.run(command(Duration.ofSeconds(20), Optional.of("bob"), "/bin/true"));
    assertTrue(SudoWords.refused(answer), answer::toString);
    assertEquals("unable to find user bob: no matching entries in passwd file", answer.trouble());
    assertTrue(run("/bin/true").isGood());
  }

  @Test
  void nobodyIsRootThere() throws Exception {
    Files.writeString(folder.resolve("accounts"), System.getProperty("user.name") + " 0\n");
    OutsideAnswer answer = run("/bin/true");
    assertEquals(ProcessEnding.NOT_STARTED, answer.ending());
    assertTrue(answer.trouble().contains(" is root; name another one in 'container_account'"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "away | no container engine answers: ",
        "denied | the container engine does not listen to this account; set 'container_sudo = yes'",
      })
  void anEngineThatIsNotToBeHadIsNamed(String fault, String said) throws Exception {
    engine.fault(fault);
    OutsideAnswer answer = run("/bin/true");
    assertEquals(ProcessEnding.NOT_STARTED, answer.ending());
    assertTrue(answer.trouble().startsWith(said), answer::trouble);
    assertTrue(answer.trouble().contains("; "), answer::trouble);
    engine.mend(fault);
    assertTrue(run("/bin/true").isGood(), "it is asked anew");
  }

  @Test
  void aContainerThatDoesNotRunSaysNothing() throws Exception {
    engine.is(PlayedEngine.FIRST, "exited", 1);
    assertEquals("container c1 is exited; start it", run("/bin/true").trouble());
    engine.is(PlayedEngine.FIRST, "running", 2);
    assertTrue(run("/bin/true").isGood());
    engine.is(PlayedEngine.FIRST, "paused", 2);
    OutsideAnswer paused = run("/bin/true");
    assertEquals(ProcessEnding.NOT_STARTED, paused.ending());
    assertEquals("container c1 is paused; unpause it", paused.trouble());
    Files.writeString(
        folder.resolve("container"), PlayedEngine.FIRST + " running 2026-11-29T07:44:01Z c2\n");
    assertEquals("there is no container c1; see 'container'", run("/bin/true").trouble());
  }

  /** Attempts have pauses that grow. */
  @Test
  void aContainerThatIsAwayIsLeftAlone() throws Exception {
    engine.is(PlayedEngine.FIRST, "exited", 1);
    for (int i = 0; i < 20; i++) {
      assertEquals("container c1 is exited; start it", run("/bin/true").trouble());
    }
    assertEquals(3, engine.calls());
    engine.is(PlayedEngine.FIRST, "running", 2);
    assertEquals(ProcessEnding.NOT_STARTED, run("/bin/true").ending(), "the pause is not over");
  }

  private CompletableFuture<OutsideAnswer> underWay() {
    Path begun = folder.resolve("begun");
    CompletableFuture<OutsideAnswer> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run("/bin/sh", "-c", "echo half; echo > " + begun + "; exec sleep 300");
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(begun));
    return answer;
  }

  /** Nobody can take half a queue for a whole one, nor the end of it for that of its command. */
  @Test
  void aContainerThatIsBegunAnewInTheMiddleCutsOff() throws Exception {
    CompletableFuture<OutsideAnswer> answer = underWay();
    engine.ends();
    engine.beginsAnew();
    assertEquals(ProcessEnding.CUT, answer.get(20, TimeUnit.SECONDS).ending());
    assertTrue(run("/bin/true").isGood(), "it is the same one");
  }

  @Test
  void anEngineThatLosesACommandCutsOff() throws Exception {
    CompletableFuture<OutsideAnswer> answer = underWay();
    engine.fault("lost");
    engine.killAll();
    assertEquals(ProcessEnding.CUT, answer.get(20, TimeUnit.SECONDS).ending());
  }

  /** The new one is asked nothing: it could say of each job that it has never been. */
  @Test
  void aContainerInThePlaceOfTheOldOneIsNotBelieved() throws Exception {
    Path mark = folder.resolve("mark");
    runner = engine.runner(Optional.of(mark));
    assertTrue(run("/bin/true").isGood());
    engine.is(PlayedEngine.OTHER, "running", 3);
    int before = engine.users().size();
    String other = "container c1 is another one (07f3d81fcf5d) than before (5a9c93f7c11e); if it";
    assertTrue(run("/bin/true").trouble().startsWith("there is no container"), "by its id");
    OutsideAnswer answer = run("/bin/true");
    assertEquals(ProcessEnding.NOT_STARTED, answer.ending());
    assertTrue(answer.trouble().startsWith(other), answer::trouble);
    assertTrue(answer.trouble().endsWith("remove " + mark), answer::trouble);
    ContainerRunner later = engine.runner(Optional.of(mark));
    assertTrue(
        later
            .run(command(Duration.ofSeconds(20), Optional.empty(), "/bin/true"))
            .trouble()
            .startsWith(other),
        "another process knows it too");
    assertEquals(before, engine.users().size());
    Files.delete(mark);
    assertTrue(run("/bin/true").isGood());
    assertEquals(PlayedEngine.OTHER, Files.readString(mark).strip());
  }

  /** Rules of sudo name a container, and the name may lead to another one at each command. */
  @Test
  void aNameThatLedToAnotherOneCutsOff() throws Exception {
    runner =
        new ContainerRunner(
            engine.terms(true), new ProcessRunner(), new ContainerMark(Optional.empty()));
    assertTrue(run("/bin/true").isGood());
    engine.is(PlayedEngine.OTHER, "running", 1);
    OutsideAnswer answer = run("/bin/true");
    assertEquals(ProcessEnding.CUT, answer.ending(), answer::toString);
    assertTrue(run("/bin/true").trouble().contains("start this process anew"));
  }

  @Test
  void aCommandThatHangsIsGivenAnEndThereToo() throws Exception {
    OutsideAnswer answer =
        runner.run(
            command(
                Duration.ofSeconds(1), Optional.empty(), "/bin/sh", "-c", "echo half; sleep 300"));
    assertEquals(ProcessEnding.TIMED_OUT, answer.ending());
    assertEquals("half\n", answer.out());
    List<String> words =
        engine
            .terms(false)
            .exec(
                new RunningContainer(PlayedEngine.FIRST, "running", "", "c1"),
                "alice",
                List.of("x"));
    assertEquals(
        List.of("exec", "--interactive", "--workdir", "/", "--user", "alice"), words.subList(1, 7));
    assertEquals(List.of(PlayedEngine.FIRST, "x"), words.subList(7, 9));
  }

  @Test
  void whatIsUnderWayIsSeen() throws Exception {
    Process ours = new ProcessBuilder("/bin/sh", "-c", "read line", "sh", "--c=mr.c1.7.1").start();
    try {
      String self = System.getProperty("user.name");
      assertTrue(runner.isUnderWay(self, "mr.c1.7.1"));
      assertFalse(runner.isUnderWay(self, "mr.c1.8.1"));
      engine.is(PlayedEngine.FIRST, "exited", 1);
      assertTrue(runner.isUnderWay(self, "mr.c1.8.1"), "nobody can say");
    } finally {
      ours.destroyForcibly();
    }
  }
}
