package io.millrace.ops.faults.scenario;

import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.util.List;

/** The cluster as {@code up} makes it: one queue, one node, one scheduler, five processes. */
public final class OnePartition extends HomeScenario {
  private static final int CPUS = 32;

  @Override
  public List<String> upArguments() {
    return List.of("--apart-engine", "--resources", "ncpus=" + CPUS, "--heap", "server=512m");
  }

  @Override
  public void prepare(CommandClient client) throws IOException, InterruptedException {
    allowRoot(client);
    String host = Installation.host(1);
    if (!client.run("pbsnodes", host).done()) {
      client.must("qmgr", "-c", "create node " + host);
    }
  }

  /** Allows root's jobs, which are refused by default. */
  public static void allowRoot(CommandClient client) throws IOException, InterruptedException {
    if ("root".equals(System.getProperty("user.name"))) {
      client.must("qmgr", "-c", "set server acl_roots += root");
    }
  }

  @Override
  public List<String> submit(JobPlan plan) {
    return List.of();
  }

  @Override
  public String move(JobPlan plan) {
    return "";
  }

  @Override
  public void finish(CommandClient client) {
    // Nothing was changed, so there is nothing to undo.
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public void close() {
    // This scenario has no background activity.
  }

  @Override
  public String words() {
    return "one queue, one node";
  }
}
