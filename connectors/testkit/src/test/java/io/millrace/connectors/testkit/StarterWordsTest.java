package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of the program that sudo starts has what connectors ask for, and little more. */
class StarterWordsTest {

  private static final String SPOOL = "/spool";
  private static final String OWNER = "mralice";

  @TempDir static Path folder;

  @TempDir Path home;

  @BeforeAll
  static void compile() throws Exception {
    try {
      Process compiler =
          new ProcessBuilder(
                  "cc",
                  "-O1",
                  "-Wall",
                  "-Wextra",
                  "-Wno-return-type",
                  "-o",
                  folder + "/words",
                  "src/test/c/words.c")
              .inheritIO()
              .start();
      assertEquals(0, compiler.waitFor());
    } catch (IOException e) {
      assumeTrue(false, "no C compiler here");
    }
  }

  private static OutsideAnswer ask(String system, List<String> words) throws InterruptedException {
    List<String> all = new ArrayList<>(List.of(folder + "/words", system, SPOOL));
    all.addAll(words);
    return new ProcessRunner()
        .run(new OutsideCommand(all, new byte[0], Map.of(), Duration.ofSeconds(30), 1 << 16));
  }

  private static final Map<String, String> RESOURCES =
      Map.of(
          "slurm", "resource.ngpus = gres/gpu:tesla-v100",
          "gridengine", "resource.ngpus = gpu/slot",
          "openpbs", "resource.ngpus = ngpus",
          "torque", "resource.ngpus = gpus");

  /** Words behind the starter's own path, of all that a connector starts in an account's name. */
  private List<List<String>> asked(String system, String key, List<String> hosts, int count)
      throws Exception {
    List<String> lines =
        List.of(
            "name = c1",
            "system = " + system,
            key.replace(";", "\n"),
            "mode = place",
            "queue = mr.q",
            "spool = " + SPOOL,
            "as = sudo",
            "starter = /starter",
            "user.alice = " + OWNER,
            system.equals("gridengine") ? "parallel_environment = smp" : "",
            system.equals("gridengine") ? "parallel_environment_hosts = mpi.%" : "",
            system.equals("gridengine") ? "memory = h_vmem" : "",
            RESOURCES.get(system));
    Path properties = Files.write(home.resolve("c1.properties"), lines);
    ClusterFile file = ClusterFile.read(properties, StarterIT.KINDS);
    List<List<String>> asked = new ArrayList<>();
    OutsideSystem connector =
        file.kind()
            .open(
                file,
                command -> {
                  List<String> words = command.words();
                  int at = words.indexOf("/starter");
                  if (at >= 0) {
                    asked.add(words.subList(at + 1, words.size()));
                  }
                  return words.contains("squeue") || words.contains("sacct")
                      ? SimulatedSlurm.answer(0, "{\"errors\":[],\"jobs\":[]}", "")
                      : SimulatedSlurm.answer(0, "ClusterName = hand\n", "");
                });
    OutsideSubmission order =
        new OutsideSubmission(
            new OutsideTag("c1", "7-3", 2),
            OWNER,
            "name",
            new OutsideSubmission.OutsidePlace(Optional.of("mr.q"), hosts),
            new OutsideAmounts(
                Collections.nCopies(count, new OutsideShare(2, 1_500_000, 1, Map.of("ngpus", 4L))),
                Optional.of(600L)),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
    connector.submit(order);
    connector.byNumber(OWNER, List.of(OutsideId.of(12), OutsideId.of(13)));
    connector.inDatabase(
        OWNER,
        List.of(new OutsideTag("c1", "7", 2), new OutsideTag("c1", "8-3", 1)),
        Duration.ofSeconds(5));
    connector.limit(OutsideId.of(12), order, 300, false);
    return asked;
  }

  @ParameterizedTest
  @CsvSource({
    "slurm, cluster_name = hand, 3",
    "slurm, 'cluster_name = hand;database = yes', 5",
    "gridengine, sge_root = /sge, 2",
    "openpbs, server = pbs.site, 3",
    "torque, server = pbs.site, 3"
  })
  void aJobThatAsksForMemoryIsTaken(String system, String key, int commands) throws Exception {
    for (List<String> hosts :
        List.of(List.<String>of(), List.of("n-1.site"), List.of("n-1.site", "n2"))) {
      List<List<String>> asked =
          new ArrayList<>(asked(system, key, hosts, Math.max(1, hosts.size())));
      assertEquals(commands, asked.size(), asked::toString);
      asked.addAll(asked(system, key, List.of(), 3));
      assertTrue(asked.get(0).toString().matches(".*(mem|vmem)=[0-9]+.*"), asked::toString);
      assertTrue(asked.get(0).toString().matches(".*gpus?(:.*:|=)[24].*"), asked::toString);
      for (List<String> words : asked) {
        assertEquals("", ask(system, words).err());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "slurm, sbatch --mem=5",
    "slurm, sbatch --mem=M",
    "slurm, 'sbatch --nodelist=n1,'",
    "slurm, 'sbatch --nodelist=n1,-x'",
    "slurm, sbatch --nodes=1-x",
    "gridengine, 'qsub -q a@n1,,b@n2'",
    "openpbs, qsub -l select=1:ncpus=1+",
    "openpbs, qsub -l select=1:ncpus=1+1:host=n1",
    "openpbs, qsub -l select=1:ncpus=1:host=n1:mem=5kb",
    "openpbs, qsub -l place=pack",
    "torque, qsub -l nodes=n1:ppn=1+n2",
    "torque, 'qsub -l nodes=n1:ppn=1,mem=5kb+n2:ppn=1'",
    "slurm, squeue --json -u mrbob",
    "slurm, squeue --user=mrbob",
    "slurm, sacct --json --user=mralice",
    "slurm, 'sacct --json --user=mralice --jobs=1,'",
    "slurm, 'sacct --json --user=mralice --jobs=,1'",
    "slurm, sacct --json --user=mralice --jobs=1.batch",
    "slurm, sacct --json --user=-x --jobs=1",
    "slurm, 'sacct --json --user=mralice --wckeys=mr.c1.1.1,x --starttime=now-5'",
    "slurm, sacct --json --user=mralice --wckeys=mr.c1.1.1 --starttime=now",
    "slurm, sacct --json --user=mralice --jobs=1 --file=/etc/shadow",
    "slurm, sbatch --gres=",
    "slurm, sbatch --gres=gpu:1/x",
    "slurm, sbatch --gres=-gpu:1",
    "gridengine, qsub -l gpu=5x",
    "gridengine, qsub -l gpu=",
    "gridengine, qalter -l gpu=5x 1",
    "gridengine, qalter -l h_rt=5 1.2",
    "openpbs, qsub -l select=1:ncpus=1:x=1:host=n1:y=2",
    "openpbs, qsub -l select=1:ncpus=1:x=1:host=n1+1:ncpus=1:x=",
    "torque, qsub -l nodes=n1:ppn=1:gpus=1+n2:ppn=1:gpus=",
    "gridengine, qsub -l h_vmem=5Kx",
    "openpbs, qsub -l select=1:ncpus=1:mem=5kb:x=",
    "openpbs, qsub -l select=1:ncpus=1:mem=5kb:x",
    "openpbs, qsub -l select=1:ncpus=1:x=$a",
    "openpbs, qstat -f -F json 12.pbs 13.pbs",
    "openpbs, qstat -f",
    "slurm, scontrol update JobId=1 TimeLimit=UNLIMITED",
    "slurm, scontrol update JobId=1 TimeLimit=0:5 Priority=1",
    "gridengine, qalter -l h_rt=5 -p 100 1",
    "gridengine, qalter -l h_rt=5 -u mrbob",
    "openpbs, qalter -l ncpus=5 1.pbs",
    "torque, qalter -l walltime=5 1.pbs 2.pbs",
    "torque, 'qsub -l nodes=1:ppn=1,mem=5kb,x=1'",
    "torque, 'qsub -l nodes=1:ppn=1:gpus=1,x=1'",
    "torque, qstat -x -x",
  })
  void otherWordsAreRefused(String system, String words) throws Exception {
    OutsideAnswer answer = ask(system, List.of(words.split(" ")));
    assertEquals(126, answer.status(), answer::toString);
    assertTrue(answer.err().contains("does not take"), answer::toString);
  }

  private static String path(Path path) throws Exception {
    OutsideAnswer answer =
        new ProcessRunner()
            .run(
                new OutsideCommand(
                    List.of(folder + "/words", "path", path + ""),
                    new byte[0],
                    Map.of(),
                    Duration.ofSeconds(30),
                    1 << 16));
    assertEquals(answer.err().isEmpty() ? 0 : 126, answer.status());
    return answer.err().strip().replace("millrace-outside: refused: ", "");
  }

  private static void open(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  /** Who may write to a folder above it, or to that of a link to it, puts another one there. */
  @Test
  void aPathIsRootsAloneFromItsBegin() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root has files of root's");
    Path deep = Files.createDirectories(home.resolve("a/b"));
    Path program = Files.createFile(deep.resolve("program"));
    Path links = Files.createDirectory(home.resolve("links"));
    Path link = Files.createSymbolicLink(links.resolve("link"), Path.of("../a"));
    Path first = Files.createSymbolicLink(home.resolve("first"), link);
    Path through = first.resolve("b/../b/program");
    assertEquals("", path(program));
    assertEquals("", path(through));
    open(home.resolve("a"), "rwxrwxrwx");
    assertEquals(home.resolve("a") + " is not root's alone", path(program));
    assertEquals(home.resolve("a") + " is not root's alone", path(through));
    open(home.resolve("a"), "rwxr-xr-x");
    open(links, "rwxrwxr-x");
    assertEquals("", path(program));
    assertEquals(links + " is not root's alone", path(through));
    open(links, "rwxr-xr-x");
    Files.setAttribute(link, "unix:uid", 4711, LinkOption.NOFOLLOW_LINKS);
    assertEquals(link + " is not root's alone", path(through));
    open(program, "rwxrwxr-x");
    assertEquals(program + " is not root's alone", path(program));
    assertEquals(
        home.resolve("none") + " cannot be looked at: No such file or directory",
        path(home.resolve("none/program")));
  }

  @Test
  void aWordIsWholeOrIsNone() throws Exception {
    assertEquals(0, ask("slurm", List.of("sbatch", "--mem=5M", "--parsable")).status());
    assertEquals(126, ask("slurm", List.of("sbatch", "--mem=5M --parsable")).status());
  }
}
