package io.millrace.ops.faults;

import io.millrace.ops.launcher.Installation;
import java.io.IOException;
import java.util.List;

/** The cluster as {@code up} makes it: one queue, one node, one scheduler, five processes. */
final class OnePartition implements Scene {
  private static final int CPUS = 32;

  @Override
  public List<String> upArguments() {
    return List.of("--apart-engine", "--resources", "ncpus=" + CPUS, "--heap", "server=512m");
  }

  @Override
  public void prepare(Clients clients, Installation installation)
      throws IOException, InterruptedException {
    allowRoot(clients);
    String host = Installation.host(1);
    if (!clients.run("pbsnodes", host).done()) {
      clients.must("qmgr", "-c", "create node " + host);
    }
  }

  /** Root's jobs are refused unless an administrator allows them. */
  static void allowRoot(Clients clients) throws IOException, InterruptedException {
    if ("root".equals(System.getProperty("user.name"))) {
      clients.must("qmgr", "-c", "set server acl_roots += root");
    }
  }

  @Override
  public List<String> victims(Installation installation) {
    return installation.parts();
  }

  @Override
  public List<String> submit(ErrandPlan plan) {
    return List.of();
  }

  @Override
  public String move(ErrandPlan plan) {
    return "";
  }

  @Override
  public void finish(Clients clients) {
    // Nothing was changed.
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public void close() {
    // Nothing else happens.
  }

  @Override
  public String words() {
    return "one queue, one node";
  }
}
