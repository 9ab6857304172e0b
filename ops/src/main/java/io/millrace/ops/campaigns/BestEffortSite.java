package io.millrace.ops.campaigns;

import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Three partitions in three shards with a node each, whose queues are one of local jobs and one of
 * best effort for campaigns.
 */
public final class BestEffortSite {

  /** Processors of each node. */
  public static final int CPUS = 8;

  /** Queues of local jobs. */
  public static final List<String> LOCAL = List.of("workq", "q1", "q2");

  /** Queues of campaigns, in the same partitions. */
  public static final List<String> BEST_EFFORT = List.of("be0", "be1", "be2");

  private BestEffortSite() {}

  /** Arguments of {@code up}. */
  public static List<String> upArguments() {
    return List.of("--campaigns", "--executors", "" + LOCAL.size(), "--resources", "ncpus=" + CPUS);
  }

  /** What {@code qmgr} is told, one directive after the other. */
  public static List<String> directives() throws IOException {
    String queue = " queue_type=Execution,started=True,enabled=True";
    String yields = queue + ",best_effort=True,kill_delay=";
    List<String> all = new ArrayList<>();
    // One is told to end a second before it is killed.
    all.add("create queue " + BEST_EFFORT.get(0) + yields + "1");
    for (int i = 1; i < LOCAL.size(); i++) {
      String partition = ",partition=p" + i;
      all.add("create sched s" + i);
      all.add("set sched s" + i + " partition = p" + i);
      all.add("set sched s" + i + " scheduling = True");
      all.add("create queue " + LOCAL.get(i) + queue + partition);
      all.add("create queue " + BEST_EFFORT.get(i) + yields + "0" + partition);
      all.add("set node " + Installation.host(i + 1) + " partition = p" + i);
    }
    return all;
  }
}
