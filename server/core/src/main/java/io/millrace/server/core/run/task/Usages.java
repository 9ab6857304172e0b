package io.millrace.server.core.run.task;

import io.millrace.schemas.common.Usage;

/** What a run used on all its hosts. */
public final class Usages {
  public static final Usage NOTHING = Usage.newBuilder().build();

  private Usages() {}

  /** Both together, as PBS adds up its hosts: processor time and memory. */
  public static Usage sum(Usage one, Usage other) {
    return Usage.newBuilder()
        .setCputS(one.getCputS() + other.getCputS())
        .setMemKb(one.getMemKb() + other.getMemKb())
        .setVmemKb(one.getVmemKb() + other.getVmemKb())
        .build();
  }

  /** What the run used: its script and its tasks; how long it took is the script's to say. */
  public static Usage withTasks(Usage script, Usage tasks) {
    if (tasks.equals(NOTHING)) {
      return script;
    }
    Usage all = sum(script, tasks);
    all.setWalltimeS(script.getWalltimeS());
    all.setNcpus(script.getNcpus());
    long percent = script.getWalltimeS() == 0 ? 0 : all.getCputS() * 100 / script.getWalltimeS();
    all.setCpupercent((int) Math.max(script.getCpupercent(), percent));
    return all;
  }
}
