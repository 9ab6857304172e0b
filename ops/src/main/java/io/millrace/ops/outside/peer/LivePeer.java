package io.millrace.ops.outside.peer;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.testkit.PeerScript;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A batch system of this machine that this process starts and stops. */
public final class LivePeer implements PeerDaemons {

  /** Exit status when there is no such process to kill. */
  private static final int NOTHING = 3;

  private final PeerCluster cluster;
  private final PeerScript script;

  public LivePeer(PeerCluster cluster) throws IOException {
    this.cluster = cluster;
    this.script = PeerScript.of(cluster.script(), Map.of());
  }

  public PeerCluster cluster() {
    return cluster;
  }

  /**
   * Starts it, after installing it where it is not there.
   *
   * @return why that cannot be done here; empty when it serves
   * @throws IOException when it does not start
   */
  public Optional<String> up() throws IOException, InterruptedException {
    OutsideAnswer answer = script.call("up");
    if (answer.isWhole() && answer.status() == PeerScript.ABSENT) {
      return Optional.of(answer.complaint().strip());
    }
    must("up", answer);
    return Optional.empty();
  }

  /** Adds hosts and a queue, where its script knows of some. */
  public void more() throws IOException, InterruptedException {
    order("more");
  }

  public void down() throws IOException, InterruptedException {
    order("down");
  }

  @Override
  public boolean kill(PeerDaemon daemon) throws IOException, InterruptedException {
    OutsideAnswer answer = script.call("kill", daemon.word());
    if (answer.isWhole() && answer.status() == NOTHING) {
      return false;
    }
    must("kill", answer);
    return true;
  }

  /** Ends a daemon in an orderly way. */
  public void stop(PeerDaemon daemon) throws IOException, InterruptedException {
    order("stop", daemon.word());
  }

  @Override
  public void start(PeerDaemon daemon) throws IOException, InterruptedException {
    order("start", daemon.word());
  }

  @Override
  public void redeliver() throws IOException, InterruptedException {
    order("redeliver");
  }

  @Override
  public void awaitServes() throws IOException, InterruptedException {
    order("serves");
  }

  /** Numbers of an account's jobs in its queue. */
  public Set<Long> present(String account) throws IOException, InterruptedException {
    return order("present", account)
        .lines()
        .map(String::strip)
        .filter(it -> it.matches("[0-9]{1,18}"))
        .map(Long::parseLong)
        .collect(Collectors.toSet());
  }

  private String order(String verb, String... more) throws IOException, InterruptedException {
    OutsideAnswer answer = script.call(verb, more);
    must(verb, answer);
    return answer.out();
  }

  private void must(String verb, OutsideAnswer answer) throws IOException {
    if (!answer.isGood()) {
      throw new IOException(cluster.system() + ": " + verb + ": " + answer.trouble());
    }
  }
}
