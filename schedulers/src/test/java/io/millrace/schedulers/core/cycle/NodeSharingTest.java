package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.policy.Conservative;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes whose attribute sharing decides which jobs share them. */
class NodeSharingTest {
  private static final long GB = 1L << 30;
  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final SchedulerState state =
      new SchedulerState("default", 0, new Conservative(), Integer.MAX_VALUE);

  /** Two nodes on one host, and one on another. */
  @BeforeEach
  void cluster() {
    state.facts().written(Records.scheduler());
    state.facts().written(Records.object(ObjectKind.QUEUE, "workq", "started", "True"));
    node("a1", "a", "default_shared");
    node("a2", "a", "default_shared");
    node("b1", "b", "default_shared");
  }

  private void node(String name, String host, String sharing) {
    say(name, sharing);
    state.facts().node(Records.node(name, host, 8, 4 * GB));
  }

  private void say(String name, String sharing) {
    state.facts().written(Records.object(ObjectKind.NODE, name, "sharing", sharing));
  }

  private void submit(long number, String request) {
    state.facts().job(Records.job(number, "workq", 0, request + ",walltime=100"));
  }

  /** The starts of a cycle, and its promises with their times. */
  private String cycle() {
    TreeMap<Long, String> all = new TreeMap<>();
    for (Start start : Cycle.run(state, NOW, Long.MAX_VALUE).starts()) {
      all.put(start.jobNumber(), text(start.shares()));
      state
          .facts()
          .granted(start.jobNumber(), Records.allocation(start.shares()), NOW.toEpochMilli());
    }
    for (Promise promise : state.promises()) {
      long afterS = (promise.fromMs() - NOW.toEpochMilli()) / 1000;
      all.put(promise.jobNumber(), text(promise.shares()) + " in " + afterS);
    }
    return all.toString();
  }

  private static String text(List<NodeShare> shares) {
    return String.join("+", shares.stream().map(NodeShare::getNode).toList());
  }

  @Test
  void eachWordHasItsMeaning() {
    String[] meanings = {
      "default_shared SHARED SHARED EXCL EXCLHOST EXCLHOST",
      "ignore_excl SHARED SHARED SHARED SHARED EXCLHOST",
      "force_excl EXCL EXCL EXCL EXCLHOST EXCLHOST",
      "force_exclhost EXCLHOST EXCLHOST EXCLHOST EXCLHOST EXCLHOST",
      "default_excl EXCL SHARED EXCL EXCLHOST EXCLHOST",
      "default_exclhost EXCLHOST SHARED EXCL EXCLHOST EXCLHOST"
    };
    for (String meaning : meanings) {
      String[] words = meaning.split(" ");
      NodeSharing says = NodeSharing.of(words[0]).orElseThrow();
      for (Sharing asked : Sharing.values()) {
        assertEquals(words[1 + asked.ordinal()], asked.on(says).name(), meaning + " " + asked);
      }
    }
    assertEquals(meanings.length, NodeSharing.values().length);
    assertEquals(true, NodeSharing.of("Force_excl").isEmpty());
  }

  @Test
  void aNodeThatIsForItsJobAloneTakesOneAtATime() {
    say("a1", "force_excl");
    submit(1, "select=1:ncpus=1:vnode=a1");
    submit(2, "select=1:ncpus=1:vnode=a1,place=shared");
    submit(3, "select=1:ncpus=1:vnode=a2");
    assertEquals("{1=a1, 2=a1 in 100, 3=a2}", cycle());
    state.facts().gone(1);
    assertEquals("{2=a1}", cycle());
  }

  @Test
  void jobsThatSayNothingAreAloneByDefault() {
    say("b1", "default_excl");
    submit(1, "select=1:ncpus=1:host=b,place=shared");
    submit(2, "select=1:ncpus=1:host=b,place=shared");
    submit(3, "select=1:ncpus=1:host=b");
    assertEquals("{1=b1, 2=b1, 3=b1 in 100}", cycle());
  }

  @Test
  void askingToBeAloneIsIgnored() {
    say("b1", "ignore_excl");
    submit(1, "select=1:ncpus=1:host=b,place=exclhost");
    submit(2, "select=1:ncpus=1:host=b,place=excl");
    assertEquals("{1=b1, 2=b1}", cycle());
  }

  /**
   * The host's other node, without a sharing of its own, is kept free too, for promises as well.
   */
  @Test
  void aHostIsItsOwnByOneOfItsNodes() {
    say("a1", "force_exclhost");
    submit(1, "select=1:ncpus=8:vnode=a2");
    submit(2, "select=1:ncpus=1:vnode=a1");
    submit(3, "select=1:ncpus=1:vnode=a2");
    assertEquals("{1=a2, 2=a1+a2 in 100, 3=a2 in 200}", cycle());
    state.facts().gone(1);
    assertEquals("{2=a1, 3=a2 in 100}", cycle());
  }

  /** Running and promised jobs are judged by the nodes' present sharing. */
  @Test
  void anotherWordCountsAtOnce() {
    submit(1, "select=1:ncpus=8:vnode=a1");
    submit(2, "select=1:ncpus=1:vnode=a1");
    submit(3, "select=1:ncpus=1:vnode=a1");
    assertEquals("{1=a1, 2=a1 in 100, 3=a1 in 100}", cycle());
    say("a1", "force_excl");
    assertEquals("{2=a1 in 100, 3=a1 in 200}", cycle());
    say("a1", "force_exclhost");
    submit(4, "select=1:ncpus=1:vnode=a2");
    assertEquals("{2=a1+a2 in 100, 3=a1+a2 in 200, 4=a2 in 300}", cycle());
    say("a1", "default_shared");
    assertEquals("{2=a1 in 100, 3=a1 in 100, 4=a2}", cycle());
  }

  /** When an exclusive run's node leaves the host, the host is no longer exclusive. */
  @Test
  void aNodeTakesItsRunsFromItsHost() {
    submit(1, "select=1:ncpus=1:vnode=a1,place=exclhost");
    submit(2, "select=1:ncpus=1:vnode=a2");
    assertEquals("{1=a1, 2=a2 in 100}", cycle());
    state.facts().node(Records.node("a1", "c", 8, 4 * GB));
    assertEquals("{2=a2}", cycle());
  }
}
