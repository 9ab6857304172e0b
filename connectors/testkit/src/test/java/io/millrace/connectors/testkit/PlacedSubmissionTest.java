package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.openpbs.PbsKind;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.torque.TorqueKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With which words a submission names its host, and an array its tasks. */
class PlacedSubmissionTest {

  private static final List<OutsideKind> KINDS =
      List.of(new SgeKind(), new SlurmKind(), new PbsKind(), new TorqueKind());

  @TempDir Path folder;

  /** Words of all commands. */
  private final List<String> said = new ArrayList<>();

  /** The system of a file with these lines; each command fails. */
  private OutsideSystem open(List<String> lines) throws Exception {
    ClusterFile cluster = ClusterFile.read(Files.write(folder.resolve("c"), lines), KINDS);
    return cluster
        .kind()
        .open(
            cluster,
            command -> {
              if (command.words().contains("config")) {
                String name = "ClusterName = hand\n";
                return new OutsideAnswer(ProcessEnding.EXITED, 0, name, "", Duration.ZERO);
              }
              said.addAll(command.words());
              return new OutsideAnswer(ProcessEnding.EXITED, 1, "", "no", Duration.ZERO);
            });
  }

  private String words(String system, String key, String mode, Optional<String> host)
      throws Exception {
    open(List.of(
            "name = c1",
            "system = " + system,
            key,
            "mode = " + mode,
            "queue = mr",
            "spool = /spool",
            "user.alice = alice"))
        .submit(order(host, 0));
    String words = " " + String.join(" ", said) + " ";
    said.clear();
    return words;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slurm | cluster_name = hand | --partition=mr --nodes=1 --nodelist=n7 | --partition=mr",
        "openpbs | server = vm | select=1:ncpus=2:host=n7 -q mr@vm | select=1:ncpus=2 -q mr@vm",
        "torque | server = vm | nodes=n7:ppn=2 -q mr@vm | nodes=1:ppn=2 -q mr@vm",
      })
  void theHostStandsInTheSubmission(String system, String key, String placed, String forwarded)
      throws Exception {
    String words = words(system, key, "place", Optional.of("n7"));
    assertTrue(words.contains(" " + placed + " "), words);
    words = words(system, key, "forward", Optional.empty());
    assertTrue(words.contains(" " + forwarded + " "), words);
    assertEquals(-1, words.indexOf("n7"));
  }

  /** What a job may use is taken off what the outside scheduler gives to others. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slurm | cluster_name = hand | --mem=3M",
        "openpbs | server = vm | -l select=1:ncpus=2:mem=2049kb",
        "torque | server = vm | -l nodes=1:ppn=2,mem=2049kb",
        "gridengine | sge_root = /sge;parallel_environment = smp;memory = h_vmem | -l h_vmem=1025K",
      })
  void memoryIsAskedFor(String system, String keys, String memory) throws Exception {
    List<String> lines = new ArrayList<>(List.of("name = c1", "system = " + system));
    lines.addAll(List.of(keys.split(";")));
    lines.addAll(List.of("queue = mr", "spool = /spool", "user.alice = alice"));
    open(lines).submit(order(Optional.empty(), 2049));
    String words = " " + String.join(" ", said) + " ";
    assertTrue(words.contains(" " + memory + " "), words);
    said.clear();
    open(lines).submit(order(Optional.empty(), 0));
    assertEquals(-1, String.join(" ", said).indexOf("mem"));
  }

  /** By the words of the cluster's file, with numbers; what the file does not name is refused. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slurm | cluster_name = hand | gres/gpu | --gres=gpu:3",
        "slurm | cluster_name = hand | gres/gpu:tesla | --gres=gpu:tesla:3",
        "openpbs | server = vm | gpus | -l select=1:ncpus=2:gpus=3",
        "torque | server = vm | gpus | -l nodes=1:ppn=2:gpus=3",
        "gridengine | sge_root = /sge;parallel_environment = smp | gpu | -l gpu=3",
        "gridengine | sge_root = /sge;parallel_environment = smp | gpu/slot | -l gpu=2",
      })
  void whatTheFileNamesIsAskedFor(String system, String keys, String there, String words)
      throws Exception {
    List<String> lines = new ArrayList<>(List.of("name = c1", "system = " + system));
    lines.addAll(List.of(keys.split(";")));
    lines.addAll(List.of("queue = mr", "spool = /spool", "user.alice = alice"));
    OutsideSubmission plain = order(Optional.empty(), 0);
    OutsideSubmission order =
        new OutsideSubmission(
            plain.tag(),
            plain.account(),
            plain.name(),
            plain.place(),
            new OutsideAmounts(2, 0, Optional.empty(), Map.of("ngpus", 3L, "none", 0L)),
            plain.work());
    Submitted refused = open(lines).submit(order);
    assertEquals(
        new Submitted.SubmissionRefused("the cluster's file has no key resource.ngpus"), refused);
    assertEquals(-1, String.join(" ", said).indexOf("sub -"));
    said.clear();
    lines.add("resource.ngpus = " + there);
    open(lines).submit(order);
    String all = " " + String.join(" ", said) + " ";
    assertTrue(all.contains(" " + words + " "), all);
  }

  private static OutsideSubmission order(Optional<String> host, long memoryKb) {
    return new OutsideSubmission(
        new OutsideTag("c1", "7", 1),
        "alice",
        "name",
        new OutsideSubmission.OutsidePlace(Optional.of("mr"), host),
        new OutsideAmounts(2, memoryKb, Optional.empty()),
        new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
  }

  /** A Grid Engine starts nothing in the managed queue that does not ask for its complex. */
  @ParameterizedTest
  @CsvSource({"place,n7,mr@n7,true", "forward,,mr,false"})
  void aGridEnginesJobsAskForTheComplexToo(String mode, String host, String queue, boolean complex)
      throws Exception {
    String key = "parallel_environment = smp\nsge_root = /sge";
    String words = words("gridengine", key, mode, Optional.ofNullable(host));
    assertTrue(words.contains(" -q " + queue + " "), words);
    assertEquals(complex, words.contains(" -l millrace=TRUE "), words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slurm | cluster_name = hand | --wckey=mr.c1.7.9 --array=1-2 | scancel 12_3",
        "gridengine | sge_root = /sge | -ac MILLRACE=mr.c1.7.9 -t 1-2 | qdel 12.3",
      })
  void anArrayNamesItsTasks(String system, String key, String tasks, String delete)
      throws Exception {
    List<String> lines =
        List.of("name = c1", "system = " + system, key, "spool = /spool", "user.alice = alice");
    OutsideSystem open = open(lines);
    OutsideSubmission run =
        new OutsideSubmission(
            new OutsideTag("c1", "7-1", 1),
            "alice",
            "name",
            new OutsideSubmission.OutsidePlace(Optional.empty(), Optional.empty()),
            new OutsideAmounts(1, 0, Optional.empty()),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
    open.submitArray(new OutsideTag("c1", "7", 9), List.of(run, run));
    open.control(new OutsideId(12, 3), "alice", OutsideAction.DELETE);
    String words = " " + String.join(" ", said) + " ";
    assertTrue(words.contains(" " + tasks + " "), words);
    assertTrue(words.endsWith("/" + delete + " ") || words.endsWith(" " + delete + " "), words);
    assertTrue(open.tasksMost() > 1);
    List<String> started = new ArrayList<>(lines);
    started.addAll(List.of("as = sudo", "starter = /usr/local/lib/x"));
    assertEquals(1, open(started).tasksMost());
  }
}
