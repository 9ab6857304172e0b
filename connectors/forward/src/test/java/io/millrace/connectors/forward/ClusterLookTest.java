package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.forward.observe.ClusterLook;
import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.Shown;
import io.millrace.schemas.output.ObservedCluster;
import io.millrace.schemas.output.ObservedNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is shown of a cluster that is only looked at while some of its questions are in vain. */
class ClusterLookTest {

  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  private static final Told<List<OutsideJob>> NO_JOBS = Told.of(List.of());
  private static final Told<OutsideInventory> HOSTS =
      Told.of(
          new OutsideInventory(
              List.of(new OutsideHost("n1", true, "up", 2, 1L << 30, Map.of())), List.of("all.q")));

  private Instant now = NOON;
  private Told<List<OutsideJob>> queue = NO_JOBS;
  private Told<OutsideInventory> hosts = HOSTS;
  private int hostsAsked;

  /** Twenty times as long is the pause until they are asked for again. */
  private long hostsTakeS = 2;

  /** All states of the host and all troubles of the cluster, one behind another. */
  private final List<String> states = new ArrayList<>();

  private final List<String> troubles = new ArrayList<>();
  private final ClusterLook look =
      new ClusterLook(
          "c2",
          PlayedBridge.system((question, arguments) -> said(question)),
          new ClusterPicture("c2", "gridengine", true),
          "",
          () -> now);

  private Object said(String question) {
    if (question.equals("inventory")) {
      hostsAsked++;
      now = now.plusSeconds(hostsTakeS);
    }
    return switch (question) {
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "1@1#1", true, false));
      case "snapshot" -> queue;
      case "inventory" -> hosts;
      default -> false;
    };
  }

  /** Without those that say the same once more, as each says when the cluster was heard of. */
  private List<String> troubles() {
    List<String> changes = new ArrayList<>();
    for (String each : troubles) {
      if (changes.isEmpty() || !changes.get(changes.size() - 1).equals(each)) {
        changes.add(each);
      }
    }
    return changes;
  }

  private void looks(int seconds) throws Exception {
    for (int i = 0; i < seconds; i++) {
      for (Shown each : look.look().shown()) {
        if (each.record().orElse(null) instanceof ObservedNode node) {
          states.add(node.getState());
        } else if (each.record().orElse(null) instanceof ObservedCluster cluster) {
          troubles.add(cluster.getTrouble());
        }
      }
      now = now.plusSeconds(1);
    }
  }

  @Test
  void whileTheQueueAloneIsNotToldTheHostsAreKnown() throws Exception {
    looks(30);
    queue = Told.nothing("qstat: too long");
    looks(1200);
    assertEquals(List.of("free"), states);
    assertEquals(List.of("", "qstat: too long"), troubles());
    assertEquals("cluster c2 does not tell its queue: qstat: too long", look.obstacle());
    assertTrue(look.unanswered() > 3);
    queue = NO_JOBS;
    looks(60);
    assertEquals(List.of("free"), states);
    assertEquals(List.of("", "qstat: too long", ""), troubles());
    assertEquals("", look.obstacle());
    assertEquals(0, look.unanswered());
  }

  @Test
  void whileTheHostsAloneAreNotToldTheyAreUnknown() throws Exception {
    looks(30);
    hosts = Told.nothing("qhost: too long");
    looks(1200);
    hosts = HOSTS;
    looks(60);
    assertEquals(List.of("free", "state-unknown", "free"), states);
    assertEquals(List.of("", "qhost: too long", ""), troubles());
  }

  @Test
  void oneQuestionInVainSaysNothing() throws Exception {
    looks(30);
    hosts = Told.nothing("qhost: cut off");
    int asked = hostsAsked;
    while (hostsAsked == asked) {
      looks(1);
    }
    hosts = HOSTS;
    looks(60);
    assertEquals(List.of("free"), states);
    assertEquals(List.of(""), troubles());
  }

  @Test
  void theHostsOfAClusterThatIsGoneAreUnknownWithinAMinute() throws Exception {
    hostsTakeS = 10;
    looks(30);
    queue = Told.nothing("no route");
    hosts = Told.nothing("no route");
    looks(60);
    assertEquals(List.of("free", "state-unknown"), states);
    assertEquals("cluster c2 does not answer: no route", look.obstacle());
    looks(600);
    queue = NO_JOBS;
    hosts = HOSTS;
    looks(60);
    assertEquals(List.of("free", "state-unknown", "free"), states);
    assertEquals(List.of("", "no route", ""), troubles());
  }
}
