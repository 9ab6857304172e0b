package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a cluster is to let us do, and what is to be written and where, is looked at, too. */
class ClusterCheckRightsTest extends PlayedCheck {

  @Test
  void accountingThatIsNotWritten() throws Exception {
    assertEquals(
        List.of("Slurm writes its job completions to  with jobcomp/none"),
        slurm("accounting = /var/log/jobcomp"));
    Files.delete(home.resolve("sge/default/common/accounting"));
    assertEquals(List.of("H/sge/default/common/accounting cannot be read"), gridEngine());
    good("qconf -sconf", "reporting_params   accounting=false reporting=false\n");
    assertEquals(List.of("qmaster writes no accounting"), gridEngine());
  }

  @Test
  void accountsThatGetNoJobs() throws Exception {
    good("id -u -- " + SELF, "0\n");
    assertEquals(List.of(SELF + " has the uid 0: accounts below 1000 get no jobs"), slurm());
    bad("id -u -- " + SELF, "id: no such user");
    assertEquals(List.of("there is no account " + SELF), slurm());
    good("id -u -- " + SELF, "1001\n");
    good("id -u -- other", "1002\n");
    assertEquals(
        List.of(
            "other is not the account of this process, " + SELF,
            "other cannot enter H",
            "there is no folder H/spool/other"),
        slurm("user.other = other"));
  }

  @Test
  void noRuleOfSudo() throws Exception {
    bad("sudo -n -l -u " + SELF + " -- /bin/mkdir", "sudo: a password is required");
    assertEquals(
        List.of(SELF + " may not start /bin/mkdir as " + SELF + " (sudo: a password is required)"),
        slurm("as = sudo"));
    good("sudo -n -l -u " + SELF + " -- /bin/mkdir", "");
    bad("sudo -n -l -u " + SELF + " -- /bin/rm", "sudo: a password is required");
    assertEquals(
        List.of(SELF + " may not start /bin/rm as " + SELF + " (sudo: a password is required)"),
        slurm("as = sudo"));
    Files.delete(home.resolve("bin/sudo"));
    assertEquals(List.of("there is no program H/bin/sudo"), slurm("as = sudo"));
  }

  /** With slurmrestd no rule of sudo is needed for Slurm's commands. */
  @Test
  void tokensThatAreMissingOrOver() throws Exception {
    good("sudo -n -l -u " + SELF + " -- /bin/mkdir", "");
    good("sudo -n -l -u " + SELF + " -- /bin/rm", "");
    String[] keys = {"as = sudo", "rest = http://127.0.0.1:1", "tokens = " + home + "/tokens"};
    Path tokens = home.resolve("tokens");
    String away = "the queue cannot be read: squeue: http://127.0.0.1:1 cannot be reached";
    Files.writeString(tokens, SELF + ":aa.eyJleHAiOjF9.cc\n"); // {"exp":1}
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    String over =
        "the queue cannot be read: squeue: token: that of " + SELF + " in H/tokens is over";
    assertEquals(List.of(over, "the token of " + SELF + " in H/tokens is over"), slurm(keys));
    Files.writeString(tokens, "other:aa.eyJleHAiOjQxMDI0NDQ4MDB9.cc\n");
    assertEquals(List.of(away, "H/tokens has no token of " + SELF), slurm(keys));
    Files.writeString(tokens, SELF + ":aa.eyJleHAiOjQxMDI0NDQ4MDB9.cc\n");
    assertEquals(List.of(away), slurm(keys));
  }

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

  @Test
  void queuesAndHostsThatAreNotThere() throws Exception {
    assertEquals(List.of(), slurm("queue = batch"));
    assertEquals(List.of("there is no partition debug"), slurm("queue = debug"));
    bad("sinfo --json", "slurm_load_partitions: Unable to contact slurm controller");
    assertEquals(
        List.of(
            "the hosts cannot be read: sinfo: slurm_load_partitions: Unable to contact slurm"
                + " controller"),
        slurm());
    good("qconf -ss", "other\n");
    assertEquals(
        List.of(
            "this host, vm.site, is no submit host",
            "there is no queue all.q",
            "there is no parallel environment smp"),
        gridEngine("queue = all.q", "parallel_environment = smp"));
    assertEquals(List.of(), gridEngine("mode = observe"));
  }

  /** With another rule the slots would lie on other hosts than the run's. */
  @Test
  void parallelEnvironmentsGiveWhatTheirNameSays() throws Exception {
    String[] keys = {
      "queue = all.q", "parallel_environment = smp", "parallel_environment_hosts = mpi.%"
    };
    good("qconf -sq all.q", "qname all.q\npe_list make,smp mpi.1 \\\n  mpi.2\n");
    good("qconf -sp smp", "pe_name smp\nallocation_rule $pe_slots\n");
    good("qconf -spl", "make\nmpi\nmpi.1\nmpi.2\nmpi.10x\nsmp\n");
    good("qconf -sp mpi.1", "allocation_rule    1\naccounting_summary TRUE\n");
    good("qconf -sp mpi.2", "allocation_rule    2\naccounting_summary TRUE\n");
    assertEquals(List.of(), gridEngine(keys));
    good("qconf -sp smp", "pe_name smp\nallocation_rule $round_robin\n");
    good("qconf -sp mpi.2", "allocation_rule    $fill_up\naccounting_summary FALSE\n");
    good("qconf -sq all.q", "qname all.q\npe_list make,smp,[n1=mpi.2]\n");
    assertEquals(
        List.of(
            "parallel environment smp has the allocation_rule $round_robin",
            "queue all.q does not have parallel environment mpi.1",
            "parallel environment mpi.2 has the allocation_rule $fill_up",
            "accounting of jobs in mpi.2 has a record for each of their parts"),
        gridEngine(keys));
    good("qconf -spl", "make\n");
    assertEquals(
        List.of("there is no parallel environment mpi.1"),
        gridEngine("queue = all.q", "parallel_environment_hosts = mpi.%"));
  }

  @Test
  void aFolderIntoWhichItsAccountCannotWrite() throws Exception {
    Path folder = home.resolve("spool").resolve(SELF);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertEquals(List.of(SELF + " cannot write into H/spool/" + SELF), slurm());
  }

  @Test
  void noFolderForAnAccount() throws Exception {
    Files.delete(home.resolve("spool").resolve(SELF));
    assertEquals(List.of("there is no folder H/spool/" + SELF), slurm());
    Files.delete(home.resolve("spool"));
    assertEquals(List.of("there is no folder H/spool"), slurm());
  }
}
