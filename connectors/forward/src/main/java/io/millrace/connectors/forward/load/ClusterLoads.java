package io.millrace.connectors.forward.load;

import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideStress;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsidePlaces;
import io.millrace.schemas.NodeLoads;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether the hosts of a cluster take runs, and what is held of them there, as loads of nodes. */
public final class ClusterLoads {
  private final OutsideStress stress = new OutsideStress();
  private final long oar;

  /** Hosts that take jobs. */
  private volatile Set<String> usable = Set.of();

  /**
   * What jobs hold which are no runs of ours, by host without its domain, and by resource; empty
   * while nobody knows.
   */
  private volatile Optional<Map<String, Map<String, Long>>> heldByOthers = Optional.empty();

  /**
   * @param oar whether it is an OAR
   */
  public ClusterLoads(boolean oar) {
    this.oar = oar ? 1 : 0;
  }

  /** Looks what others hold; called by the thread of the bridge after each of its steps. */
  public void look(OutsideBridge bridge) {
    if (!bridge.seenAt().equals(Instant.MIN)) {
      heldByOthers = Optional.of(bridge.heldByOthers());
    }
  }

  /** Whether it is known what others hold. */
  public boolean areKnown() {
    return heldByOthers.isPresent();
  }

  /** The hosts were asked for, and that took so long. */
  public void asked(Duration took, boolean answered) {
    stress.asked(took, answered);
  }

  /**
   * The cluster has told its hosts.
   *
   * @param own stress as it says itself, from 0 to 1
   */
  public void told(List<OutsideHost> hosts, double own) {
    stress.says(own);
    Set<String> now = new HashSet<>();
    hosts.stream().filter(OutsideHost::usable).forEach(it -> now.add(it.name()));
    usable = now;
  }

  /**
   * The loads of a node. One of which nobody knows yet what others hold counts as closed: its
   * report would say that they hold nothing, and it would get more than it has room for.
   *
   * @param measured what the host has
   * @param silent whether nobody knows what its hosts do
   */
  public Map<String, Long> of(String host, Map<String, Long> measured, boolean silent) {
    long away = areKnown() && usable.contains(host) ? 0 : NodeLoads.CLOSED;
    Map<String, Long> all = new HashMap<>(measured);
    heldByOthers
        .map(it -> it.getOrDefault(OutsidePlaces.name(host), Map.of()))
        .orElse(Map.of())
        .forEach((name, amount) -> all.put(NodeLoads.HELD + name, amount));
    all.put(NodeLoads.AWAY, silent ? NodeLoads.SILENT : away);
    all.put(NodeLoads.STRESS, Math.round(stress.now() * NodeLoads.STRESS_MOST));
    all.put(NodeLoads.OAR, oar);
    return all;
  }
}
