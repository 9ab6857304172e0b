package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.command.SudoWords;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.openpbs.PbsKind;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.torque.TorqueKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The program that sudo starts in the names of accounts does what one line of sudo lets the caller
 * ask for, and nothing else for anybody. The caller is an ordinary account here, and so are others.
 */
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StarterIT {

  private static final String CALLER = "mrbob";
  private static final String OWNER = "mralice";
  private static final String TAG = "mr.c1.7.1";
  static final List<OutsideKind> KINDS =
      List.of(new SgeKind(), new SlurmKind(), new PbsKind(), new TorqueKind());
  private static final Path SUDOERS = Path.of("/etc/sudoers.d/millrace-starter-test");
  private static final Path SYSTEM_LOG = Path.of("/dev/log");

  private Path folder;
  private Path starter;
  private Path file;
  private Path commands;
  private Path spool;
  private Path sudoLog;
  private Path log;
  private Process logger;

  @BeforeAll
  void make() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root writes a line of sudo");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/sudo")), "no sudo here");
    assumeTrue(
        !Files.exists(SYSTEM_LOG), "this machine has a log of its own, which stays as it is");
    for (String account : List.of(CALLER, OWNER)) {
      run(Map.of(), "", "/usr/sbin/useradd", "-m", "-s", "/bin/bash", account);
    }
    folder = Files.createTempDirectory("millrace-starter");
    starter = folder.resolve("millrace-outside");
    file = folder.resolve("outside");
    commands = Files.createDirectories(folder.resolve("commands"));
    spool = Files.createDirectories(folder.resolve("spool/" + OWNER)).getParent();
    run(Map.of(), "", "/bin/chown", OWNER, spool.resolve(OWNER).toString());
    sudoLog = folder.resolve("sudo.log");
    log = folder.resolve("log");
    compile("../bridge/src/main/c/millrace-outside.c", starter);
    compile("src/test/c/log.c", folder.resolve("logger"));
    logger =
        new ProcessBuilder(folder.resolve("logger") + "", SYSTEM_LOG + "", log + "")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals("ready", logger.inputReader().readLine());
    Files.writeString(
        SUDOERS,
        "Defaults:%s logfile=%s, !syslog, !authenticate\n%s ALL=(%%%s) %s\n"
            .formatted(CALLER, sudoLog, CALLER, OWNER, starter));
    open(SUDOERS, "r--r-----");
    open(folder, "rwxr-xr-x");
  }

  @AfterAll
  void takeBack() throws Exception {
    if (logger != null) {
      logger.destroyForcibly().waitFor();
      Files.deleteIfExists(SYSTEM_LOG);
    }
    Files.deleteIfExists(SUDOERS);
  }

  @BeforeEach
  void asItShouldBe() throws Exception {
    Files.deleteIfExists(file);
    Files.writeString(
        file,
        "system slurm\ncaller %s\ncommands %s\nspool %s\nset SLURM_CONF=/etc/slurm/slurm.conf\n"
            .formatted(CALLER, commands, spool));
    open(file, "rw-r--r--");
    open(starter, "rwxr-xr-x");
    open(commands, "rwxr-xr-x");
    for (String name : List.of("sbatch", "scancel", "scontrol", "sacct")) {
      Files.writeString(
          commands.resolve(name),
          "#!/bin/sh\necho \"$0 $*\"; id -un; id -G; pwd; env | sort; cat\n");
      open(commands.resolve(name), "rwxr-xr-x");
    }
  }

  private void compile(String source, Path program) throws Exception {
    Process compiler;
    try {
      compiler =
          new ProcessBuilder(
                  "cc",
                  "-O2",
                  "-Wall",
                  "-Wextra",
                  "-Werror",
                  "-DFILE_OF_ROOT=\"" + file + "\"",
                  "-o",
                  program + "",
                  source)
              .inheritIO()
              .start();
    } catch (IOException e) {
      assumeTrue(false, "no C compiler here");
      throw e;
    }
    assertEquals(0, compiler.waitFor());
  }

  private static void open(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  private static OutsideAnswer run(Map<String, String> environment, String input, String... words)
      throws InterruptedException {
    return new ProcessRunner()
        .run(
            new OutsideCommand(
                List.of(words),
                input.getBytes(StandardCharsets.UTF_8),
                environment,
                Duration.ofSeconds(30),
                1 << 20));
  }

  /** What an account gets for its words. */
  private static OutsideAnswer as(String account, String input, List<String> words)
      throws InterruptedException {
    List<String> all = new ArrayList<>(List.of("/sbin/runuser", "-u", account, "--"));
    all.addAll(words);
    return run(Map.of(), input, all.toArray(String[]::new));
  }

  /** The caller asks sudo, as the connector does. */
  private OutsideAnswer called(String input, String... words) throws InterruptedException {
    List<String> all =
        new ArrayList<>(List.of("/usr/bin/sudo", "-n", "-u", OWNER, "--", starter.toString()));
    all.addAll(List.of(words));
    return as(CALLER, input, all);
  }

  private void assertRefused(OutsideAnswer answer, String why) throws IOException {
    assertEquals(126, answer.status(), answer::toString);
    assertEquals("", answer.out());
    assertTrue(SudoWords.refused(answer), answer::toString);
    assertTrue(answer.err().contains(why), answer::toString);
    String said = answer.err().strip().replace("millrace-outside: refused: ", "");
    Awaitility.await()
        .until(() -> Files.exists(log) && Files.readString(log).contains(": " + said));
  }

  /** Sudo does not begin it, and writes that down. */
  private void assertNotAllowed(String... words) throws Exception {
    long before = Files.exists(sudoLog) ? Files.size(sudoLog) : 0;
    List<String> all = new ArrayList<>(List.of("/usr/bin/sudo", "-n"));
    all.addAll(List.of(words));
    OutsideAnswer answer = as(CALLER, "", all);
    assertTrue(answer.status() != 0, answer::toString);
    assertEquals("", answer.out());
    assertTrue(Files.size(sudoLog) > before, answer::toString);
  }

  @Test
  void aCommandRunsAsItsOwnerWithItsScriptAndNothingOfTheCaller() throws Exception {
    OutsideAnswer answer =
        called("a script", "sbatch", "--parsable", "--comment=" + TAG, "--job-name=a 'b' $(id)");
    assertTrue(answer.isGood(), answer::toString);
    List<String> lines = answer.out().lines().toList();
    assertEquals(
        commands + "/sbatch --parsable --comment=" + TAG + " --job-name=a 'b' $(id)", lines.get(0));
    assertEquals(OWNER, lines.get(1));
    assertFalse(List.of(lines.get(2).split(" ")).contains("0"), answer::toString);
    assertEquals("/", lines.get(3));
    assertTrue(lines.contains("SLURM_CONF=/etc/slurm/slurm.conf"), answer::toString);
    assertTrue(lines.stream().noneMatch(it -> it.startsWith("SUDO_")), answer::toString);
    assertEquals("a script", lines.get(lines.size() - 1));
    assertTrue(called("", "scancel", "12").isGood());
    assertTrue(called("", "scontrol", "hold", "12").isGood());
    assertTrue(called("", "sacct", "--json", "--user=" + OWNER, "--jobs=12,13").isGood());
    assertTrue(called("", "mkdir", spool + "/" + OWNER + "/" + TAG).isGood());
    assertTrue(Files.isDirectory(spool.resolve(OWNER).resolve(TAG)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "./scancel 1",
        "../commands/scancel 1",
        "/bin/sh -c id",
        "sh",
        "sacctmgr",
        "sstat",
        "scancel/ 1",
      })
  void onlyNamesOfItsCommandsAreOnes(String words) throws Exception {
    assertRefused(called("", words.split(" ")), "is no command of slurm");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sbatch --uid=0",
        "sbatch --parsable /tmp/script",
        "sbatch --wrap=id",
        "sbatch --output=/etc/x",
        "sbatch --export=LD_PRELOAD=/tmp/x.so",
        "sbatch --comment=x",
        "sbatch",
        "scancel",
        "scancel 1 2",
        "scancel -u mrbob",
        "scancel 1x",
        "scontrol update JobId=1 Priority=1",
        "scontrol hold",
        "scontrol update JobId=1 TimeLimit=0:5 Priority=1",
        "scontrol update JobId=1 TimeLimit=-1",
        "sacct --json",
        "sacct --json --jobs=1",
        "sacct --json --user=mralice --jobs=1,",
        "sacct --json --user=mralice --jobs=1 --file=/etc/shadow",
        "mkdir /tmp/mr.c1.1.1",
        "rm -rf -- /tmp/mr.c1.1.1",
        "rm -rf -- @/mralice",
        "rm -rf -- @/mralice/",
        "rm -rf -- @/mralice/mr.c1.1.1/../x",
        "rm -rf -- @/mralice/mr.c1.1.1 @/mrbob/mr.c1.1.1",
        "mkdir -p @/mralice/mr.c1.1.1",
        "mkdir @/mralice/../mr.c1.1.1",
        "mkdir @/mralice/mr.c1.1.1/x",
        "mkdir @/mrbob/mr.c1.1.1",
      })
  void otherWordsAreRefused(String words) throws Exception {
    assertRefused(called("", words.replace("@", spool + "").split(" ")), "does not take");
  }

  @Test
  void nobodyStartsItDirectly() throws Exception {
    List<String> direct = List.of(starter + "", "scancel", "1");
    assertRefused(as(OWNER, "", direct), "it was not called by mrbob through sudo");
    assertRefused(as(CALLER, "", direct), "it was not called by mrbob through sudo");
    assertRefused(as("nobody", "", direct), "it was not called by mrbob through sudo");
    assertRefused(run(Map.of(), "", direct.toArray(String[]::new)), "the uid 0 is the machine's");
    // A shell of the account's own stands between, so that it is not root's process that calls.
    String uid = run(Map.of(), "", "/usr/bin/id", "-u", CALLER).out().strip();
    String line = "SUDO_UID=" + uid + " " + starter + " scancel 1; exit $?";
    assertRefused(as(OWNER, "", List.of("/bin/sh", "-c", line)), "through sudo");
  }

  @Test
  void itServesNobodyElse() throws Exception {
    assertNotAllowed("-u", "root", "--", starter + "", "scancel", "1");
    assertNotAllowed("-u", "#0", "--", starter + "", "scancel", "1");
    assertNotAllowed("-u", "nobody", "--", starter + "", "scancel", "1");
    assertNotAllowed("-u", CALLER, "-g", "root", "--", starter + "", "scancel", "1");
    assertNotAllowed("-u", OWNER, "--", "/bin/sh", "-c", "id");
    assertNotAllowed("-u", OWNER, "--", commands + "/scancel", "1");
    assertNotAllowed("-u", OWNER, "--", "./millrace-outside", "scancel", "1");
  }

  @Test
  void nothingIsLoadedIntoIt() throws Exception {
    assertNotAllowed("-u", OWNER, "LD_PRELOAD=/tmp/x.so", "--", starter + "", "scancel", "1");
    List<String> words =
        List.of(
            "/usr/bin/env", "LD_PRELOAD=/tmp/x.so", "BASH_ENV=/tmp/x", "IFS=x", "/usr/bin/sudo");
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("-n", "-u", OWNER, "--", starter + "", "scancel", "1"));
    OutsideAnswer answer = as(CALLER, "", all);
    assertTrue(answer.isGood(), answer::toString);
    for (String name : List.of("LD_PRELOAD", "BASH_ENV", "IFS", "MAIL", "TERM")) {
      assertFalse(answer.out().contains("\n" + name + "="), answer::toString);
    }
  }

  @Test
  void whatIsNotRootsAloneIsNotUsed() throws Exception {
    open(commands.resolve("scancel"), "rwxrwxr-x");
    assertRefused(called("", "scancel", "1"), "scancel is not root's alone");
    open(commands, "rwxrwxrwx");
    assertRefused(called("", "sbatch", "--parsable"), "commands is not root's alone");
    open(file, "rw-rw-r--");
    assertRefused(called("", "scontrol", "hold", "1"), "outside is not root's alone");
    open(file, "rw-r--r--");
    open(folder, "rwxrwxr-x");
    assertRefused(called("", "scontrol", "hold", "1"), folder + " is not root's alone");
    open(folder, "rwxr-xr-x");
    Path other = Files.writeString(folder.resolve("other"), Files.readString(file));
    open(other, "rw-r--r--");
    Files.delete(file);
    Files.createSymbolicLink(file, other);
    assertRefused(called("", "scancel", "1"), "outside cannot be read");
  }

  @Test
  void aFileThatSaysOtherThingsIsNotFollowed() throws Exception {
    Files.writeString(file, "also x\n", StandardOpenOption.APPEND);
    assertRefused(called("", "scancel", "1"), "there is no 'also'");
  }

  /** An OAR is asked over HTTP; its connector has commands that this program does not know. */
  @Test
  void aSystemWithoutCommandsIsNoSystem() throws Exception {
    Files.writeString(file, Files.readString(file).replace("slurm\n", "oar\n"));
    assertRefused(called("", "check"), "there is no system 'oar'");
  }

  /** All that the connectors have it do: nothing of that is among the words that are refused. */
  @ParameterizedTest
  @CsvSource({
    "slurm, cluster_name = hand",
    "gridengine, sge_root = /sge",
    "openpbs, server = pbs.site",
    "torque, server = pbs.site"
  })
  void whatConnectorsAskForIsTaken(String system, String key) throws Exception {
    ClusterFile cluster = cluster(system, key);
    List<OutsideAnswer> answers = new ArrayList<>();
    List<List<String>> commandsGiven = new ArrayList<>();
    CommandRunner runner =
        command -> {
          if (command.words().contains("config")) {
            // Which cluster it is the connector asks as itself.
            return new OutsideAnswer(
                ProcessEnding.EXITED, 0, "ClusterName = hand\n", "", Duration.ZERO);
          }
          OutsideAnswer answer = as(CALLER, "", command.words());
          commandsGiven.add(command.words());
          answers.add(answer);
          return answer;
        };
    OutsideSystem connector = cluster.kind().open(cluster, runner);
    OutsideTag tag = new OutsideTag("c1", "7-3", 2);
    OutsideShare share = new OutsideShare(2, 1_500_000, 1, Map.of("ngpus", 2L));
    for (String name : List.of("a 'name' \"$(id)\" -x", "-", "J\u00e4ger")) {
      OutsideSubmission order =
          new OutsideSubmission(
              tag,
              OWNER,
              name,
              new OutsideSubmission.OutsidePlace(Optional.of("mr.q"), List.of("n-1.site", "n2")),
              new OutsideAmounts(List.of(share, share), Optional.of(600L)),
              new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
      connector.submit(order);
      connector.limit(OutsideId.of(12), order, 300, false);
    }
    for (OutsideAction action : OutsideAction.values()) {
      connector.control(OutsideId.of(12), OWNER, action);
    }
    int signals = connector.signal(OutsideId.of(12), OWNER, 10) instanceof Controlled.Done ? 1 : 0;
    if (!system.equals("gridengine")) {
      // It asks a Grid Engine for numbers as itself.
      connector.byNumber(OWNER, List.of(OutsideId.of(12)));
    }
    new SharedRunFolders(spool + "", runner, cluster.commands(Map.of())).close(tag, OWNER);
    assertEquals(List.of(), answers.stream().filter(it -> !it.isGood()).toList());
    assertEquals(
        7 + OutsideAction.values().length + 2 * signals, answers.size(), commandsGiven::toString);
    assertEquals(system.equals("gridengine") ? 0 : 1, signals);
    Files.delete(spool.resolve(OWNER).resolve(tag + ""));
  }

  /** The file of a cluster, and programs in the place of its commands. */
  private static final Map<String, String> GPUS =
      Map.of("slurm", "gres/gpu", "gridengine", "gpu/slot", "openpbs", "ngpus", "torque", "gpus");

  private ClusterFile cluster(String system, String key) throws Exception {
    Files.writeString(file, Files.readString(file).replace("slurm", system));
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = " + system,
                key,
                "mode = place",
                "queue = mr.q",
                "commands = " + commands,
                "spool = " + spool,
                "as = sudo",
                "starter = " + starter,
                "resource.ngpus = " + GPUS.get(system),
                "user.alice = " + OWNER));
    if (system.equals("gridengine")) {
      lines.add("parallel_environment_hosts = mr-%");
      lines.add("memory = h_vmem");
    }
    Path properties = Files.write(folder.resolve("c1.properties"), lines);
    ClusterFile cluster = ClusterFile.read(properties, KINDS);
    for (String name : cluster.kind().programsOfAccounts()) {
      Files.writeString(commands.resolve(name), "#!/bin/sh\n");
      open(commands.resolve(name), "rwxr-xr-x");
    }
    return cluster;
  }

  @Test
  void whatItWouldTakeCanBeAsked() throws Exception {
    Files.delete(commands.resolve("sbatch"));
    OutsideAnswer taken = called("", "check", "sbatch", "--parsable", "--mem=5M");
    assertEquals("system slurm", taken.out().lines().findFirst().orElse(""), taken::toString);
    assertRefused(called("", "check", "sbatch", "--wrap=id"), "does not take '--wrap=id'");
    assertRefused(called("", "check", "sh"), "'sh' is no command");
  }

  /** What is refused says itself in one line, whatever the words. */
  @Test
  void wordsInTheLogSteerNothing() throws Exception {
    OutsideAnswer answer = called("", "scancel", "1\n\u001b[2Jrefused uid 0: x");
    assertRefused(answer, "does not take '1?");
    assertEquals(1, answer.err().strip().lines().count(), answer::toString);
  }
}
