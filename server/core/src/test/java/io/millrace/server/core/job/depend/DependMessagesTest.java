package io.millrace.server.core.job.depend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.fact.DependencySatisfied;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.job.depend.waiting.DependencyLists;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What shards tell one another about jobs that wait: late, again, in pieces, after a move. */
class DependMessagesTest extends DependFixture {
  @ParameterizedTest
  @EnumSource(
      value = DependencyKind.class,
      names = {"AFTEROK", "AFTERANY"})
  void anEndMeetsAJobThatIsJustLeaving(DependencyKind kind) {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    String next = after("workq", kind, first);
    StartRun order = start(first, "default", "n0");
    int home = shards.where(next);
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    shards.send(home, Calls.move(shards.user("ann"), next, "east"));
    shards.run();
    shards.finished(order, 0);
    shards.silence(east, false);
    shards.run();
    assertEquals(east, shards.where(next));
    free(next);
  }

  /** The end goes the short way, the registration by the shard that the job is leaving. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void anEndThatOvertakesTheRegistrationIsSaidAgain(int exitStatus) {
    String next = shards.submit(job("workq", expects(1)));
    int east = shards.shardOfQueue("east");
    int west = shards.shardOfQueue("west");
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), next, "east")));
    shards.send(east, Calls.move(shards.user("ann"), next, "west"));
    shards.step(east);
    shards.silence(east, true);
    NewJob wish = Calls.job("ann", "workq", 1);
    wish.setBefore(List.of(on(DependencyKind.AFTEROK, next)));
    String first = shards.submit(wish);
    run(first, exitStatus);
    assertTrue(shards.waiting(east) > 1, "the registration waits there");
    shards.silence(east, false);
    shards.run();
    assertEquals(west, shards.where(next));
    if (exitStatus == 0) {
      free(next);
    } else {
      impossible(next, because(first));
    }
  }

  @Test
  void aPurgeForgetsThoseThatWaited() {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    int home = shards.where(first);
    after("workq", DependencyKind.AFTERANY, first);
    run(first, 0);
    assertEquals(1, count(home));
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), first, true)));
    assertEquals(0, count(home));
  }

  @Test
  void manyAreReleasedInPieces() {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    List<String> next = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      NewJob[] wishes = new NewJob[100];
      for (int j = 0; j < 100; j++) {
        wishes[j] = job(j % 2 == 0 ? "workq" : "workq", on(DependencyKind.AFTERANY, first));
      }
      next.addAll(shards.ask(0, Calls.submit(shards.user("ann"), List.of(), wishes)).getLines());
    }
    run(first, 0);
    next.forEach(this::free);
    assertEquals(300, shards.facts(DependencySatisfied.class).size());
  }

  @Test
  void aJobOfManyDependenciesStaysWithinTheFactsOfOneCommand() {
    int[] most = {0};
    shards.observe((shard, command, outcome, facts) -> most[0] = Math.max(most[0], facts.size()));
    List<String> firsts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      NewJob[] wishes = new NewJob[100];
      java.util.Arrays.setAll(wishes, j -> Calls.job("ann", "workq", 1));
      firsts.addAll(shards.ask(0, Calls.submit(shards.user("ann"), List.of(), wishes)).getLines());
    }
    String last = after("workq", DependencyKind.AFTERANY, firsts.toArray(new String[0]));
    String registrar = shards.submit(job("workq", expects(1)));
    NewJob before = Calls.job("ann", "workq", 1);
    before.setBefore(List.of(on(DependencyKind.AFTEROK, firsts.toArray(new String[0]))));
    assertEquals(JobStatus.FINISHED, shards.status(shards.submit(before)), "nobody expects it");
    assertEquals(JobStatus.HELD, shards.status(registrar));
    for (String first : firsts) {
      assertEquals(1, shards.job(first).getDependents());
      assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), first, false)));
    }
    free(last);
    assertTrue(most[0] <= io.millrace.server.core.decision.Context.FACTS_MAX, "facts: " + most[0]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"workq", "east"})
  void whoIsNotedAlreadyIsNotOneTooMany(String queue) {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    String next = after(queue, DependencyKind.AFTEROK, first);
    shards.run();
    Job full = Copies.of(shards.job(first));
    full.setDependents(DependencyLists.DEPENDENTS_MAX);
    shards.tables(0).jobs().put(Keys.number(full.getNumber()), full);
    Dependency again = on(DependencyKind.AFTEROK, first);
    assertEquals(0, shards.code(shards.where(next), alter(next).setDepend(List.of(again)).build()));
    shards.run();
    waits(next);
    run(first, 0);
    free(next);
  }
}
