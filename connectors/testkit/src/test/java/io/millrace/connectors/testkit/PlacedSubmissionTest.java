package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
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
import org.junit.jupiter.api.Test;
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
        "slurm | cluster_name = hand | --partition=mr --nodelist=n7 | --partition=mr",
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

  /** What qalter is not told of a request it drops. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slurm | cluster_name = hand | scontrol update JobId=12 TimeLimit=0:300",
        "openpbs | server = vm | qalter -l walltime=300 12.vm",
        "torque | server = vm | qalter -l walltime=300 12.vm",
        "gridengine | sge_root = /sge;memory = h_vmem "
            + "| qalter -l millrace=TRUE -l h_rt=300 -l h_vmem=1025K 12",
        "gridengine | sge_root = /sge;memory = h_vmem;resource.ngpus = gpu/slot "
            + "| qalter -l millrace=TRUE -l h_rt=300 -l h_vmem=1025K -l gpu=2 12",
      })
  void aJobGetsAnotherWalltime(String system, String keys, String command) throws Exception {
    List<String> lines = new ArrayList<>(List.of("name = c1", "system = " + system));
    lines.addAll(List.of(keys.split(";")));
    lines.addAll(List.of("mode = place", "queue = mr", "spool = /spool", "user.alice = alice"));
    Map<String, Long> gpus = keys.contains("ngpus") ? Map.of("ngpus", 3L) : Map.of();
    OutsideSubmission order = with(SomeAmounts.of(2, 2049, Optional.empty(), gpus));
    open(lines).limit(OutsideId.of(12), order, 300, false);
    String words = String.join(" ", said);
    assertTrue(words.endsWith("/" + command) || words.equals(command), words);
  }

  @Test
  void aGridEngineChangesNoWalltimeOfAJobThatRunsOrOfATask() throws Exception {
    OutsideSystem cell =
        open(
            List.of(
                "name = c1",
                "system = gridengine",
                "sge_root = /sge",
                "spool = /spool",
                "user.alice = alice"));
    OutsideSubmission order = order(Optional.empty(), 0);
    for (Controlled no :
        List.of(
            cell.limit(OutsideId.of(12), order, 300, true),
            cell.limit(new OutsideId(12, 3), order, 300, false))) {
      assertInstanceOf(Controlled.ControlRefused.class, no);
    }
    assertEquals(List.of(), said);
  }

  /** What each of some hosts is to give: {@code SLOTS/MEMORY_KB/CHUNKS}, and behind that GPUs. */
  private String spread(String system, String keys, List<String> hosts, String... shares)
      throws Exception {
    List<String> lines = new ArrayList<>(List.of("name = c1", "system = " + system));
    lines.addAll(List.of(keys.split(";")));
    lines.addAll(List.of("queue = mr", "spool = /spool", "user.alice = alice"));
    List<OutsideShare> all = new ArrayList<>();
    for (String share : shares) {
      String[] parts = share.split("/");
      all.add(
          new OutsideShare(
              Integer.parseInt(parts[0]),
              Long.parseLong(parts[1]),
              Integer.parseInt(parts[2]),
              parts.length > 3 ? Map.of("ngpus", Long.parseLong(parts[3])) : Map.of()));
    }
    said.clear();
    Submitted answer =
        open(lines)
            .submit(
                new OutsideSubmission(
                    new OutsideTag("c1", "7", 1),
                    "alice",
                    "name",
                    new OutsideSubmission.OutsidePlace(Optional.of("mr"), hosts),
                    new OutsideAmounts(all, Optional.empty()),
                    new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/")));
    return said.isEmpty() ? answer.toString() : " " + String.join(" ", said) + " ";
  }

  private static final String MPI =
      "sge_root = /sge;memory = h_vmem;parallel_environment_hosts = mpi.%";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slurm | cluster_name = hand | --ntasks=4 --cpus-per-task=1 --ntasks-per-node=2 --mem=2M --nodes=2 | --partition=mr --nodelist=n7,n8",
        "openpbs | server = vm | -l select=2:ncpus=2:mem=2048kb -l place=scatter -q mr@vm | -l select=1:ncpus=2:mem=2048kb:host=n7+1:ncpus=2:mem=2048kb:host=n8 -l place=scatter",
        "torque | server = vm | -l nodes=2:ppn=2,mem=4096kb -q mr@vm | -l nodes=n7:ppn=2+n8:ppn=2,mem=4096kb",
        "gridengine | " + MPI + " | -q mr -pe mpi.2 4 -l h_vmem=1024K | -q mr@n7,mr@n8 -pe mpi.2 4",
      })
  void aJobOfTwoHostsSaysWhatEachGives(String system, String keys, String forwarded, String placed)
      throws Exception {
    String[] shares = {"2/2048/2", "2/2048/2"};
    String words = spread(system, keys, List.of(), shares);
    assertTrue(words.contains(" " + forwarded + " "), words);
    words = spread(system, keys, List.of("n7", "n8"), shares);
    assertTrue(words.contains(" " + placed + " "), words);
  }

  /** Pieces that differ are asked for as hosts, where each gives the same. */
  @Test
  void oneTaskForEachHostWherePiecesDiffer() throws Exception {
    String words = spread("slurm", "cluster_name = hand", List.of(), "4/0/2", "4/0/1");
    assertTrue(
        words.contains(" --ntasks=2 --cpus-per-task=4 --ntasks-per-node=1 --nodes=2 "), words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slurm | cluster_name = hand | --ntasks=3 --cpus-per-task=2 --mem-per-cpu=2M --nodes=2",
        "openpbs | server = vm | -l select=1:ncpus=4:mem=4096kb+1:ncpus=2:mem=2050kb -l place=scatter",
        "torque | server = vm | -l nodes=1:ppn=4+1:ppn=2,mem=6146kb",
      })
  void hostsMayGiveDifferentNumbers(String system, String keys, String wanted) throws Exception {
    String words = spread(system, keys, List.of(), "4/4096/2", "2/2050/1");
    assertTrue(words.contains(" " + wanted + " "), words);
  }

  @Test
  void whatASystemCannotSayIsRefused() throws Exception {
    String slurm = "cluster_name = hand";
    String each = "; ask for as many of each, as with place=scatter";
    assertEquals(
        new Submitted.SubmissionRefused("Slurm gives no job 2 + 1 processors of its hosts" + each)
            .toString(),
        spread("slurm", slurm, List.of("n7", "n8"), "2/0/2", "1/0/1"));
    assertEquals(
        new Submitted.SubmissionRefused("Slurm gives no job 3 + 2 processors of its hosts" + each)
            .toString(),
        spread("slurm", slurm, List.of(), "3/0/1", "2/0/1"));
    assertEquals(
        new Submitted.SubmissionRefused(
                "Grid Engine gives each host of a job as many slots as any other, not 2 + 1" + each)
            .toString(),
        spread("gridengine", MPI, List.of(), "2/0/2", "1/0/1"));
    assertEquals(
        new Submitted.SubmissionRefused(
                "more than one host needs the key parallel_environment_hosts")
            .toString(),
        spread("gridengine", "sge_root = /sge", List.of(), "1/0/1", "1/0/1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slurm | cluster_name = hand;resource.ngpus = gres/gpu | --mem=2M --nodes=2 --gres=gpu:3 ",
        "openpbs | server = vm;resource.ngpus = gpus | -l select=2:ncpus=2:mem=2048kb:gpus=3 -l place=scatter",
        "torque | server = vm;resource.ngpus = gpus | -l nodes=2:ppn=2:gpus=3,mem=4096kb",
        "gridengine | " + MPI + ";resource.ngpus = gpu/slot | -pe mpi.2 4 -l h_vmem=1024K -l gpu=2",
      })
  void eachHostGivesWhatElseIsAskedFor(String system, String keys, String wanted) throws Exception {
    String words = spread(system, keys, List.of(), "2/2048/2/3", "2/2048/2/3");
    assertTrue(words.contains(" " + wanted + " "), words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "openpbs | gpus | -l select=1:ncpus=2:gpus=3:host=n7+1:ncpus=2:host=n8 -l place=scatter",
        "torque | gpus | -l nodes=n7:ppn=2:gpus=3+n8:ppn=2",
      })
  void oneOfTheHostsMayGiveMoreElse(String system, String there, String wanted) throws Exception {
    String keys = "server = vm;resource.ngpus = " + there;
    String words = spread(system, keys, List.of("n7", "n8"), "2/0/1/3", "2/0/1");
    assertTrue(words.contains(" " + wanted + " "), words);
    words = spread(system, keys, List.of(), "2/0/1/3", "2/0/1");
    String chosen = wanted.replaceAll("n[78]:ppn", "1:ppn").replaceAll(":host=n[78]", "");
    assertTrue(words.contains(" " + chosen + " "), words);
  }

  @Test
  void whatElseASystemCannotSayOfEachHostIsRefused() throws Exception {
    String each = "; ask for as much of each, as with place=scatter";
    String slurm = "cluster_name = hand;resource.ngpus = gres/gpu";
    assertEquals(
        new Submitted.SubmissionRefused(
                "Slurm gives a job as much of --gres of each of its hosts, not more of one" + each)
            .toString(),
        spread("slurm", slurm, List.of(), "2/0/1/3", "2/0/1"));
    assertEquals(
        new Submitted.SubmissionRefused(
                "Grid Engine gives a job as much of a complex for each slot, not more on one host"
                    + each)
            .toString(),
        spread("gridengine", MPI + ";resource.ngpus = gpu/slot", List.of(), "2/0/1/3", "2/0/1/1"));
    assertEquals(
        new Submitted.SubmissionRefused(
                "Grid Engine counts gpu once for a job and not on each of its hosts; a job of several"
                    + " hosts takes a complex that is counted for each slot")
            .toString(),
        spread("gridengine", MPI + ";resource.ngpus = gpu", List.of(), "2/0/1/3", "2/0/1/3"));
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
    OutsideSubmission order =
        with(SomeAmounts.of(2, 0, Optional.empty(), Map.of("ngpus", 3L, "none", 0L)));
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

  private static OutsideSubmission with(OutsideAmounts amounts) {
    OutsideSubmission plain = order(Optional.empty(), 0);
    return new OutsideSubmission(
        plain.tag(), plain.account(), plain.name(), plain.place(), amounts, plain.work());
  }

  private static OutsideSubmission order(Optional<String> host, long memoryKb) {
    return new OutsideSubmission(
        new OutsideTag("c1", "7", 1),
        "alice",
        "name",
        new OutsideSubmission.OutsidePlace(Optional.of("mr"), host.stream().toList()),
        SomeAmounts.of(2, memoryKb, Optional.empty()),
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
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            SomeAmounts.of(1, 0, Optional.empty()),
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
