package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.openpbs.PbsKind;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.torque.TorqueKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is wrong with a cluster is said before anything is submitted: a line, cause and cure. */
class ClusterCheckTest extends CheckedCluster {

  @Test
  void allIsWell() throws Exception {
    assertEquals(List.of(), slurm());
    assertEquals(List.of(), gridEngine());
  }

  @Test
  void aMissingProgram() throws Exception {
    Files.delete(home.resolve("bin/sbatch"));
    Files.delete(home.resolve("bin/qping"));
    assertEquals(List.of("H/bin has no sbatch"), slurm());
    assertEquals(List.of("H/bin has no qping"), gridEngine());
  }

  /** What is started in the names of accounts only would be missed at an order of theirs. */
  @Test
  void noProgramOfAccountsIsForgotten() {
    for (OutsideKind kind :
        List.of(new SlurmKind(), new SgeKind(), new PbsKind(), new TorqueKind())) {
      assertTrue(
          kind.programs().containsAll(kind.programsOfAccounts()),
          () -> kind.name() + ": " + kind.programs() + ", " + kind.programsOfAccounts());
    }
  }

  /** Accounts, rights and the folder are for what is submitted. */
  @Test
  void whatIsObservedNeedsNoAccounts() throws Exception {
    bad("id -u -- " + SELF, "id: no such user");
    Files.delete(home.resolve("spool").resolve(SELF));
    Files.delete(home.resolve("spool"));
    assertEquals(2, gridEngine().size());
    assertEquals(List.of(), gridEngine("mode = observe"));
    assertEquals(List.of(), slurm("mode = observe"));
  }

  @Test
  void theWrongCluster() throws Exception {
    good("scontrol show config", "ClusterName = other\n");
    assertEquals(List.of("this is the cluster other, not hand"), slurm());
    assertEquals(List.of("H/sge has no cell old"), gridEngine("sge_cell = old"));
    assertEquals(List.of("there is no folder /no/such"), gridEngine("sge_root = /no/such"));
  }

  @Test
  void aMasterThatDoesNotAnswer() throws Exception {
    bad("scontrol show config", "slurm_load_ctl_conf error: Unable to contact slurm controller");
    assertEquals(
        List.of(
            "slurmctld does not answer: slurm_load_ctl_conf error: Unable to contact slurm"
                + " controller"),
        slurm());
    bad(
        "qstat -f -r -u * -s prs -xml",
        "error: commlib error: got select error (Connection refused)");
    assertEquals(
        List.of(
            "qmaster does not answer: qstat: error: commlib error: got select error (Connection"
                + " refused)"),
        gridEngine());
  }

  /** Where the host is chosen here, the scheduler there must start nothing by itself. */
  @Test
  void aGridEnginesQueueThatOthersHaveToo() throws Exception {
    String[] place = {"mode = place", "queue = mr.q"};
    bad("qconf -sq mr.q", "No cluster queue or queue instance matches the phrase \"mr.q\"");
    assertEquals(
        List.of(
            "queue mr.q cannot be read: No cluster queue or queue instance matches the phrase"
                + " \"mr.q\""),
        gridEngine(place));
    good("qconf -sq mr.q", "qname    mr.q\nhostlist  @a\ncomplex_values  lic=1,\\\n    other=1\n");
    good("qconf -sc", "millrace  mr  BOOL  ==  YES  NO  0  0\n");
    String host =
        "<qhost><host name='n1'><hostvalue name='num_proc'>4</hostvalue><queue"
            + " name='mr.q'><queuevalue qname='mr.q'"
            + " name='state_string'></queuevalue></queue><queue name='all.q'><queuevalue"
            + " qname='all.q' name='state_string'>%s</queuevalue></queue></host><host"
            + " name='n2'><queue name='all.q'><queuevalue qname='all.q'"
            + " name='state_string'></queuevalue></queue></host></qhost>";
    good("qhost -xml -q", host.formatted(""));
    assertEquals(
        List.of(
            "there is no complex millrace that jobs have to ask for",
            "queue mr.q takes jobs that Millrace has not sent",
            "host n1 of queue mr.q takes jobs of all.q too"),
        gridEngine(place));
    good("qconf -sc", "millrace  mr  BOOL  ==  FORCED  NO  0  0\n");
    good("qconf -sq mr.q", "qname  mr.q\ncomplex_values  lic=1,\\\n    millrace=TRUE\n");
    good("qhost -xml -q", host.formatted("d"));
    assertEquals(List.of(), gridEngine(place));
    assertEquals(
        List.of("queue mr.q takes jobs that Millrace has not sent"),
        gridEngine("mode = place", "queue = mr.q", "managed = own").subList(1, 2));
  }

  /** Reservations are made by a manager of the cell. */
  @Test
  void whoMakesNoReservationsInAGridEngine() throws Exception {
    String[] reserve = {"mode = reserve", "queue = all.q"};
    good("id -un", "millrace\n");
    good("qconf -sm", "root\n");
    bad("qconf -sq all.q", "No cluster queue");
    assertEquals(
        List.of(
            "millrace is no manager of the cell, and makes no reservations there",
            "queue all.q cannot be read: No cluster queue"),
        gridEngine(reserve));
    good("qconf -sm", "root\nmillrace\n");
    good("qconf -sq all.q", "qname all.q\n");
    assertEquals(List.of(), gridEngine(reserve));
  }

  @Test
  void aSlurmsPartitionThatOthersHaveToo() throws Exception {
    String[] place = {"mode = place", "queue = mr"};
    String shown = "PartitionName=mr\n   AllocNodes=%s Default=%s QoS=N/A\n   Nodes=n1\n";
    String nodes = "{\"errors\":[],\"nodes\":[{\"name\":\"n1\",\"partitions\":[%s]}]}";
    bad("scontrol show partition mr", "Partition mr not found");
    assertEquals(List.of("partition mr cannot be read: Partition mr not found"), slurm(place));
    good("scontrol show partition mr", shown.formatted("ALL", "YES"));
    good("sinfo --json", nodes.formatted("\"batch\",\"mr\""));
    assertEquals(
        List.of(
            "partition mr takes jobs that name no partition",
            "partition mr takes jobs from all hosts",
            "host n1 is in batch, mr"),
        slurm(place));
    good("scontrol show partition mr", shown.formatted("vm", "NO"));
    good("sinfo --json", nodes.formatted("\"mr\""));
    assertEquals(List.of(), slurm(place));
  }

  @Test
  void aQueueThatOnlyLooksEmpty() throws Exception {
    good(
        "squeue --json",
        "{\"errors\":[{\"description\":\"Failed while looking for jobs\",\"error\":\"x\"}],"
            + "\"jobs\":[]}");
    assertEquals(
        List.of("the queue cannot be read: squeue: Failed while looking for jobs (x)"), slurm());
  }

  @Test
  void aSlurmThatHidesJobsOfOthers() throws Exception {
    String config = answers.get("scontrol show config").out();
    good("scontrol show config", config + "PrivateData             = jobs\n");
    assertEquals(
        List.of(
            "PrivateData=jobs in slurm.conf hides the jobs of others from this account: runs would"
                + " be missed while they live"),
        slurm());
  }

  @Test
  void aDatabaseThatCannotBeAsked() throws Exception {
    assertEquals(List.of("Slurm keeps its accounting in no database"), slurm("database = yes"));
    String config = answers.get("scontrol show config").out();
    good("scontrol show config", config + "AccountingStorageType = accounting_storage/slurmdbd\n");
    String own = "sacct --json --allusers --jobs=1";
    bad(own, "sacct: error: Problem talking to the database: Connection refused");
    assertEquals(1, slurm().size());
    assertTrue(slurm().get(0).startsWith("the database is not told: sacct: "));
    assertEquals(List.of(), slurm("database = no"));
    good(own, "{\"errors\":[],\"jobs\":[]}");
    assertEquals(List.of(), slurm());
    String sacct = " -- " + home + "/bin/sacct --json --user=" + SELF + " --jobs=1";
    bad("sudo -n -u " + SELF + sacct, "sudo: a password is required\n");
    String refused = "sacct is not started as " + SELF + ": sudo: a password is required";
    List<String> bySudo = slurm("as = sudo");
    assertTrue(bySudo.contains(refused), bySudo::toString);
  }

  @Test
  void aClockThatIsAnHourOff() throws Exception {
    long then = Instant.now().getEpochSecond() - 3600;
    good("sdiag", "sdiag output at x (" + then + ")\n");
    good("qping -info vm 6444 qmaster 1", "start time: x (" + then + ")\nrun time [s]:    0\n");
    assertTrue(slurm().get(0).matches("the clock of slurmctld differs by 36\\d\\d s"));
    assertTrue(gridEngine().get(0).matches("the clock of vm differs by 36\\d\\d s"));
  }

  @Test
  void versionsThatWereNeverTried() throws Exception {
    good("sinfo -V", "slurm 24.11.0\n");
    good("qstat -help", "SGE 8.1.10\n");
    assertEquals(List.of("Slurm is 24.11, which was never tried"), slurm());
    assertEquals(List.of("Grid Engine is 8.1.10, which was never tried"), gridEngine());
  }

  @Test
  void beginsOfJobsThatAreNotWritten() throws Exception {
    Path written = home.resolve("starts");
    String key = "starts = " + written;
    String config = answers.get("scontrol show config").out();
    good("scontrol show config", config + "PrologSlurmctld         = (null)\n");
    assertEquals(
        List.of(
            "PrologSlurmctld is (null), which may write nothing to H/starts",
            "EpilogSlurmctld is , which may write nothing to H/starts",
            "there is no file H/starts"),
        slurm(key));
    String script = " = /etc/slurm/millrace-slurm-starts\n";
    good("scontrol show config", config + "PrologSlurmctld" + script + "EpilogSlurmctld" + script);
    Files.writeString(written, "");
    Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-rw-r--"));
    assertEquals(List.of("others than " + SELF + " may write to H/starts"), slurm(key));
    Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals(List.of(), slurm(key));
  }

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
