package io.millrace.server.core.run.task;

import io.millrace.schemas.common.Usage;

/** What a run used on all its hosts. */
public final class Usages {
  public static final Usage NOTHING = Usage.newBuilder().build();

  private Usages() {}

  /** The sum of two usages: processor time and memory, as PBS adds up hosts. */
  public static Usage sum(Usage one, Usage other) {
    return Usage.newBuilder()
        .setCputS(one.getCputS() + other.getCputS())
        .setMemKb(one.getMemKb() + other.getMemKb())
        .setVmemKb(one.getVmemKb() + other.getVmemKb())
        .build();
  }

  /** The usage of script and tasks together; the walltime is that of the script. */
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
