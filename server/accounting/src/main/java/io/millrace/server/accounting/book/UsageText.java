package io.millrace.server.accounting.book;

import io.millrace.schemas.common.Usage;
import io.millrace.schemas.pbs.resources.Amounts;
import java.util.List;

/** What a run used, as PBS writes it. */
public final class UsageText {

  private UsageText() {}

  /** {@code resources_used.NAME=VALUE}, in PBS's order. */
  public static List<String> of(Usage used) {
    return List.of(
        "resources_used.cpupercent=" + used.getCpupercent(),
        "resources_used.cput=" + Amounts.formatDuration(used.getCputS()),
        "resources_used.mem=" + used.getMemKb() + "kb",
        "resources_used.ncpus=" + used.getNcpus(),
        "resources_used.vmem=" + used.getVmemKb() + "kb",
        "resources_used.walltime=" + Amounts.formatDuration(used.getWalltimeS()));
  }
}
