package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Seeds;
import io.millrace.server.client.ThinClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both clients as processes against the real session server: what goes in comes out. */
@Execution(ExecutionMode.CONCURRENT)
class CommandSessionTest {
  @TempDir Path directory;
  private SessionServer server;

  static List<ThinClient> clients() {
    return ThinClient.available();
  }

  @BeforeEach
  void start() throws IOException {
    server = SessionServer.start(socket(), SessionLimits.defaults(), new TestCommands());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private Path socket() {
    return directory.resolve("run/gateway.sock");
  }

  private ThinClient.Result run(ThinClient client, String... args) throws Exception {
    return ThinClient.run(client.command(socket(), "qsub", args).directory(directory.toFile()));
  }

  /** Several commands of one process; their statuses are in its output. */
  @SafeVarargs
  private ThinClient.Result each(ThinClient client, List<String>... commands) throws Exception {
    List<String> args = new ArrayList<>(List.of("each"));
    for (List<String> command : commands) {
      args.addAll(command);
      args.add(TestCommands.NEXT);
    }
    return run(client, args.toArray(String[]::new));
  }

  /** Through a shell, where the client's command line is {@code "$@"}. */
  private ProcessBuilder shell(ThinClient client, String script, String... args) {
    ProcessBuilder builder = client.command(socket(), "qsub", args);
    List<String> line = builder.command();
    line.addAll(0, List.of("sh", "-c", script, "sh"));
    return builder.directory(directory.toFile());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void whatWasCalledArrives(ThinClient client) throws Exception {
    ProcessBuilder builder =
        shell(
            client,
            "umask 0027; LC_ALL=C exec \"$@\"",
            "describe",
            "",
            "two words",
            "line\nbreak",
            "-l select=2:ncpus=3",
            "été €",
            "@file");
    builder.environment().put("NAMES", "a=b=c");
    builder.environment().put("EMPTY", "");
    builder.environment().put("SPRACHE", "grün");
    builder.environment().put("COLUMNS", "132");
    ThinClient.Result result = ThinClient.run(builder);
    assertEquals("", result.err());
    List<String> lines = result.out().lines().toList();
    assertEquals("command qsub", lines.get(0));
    assertTrue(
        result
            .out()
            .contains(
                "arg <describe>\narg <>\narg <two words>\narg <line\nbreak>\n"
                    + "arg <-l select=2:ncpus=3>\narg <été €>\narg <@file>\n"),
        result.out());
    assertTrue(lines.contains("env NAMES=a=b=c"));
    assertTrue(lines.contains("env EMPTY="));
    assertTrue(lines.contains("env SPRACHE=grün"));
    assertTrue(lines.contains("env LC_ALL=C"));
    assertTrue(lines.contains("directory " + directory.toRealPath()));
    assertTrue(lines.contains("umask 27"));
    assertTrue(lines.contains("terminals false false"));
    assertTrue(lines.contains("columns 132"));
    assertTrue(lines.stream().anyMatch(l -> l.startsWith("user " + userName() + " group ")));
  }

  private static String userName() {
    return System.getProperty("user.name");
  }

  @ParameterizedTest
  @MethodSource("clients")
  void theShellsNameOfTheDirectoryIsKept(ThinClient client) throws Exception {
    Files.createDirectory(directory.resolve("real"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("real"));
    ProcessBuilder builder = shell(client, "cd " + link + " && exec \"$@\"", "describe");
    assertTrue(ThinClient.run(builder).out().contains("\ndirectory " + link + "\n"));
    ProcessBuilder lying = shell(client, "cd " + link + " && PWD=/tmp exec \"$@\"", "describe");
    Path real = directory.toRealPath().resolve("real");
    assertTrue(ThinClient.run(lying).out().contains("\ndirectory " + real + "\n"));
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aLargeEnvironmentArrives(ThinClient client) throws Exception {
    ProcessBuilder builder = client.command(socket(), "qsub", "describe");
    String value = "v".repeat(100_000);
    for (int i = 0; i < 10; i++) {
      builder.environment().put("BIG" + i, value);
    }
    ThinClient.Result result = ThinClient.run(builder);
    assertEquals("", result.err());
    for (int i = 0; i < 10; i++) {
      assertTrue(result.out().contains("\nenv BIG" + i + "=" + value + "\n"));
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void textThatIsNotUtf8IsRefusedOrLeftOut(ThinClient client) throws Exception {
    ThinClient.Result argument =
        ThinClient.run(shell(client, "exec \"$@\" \"$(printf 'a\\377b')\"", "describe"));
    assertEquals("millrace: argument 2 is not UTF-8 text\n", argument.err());
    assertEquals(1, argument.status());
    ThinClient.Result variable =
        ThinClient.run(shell(client, "BAD=$(printf 'a\\377b') GOOD=1 exec \"$@\"", "describe"));
    assertTrue(variable.out().contains("\nenv GOOD=1\n"));
    assertTrue(variable.out().lines().noneMatch(line -> line.startsWith("env BAD=")));
    assertEquals(0, variable.status());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void binaryContentOfThreeMegabytesIsUnchanged(ThinClient client) throws Exception {
    byte[] content = new byte[3_000_000];
    new Random(3).nextBytes(content);
    Files.write(directory.resolve("größe.bin"), content);
    String hash = TestCommands.hash(content) + "\n";
    ThinClient.Result both =
        each(
            client,
            List.of("hash", "größe.bin", "3000000"),
            List.of("hash-stream", "größe.bin"),
            List.of("write-big", "copy", "größe.bin"));
    assertEquals(hash + "=0\n" + hash + "=0\n=0\n", both.out());
    assertEquals(hash, ThinClient.run(shell(client, "\"$@\" < größe.bin", "hash-stdin")).out());
    assertEquals(hash, ThinClient.run(shell(client, "cat größe.bin | \"$@\"", "hash-stdin")).out());
    assertArrayEquals(content, Files.readAllBytes(directory.resolve("copy")));
  }

  /** Its next descriptor, which is the connection, would stand where the closed one was. */
  @Test
  void aClosedStandardInputIsNotTheConnection() throws Exception {
    Assumptions.assumeTrue(ThinClient.available().contains(ThinClient.C), "no C client");
    ThinClient.Result none = ThinClient.run(shell(ThinClient.C, "\"$@\" <&-", "hash-stdin"));
    assertEquals(new ThinClient.Result(1, "", "qsub: Bad file descriptor\n"), none);
    ThinClient.Result mute = ThinClient.run(shell(ThinClient.C, "\"$@\" >&-", "hash-stdin"));
    assertEquals("qsub: standard output: Bad file descriptor\n", mute.err());
    assertEquals(1, mute.status());
    String all = "\"$@\" <&- >&- 2>&-; echo $?";
    assertEquals("1\n", ThinClient.run(shell(ThinClient.C, all, "hash-stdin")).out());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aStreamNeverRunsAheadOfItsReader(ThinClient client) throws Exception {
    Process process =
        client
            .command(socket(), "qsub", "first-byte")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    long written = 0;
    byte[] part = new byte[4096];
    try (OutputStream stdin = process.getOutputStream()) {
      while (written < 8 << 20) {
        stdin.write(part);
        stdin.flush();
        written += part.length;
      }
    } catch (IOException e) {
      assertEquals("Broken pipe", e.getMessage());
    }
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals("0\n", new String(process.getInputStream().readAllBytes()));
    // One piece of 64 KiB at the client, 64 KiB in the pipe, and what was written as it ended.
    assertTrue(written <= 256 * 1024, "the client took " + written + " bytes for one");
  }

  @ParameterizedTest
  @MethodSource("clients")
  void outputKeepsItsOrder(ThinClient client) throws Exception {
    String expected =
        String.join(
            "", IntStream.range(0, 1000).mapToObj(i -> "out " + i + "\nerr " + i + "\n").toList());
    ThinClient.Result both = ThinClient.run(shell(client, "\"$@\" 2>&1", "interleave"));
    assertEquals(expected, both.out());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void everyExitStatusArrives(ThinClient client) throws Exception {
    // A process each: all of them in eight days, with that in Java one a day.
    IntStream others =
        client == ThinClient.C
            ? IntStream.rangeClosed(0, 255).filter(status -> status % 8 == Seeds.TODAY % 8)
            : IntStream.of((int) (Seeds.TODAY % 256));
    int[] edges = client == ThinClient.C ? new int[] {0, 1, 127, 128, 255} : new int[] {255};
    for (int status : IntStream.concat(IntStream.of(edges), others).toArray()) {
      assertEquals(status, run(client, "exit", Integer.toString(status)).status(), "of " + status);
    }
    ThinClient.Result beyond = run(client, "exit", "256");
    assertEquals(1, beyond.status());
    assertTrue(beyond.err().contains("incident"), beyond.err());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void filesFailInTheSystemsWords(ThinClient client) throws Exception {
    Files.writeString(directory.resolve("ten"), "0123456789");
    assertEquals(
        new ThinClient.Result(
            0,
            "0123456789=0\n=2\n=1\n=1\n=1\n=1\n=2\n",
            "too large\n"
                + "No such file or directory\n"
                + "Is a directory\n"
                + "Not a directory\n"
                + "No such file or directory\n"
                + "too large\n"),
        each(
            client,
            List.of("read", "ten", "10"),
            List.of("read", "ten", "9"),
            List.of("read", "missing (really)", "10"),
            List.of("read", ".", "10"),
            List.of("read", "ten/x", "10"),
            List.of("read", "", "10"),
            List.of("read", "/dev/zero", "1000000")));
    assertEquals(
        new ThinClient.Result(1, "before\n", "qsub: No such file or directory\n"),
        run(client, "uncaught", "missing"));
  }

  @ParameterizedTest
  @MethodSource("clients")
  void filesAreReplacedInOneStepAndAppendedTo(ThinClient client) throws Exception {
    ProcessBuilder first = shell(client, "umask 0077; exec \"$@\"", "write", "f", "one", "replace");
    assertEquals(new ThinClient.Result(0, "", ""), ThinClient.run(first));
    Path file = directory.resolve("f");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    Object inode = Files.getAttribute(file, "unix:ino");
    assertEquals(0, run(client, "write", "f", "two", "append").status());
    assertEquals("onetwo", Files.readString(file));
    assertEquals(inode, Files.getAttribute(file, "unix:ino"));
    assertEquals(0, run(client, "write", "f", "three", "replace").status());
    assertEquals("three", Files.readString(file));
    assertTrue(!inode.equals(Files.getAttribute(file, "unix:ino")), "written in place");

    Files.createDirectory(directory.resolve("d"));
    assertEquals(
        new ThinClient.Result(
            0,
            "=1\n".repeat(5),
            "Is a directory\nNo such file or directory\n".repeat(2) + "No space left on device\n"),
        each(
            client,
            List.of("write", "d", "x", "replace"),
            List.of("write", "no/f", "x", "replace"),
            List.of("write", "d", "x", "append"),
            List.of("write", "no/f", "x", "append"),
            List.of("write", "/dev/full", "x", "append")));
    try (var names = Files.list(directory)) {
      assertEquals(
          List.of("d", "f", "run"), names.map(p -> p.getFileName().toString()).sorted().toList());
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void anUnexpectedExceptionIsAnIncidentWithAnId(ThinClient client) throws Exception {
    ThinClient.Result result = run(client, "incident");
    assertTrue(
        result
            .err()
            .matches("qsub: internal error, incident [0-9a-f]{8}: the gateway's log tells more\n"),
        result.err());
    assertEquals("", result.out());
    assertEquals(1, result.status());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aClosedOutputIsNoNoise(ThinClient client) throws Exception {
    Files.writeString(directory.resolve("file"), "content");
    // A pipe whose only reader is closed again before the client starts.
    String script = "mkfifo p; exec 3<>p 4>p 3<&-; \"$@\" >&4; echo $? >status";
    ProcessBuilder builder = shell(client, script, "read", "file", "100");
    ThinClient.Result result = ThinClient.run(builder);
    assertEquals("", result.err());
    assertEquals("141\n", Files.readString(directory.resolve("status")));
  }

  @ParameterizedTest
  @MethodSource("clients")
  void theIdentityIsTheKernelsAndFilesAreReadWithTheCallersRights(ThinClient client)
      throws Exception {
    if (!userName().equals("root") || !Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
      Assumptions.abort("needs root and setpriv to call as another user");
    }
    String nobody = "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"";
    if (client == ThinClient.JAVA && !nobodyRunsJava(nobody)) {
      Assumptions.abort("other users cannot run this JDK, the Java client is not tested");
    }
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path secret = Files.writeString(directory.resolve("secret"), "secret");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    assertEquals(
        new ThinClient.Result(1, "", "Permission denied\n"),
        ThinClient.run(shell(client, nobody, "read", "secret", "10")));
    for (String mode : List.of("replace", "append")) {
      assertEquals(
          new ThinClient.Result(1, "", "Permission denied\n"),
          ThinClient.run(shell(client, nobody, "write", "new", "x", mode)));
    }
    ProcessBuilder liar = shell(client, nobody, "describe");
    liar.environment().put("USER", "root");
    liar.environment().put("LOGNAME", "root");
    assertTrue(ThinClient.run(liar).out().contains("\nuser nobody group nogroup\n"));
    String nameless = "exec setpriv --reuid=54321 --regid=65534 --clear-groups \"$@\"";
    ThinClient.Result refused = ThinClient.run(shell(client, nameless, "describe"));
    assertEquals("millrace: uid 54321 has no name on this host\n", refused.err());
    assertEquals("", refused.out());
    assertEquals(1, refused.status());
  }

  private static boolean nobodyRunsJava(String nobody) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder probe = new ProcessBuilder("sh", "-c", nobody, "sh", java, "-version");
    return ThinClient.run(probe).status() == 0;
  }
}
