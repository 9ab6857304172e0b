package io.millrace.connectors.testkit;

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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of which commands say what a test has them say, and the check of its file. */
abstract class CheckedCluster {

  static final String SELF = System.getProperty("user.name");

  @TempDir Path home;
  final Map<String, OutsideAnswer> answers = new LinkedHashMap<>();
  final List<String> file = new ArrayList<>();

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
            "qalter",
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

  void good(String words, String out) {
    answers.put(words, new OutsideAnswer(ProcessEnding.EXITED, 0, out, "", Duration.ofMillis(5)));
  }

  void bad(String words, String err) {
    answers.put(words, new OutsideAnswer(ProcessEnding.EXITED, 1, "", err, Duration.ofMillis(5)));
  }

  /** The lines that are wrong. */
  List<String> wrong(String... more) throws Exception {
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

  List<String> slurm(String... more) throws Exception {
    List<String> all = new ArrayList<>(List.of("system = slurm", "cluster_name = hand"));
    all.addAll(List.of(more));
    return wrong(all.toArray(String[]::new));
  }

  List<String> gridEngine(String... more) throws Exception {
    List<String> all = new ArrayList<>(List.of("system = gridengine"));
    all.addAll(List.of(more));
    if (all.stream().noneMatch(it -> it.startsWith("sge_root"))) {
      all.add("sge_root = " + home + "/sge");
    }
    return wrong(all.toArray(String[]::new));
  }
}
