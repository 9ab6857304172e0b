package io.millrace.ops.faults.outside;

import io.millrace.ops.faults.evidence.OutsideEvidence.KillSpan;
import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.outside.peer.LivePeer;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.outside.peer.PeerDaemon;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Kills of our parts and of the daemons of a batch system behind one of them. */
final class PeerKills implements AutoCloseable {

  static final String MASTER = "master";
  static final String HOST = "host";

  /** Daemons stay down for less than this. */
  private static final int DOWN_MS_MAX = 20_000;

  private final PeerCluster cluster;
  private final DaemonKills daemons;
  private final SplittableRandom random;
  private final List<KillSpan> connector = new ArrayList<>();

  PeerKills(LivePeer peer, SplittableRandom random) {
    this.cluster = peer.cluster();
    this.daemons = new DaemonKills(peer);
    this.random = random;
  }

  /**
   * Kills a part or a daemon.
   *
   * @return false when it had not come back from its last end
   */
  boolean kill(String victim, Restarter restarter) throws IOException, InterruptedException {
    long downMs = random.nextInt(DOWN_MS_MAX);
    if (victim.equals(MASTER) || victim.equals(HOST)) {
      return daemons.kill(victim.equals(HOST) ? PeerDaemon.HOST : PeerDaemon.MASTER, downMs);
    }
    long fromMs = System.currentTimeMillis();
    boolean killed = restarter.kill(victim);
    if (killed && victim.equals(cluster.part())) {
      connector.add(new KillSpan(fromMs, System.currentTimeMillis()));
    }
    return killed;
  }

  /** When the connector was killed. */
  List<KillSpan> ofConnector() {
    return List.copyOf(connector);
  }

  /** How often a daemon was killed. */
  int of(PeerDaemon daemon) {
    return daemons.of(daemon);
  }

  /**
   * Waits until the system serves.
   *
   * @throws IOException when a daemon cannot be started, or the system does not serve
   */
  void awaitServes() throws IOException, InterruptedException {
    daemons.awaitServes();
  }

  @Override
  public void close() {
    daemons.close();
  }
}
