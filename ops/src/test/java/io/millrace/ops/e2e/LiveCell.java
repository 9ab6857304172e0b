package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A Grid Engine cell of an installation: a scheduler object with a partition, a queue and hosts of
 * its own, so that cells do not affect each other.
 *
 * @param machine as it calls itself; its executor is that of all hosts
 */
record LiveCell(Site site, String name, String machine, List<String> hosts) {

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /**
   * Makes a cell whose policy is not loaded yet.
   *
   * @param processors of each host, which the executor of the installation is
   */
  static LiveCell make(Site site, String name, List<String> hosts, List<Integer> processors)
      throws IOException, InterruptedException {
    String machine = site.run("pbsnodes -a | awk '/Mom/ {print $3; exit}'").must().strip();
    LiveCell cell = new LiveCell(site, name, machine, hosts);
    String partition = "partition=" + name.toUpperCase(Locale.ROOT);
    cell.qmgr("create sched " + name);
    cell.qmgr("set sched " + name + " " + partition);
    cell.qmgr(
        "create queue " + name + " queue_type=execution,enabled=True,started=True," + partition);
    for (int i = 0; i < hosts.size(); i++) {
      // A cell's host may have the name of this machine, and then is the executor's own node.
      cell.qmgr(
          hosts.get(i).equals(machine)
              ? "set node " + machine + " " + partition
              : "create node " + hosts.get(i) + " Mom=" + machine + "," + partition);
      cell.qmgr("set node " + hosts.get(i) + " resources_available.ncpus = " + processors.get(i));
    }
    return cell;
  }

  /** A cell of four hosts of two processors, called NAME01 to NAME04. */
  static LiveCell ofFour(Site site, String name) throws IOException, InterruptedException {
    List<String> hosts = List.of(name + "01", name + "02", name + "03", name + "04");
    return make(site, name, hosts, List.of(2, 2, 2, 2));
  }

  void qmgr(String directive) throws IOException, InterruptedException {
    site.run("qmgr -c '" + directive + "'").must();
  }

  /** Loads a folder of texts as the cell's policy. */
  Shell.Answer policy(Path folder) throws IOException, InterruptedException {
    return site.launcher("policy load " + name + " " + folder, "");
  }

  /** Switches scheduling on or off. */
  void scheduling(boolean on) throws IOException, InterruptedException {
    qmgr("set sched " + name + " scheduling = " + (on ? "True" : "False"));
  }

  /** Shell text that selects Grid Engine's commands and this cell. */
  String commands() {
    return "export SGE_CELL=" + name + " PATH=" + site.home().bin() + "/sge:$PATH; ";
  }

  /** A line of shell as root. */
  Shell.Answer type(String line) throws IOException, InterruptedException {
    return site.run(commands() + line);
  }

  Shell.Answer type(Account account, Path directory, String line)
      throws IOException, InterruptedException {
    return site.run(account, directory, commands() + line);
  }

  /** The file that MONITOR=1 writes. */
  Path schedule() {
    return site.home().root().resolve("sched_priv/" + name + "/schedule");
  }

  /** Waits until a job with this name or of this user runs. */
  void awaitRun(String word) throws IOException, InterruptedException {
    await(word, true);
  }

  /** Waits until no job with this name or of this user runs. */
  void awaitEnd(String word) throws IOException, InterruptedException {
    await(word, false);
  }

  private void await(String word, boolean running) throws IOException, InterruptedException {
    try {
      Site.await(PATIENCE, word + (running ? " runs" : " has ended"), () -> runs(word) == running);
    } catch (AssertionError e) {
      throw new AssertionError(type("qstat -u '*'; qstat -j").out(), e);
    }
  }

  private boolean runs(String word) throws IOException, InterruptedException {
    return site.run(commands() + "qstat -u '*' -s r")
        .must()
        .lines()
        .anyMatch(line -> line.contains(" " + word + " ") && line.matches(" *\\d+ .* d?h?r .*"));
  }

  boolean isEmpty() throws IOException, InterruptedException {
    return type("qstat -u '*'").must().isEmpty();
  }

  /** Writes a text into a folder of texts, for {@link #policy}. */
  static void write(Path folder, String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }
}
