package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.policy.Conservative;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.StrictOrdering;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsTest {

  private static Optional<Policy> policy(ClusterObject server, String... attributes) {
    ClusterObject object = Records.object(ObjectKind.SCHEDULER, "default", attributes);
    return SchedulerSettings.of(object, server).policy();
  }

  private static String name(Optional<Policy> policy) {
    return policy.map(Policy::name).orElse("");
  }

  @Test
  void aPolicyIsChosenByNameAndOnlyByOneThatExists() {
    assertEquals("", name(policy(null)));
    for (String name : Policies.names()) {
      assertEquals(name, name(policy(null, "policy", name)));
      assertEquals(Optional.of(name), AttributeType.POLICY.normalise(name.toUpperCase()));
    }
    assertEquals(Optional.empty(), AttributeType.POLICY.normalise("eazy"));
    assertTrue(AttributeTable.find(ObjectKind.SCHEDULER, "policy").isPresent());
  }

  @Test
  void strictOrderingTakesItsDepthFromTheSchedulerThenFromTheServerThenOne() {
    ClusterObject server = Records.object(ObjectKind.SERVER, "s", "backfill_depth", "5");
    assertEquals(Optional.of(new StrictOrdering(1)), policy(null, "strict_ordering", "True"));
    assertEquals(Optional.of(new StrictOrdering(5)), policy(server, "strict_ordering", "True"));
    assertEquals(
        Optional.of(new StrictOrdering(0)),
        policy(server, "strict_ordering", "True", "backfill_depth", "0", "policy", "easy"));
    assertEquals("easy", name(policy(server, "strict_ordering", "False", "policy", "easy")));
  }

  @Test
  void nothingStartsWhileTheServerIsBeingEnded() {
    SchedulerState state = new SchedulerState("default", 0, Policies.STANDARD, 100);
    state.facts().written(Records.scheduler());
    assertTrue(state.settings().scheduling());
    state.facts().written(Records.object(ObjectKind.SERVER, "s", "terminating", "delay"));
    assertFalse(state.settings().scheduling());
    state.facts().written(Records.object(ObjectKind.SERVER, "s"));
    assertTrue(state.settings().scheduling());
  }

  /** Three runs end after 100, 130 and 200 s; the job needs what the first two leave. */
  private static long promisedS(String... attributes) {
    SchedulerState state = new SchedulerState("default", 0, Policies.STANDARD, 100);
    List<String> all = new ArrayList<>(List.of("scheduling", "True", "strict_ordering", "True"));
    all.addAll(List.of(attributes));
    state
        .facts()
        .written(Records.object(ObjectKind.SCHEDULER, "default", all.toArray(new String[0])));
    state.facts().written(Records.queue("q"));
    state.facts().written(Records.object(ObjectKind.NODE, "n1"));
    state.facts().node(Records.node("n1", "h1", 8, 0));
    state.facts().job(Records.job(1, "q", 0, "ncpus=2,walltime=100"));
    state.facts().job(Records.job(2, "q", 0, "ncpus=2,walltime=130"));
    state.facts().job(Records.job(3, "q", 0, "ncpus=4,walltime=200"));
    Instant now = Instant.ofEpochSecond(1_795_000_000);
    assertEquals(3, Cycle.run(state, now, 1000).starts().size());
    state.facts().job(Records.job(4, "q", 0, "ncpus=4,walltime=60"));
    state.facts().job(Records.job(5, "q", 0, "ncpus=1,walltime=1000"));
    List<Promise> made = Cycle.run(state, now, 1000).promises();
    assertEquals(1, made.size());
    // It stays where it is while it cannot be much earlier.
    Cycle.run(state, now.plusSeconds(1), 1000);
    assertEquals(made.get(0).fromMs(), state.promises().get(0).fromMs());
    return (made.get(0).fromMs() - now.toEpochMilli()) / 1000;
  }

  @Test
  void opt_backfill_fuzzySaysHowRoughlyStartsAreWorkedOut() {
    assertEquals(130, promisedS());
    assertEquals(130, promisedS("opt_backfill_fuzzy", "off"));
    assertEquals(160, promisedS("opt_backfill_fuzzy", "low"), "a minute after the first end");
    assertEquals(200, promisedS("opt_backfill_fuzzy", "high"), "by then everything has ended");
    assertEquals(130, promisedS("opt_backfill_fuzzy", "30"), "a number is seconds");
    assertEquals(140, promisedS("opt_backfill_fuzzy", "40"));
    assertEquals(160, promisedS("opt_backfill_fuzzy", "LOW"));
  }

  /** The words are those of OpenPBS. */
  @Test
  void wordsOfOpt_backfill_fuzzyAreSeconds() {
    Map.of("off", 0L, "low", 60L, "med", 600L, "medium", 600L, "high", 3_600L, "7", 7L)
        .forEach((text, seconds) -> assertEquals(seconds * 1_000, fuzzMs(text), text));
  }

  private static long fuzzMs(String text) {
    ClusterObject scheduler =
        Records.object(ObjectKind.SCHEDULER, "default", "opt_backfill_fuzzy", text);
    return SchedulerSettings.of(scheduler, null).fuzzMs();
  }

  @Test
  void thePolicyIsChangedWhileItRuns() {
    SchedulerState state = new SchedulerState("default", 0, Policies.STANDARD, 100);
    state.facts().written(Records.scheduler());
    state.facts().written(Records.queue("q"));
    state.facts().written(Records.object(ObjectKind.NODE, "n1"));
    state.facts().node(Records.node("n1", "h1", 8, 0));
    state.facts().job(Records.job(1, "q", 0, "ncpus=8,walltime=60"));
    Instant now = Instant.ofEpochSecond(1_795_000_000);
    assertEquals(1, Cycle.run(state, now, 1000).starts().size());
    state.facts().job(Records.job(2, "q", 0, "ncpus=8,walltime=60"));
    state.facts().job(Records.job(3, "q", 0, "ncpus=8,walltime=60"));
    Cycle.run(state, now, 1000);
    assertEquals(0, state.promises().size());
    state
        .facts()
        .written(
            Records.object(
                ObjectKind.SCHEDULER, "default", "scheduling", "True", "policy", "conservative"));
    assertTrue(state.policy() instanceof Conservative);
    CycleDecisions decisions = Cycle.run(state, now, 1000);
    assertEquals(2, decisions.promises().size());
    assertEquals(now.toEpochMilli() + 60_000, decisions.promises().get(0).fromMs());
    assertEquals(now.toEpochMilli() + 120_000, decisions.promises().get(1).fromMs());
    assertEquals(now.toEpochMilli() + 60_000, decisions.left().get(0).untilMs());
    state.facts().written(Records.object(ObjectKind.SCHEDULER, "default", "scheduling", "True"));
    assertEquals(2, Cycle.run(state, now, 1000).dropped().size());
    assertEquals(0, state.promises().size());
  }
}
