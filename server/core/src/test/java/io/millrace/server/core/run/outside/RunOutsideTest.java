package io.millrace.server.core.run.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ReportRunAnswered;
import io.millrace.schemas.command.ReportRunOutside;
import io.millrace.schemas.fact.RunOutsideNoted;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.JobEvent;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an outside system says of a run is the job's comment, as long as the run lasts. */
class RunOutsideTest {
  private final TestShards shards = TestShards.threePartitions();
  private final StartRun run = shards.running("ann");

  private void say(int number, String text) {
    shards.send(
        run.getShard(),
        new ReportRunOutside(
            shards.executor(run.getHost()), run.getJobId(), number, run.getHost(), text));
    shards.run();
  }

  private String comment() {
    return shards.job(run.getJobId()).getComment();
  }

  @Test
  void itIsNotedWhenItChanges() {
    say(run.getRun(), "waits\nthere");
    say(run.getRun(), "waits there");
    assertEquals("waits there", comment());
    assertEquals(1, shards.facts(RunOutsideNoted.class).size());
    say(run.getRun(), "x".repeat(1000));
    assertEquals("x".repeat(300) + "...", comment());
    say(run.getRun(), "\u001b[2J\u009b2J\u007f");
    assertEquals(" [2J 2J ", comment());
    say(run.getRun(), "");
    assertEquals("", comment());
  }

  @Test
  void aRunThatIsOverIsNotSpokenOf() {
    say(run.getRun() + 1, "another run");
    assertEquals("", comment());
    shards.finished(run, 0);
    String before = comment();
    say(run.getRun(), "late");
    assertEquals(before, comment());
  }

  private void answer(int number, String order, boolean refused, String text) {
    shards.send(
        run.getShard(),
        new ReportRunAnswered(
            shards.executor(run.getHost()),
            run.getJobId(),
            number,
            run.getHost(),
            order,
            refused,
            text));
    shards.run();
  }

  private List<String> answers() {
    return shards.job(run.getJobId()).getEvents().stream()
        .filter(it -> it.getWhat().equals("answered"))
        .map(JobEvent::getDetail)
        .toList();
  }

  /** A forwarder that has begun anew may tell one again. */
  @Test
  void answersToOrdersAreHistory() {
    answer(run.getRun(), "hold", true, "no\nsuch thing");
    answer(run.getRun(), "hold", true, "no such thing");
    answer(run.getRun(), "delete", true, "no such thing");
    answer(run.getRun(), "hold", true, "no such thing");
    answer(run.getRun(), "hold", false, "held");
    answer(run.getRun() + 1, "hold", true, "of another run");
    assertEquals(
        List.of("hold, refused: no such thing", "delete, refused: no such thing", "hold: held"),
        answers());
    assertEquals("", comment());
    shards.ask(0, Calls.hold(shards.operator(), run.getJobId(), "o"));
    answer(run.getRun(), "hold", false, "held");
    assertEquals(4, answers().size(), "to another order");
  }
}
