package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the check says of the starter and its file. */
class StarterCheckTest extends CheckedCluster {

  @Test
  void theStarterAndItsFile() throws Exception {
    String starter = home + "/bin/millrace-outside";
    String[] lines = {"as = sudo", "starter = " + starter};
    String ask = "sudo -n -l -u " + SELF + " -- " + starter;
    String check = "sudo -n -u " + SELF + " -- " + starter + " check";
    bad(ask, "sudo: a password is required");
    assertEquals(
        List.of(
            SELF
                + " may not start H/bin/millrace-outside as "
                + SELF
                + " (sudo: a password is required)"),
        slurm(lines));
    good(ask, starter);
    bad(check, "millrace-outside: refused: /etc/millrace/outside cannot be read");
    assertEquals(
        List.of(
            "H/bin/millrace-outside does not serve "
                + SELF
                + ": millrace-outside: refused: /etc/millrace/outside cannot be read"),
        slurm(lines));
    good(check, "system slurm\ncommands /opt/bin\nspool " + home + "/spool\n");
    assertEquals(
        List.of(
            "the file of H/bin/millrace-outside says 'commands /opt/bin', this one commands ="
                + " H/bin"),
        slurm(lines));
    String whole = "system slurm\ncommands " + home + "/bin\nspool " + home + "/spool\n";
    good(check, whole);
    String words =
        check
            + " sbatch --parsable --no-requeue --comment=mr.c1.1.1 --wckey=mr.c1.1.1 --job-name=check"
            + " --ntasks=1 --cpus-per-task=1 --mem=1M --output=/dev/null --error=/dev/null --chdir=/"
            + " --time=0:60";
    String spread =
        words.replace(
            "--ntasks=1 --cpus-per-task=1 --mem=1M",
            "--ntasks=2 --cpus-per-task=1 --ntasks-per-node=1 --mem=1M --nodes=2");
    good(spread, whole);
    // One of an earlier distribution, whose table knows less.
    bad(words, "millrace-outside: refused: sbatch does not take '--mem=1M' here");
    assertEquals(
        List.of(
            "H/bin/millrace-outside refuses what jobs can ask for: millrace-outside: refused: sbatch"
                + " does not take '--mem=1M' here"),
        slurm(lines));
    good(words, whole);
    ordersAreLookedAtToo(check, whole, lines);
  }

  private void ordersAreLookedAtToo(String check, String whole, String... lines) throws Exception {
    List<String> orders =
        List.of(
            "scontrol hold 1",
            "scontrol release 1",
            "scontrol suspend 1",
            "scontrol resume 1",
            "scancel 1",
            "scancel --full --signal=10 1");
    orders.forEach(it -> good(check + " " + it, whole));
    String update = check + " scontrol update JobId=1 TimeLimit=0:60";
    bad(update, "millrace-outside: refused: scontrol does not take 'update' here");
    assertEquals(
        List.of(
            "H/bin/millrace-outside refuses what jobs can ask for: millrace-outside: refused:"
                + " scontrol does not take 'update' here"),
        slurm(lines));
    good(update, whole);
    assertEquals(List.of(), slurm(lines));
  }
}
