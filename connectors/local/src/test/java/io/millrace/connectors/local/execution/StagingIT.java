package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.RunContext;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.SomeContext;
import io.millrace.connectors.local.run.Staging;
import io.millrace.connectors.local.spool.Spool;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that come to a run and leave behind it, with both supervisors. */
class StagingIT {

  private static final Path HOME = Path.of(System.getProperty("user.home"));

  @TempDir Path directory;

  static Stream<Path> supervisors() throws Exception {
    return Supervisors.both();
  }

  static Stream<Path> shellAtNight() throws Exception {
    return Supervisors.shellAtNight();
  }

  private RunRequest staged(ExecutionFolder place, String id, String text, Staging staging) {
    RunFiles files =
        new RunFiles(place.out(id).toString(), place.err(id).toString(), "n", 022, "", staging);
    return ExecutionFolder.withFiles(place.script(id, text), files);
  }

  private ExecutionFolder workplace(Path supervisor) throws Exception {
    return new ExecutionFolder(directory, directory.resolve("spool"), supervisor, true);
  }

  @ParameterizedTest
  @MethodSource("supervisors")
  void aJobOfItsOwnDirectory(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      LocalExecution execution = place.open();
      Path from = Files.createDirectory(directory.resolve("from"));
      Files.writeString(from.resolve("a b.txt"), "one\n");
      Files.writeString(from.resolve("x1"), "1");
      Files.writeString(from.resolve("x2"), "2");
      Path to = Files.createDirectory(directory.resolve("to"));
      Staging staging =
          ExecutionFolder.staging(
              "here-2",
              true,
              List.of("in.txt@here-2:" + from + "/a b.txt", ".@localhost:" + from + "/x?"),
              List.of("out*@here-2.domain:" + to, "it's@here-2:" + to + "/renamed"));
      String id = "7001[3].staging";
      String script =
          "pwd; echo $PBS_JOBDIR; ls; cat in.txt; echo r1 >out1; mkdir out2; echo q >\"it's\"";
      execution.start(staged(place, id, script, staging));
      RunOutcome outcome = place.outcome(id);
      assertEquals("", outcome.message());
      assertEquals(0, outcome.exitStatus());
      Path own = HOME.resolve("pbs." + id + ".x8z");
      assertEquals(
          List.of(own + "", own + "", "in.txt", "x1", "x2", "one"),
          Files.readAllLines(place.out(id)));
      assertEquals("r1\n", Files.readString(to.resolve("out1")));
      assertEquals("q\n", Files.readString(to.resolve("renamed")));
      assertTrue(Files.isDirectory(to.resolve("out2")));
      assertFalse(Files.exists(own));
      assertTrue(Files.exists(from.resolve("x1")), "the source stays");
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void filesThatDoNotComeKeepTheRunFromItsStart(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      LocalExecution execution = place.open();
      Path good = Files.writeString(directory.resolve("good"), "good");
      Staging staging =
          ExecutionFolder.staging(
              "here",
              false,
              List.of(
                  directory + "/brought@here:" + good, directory + "/x@here:" + directory + "/no"),
              List.of());
      execution.start(staged(place, "7002.staging", "touch " + directory + "/ran", staging));
      RunOutcome outcome = place.outcome("7002.staging");
      assertEquals(-31, outcome.exitStatus());
      assertEquals(RunOutcome.RunEndReason.REFUSED, outcome.reason());
      assertTrue(
          outcome
              .message()
              .startsWith("cannot stage files in: Unable to copy file " + directory + "/no to "),
          outcome.message());
      assertFalse(Files.exists(directory.resolve("ran")));
      assertFalse(Files.exists(directory.resolve("brought")), "what came is gone again");
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void whatCannotBeTakenAwayStays(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      LocalExecution execution = place.open();
      Staging staging =
          ExecutionFolder.staging("here", true, List.of(), List.of("r@here:/no/such/dir/r"));
      String id = "7003.staging";
      Path own = HOME.resolve("pbs." + id + ".x8z");
      try {
        execution.start(staged(place, id, "echo precious >r; exit 5", staging));
        RunOutcome outcome = place.outcome(id);
        assertEquals(5, outcome.exitStatus());
        assertTrue(
            outcome.message().contains("what was not copied is left in " + own), outcome.message());
        assertEquals("precious\n", Files.readString(own.resolve("r")));
      } finally {
        Files.deleteIfExists(own.resolve("r"));
        Files.deleteIfExists(own);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void theSitesCommandCopiesFromAndToOtherHosts(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      LocalExecution execution = place.open();
      Path copy = Files.createDirectories(place.spool.resolve("site")).resolve("copy");
      Files.writeString(copy, "#!/bin/sh\nexec cp \"${1#*:}\" \"${2#*:}\"; # host:path\n");
      Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.setPosixFilePermissions(copy.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
      Path far = Files.writeString(directory.resolve("far"), "far\n");
      Path near = directory.resolve("near");
      Staging staging =
          ExecutionFolder.staging(
              "here",
              false,
              List.of(near + "@elsewhere:" + far),
              List.of(near + ".new@elsewhere:" + directory + "/back"));
      execution.start(staged(place, "7004.staging", "mv " + near + " " + near + ".new", staging));
      RunOutcome outcome = place.outcome("7004.staging");
      assertEquals("", outcome.message());
      assertEquals("far\n", Files.readString(directory.resolve("back")));
      assertFalse(Files.exists(directory.resolve("near.new")), "it was taken away");
    }
  }

  private void site(ExecutionFolder place, String name, String text, String mode) throws Exception {
    Path site = Files.createDirectories(place.spool.resolve("site"));
    Files.setPosixFilePermissions(site, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path file = Files.writeString(site.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private RunOutcome delivered(ExecutionFolder place, String id, String output, String error)
      throws Exception {
    RunFiles files = new RunFiles(output, error, "n", 022);
    place.open().start(ExecutionFolder.withFiles(place.script(id, "echo o; echo e >&2"), files));
    return place.outcome(id);
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void outputGoesToTheHostThatItIsFor(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      Path calls = directory.resolve("calls");
      String copy = "#!/bin/sh\necho \"$1 $2\" >>%s; exec cp \"$1\" %s/came.${1##*.}\n";
      site(place, "copy", copy.formatted(calls, directory), "rwxr-xr-x");
      site(place, "usecp", "", "rw-r--r--");
      Path dir = Files.createDirectory(directory.resolve("there"));
      RunOutcome outcome =
          delivered(place, "7011.staging", "login.far:" + dir + "/o", "far:" + dir + "/");
      assertEquals("", outcome.message());
      String spooled = place.spool + "/spool/7011.staging.1.";
      String to = " " + ExecutionFolder.USER + "@";
      assertEquals(
          List.of(
              spooled + "OU" + to + "login.far:" + dir + "/o",
              spooled + "ER" + to + "far:" + dir + "/7011.staging.ER"),
          Files.readAllLines(calls).stream().sorted(Comparator.reverseOrder()).toList());
      assertEquals("e\n", Files.readString(directory.resolve("came.ER")));
      assertEquals(List.of(), Spool.list(dir), "a directory of that name here is another one");
      assertEquals(List.of(), Spool.list(place.spool.resolve("spool")));
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aSilentHostHoldsUpNoFileOfAnotherOne(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      // The first one says nothing until the other one has its file.
      String copy =
          """
          #!/bin/sh
          case $2 in *silent:*) until [ -e %1$s/came ]; do sleep 0.02; done ;; esac
          cp "$1" %1$s/${1##*.}.part && mv %1$s/${1##*.}.part %1$s/${1##*.}
          case $2 in *quick:*) : >%1$s/came ;; esac
          """;
      site(place, "copy", copy.formatted(directory), "rwxr-xr-x");
      site(place, "usecp", "", "rw-r--r--");
      RunOutcome outcome =
          delivered(
              place, "7015.staging", "silent:" + directory + "/o", "quick:" + directory + "/e");
      assertEquals("", outcome.message());
      assertEquals("o\n", Files.readString(directory.resolve("OU")));
      assertEquals("e\n", Files.readString(directory.resolve("ER")));
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void twoFilesForOneHostAreBroughtInTurn(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      // Whoever comes first looks for a while whether the other one comes, too.
      String copy =
          """
          #!/bin/sh
          mkdir %1$s/busy || { echo two at once; exit 1; }
          n=0
          while [ $n -lt 20 ] && [ -e %1$s/busy ]; do n=$((n + 1)); sleep 0.02; done
          cat "$1" >>%1$s/came
          rmdir %1$s/busy
          """;
      site(place, "copy", copy.formatted(directory), "rwxr-xr-x");
      site(place, "usecp", "", "rw-r--r--");
      String both = directory + "/both";
      RunOutcome outcome = delivered(place, "7016.staging", "far:" + both, "FAR:" + both);
      assertEquals("", outcome.message());
      assertEquals("o\ne\n", Files.readString(directory.resolve("came")));
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void outputThatAnotherHostDoesNotTakeIsKept(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      site(place, "copy", "#!/bin/sh\necho no route\nexit 1\n", "rwxr-xr-x");
      site(place, "usecp", "", "rw-r--r--");
      RunOutcome outcome =
          delivered(place, "7012.staging", "far:" + directory + "/o", "localhost:/dev/null");
      Path kept = place.spool.resolve("undelivered/7012.staging.1.OU");
      assertEquals("o\n", Files.readString(kept));
      assertTrue(
          outcome.message().contains("far:" + directory + "/o: no route"), outcome.message());
      assertTrue(outcome.message().contains("output kept in " + kept), outcome.message());
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void pathsThatTheSiteSharesAreOfThisHost(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      site(place, "copy", "#!/bin/sh\nexit 1\n", "rwxr-xr-x");
      String lines = "# homes\nother:/export/ /no/such/\n*.Cluster:/export/ %s/\n";
      site(place, "usecp", lines.formatted(directory), "rw-r--r--");
      RunOutcome outcome =
          delivered(place, "7013.staging", "a.cluster:/export/o", "localhost:" + directory + "/e");
      assertEquals("", outcome.message());
      assertEquals("o\n", Files.readString(directory.resolve("o")));
      assertEquals("e\n", Files.readString(directory.resolve("e")));
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void withoutAWordOfTheSiteWhatIsHereIsShared(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      // A command for stageout says nothing of what is shared.
      site(place, "copy", "#!/bin/sh\nexit 1\n", "rwxr-xr-x");
      Path dir = Files.createDirectory(directory.resolve("shared"));
      RunOutcome outcome = delivered(place, "7014.staging", "far:" + dir, "far:" + dir + "/e");
      assertEquals("", outcome.message());
      assertEquals("o\n", Files.readString(dir.resolve("7014.staging.OU")));
      assertEquals("e\n", Files.readString(dir.resolve("e")));
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aByteThatIsNoTextSpoilsItsLineOnly(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      site(place, "copy", "#!/bin/sh\nexit 1\n", "rwxr-xr-x");
      site(place, "usecp", "", "rw-r--r--");
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(new byte[] {(byte) 0xE9, '\n'});
      bytes.writeBytes(("far:/export/ " + directory + "/\n").getBytes(StandardCharsets.UTF_8));
      Files.write(place.spool.resolve("site/usecp"), bytes.toByteArray());
      RunOutcome outcome = delivered(place, "7015.staging", "far:/export/o", "localhost:/dev/null");
      assertEquals("", outcome.message());
      assertEquals("o\n", Files.readString(directory.resolve("o")));
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aFileThatIsNotReadSharesNothing(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      site(place, "usecp", "far:/ /no/such/\n", "rw-rw-r--");
      leavesTheHost(place, "7016.staging");
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aFileThatCannotBeReadSharesNothing(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      Files.createDirectories(place.spool.resolve("site/usecp")); // root cannot read one either
      leavesTheHost(place, "7017.staging");
    }
  }

  /** Though the directory is here, too: the site's hosts do not share it. */
  private void leavesTheHost(ExecutionFolder place, String id) throws Exception {
    site(place, "copy", "#!/bin/sh\necho no way >&2\nexit 1\n", "rwxr-xr-x");
    Path dir = Files.createDirectory(directory.resolve("shared"));
    RunOutcome outcome = delivered(place, id, "far:" + dir, "localhost:/dev/null");
    assertTrue(outcome.message().contains("far:" + dir + ": no way"), outcome.message());
    assertEquals(List.of(), Spool.list(dir));
  }

  private RunOutcome bring(ExecutionFolder place, String id, String... pairs) throws Exception {
    LocalExecution execution = place.open();
    Staging staging = ExecutionFolder.staging("here", false, List.of(pairs), List.of());
    execution.start(staged(place, id, "touch " + directory + "/ran", staging));
    return place.outcome(id);
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aFileThatIsItsOwnSourceStays(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      Path data = Files.writeString(directory.resolve("data.txt"), "the only copy");
      RunOutcome outcome = bring(place, "7006.staging", data + "@localhost:" + data);
      assertEquals(-31, outcome.exitStatus());
      assertTrue(outcome.message().contains("they are the same file"), outcome.message());
      assertEquals("the only copy", Files.readString(data));
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void whatWasThereStaysWhenNothingComesInItsPlace(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      Path mine = Files.writeString(directory.resolve("mine"), "mine");
      Path full = Files.createDirectories(directory.resolve("to/full"));
      Files.writeString(full.resolve("a"), "a");
      RunOutcome missing = bring(place, "7007.staging", mine + "@here:" + directory + "/no");
      assertEquals(-31, missing.exitStatus());
      assertEquals("mine", Files.readString(mine));
    }
    try (ExecutionFolder place =
        new ExecutionFolder(directory, directory.resolve("2"), supervisor, true)) {
      Path full = directory.resolve("to/full");
      Path other = Files.createDirectories(directory.resolve("from/full"));
      Files.writeString(other.resolve("b"), "b");
      RunOutcome inTheWay = bring(place, "7008.staging", directory + "/to@here:" + other + "/");
      assertEquals(-31, inTheWay.exitStatus());
      assertEquals(List.of(full.resolve("a")), Spool.list(full));
      assertEquals(List.of(full), Spool.list(directory.resolve("to")), "nothing is left beside it");
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void namesAreTakenAsTheyAre(Path supervisor) throws Exception {
    try (ExecutionFolder place = workplace(supervisor)) {
      LocalExecution execution = place.open();
      Path to = Files.createDirectory(directory.resolve("to"));
      Path from = Files.createDirectory(directory.resolve("from"));
      Files.writeString(directory.resolve("results"), "of somebody else");
      Staging staging =
          ExecutionFolder.staging(
              "here",
              false,
              List.of(directory + "/in\\t@here:" + Files.writeString(from.resolve("a\\b"), "1")),
              List.of(
                  directory + "/results\\new@here:" + to,
                  from + "/[c]\\*@here:" + to,
                  from + "/lines*@here:" + to));
      String script =
          "cd %s; cp 'in\\t' 'results\\new'; cd from; touch '[c]\\d' cd; touch $'lines\\nc'";
      execution.start(staged(place, "7009.staging", script.formatted(directory), staging));
      RunOutcome outcome = place.outcome("7009.staging");
      assertEquals(0, outcome.exitStatus());
      assertTrue(outcome.message().contains("a name with a line end in " + from));
      assertEquals(
          List.of("[c]\\d", "results\\new"),
          Spool.list(to).stream().map(file -> file.getFileName() + "").sorted().toList());
      assertTrue(Files.exists(directory.resolve("results")));
      assertTrue(Files.exists(from.resolve("cd")));
      assertFalse(Files.exists(directory.resolve("in\\t")), "what was brought is gone");
    }
  }

  @Test
  void whatIsRefusedLeavesNothingInTheSpool() throws Exception {
    try (ExecutionFolder place = workplace(Supervisors.shell())) {
      RunRequest fine = place.script("7010.staging", "true");
      RunContext wrong =
          SomeContext.of("te\0st", "workq", Map.of(), List.of("here"), fine.context().ncpus());
      RunRequest refused =
          new RunRequest(
              fine.id(), fine.owner(), fine.program(), wrong, fine.files(), fine.terms());
      Spool spool = Spool.open(place.spool);
      assertThrows(IllegalArgumentException.class, () -> spool.create(refused, place.settings()));
      assertEquals(List.of(), Spool.list(place.spool.resolve("new")));
      assertTrue(spool.create(fine, place.settings()));
    }
  }

  @Test
  void outputIsWrittenWhereItBelongs() throws Exception {
    try (ExecutionFolder place = workplace(Supervisors.compiled())) {
      LocalExecution execution = place.open();
      String id = "7005.staging";
      RunFiles files =
          new RunFiles(
              place.out(id).toString(), place.err(id).toString(), "n", 027, "o", Staging.NONE);
      Files.writeString(place.out(id), "of an earlier job\n");
      Path go = directory.resolve("go");
      String text = "echo one; until [ -e " + go + " ]; do sleep 0.05; done; echo two; echo e >&2";
      execution.start(ExecutionFolder.withFiles(place.script(id, text), files));
      place.awaitFile(place.out(id));
      org.awaitility.Awaitility.await()
          .atMost(Duration.ofSeconds(180))
          .until(() -> Files.readString(place.out(id)).equals("one\n"));
      assertFalse(Files.exists(place.err(id)));
      Files.writeString(go, "");
      assertEquals("", place.outcome(id).message());
      assertEquals("one\ntwo\n", Files.readString(place.out(id)));
      assertEquals("e\n", Files.readString(place.err(id)));
    }
  }
}
