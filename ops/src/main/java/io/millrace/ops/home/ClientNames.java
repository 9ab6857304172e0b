package io.millrace.ops.home;

import java.util.List;

/** Names under which users call the client; each is a link to the same program. */
public final class ClientNames {

  public static final List<String> NAMES =
      List.of(
          "qsub",
          "qstat",
          "qselect",
          "qdel",
          "qhold",
          "qrls",
          "qalter",
          "qmove",
          "qrerun",
          "qsig",
          "qorder",
          "qrun",
          "qmsg",
          "pbsdsh",
          "pbsnodes",
          "pbsfs",
          "pbs_rsub",
          "pbs_rstat",
          "pbs_rdel",
          "pbs_ralter",
          "plus_reserve",
          "plus_status",
          "plus_cancel",
          "plus_modify",
          "plus_destroy",
          "plus_commit",
          "plus_abort",
          "plus_availnodes",
          "plus_account",
          "plus_scheduler",
          "plus_schedkill",
          "qmgr",
          "qenable",
          "qdisable",
          "qstart",
          "qstop",
          "qterm",
          "tracejob",
          "why",
          "gridsub",
          "gridstat",
          "griddel",
          "gridevents",
          "gridclusters",
          "gridnotify",
          "gridaffinity",
          "gridrules");

  /** Grid Engine's command names, which are in the folder {@code sge}. */
  public static final List<String> GRID_ENGINE =
      List.of(
          "qsub", "qstat", "qdel", "qhold", "qrls", "qalter", "qmod", "qrsub", "qrstat", "qrdel",
          "qacct");

  private ClientNames() {}
}
