package io.millrace.connectors.gridengine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What qevent says of begins and ends. */
class SgeEventsTest {

  private static final Path RECORDED =
      Path.of(System.getProperty("millrace.root", "."))
          .resolve("../shared/transcripts/gridengine/11-qevent.txt");

  @TempDir Path folder;

  private ClusterFile file(String... more) throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of("name = c1", "system = gridengine", "sge_root = " + folder, "mode = observe"));
    lines.addAll(List.of(more));
    return ClusterFile.read(
        Files.write(folder.resolve("c1.properties"), lines), List.of(new SgeKind()));
  }

  /** Of the first task of an array it says the same as of a job that is none. */
  @Test
  void aBeginAndAnEnd() {
    List<OutsideMove> begins = SgeEvents.moves(SgeFixtures.EVENT);
    assertEquals(
        List.of(OutsideId.of(56), new OutsideId(56, 1)),
        begins.stream().map(OutsideMove::id).toList());
    assertEquals(OutsideState.RUNNING, begins.get(0).state());
    assertEquals(1795189067, begins.get(0).at().getEpochSecond());
    assertEquals("", begins.get(0).account());
    List<OutsideMove> end = SgeEvents.moves("JOB_FINISH (55.2:ECL_TIME=1795189070:later=1)");
    assertEquals(new OutsideId(55, 2), end.get(0).id());
    assertEquals(OutsideState.ENDING, end.get(0).state());
    assertEquals(1, end.size());
  }

  @Test
  void eachRecordedLineIsReadOrPassedOverForAReason() throws Exception {
    assumeTrue(Files.exists(RECORDED), "no recordings at " + RECORDED);
    int read = 0;
    for (String line : Files.readAllLines(RECORDED)) {
      if (line.contains(":ECL_TIME=")) {
        String kind = line.replaceFirst(" .*", "");
        boolean moves = !SgeEvents.moves(line).isEmpty();
        assertTrue(moves != SgeEvents.PASSED_OVER.containsKey(kind), line);
        read += moves ? 1 : 0;
      } else {
        assertEquals(List.of(), SgeEvents.moves(line), line);
      }
    }
    assertEquals(2, read);
  }

  /** The program's own words are what it is started with, in the cell's environment. */
  @Test
  void whatItSaysIsAmongTheChanges() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("qevent"),
            "#!/bin/sh\necho \"$* $SGE_ROOT\" > \"$SGE_ROOT/called\"\necho noise\necho '"
                + SgeFixtures.EVENT
                + "'\nexec sleep 77\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    ProcessRunner runner = new ProcessRunner();
    try {
      SgeSystem cell =
          new SgeSystem(file("events = " + program, "accounting = " + folder + "/none"), runner);
      assertTrue(cell.movesAreNumbered());
      List<OutsideMove> moves = new ArrayList<>();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                Told<OutsideChanges> told = cell.changes("");
                moves.addAll(((Told.Answered<OutsideChanges>) told).value().moves());
                return !moves.isEmpty();
              });
      assertEquals(OutsideId.of(56), moves.get(0).id());
      assertEquals("-ts " + folder + "\n", Files.readString(folder.resolve("called")));
    } finally {
      runner.close();
    }
    assertFalse(new SgeSystem(file(), runner).movesAreNumbered());
  }

  /** Who shows a cluster and who has runs there: qmaster has one client, and both hear of all. */
  @Test
  void itIsStartedOnceForAllThatAskOfOneCell() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("qevent"),
            "#!/bin/sh\necho $$ >> \"$SGE_ROOT/called\"\n"
                + "while [ ! -e \"$SGE_ROOT/go\" ]; do sleep 0.1; done\necho '"
                + SgeFixtures.EVENT
                + "'\nexec sleep 77\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    ClusterFile file = file("events = " + program, "accounting = " + folder + "/none");
    ProcessRunner runner = new ProcessRunner();
    try {
      List<SgeSystem> cells = List.of(new SgeSystem(file, runner), new SgeSystem(file, runner));
      List<List<OutsideMove>> heard = List.of(new ArrayList<>(), new ArrayList<>());
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                for (int i = 0; i < 2; i++) {
                  Told<OutsideChanges> told = cells.get(i).changes("");
                  heard.get(i).addAll(((Told.Answered<OutsideChanges>) told).value().moves());
                }
                Files.writeString(folder.resolve("go"), "");
                return heard.stream().noneMatch(List::isEmpty);
              });
      assertEquals(OutsideId.of(56), heard.get(0).get(0).id());
      assertEquals(heard.get(0), heard.get(1));
      assertEquals(1, Files.readAllLines(folder.resolve("called")).size());
    } finally {
      runner.close();
    }
  }

  /** A begin that is told while the log of qmaster cannot be read is told when that can. */
  @Test
  void aLogThatCannotBeReadLosesNoneOfThem() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("qevent"),
            "#!/bin/sh\nwhile [ ! -e \"$SGE_ROOT/go\" ]; do sleep 0.1; done\necho '"
                + SgeFixtures.EVENT
                + "'\nsleep 2\n: > \"$SGE_ROOT/said\"\nexec sleep 77\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path log = Files.writeString(folder.resolve("reporting"), "");
    ProcessRunner runner = new ProcessRunner();
    try {
      SgeSystem cell =
          new SgeSystem(
              file("events = " + program, "reporting = " + log, "accounting = " + folder + "/none"),
              runner);
      OutsideChanges first = ((Told.Answered<OutsideChanges>) cell.changes("")).value();
      assertEquals(List.of(), first.moves());
      Files.delete(log);
      Files.createDirectory(log);
      Files.writeString(folder.resolve("go"), "");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                assertInstanceOf(Told.Nothing.class, cell.changes(first.cursor()));
                return Files.exists(folder.resolve("said"));
              });
      Files.delete(log);
      Files.writeString(log, "");
      Told<OutsideChanges> told = cell.changes(first.cursor());
      assertEquals(2, ((Told.Answered<OutsideChanges>) told).value().moves().size());
    } finally {
      runner.close();
    }
  }

  @Test
  void itIsFollowedOnThisHostOnly() {
    ClusterFault fault =
        assertThrows(
            ClusterFault.class,
            () ->
                file(
                    "events = /usr/lib/gridengine/qevent",
                    "transport = ssh",
                    "ssh_host = h",
                    "ssh_account = a",
                    "ssh_key = /k",
                    "ssh_known_hosts = /n"));
    assertTrue(fault.getMessage().contains("events needs transport = local"), fault.getMessage());
  }
}
