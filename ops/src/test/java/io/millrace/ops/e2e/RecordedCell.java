package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cell of the recorded sessions, loaded from its qconf output into a local cell. */
final class RecordedCell {

  private static final List<String> HOSTS = List.of("vm", "node01", "node02");

  /** The slots of its hosts, which are the processors of their nodes here. */
  private static final List<Integer> SLOTS = List.of(64, 8, 8);

  private final LiveCell cell;
  private final Transcript shown;

  /** What all hosts are told to have when the recorded loads do not count. */
  private String values = "NONE";

  /** Who may reserve. */
  private String reservers = "";

  RecordedCell(LiveCell cell, Transcript shown) {
    this.cell = cell;
    this.shown = shown;
  }

  /** A cell with the recorded hosts. */
  static LiveCell make(Site site, String name) throws IOException, InterruptedException {
    return LiveCell.make(site, name, HOSTS, SLOTS);
  }

  /**
   * Loads the policy.
   *
   * @param loads true for the loads reported at the end of the recording, when the hosts with jobs
   *     had become the more loaded ones
   */
  void load(boolean loads) throws IOException, InterruptedException {
    Path config = Files.createTempDirectory(cell.site().folder(), "recorded");
    LiveCell.write(config, "sched", shown.printed("qconf -ssconf"));
    LiveCell.write(config, "queue.all.q", shown.printed("qconf -sq all.q"));
    LiveCell.write(config, "complex", shown.printed("qconf -sc"));
    LiveCell.write(config, "pe.mpi", shown.printed("qconf -sp mpi"));
    LiveCell.write(config, "hgrp.allhosts", shown.printed("qconf -shgrp @allhosts"));
    LiveCell.write(config, "host.global", shown.printed("qconf -se global"));
    LiveCell.write(config, "conf", shown.printed("qconf -sconf"));
    String vm = shown.printed("qconf -se vm");
    String node = shown.printed("qconf -se node01");
    LiveCell.write(config, "host.vm", host(vm, loads));
    LiveCell.write(config, "host.node01", host(node, loads));
    // The recording does not show the third host; assumed to be like the second.
    LiveCell.write(config, "host.node02", host(node.replace("node01", "node02"), loads));
    if (!reservers.isEmpty()) {
      String list = "name arusers\ntype ACL\nfshare 0\noticket 0\nentries " + reservers + "\n";
      LiveCell.write(config, "acl.arusers", list);
    }
    cell.policy(config).must();
  }

  /**
   * Loads the policy with others who may reserve. The hosts are of one machine and of one load, as
   * the recorded ones were.
   *
   * @param users separated by commas
   */
  void reserve(String users) throws IOException, InterruptedException {
    reservers = users;
    values = "arch=lx-amd64,load_avg=1.000000,np_load_avg=0.500000";
    load(false);
  }

  private String host(String text, boolean loads) {
    Matcher reported = Pattern.compile("load_values +((?:.*\\\\\n)*.*)\n").matcher(text);
    return loads ? text : reported.replaceFirst("load_values " + values + "\n");
  }

  /** Lets the scheduler run once over all waiting jobs, of which this one starts. */
  void lookOnce(String job) throws IOException, InterruptedException {
    cell.scheduling(true);
    cell.awaitRun(job);
    cell.scheduling(false);
  }

  /** Ends a job of this name as if its time were over, unless it has ended. */
  void end(String job) throws IOException, InterruptedException {
    String find = "j=$(qstat -u '*' | awk '$3 == \"" + job + "\" {print $1; exit}')";
    cell.type(find + "; [ -z \"$j\" ] || qdel $j").must();
  }

  /**
   * Lets the scheduler run at the times at which the recorded one did, which start times show.
   *
   * @param line what is typed next
   */
  void looks(String line) throws IOException, InterruptedException {
    if (line.startsWith("printf ")) {
      load(false);
    } else if (line.equals("qsub -N par -pe mpi 2-8 -b y sleep 90")) {
      lookOnce("withrt2");
      load(true);
      cell.scheduling(false);
    } else if (line.startsWith("qsub -N badrange -pe mpi 8-4")) {
      lookOnce("par2");
      cell.scheduling(true);
    } else if (line.startsWith("su sgeadmin ")) {
      // The recorded scheduler considered this job in the middle of the third session.
      cell.scheduling(false);
    } else if (line.equals("qstat -F slots,license")) {
      lookOnce("mrgeadmi");
    } else if (line.equals("qstat -xml")) {
      end("nowjob");
      cell.scheduling(true);
    } else if (line.startsWith("qsub -N c1 ")) {
      // By then new jobs went to the first host again.
      load(false);
    }
  }
}
