package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.RunContext;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunNodes;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import io.millrace.connectors.local.run.SomeContext;
import io.millrace.connectors.local.run.Staging;
import io.millrace.schemas.pbs.jobs.StagingPair;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job finds around it on its host, tried with the shell of this one. */
class ForwardScriptTest {

  @TempDir Path folder;

  private RunRequest request(RunProgram program, RunFiles files, Map<String, String> variables) {
    return new RunRequest(
        new RunId("12.vm", 1),
        new RunOwner("alice", ""),
        program,
        SomeContext.of("name", "c1", variables, List.of("one@c1"), 2),
        files,
        new RunTerms(60, 10, "0 1 2"));
  }

  /** Of two hosts: three chunks of two processors each on the first, one on the other. */
  private RunRequest spread(int linesOfSecond) {
    return spread(
        List.of(
            new RunNodes.NodeHost("one@c1", 3, 6, 0, 3, Map.of()),
            new RunNodes.NodeHost("two@c1", linesOfSecond, 2, 0, 1, Map.of())));
  }

  private RunRequest spread(List<RunNodes.NodeHost> hosts) {
    RunNodes nodes = new RunNodes(List.of(), hosts);
    return new RunRequest(
        new RunId("12.vm", 1),
        new RunOwner("alice", ""),
        script("cat $PBS_NODEFILE"),
        new RunContext("name", "c1", Map.of(), nodes, 2, RunContext.RunStart.HOME),
        new RunFiles("" + folder.resolve("out"), "/dev/null", "n", 077),
        new RunTerms(60, 10, "0 1 2"));
  }

  /**
   * The hosts that the wrapper has found are those of the node file, whichever were chosen here.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | x 3 tasks/y 1 tasks | x x x y",
        "1 | x 1 tasks/y 3 tasks | x y y y",
        "1 | x 2 tasks/y 2 tasks | x x y y",
        "1 | x 2 slots/y 6 slots | x y y y",
        "1 | x/y | x x x y",
        "1 | x | x x x x",
        "3 | x 1 slots/y 9 slots | x x x y y y",
      })
  void theNodeFileNamesTheHostsThatTheJobHas(int second, String hosts, String lines)
      throws Exception {
    Files.writeString(folder.resolve("hosts"), hosts.replace('/', '\n') + "\n");
    assertEquals(0, run(spread(second)));
    assertEquals(lines.replace(' ', '\n') + "\n", Files.readString(folder.resolve("out")));
  }

  /**
   * Pieces that are not alike go as a task for each host, where all hosts have as many processors:
   * tasks say nothing there, and names do. Lines are given out by names, which the cluster may tell
   * in another order, where these were asked for, or where no host has more than another.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "false | one 2 4 2/two 1 4 1 | x 1 tasks/y 1 tasks | x x y",
        "false | one 2 4 2/two 1 4 1 | two 1 tasks/one.site 1 tasks | two one.site one.site",
        "false | one 2 4 2/two 1 4 1 | two 4 slots/one 4 slots | two one one",
        "true | one 3 6 3/two 1 2 1 | two/one | two one one one",
        "true | one 3 6 3/two 1 2 1 | x/y | x x x y",
        "false | one 3 6 3/two 1 2 1 | two 3 tasks/one 1 tasks | two two two one",
        "false | one 3 6 3/two 2 4 2 | x 1 tasks/y 1 tasks/z 3 tasks | x y z z z",
        "false | one 4 6 3/two 3 4 2 | x 1 tasks/y 4 tasks | x y y y y y y",
        "false | one 1 6 3/two 2 4 2 | x 1 tasks/y 4 tasks | x y y",
      })
  void eachHostHasTheLinesOfItsPieces(boolean firm, String parts, String hosts, String lines)
      throws Exception {
    List<RunNodes.NodeHost> asked = new ArrayList<>();
    for (String part : parts.split("/")) {
      String[] word = part.split(" ");
      asked.add(
          new RunNodes.NodeHost(
              word[0] + "@c1",
              Integer.parseInt(word[1]),
              Integer.parseInt(word[2]),
              0,
              Integer.parseInt(word[3]),
              Map.of()));
    }
    Files.writeString(folder.resolve("hosts"), hosts.replace('/', '\n') + "\n");
    assertEquals(0, run(spread(asked), firm));
    assertEquals(lines.replace(' ', '\n') + "\n", Files.readString(folder.resolve("out")));
  }

  @Test
  void aNodeFileOfHostsThatNobodyHasToldSaysSo() throws Exception {
    assertEquals(0, run(spread(1)));
    assertEquals("one\none\none\ntwo\n", Files.readString(folder.resolve("out")));
    assertEquals(
        "node file has hosts as chosen, not as given\n", Files.readString(folder.resolve("told")));
  }

  private int run(RunRequest request) throws Exception {
    return run(request, false);
  }

  private int run(RunRequest request, boolean firm) throws Exception {
    String text = new String(ForwardScript.text(request, firm), StandardCharsets.US_ASCII);
    Path script =
        Files.writeString(
            folder.resolve("script"),
            text.replace("/sys/fs/cgroup", folder + "/sys")
                .replace("/proc/self/cgroup", folder + "/groups"));
    List<String> words = new ArrayList<>(List.of("/bin/bash", script.toString()));
    words.addAll(ForwardScript.arguments(request));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().putAll(ForwardScript.environment(request));
    builder.redirectOutput(folder.resolve("said").toFile());
    Process process = builder.start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return process.exitValue();
  }

  private static RunProgram script(String text) {
    return new RunProgram.Script(text.getBytes(StandardCharsets.UTF_8), "/bin/bash");
  }

  @Test
  void outputStatusAndEnvironmentAreThoseOfAJob() throws Exception {
    Path output = folder.resolve("an 'output' $(id)");
    RunRequest request =
        request(
            script(
                "echo \"$PBS_JOBID $PBS_JOBNAME $PBS_QUEUE $NCPUS $ENVIRONMENT $MILLRACE_RUN $ODD\";"
                    + " cat $PBS_NODEFILE;"
                    + " echo wrong >&2; exit 7"),
            new RunFiles("vm:" + output, "vm:" + folder + "/", "n", 0027),
            Map.of("ODD", "a 'b' $(id)", "BASH_FUNC_x%%", "() { :; }"));
    assertEquals(7, run(request));
    assertEquals("12.vm name c1 2 BATCH 1 a 'b' $(id)\none\n", Files.readString(output));
    assertEquals("wrong\n", Files.readString(folder.resolve("12.vm.ER")));
    assertEquals("rw-r-----", modes(output));
    assertTrue(Files.readString(folder.resolve("times")).contains("m"));
    assertEquals("", Files.readString(folder.resolve("said")));
  }

  /** Of both kinds of groups the whole job's counts; one that is not the job's says nothing. */
  @Test
  void whatTheJobsOwnGroupHeldAtMostIsKept() throws Exception {
    Path job = folder.resolve("sys/system.slice/n1_slurmstepd.scope/job_17");
    Path old = folder.resolve("sys/memory/slurm/uid_1001/job_17");
    Files.createDirectories(job);
    Files.createDirectories(old);
    RunRequest request =
        request(
            script("exit 3"),
            new RunFiles("/dev/null", "/dev/null", "n", 077),
            Map.of("SLURM_JOB_ID", "17"));
    Path peak = folder.resolve("peak");
    for (String none :
        List.of(
            "",
            "0::/\n",
            "0::/system.slice/slurmd.service\n",
            "0::/x/job_171/step_0\n",
            "4:memory:/job_1\n")) {
      Files.writeString(folder.resolve("groups"), none);
      assertEquals(3, run(request));
      assertFalse(Files.exists(peak), none);
    }
    Files.writeString(job.resolve("memory.peak"), "4096000\n");
    Files.writeString(
        folder.resolve("groups"),
        "1:name=systemd:/x\n0::/system.slice/n1_slurmstepd.scope/job_17/step_batch/user/task_0\n");
    assertEquals(3, run(request));
    assertEquals("4096000\n", Files.readString(peak));
    Files.writeString(old.resolve("memory.max_usage_in_bytes"), "8192000\n");
    Files.writeString(
        folder.resolve("groups"),
        "0::/\n9:cpuset:/slurm/uid_1001/job_17/step_batch\n"
            + "4:memory:/slurm/uid_1001/job_17/step_batch\n");
    assertEquals(3, run(request));
    assertEquals("8192000\n", Files.readString(peak));
  }

  private static String modes(Path file) throws Exception {
    return java.nio.file.attribute.PosixFilePermissions.toString(
        Files.getPosixFilePermissions(file));
  }

  @Test
  void joinedOutputIsOneFileAndWhatCannotBeWrittenStaysInTheFolder() throws Exception {
    Path nowhere = folder.resolve("no/such/file");
    RunProgram both = script("echo out; echo err >&2");
    assertEquals(
        0, run(request(both, new RunFiles("" + nowhere, "/dev/null", "oe", 077), Map.of())));
    assertEquals("out\nerr\n", Files.readString(folder.resolve("output")));
    assertEquals(
        "output kept in " + folder + "/output\n", Files.readString(folder.resolve("told")));
    assertFalse(Files.exists(nowhere));
  }

  @Test
  void aCommandIsStartedWithItsWords() throws Exception {
    Path output = folder.resolve("out");
    RunProgram program =
        new RunProgram.CommandProgram(List.of("printf", "<%s>", "$(id)", "-x y", ""));
    assertEquals(
        0, run(request(program, new RunFiles("" + output, "/dev/null", "n", 077), Map.of())));
    assertEquals("<$(id)><-x y><>", Files.readString(output));
  }

  /** A job that asks for it has a file in which it writes down how its steps end. */
  @Test
  void stepsAreWrittenIntoTheRunsFolder() throws Exception {
    RunFiles files = new RunFiles("/dev/null", "/dev/null", "n", 077);
    RunProgram program = script("echo 7 0 12 >>\"$MILLRACE_STEPS\"; exit 1");
    assertEquals(1, run(request(program, files, Map.of("MILLRACE_STEPS", ""))));
    Path steps = folder.resolve("steps");
    assertEquals("7 0 12\n", Files.readString(steps));
    assertEquals("rw-r--r--", modes(steps));
    Files.delete(steps);
    assertEquals(0, run(request(script("[ -z \"$MILLRACE_STEPS\" ]"), files, Map.of())));
    assertFalse(Files.exists(steps));
  }

  private static StagingPair pair(Path path, Path other) {
    return StagingPair.of(path + "@localhost:" + other).orElseThrow();
  }

  private RunFiles staging(boolean sandbox, List<StagingPair> in, List<StagingPair> out) {
    Staging staging = new Staging("one@c1", sandbox, in, out);
    return new RunFiles("/dev/null", "/dev/null", "n", 077, "", staging);
  }

  @Test
  void filesComeBeforeTheJobAndGoBehindIt() throws Exception {
    Path source = Files.writeString(folder.resolve("it's here"), "data");
    Path brought = folder.resolve("brought");
    Path made = folder.resolve("made");
    Path taken = folder.resolve("taken");
    RunProgram program = script("cat " + brought + " > " + made + "; echo more >> " + made);
    RunFiles files = staging(false, List.of(pair(brought, source)), List.of(pair(made, taken)));
    assertEquals(0, run(request(program, files, Map.of())));
    assertEquals("datamore\n", Files.readString(taken));
    assertFalse(Files.exists(made), "what was taken away is not left");
    assertFalse(Files.exists(brought), "what was brought is removed");
    assertEquals("", Files.readString(folder.resolve("told")));
  }

  @Test
  void aSandboxIsTheJobsOwn() throws Exception {
    Path taken = folder.resolve("taken");
    StagingPair pair = StagingPair.of("here@localhost:" + taken).orElseThrow();
    RunProgram program = script("pwd > here; echo \"$PBS_JOBDIR\" >> here");
    assertEquals(0, run(request(program, staging(true, List.of(), List.of(pair)), Map.of())));
    List<String> said = Files.readAllLines(taken);
    assertTrue(said.get(0).endsWith("/pbs.12.vm.x8z"), said::toString);
    assertEquals(said.get(0), said.get(1));
    assertFalse(Files.exists(Path.of(said.get(0))));
  }

  @Test
  void aFileThatCannotComeIsSaidAndTheJobDoesNotBegin() throws Exception {
    Path nowhere = folder.resolve("no/such");
    RunProgram program = script("touch " + folder + "/ran");
    RunFiles files = staging(false, List.of(pair(folder.resolve("x"), nowhere)), List.of());
    assertEquals(1, run(request(program, files, Map.of())));
    assertFalse(Files.exists(folder.resolve("ran")));
    String said = Files.readString(folder.resolve("unstaged"));
    assertTrue(said.startsWith("cannot stage files in: Unable to copy file " + nowhere), said);
  }

  @Test
  void aFileThatCannotGoIsSaidAndTheStatusStays() throws Exception {
    RunFiles files =
        staging(false, List.of(), List.of(pair(folder.resolve("no"), folder.resolve("taken"))));
    assertEquals(7, run(request(script("exit 7"), files, Map.of())));
    String told = Files.readString(folder.resolve("told"));
    assertTrue(told.startsWith("cannot stage files out: Unable to copy file "), told);
  }

  @Test
  void whatIsNotPassedOnIsRefused() {
    RunFiles files = new RunFiles("/dev/null", "/dev/null", "n", 077);
    RunRequest interactive = request(new RunProgram.Terminal("/tmp/socket", ""), files, Map.of());
    assertThrows(IllegalArgumentException.class, () -> ForwardScript.arguments(interactive));
  }
}
