package io.millrace.connectors.bridge.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.schemas.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wrapper itself, run by bash as an outside system would. */
class RunWrapperTest {

  private static final String TELL = "#!/bin/bash\nprintf '%s\\0' \"$PWD\" \"$WORD\" \"$@\"\n";

  @TempDir Path spool;

  @BeforeEach
  void account() throws IOException {
    Files.createDirectory(spool.resolve("alice"));
  }

  private static OutsideSubmission order(
      String script, List<String> arguments, Map<String, String> environment, String folder) {
    return new OutsideSubmission(
        new OutsideTag("c1", "12", 1),
        "alice",
        "name",
        new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
        SomeAmounts.of(1, 0, Optional.empty()),
        new OutsideSubmission.SubmittedScript(
            script.getBytes(StandardCharsets.UTF_8), arguments, environment, folder));
  }

  private OutsideAnswer run(OutsideSubmission order) throws InterruptedException {
    return run(order, Map.of("JOB_ID", "77"));
  }

  private OutsideAnswer run(OutsideSubmission order, Map<String, String> variables)
      throws InterruptedException {
    return run(RunWrapper.of(spool.toString(), order), variables);
  }

  private static OutsideAnswer run(byte[] wrapper, Map<String, String> variables)
      throws InterruptedException {
    return new ProcessRunner()
        .run(
            new OutsideCommand(
                List.of("/bin/bash", "-s"), wrapper, variables, Duration.ofSeconds(20), 100_000));
  }

  private Path made(String file) {
    return Path.of(
            RunWrapper.folder(spool.toString(), "alice", order("", List.of(), Map.of(), "/").tag()))
        .resolve(file);
  }

  @ParameterizedTest
  @CsvSource({
    "SLURM_JOB_ID, 12",
    "OAR_JOB_ID, 12",
    "JOB_ID, 12",
    "PBS_JOBID, 12.vm",
    "PBS_JOBID, 12[3].n1.site"
  })
  void theClaimNamesTheJobByTheNumberOfEachSystem(String variable, String value) throws Exception {
    run(order("#!/bin/sh\n", List.of(), Map.of(), "/"), Map.of(variable, value));
    assertTrue(Files.readString(made("claim")).startsWith("id=12\n"));
  }

  /** As each system tells its jobs; a word of the user in their place changes nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SLURM_JOB_NODELIST=n[08-10,3].x,m;SLURM_TASKS_PER_NODE=2(x4),1 | n08.x 2 tasks/n09.x 2 tasks/n10.x 2 tasks/n3.x 2 tasks/m 1 tasks",
        "SLURM_JOB_NODELIST=n1;SLURM_TASKS_PER_NODE=1 | n1 1 tasks",
        "SLURM_JOB_NODELIST=r[8-10] | r8/r9/r10",
        "PE_HOSTFILE=FILE;TEXT=n1.site 2 all.q@n1.site UNDEFINED/n2 4 all.q@n2 UNDEFINED | n1.site 2 slots/n2 4 slots",
        "OAR_NODEFILE=FILE;TEXT=n2/n2/n1 | n2/n1",
        "PBS_NODEFILE=FILE;TEXT=n2/n1/n2 | n2/n1",
        "PBS_NODEFILE=FILE;PBS_NP=3;TEXT=n2/n1/n2 | n2 2 slots/n1 1 slots",
        "HOSTNAME=alone | alone",
      })
  void theHostsOfTheJobAreWrittenDown(String told, String hosts) throws Exception {
    Map<String, String> variables = new HashMap<>();
    Path file = spool.resolve("hosts of it");
    for (String each : told.split(";")) {
      String[] pair = each.split("=", 2);
      variables.put(pair[0], pair[1].replace("FILE", file.toString()));
    }
    Files.writeString(file, variables.getOrDefault("TEXT", "").replace('/', '\n') + "\n");
    variables.remove("TEXT");
    Map<String, String> words =
        Map.of("SLURM_JOB_NODELIST", "$(id)", "PBS_NODEFILE", "/etc/passwd", "HOSTNAME", "x");
    assertEquals(0, run(order("#!/bin/sh\n", List.of(), words, "/"), variables).status());
    List<String> lines = Files.readAllLines(made("hosts")).stream().map(String::strip).toList();
    assertEquals(List.of(hosts.split("/")), lines);
  }

  @Test
  void theScriptRunsAndItsEndIsWrittenDown() throws Exception {
    OutsideAnswer answer =
        run(order("#!/bin/sh\necho out\necho err >&2\nexit 9\n", List.of(), Map.of(), "/"));
    assertEquals(9, answer.status(), answer.err());
    assertEquals("out\n", Files.readString(made("stdout")));
    assertEquals("err\n", Files.readString(made("stderr")));
    assertTrue(Files.readString(made("claim")).startsWith("id=77\n"));
    assertTrue(Files.readString(made("exit")).startsWith("status=9\nended="));
  }

  /** A job that the script submits with all of its variables would be taken for the run itself. */
  @Test
  void theScriptIsNotToldTheMarkOfItsJob() throws Exception {
    String script = "#!/bin/sh\necho ${MILLRACE-none}\n";
    run(order(script, List.of(), Map.of(), "/"), Map.of("JOB_ID", "1", "MILLRACE", "mr.c1.12.1"));
    assertEquals("none\n", Files.readString(made("stdout")));
  }

  /** A Grid Engine has the job run again, or keeps it; who asked for the run is told the truth. */
  @ParameterizedTest
  @CsvSource({"98, 98", "99, 1", "100, 1", "101, 101"})
  void statusesThatAreOrdersToAGridEngineStayHere(int status, int told) throws Exception {
    OutsideSubmission order = order("#!/bin/sh\nexit " + status + "\n", List.of(), Map.of(), "/");
    assertEquals(told, run(order, Map.of("SGE_TASK_ID", "undefined")).status());
    assertTrue(Files.readString(made("exit")).startsWith("status=" + status + "\n"));
  }

  @Test
  void aSecondCopyRunsNothing() throws Exception {
    OutsideSubmission order =
        order("#!/bin/sh\necho run >> " + spool + "/count\n", List.of(), Map.of(), "/");
    assertEquals(0, run(order).status());
    OutsideAnswer second = run(order);
    assertEquals(RunWrapper.SECOND_COPY, second.status());
    assertTrue(second.err().contains("begun elsewhere"), second.err());
    assertEquals("run\n", Files.readString(spool.resolve("count")));
  }

  /** Who sends it can be killed in the middle; then it has to begin nothing. */
  @Test
  void whatWasCutOffOnItsWayTakesNoClaim() throws Exception {
    byte[] whole =
        RunWrapper.of(spool.toString(), order("#!/bin/sh\n", List.of("a"), Map.of(), "/"));
    String text = new String(whole, StandardCharsets.US_ASCII);
    for (String last :
        List.of(
            "\n{",
            "74\n",
            "leave script\n",
            "END\n",
            "words=(\n",
            "\n)\n",
            "chmod 700",
            "status=$?",
            "exit")) {
      assertTrue(text.contains(last), last);
      int end = text.lastIndexOf(last) + last.length();
      OutsideAnswer answer = run(Arrays.copyOf(whole, end), Map.of());
      assertNotEquals(0, answer.status(), last);
      assertFalse(Files.exists(made("")), last);
    }
    assertEquals(0, run(whole, Map.of()).status());
  }

  /** Of comments alone bash makes a good end; the claim that nobody took tells it from one. */
  @Test
  void whatWasCutOffBeforeItsFirstCommandTakesNoClaimEither() throws Exception {
    byte[] whole = RunWrapper.of(spool.toString(), order("#!/bin/sh\n", List.of(), Map.of(), "/"));
    int comments = new String(whole, StandardCharsets.US_ASCII).indexOf("\n{");
    for (int end : new int[] {0, "#!/bin/b".length(), comments}) {
      assertEquals(RunWrapper.EMPTY, run(Arrays.copyOf(whole, end), Map.of()).status());
      assertFalse(Files.exists(made("")), () -> end + " bytes");
    }
  }

  /** A limit of file sizes is as a disk without room, for the claim or the script. */
  @ParameterizedTest
  @CsvSource({"0, 0", "1, 3000"})
  void withoutRoomItLeavesNothingBehind(int blocks, int script) throws Exception {
    OutsideSubmission order = order("#!/bin/sh\n" + "#".repeat(script), List.of(), Map.of(), "/");
    byte[] wrapper = RunWrapper.of(spool.toString(), order);
    byte[] limit = ("ulimit -f " + blocks + "\n").getBytes(StandardCharsets.US_ASCII);
    byte[] limited = Arrays.copyOf(limit, limit.length + wrapper.length);
    System.arraycopy(wrapper, 0, limited, limit.length, wrapper.length);
    OutsideAnswer answer = run(limited, Map.of("JOB_ID", "77"));
    assertEquals(RunWrapper.NO_FOLDER, answer.status(), answer.err());
    assertTrue(answer.err().contains("millrace: cannot write " + spool), answer.err());
    assertFalse(Files.exists(made("")));
  }

  @Test
  void thatItHasBegunIsKnownWhenItsScriptRemovesItsFolder() throws Exception {
    OutsideSubmission order =
        order("#!/bin/sh\nrm -r " + made("") + "\nexit 2\n", List.of(), Map.of(), "/");
    assertEquals(2, run(order).status());
    assertTrue(Files.readString(made("claim")).startsWith("id=77\n"));
    assertTrue(Files.readString(made("exit")).startsWith("status=2\n"));
  }

  /** No folder can be made for it, and its status must not be that of a wrapper without a claim. */
  @ParameterizedTest
  @CsvSource({"0, 1", "2, 1", "73, 1", "74, 1", "3, 3"})
  void aScriptThatRemovesAllFoldersHasBegun(int status, int told) throws Exception {
    OutsideSubmission order =
        order(
            "#!/bin/sh\nrm -r " + spool.resolve("alice") + "\nexit " + status + "\n",
            List.of(),
            Map.of(),
            "/");
    assertEquals(told, run(order).status());
  }

  /** Each task is the run of its place, under the number that the system has for it. */
  @ParameterizedTest
  @CsvSource({
    "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_JOB_ID=40 SLURM_JOB_ID=41, 40.2, 2",
    "SGE_TASK_ID=1 JOB_ID=77, 77.1, 1"
  })
  void aTaskOfAnArrayIsTheRunOfItsPlace(String variables, String id, int run) throws Exception {
    List<OutsideSubmission> runs = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      runs.add(
          new OutsideSubmission(
              new OutsideTag("c1", "5-" + i, 1),
              "alice",
              "name",
              new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
              SomeAmounts.of(1, 0, Optional.empty()),
              new OutsideSubmission.SubmittedScript(
                  ("#!/bin/sh\nexit 3" + i + "\n").getBytes(StandardCharsets.UTF_8),
                  List.of(),
                  Map.of(),
                  "/")));
    }
    byte[] wrapper = RunWrapper.ofArray(spool.toString(), runs);
    Map<String, String> found = new LinkedHashMap<>();
    for (String each : variables.split(" ")) {
      found.put(each.split("=")[0], each.split("=")[1]);
    }
    assertEquals(30 + run, run(wrapper, found).status());
    Path folder = spool.resolve("alice").resolve(runs.get(run - 1).tag().toString());
    assertTrue(Files.readString(folder.resolve("claim")).startsWith("id=" + id + "\n"));
    assertEquals(RunWrapper.NO_FOLDER, run(wrapper, Map.of("JOB_ID", "77")).status());
  }

  @Test
  void withoutAPlaceForItsFolderItSaysSo() throws Exception {
    Files.delete(spool.resolve("alice"));
    OutsideAnswer answer = run(order("#!/bin/sh\n", List.of(), Map.of(), "/"));
    assertEquals(RunWrapper.NO_FOLDER, answer.status());
    assertTrue(answer.err().contains("cannot make " + spool), answer.err());
  }

  @Test
  void aFolderThatIsNotThereIsAnEnd() throws Exception {
    assertEquals(1, run(order("#!/bin/sh\n", List.of(), Map.of(), "/no/such")).status());
    assertTrue(Files.readString(made("exit")).startsWith("status=1\n"));
  }

  @Test
  void aScriptThatASignalEndsIsSaidAsSuch() throws Exception {
    assertEquals(137, run(order("#!/bin/bash\nkill -9 $$\n", List.of(), Map.of(), "/")).status());
    assertTrue(Files.readString(made("exit")).startsWith("status=137\n"));
  }

  @Test
  void aSignalForBothWaitsForTheScript() throws Exception {
    String script = "#!/bin/bash\ntrap 'exit 5' TERM\nkill -TERM $PPID\n/bin/true\nkill -TERM $$\n";
    assertEquals(5, run(order(script, List.of(), Map.of(), "/")).status());
    assertTrue(Files.readString(made("exit")).startsWith("status=5\n"));
  }

  /** In bash 5.2 a wait that a signal breaks off loses the status about one time in ten. */
  @Test
  void aScriptThatEndsWhileASignalComesIsSaidWithItsOwnStatus() throws Exception {
    String script = "#!/bin/bash\ntrap 'exit 5' TERM\nkill -TERM $PPID $$\n";
    for (int i = 0; i < 40; i++) {
      assertEquals(5, run(order(script, List.of(), Map.of(), "/")).status(), "of copy " + i);
      for (String file : List.of("claim", "exit", "hosts", "script", "stdout", "stderr")) {
        Files.delete(made(file));
      }
      Files.delete(made(""));
    }
  }

  /** No word of a user reaches a shell: they come out of it as they went in. */
  @Test
  void hostileWordsComeThroughAsTheyAre() throws Exception {
    Random random = new Random(Seeds.TODAY);
    String[] parts = {
      "'",
      "\"",
      "$(touch /tmp/millrace-hostile)",
      "`id`",
      "\n",
      "\r",
      "\\",
      "-",
      "--",
      " ",
      "\t",
      "END\n",
      "*",
      "~",
      "é",
      "\u0001",
      ";",
      "&",
      "|",
      "#!",
      "#$ -t 1-3",
      "#SBATCH -n 9",
      "!",
      "=",
      "%"
    };
    List<String> words = new ArrayList<>(List.of("", "-n", "END"));
    for (int i = 0; i < 200; i++) {
      StringBuilder word = new StringBuilder();
      for (int k = random.nextInt(6); k >= 0; k--) {
        word.append(parts[random.nextInt(parts.length)]);
      }
      words.add(word.toString());
    }
    Path folder = Files.createDirectory(spool.resolve("-a 'b' $(id)"));
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("WORD", words.get(100));
    OutsideAnswer answer = run(order(TELL, words, environment, folder.toString()));
    assertEquals(0, answer.status(), answer.err());
    List<String> expected = new ArrayList<>(List.of(folder.toString(), words.get(100)));
    expected.addAll(words);
    assertEquals(String.join("\0", expected) + "\0", Files.readString(made("stdout")));
    assertFalse(Files.exists(Path.of("/tmp/millrace-hostile")));
  }

  @Test
  void whatIsNoNameOfAVariableIsRefused() {
    for (String name : List.of("", "a-b", "1a", "a b", "a=b")) {
      OutsideSubmission order = order("", List.of(), Map.of(name, "x"), "/");
      assertThrows(
          IllegalArgumentException.class, () -> RunWrapper.of(spool.toString(), order), name);
    }
  }
}
