package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.host.ControlGroups;
import io.millrace.connectors.local.host.GroupSettings;
import io.millrace.connectors.local.host.HostTopology;
import io.millrace.connectors.local.host.ProcessorGroups;
import io.millrace.connectors.local.host.ProcessorSet;
import io.millrace.connectors.local.host.RunGroups;
import io.millrace.connectors.local.run.MemoryLimits;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The control group of a run: on a folder of files, and where the host has groups on these. */
class GroupFilesIT {
  private static final MemoryLimits GIGABYTE = new MemoryLimits(1 << 20, 0);

  private static final List<String> WRITTEN =
      List.of(
          "pids.max",
          "memory.max",
          "memory.swap.max",
          "memory.oom.group",
          "cgroup.procs",
          "cgroup.kill");

  @TempDir Path directory;

  private LocalExecution execution;

  static Stream<Path> shellAtNight() throws Exception {
    return Supervisors.shellAtNight();
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aRunIsBoundedCountedAndEndedByItsGroup(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      Path group = group(place, "oom_kill 0");
      execution = place.open();
      Path site = Files.createDirectories(place.spool.resolve("site"));
      Files.writeString(site.resolve("limits"), "processes=99\n");
      RunOutcome outcome = run(place, "1.vm", "exit 0");
      assertEquals(0, outcome.exitStatus(), outcome.message());
      assertEquals("", outcome.message());
      assertEquals(77_000, outcome.usage().cputMs());
      assertEquals(120_000, outcome.usage().memKb());
      assertEquals("99", Files.readString(group.resolve("pids.max")));
      assertEquals("1073741824", Files.readString(group.resolve("memory.max")));
      assertEquals("0", Files.readString(group.resolve("memory.swap.max")));
      assertEquals("1", Files.readString(group.resolve("memory.oom.group")));
      assertEquals("1", Files.readString(group.resolve("cgroup.kill")));
      long session =
          Spool.open(place.spool)
              .fields(new RunId("1.vm", 1), "started")
              .orElseThrow()
              .number("pid");
      assertEquals(session + "", Files.readString(group.resolve("cgroup.procs")));
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aRunIsBoundToProcessorsOfItsOwn(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      Path groups = Files.createDirectories(directory.resolve("tree/millrace/spool"));
      Files.writeString(groups.resolve("cpuset.cpus.effective"), "0-3\n");
      Path group = group(groups, "1.vm.1", "oom_kill 0");
      Files.createFile(group.resolve("cpuset.cpus"));
      Files.createDirectories(place.spool);
      Files.createSymbolicLink(place.spool.resolve("groups"), groups);
      HostTopology topology = new HostTopology(List.of(ProcessorSet.of("2-3")), List.of());
      execution = place.open(spool -> Optional.of(new ProcessorGroups(groups, topology)));
      execution.start(ExecutionFolder.withProcessors(place.script("1.vm", "exit 0"), 2));
      assertEquals("", place.outcome("1.vm").message());
      assertEquals("2-3", Files.readString(group.resolve("cpuset.cpus")).strip());
      group(groups, "2.vm.1", "oom_kill 0");
      execution.start(ExecutionFolder.withProcessors(place.script("2.vm", "exit 0"), 2));
      assertEquals(
          "not bound to the processors 0-1",
          place.outcome("2.vm").message().replaceFirst(": No such file.*", ""),
          "the group of the first one is still there, and the second one's takes none");
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aRunThatTheKernelEndsForItsMemoryEndsByName(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      group(place, "oom_kill 1");
      execution = place.open();
      RunOutcome outcome = run(place, "1.vm", "sleep 60");
      assertEquals(-27, outcome.exitStatus(), outcome.message());
      assertEquals(RunOutcome.RunEndReason.MEM, outcome.reason());
      String words = "mem exceeded limit 1048576kb";
      assertEquals("job violates resource limits: " + words, outcome.message());
      assertEquals("=>> PBS: job killed: " + words, Files.readAllLines(place.err("1.vm")).get(0));
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aRunWithoutAGroupSaysSoAndGoesOn(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      execution = place.open();
      Files.createFile(place.spool.resolve("groups"));
      RunOutcome outcome = run(place, "1.vm", "exit 0");
      assertEquals(0, outcome.exitStatus());
      assertTrue(outcome.message().startsWith("no control group "), outcome.message());
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void theHostsOwnGroupsDoTheSame(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      RunGroups own = openOnTheHost(place);
      if (!own.none().isEmpty()) {
        System.err.println(
            "SKIPPED: NO CONTROL GROUPS OF VERSION 2 WITH memory AND pids HERE, their half of the"
                + " end and the memory of runs is tested on a folder of files only: "
                + own.none());
        Assumptions.abort(own.none());
      }
      String attack = AttackProgram.into(directory) + " ";
      RunOutcome outcome = run(place, "1.vm", attack + "memory 2097152 x");
      assertEquals(-27, outcome.exitStatus(), outcome.message());
      String script = attack + "stranger 5 x; " + attack + "session 5 x; sleep 0.3";
      execution.start(place.script("2.vm", script));
      assertEquals("", place.outcome("2.vm").message());
      Path groups = place.spool.resolve("groups").toRealPath();
      assertFalse(Files.exists(groups.resolve("2.vm.1")), "who lived there would keep it");
      Files.delete(groups);
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void theHostsOwnGroupsKeepARunOnItsProcessors(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      RunGroups own = openOnTheHost(place);
      if (own.processors().isEmpty()) {
        System.err.println(
            "SKIPPED: NO CONTROL GROUPS OF VERSION 2 WITH cpuset HERE, processors of runs are"
                + " tested on a folder of files only: "
                + own.told());
        Assumptions.abort(own.told());
      }
      String script = "grep Cpus_allowed_list: /proc/self/status | cut -f 2";
      execution.start(ExecutionFolder.withProcessors(place.script("1.vm", script), 1));
      assertEquals("", place.outcome("1.vm").message());
      List<String> allowed = Files.readAllLines(place.out("1.vm"));
      assertEquals(1, ProcessorSet.of(allowed.get(0)).size(), allowed.toString());
      Files.delete(place.spool.resolve("groups").toRealPath());
    }
  }

  private RunGroups openOnTheHost(ExecutionFolder place) throws IOException {
    RunGroups[] own = new RunGroups[1];
    execution =
        place.open(
            spool -> {
              own[0] = ControlGroups.offer(spool, GroupSettings.ALL);
              return own[0].processors();
            });
    return own[0];
  }

  private ExecutionFolder place(Path supervisor) throws IOException {
    return new ExecutionFolder(directory, directory.resolve("spool"), supervisor, true);
  }

  private RunOutcome run(ExecutionFolder place, String job, String script) throws Exception {
    execution.start(ExecutionFolder.withMemory(place.script(job, script), GIGABYTE));
    return place.outcome(job);
  }

  /** The files that the kernel would make for the group of the run {@code 1.vm}. */
  private static Path group(ExecutionFolder place, String events) throws IOException {
    return group(place.spool.resolve("groups"), "1.vm.1", events);
  }

  private static Path group(Path groups, String run, String events) throws IOException {
    Path group = Files.createDirectories(groups.resolve(run));
    Map<String, String> files =
        Map.of(
            "cpu.stat", "usage_usec 77000000\nuser_usec 70000000\n",
            "memory.peak", 120_000 * 1024 + "\n",
            "memory.events", "low 0\noom 1\n" + events + "\n");
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(group.resolve(file.getKey()), file.getValue());
    }
    for (String name : WRITTEN) {
      Files.createFile(group.resolve(name));
    }
    return group;
  }
}
