package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterCheck;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.slurm.SlurmKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a cluster is said before anything is submitted: a line, cause and cure. */
class ClusterCheckTest {

  private static final String SELF = System.getProperty("user.name");

  @TempDir Path home;
  private final Map<String, OutsideAnswer> answers = new LinkedHashMap<>();
  private final List<String> file = new ArrayList<>();

  @BeforeEach
  void cluster() throws IOException {
    Files.createDirectories(home.resolve("spool").resolve(SELF));
    Files.createDirectories(home.resolve("bin"));
    Files.createDirectories(home.resolve("sge/default/common"));
    Files.writeString(home.resolve("sge/default/common/act_qmaster"), "vm\n");
    Files.writeString(home.resolve("sge/default/common/accounting"), "");
    for (String program :
        List.of(
            "sbatch",
            "squeue",
            "scancel",
            "scontrol",
            "sinfo",
            "sdiag",
            "qsub",
            "qdel",
            "qhold",
            "qrls",
            "qmod",
            "qstat",
            "qhost",
            "qconf",
            "qping",
            "sudo")) {
      Path made = Files.writeString(home.resolve("bin").resolve(program), "");
      assertTrue(made.toFile().setExecutable(true));
    }
    file.addAll(
        List.of(
            "name = c1",
            "commands = " + home + "/bin",
            "spool = " + home + "/spool",
            "sudo = " + home + "/bin/sudo",
            "user.someone = " + SELF));
    long now = Instant.now().getEpochSecond();
    good("id -u -- " + SELF, "1001\n");
    good(
        "scontrol show config",
        "ClusterName             = hand\nJobCompType             = jobcomp/none\n"
            + "MinJobAge               = 300 sec\nAccountingStorageEnforce = none\n");
    good("sinfo -V", "slurm-wlm 22.05.8\n");
    good("sdiag", "sdiag output at Fri Nov 20 16:41:17 2026 (" + now + ")\n");
    good("squeue --json", "{\"errors\":[],\"jobs\":[]}");
    good(
        "sinfo --json", "{\"errors\":[],\"nodes\":[{\"name\":\"n1\",\"partitions\":[\"batch\"]}]}");
    good("uname -n", "vm.site\n");
    good("qconf -ss", "other\nVM\n");
    good("qstat -help", "SGE 8.1.9\nusage: qstat [options]\n");
    good("qstat -f -r -u * -s prs -xml", "<job_info><queue_info/><job_info/></job_info>");
    good(
        "qping -info vm 6444 qmaster 1",
        "start time:               11/25/2026 22:45:23 ("
            + (now - 250)
            + ")\n"
            + "run time [s]:             250\n");
    good("qconf -sconf", "reporting_params             accounting=true reporting=false\n");
  }

  private void good(String words, String out) {
    answers.put(words, new OutsideAnswer(ProcessEnding.EXITED, 0, out, "", Duration.ofMillis(5)));
  }

  private void bad(String words, String err) {
    answers.put(words, new OutsideAnswer(ProcessEnding.EXITED, 1, "", err, Duration.ofMillis(5)));
  }

  /** The lines that are wrong. */
  private List<String> wrong(String... more) throws Exception {
    List<String> lines = new ArrayList<>(file);
    lines.addAll(List.of(more));
    Path properties = home.resolve("c1.properties");
    Files.write(properties, lines);
    ClusterFile cluster = ClusterFile.read(properties, List.of(new SlurmKind(), new SgeKind()));
    List<CheckLine> found =
        new ClusterCheck(
                cluster,
                command -> {
                  List<String> words = new ArrayList<>(command.words());
                  words.set(0, command.program());
                  OutsideAnswer answer = answers.get(String.join(" ", words));
                  return answer != null
                      ? answer
                      : new OutsideAnswer(
                          ProcessEnding.EXITED, 1, "", "no answer to " + words, Duration.ZERO);
                },
                SELF)
            .lines();
    return found.stream()
        .filter(it -> !it.good())
        .map(it -> it.text().replace(home.toString(), "H"))
        .toList();
  }

  private List<String> slurm(String... more) throws Exception {
    List<String> all = new ArrayList<>(List.of("system = slurm", "cluster_name = hand"));
    all.addAll(List.of(more));
    return wrong(all.toArray(String[]::new));
  }

  private List<String> gridEngine(String... more) throws Exception {
    List<String> all = new ArrayList<>(List.of("system = gridengine"));
    all.addAll(List.of(more));
    if (all.stream().noneMatch(it -> it.startsWith("sge_root"))) {
      all.add("sge_root = " + home + "/sge");
    }
    return wrong(all.toArray(String[]::new));
  }

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
    bad("qstat -f -r -u * -s prs -xml", "error: commlib error: got select error (Connection refused)");
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
    // One of an earlier distribution, whose table knows less.
    bad(words, "millrace-outside: refused: sbatch does not take '--mem=1M' here");
    assertEquals(
        List.of(
            "H/bin/millrace-outside refuses what jobs can ask for: millrace-outside: refused: sbatch"
                + " does not take '--mem=1M' here"),
        slurm(lines));
    good(words, whole);
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
