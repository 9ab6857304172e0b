package io.millrace.server.client;

import io.millrace.schemas.door.PlainRequest;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts one of the two clients as a process of its own, as a shell would; the gateway's tests use
 * it too.
 */
public enum ThinClient {
  C,
  JAVA;

  private static final Optional<Path> BINARY = compile();
  private static final String CLASSES =
      publicClasses(classes(), ClientMain.class)
          + File.pathSeparator
          + publicClasses(door(), PlainRequest.class);

  /** The clients that this machine can run; says loudly when one of them is missing. */
  public static List<ThinClient> available() {
    if (BINARY.isEmpty()) {
      System.err.println("SKIPPED: no C compiler (cc) here, the C client is not tested");
      return List.of(JAVA);
    }
    return List.of(C, JAVA);
  }

  /** A process builder for {@code command args...} against a socket. */
  public ProcessBuilder command(Path socket, String command, String... args) {
    List<String> line = new ArrayList<>();
    if (this == C) {
      line.add(BINARY.orElseThrow().toString());
    } else {
      line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      line.add("-XX:TieredStopAtLevel=1");
      line.add("-XX:+UseSerialGC");
      line.add("-Dsun.jnu.encoding=UTF-8");
      line.add("-cp");
      line.add(CLASSES);
      line.add(ClientMain.class.getName());
    }
    line.add(command);
    line.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().put("MILLRACE_SOCKET", socket.toString());
    builder.environment().remove("MILLRACE_HOME");
    return builder;
  }

  /** What a process left: exit status, standard output and error. */
  public record Result(int status, String out, String err) {}

  /** Runs to the end; fails after a minute. */
  public static Result run(ProcessBuilder builder) throws IOException, InterruptedException {
    Path out = Files.createTempFile("millrace-out", null);
    Path err = Files.createTempFile("millrace-err", null);
    try {
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("no end after 60 s: " + builder.command());
      }
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  static Path classes() {
    return place(ClientMain.class);
  }

  /** The only classes beside its own that it has. */
  static Path door() {
    return place(PlainRequest.class);
  }

  private static Path place(Class<?> of) {
    return Path.of(of.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  /** A copy of the classes beside one where every user of this machine may read them. */
  private static Path publicClasses(Path from, Class<?> one) {
    try {
      Path to = temporaryDirectory("millrace-classes");
      if (Files.isRegularFile(from)) {
        return copy(from, to.resolve("classes.jar"));
      }
      String name = one.getPackageName().replace('.', '/');
      Path source = from.resolve(name);
      Path target = Files.createDirectories(to.resolve(name));
      for (Path part = to; !part.equals(target); ) {
        part = part.resolve(target.getName(part.getNameCount()));
        part.toFile().deleteOnExit();
      }
      try (Stream<Path> classes = Files.list(source)) {
        for (Path file : classes.toList()) {
          copy(file, target.resolve(file.getFileName()));
        }
      }
      return to;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path copy(Path from, Path to) throws IOException {
    Files.copy(from, to);
    to.toFile().deleteOnExit();
    return to;
  }

  /** Deleted at exit after what is registered later, since that runs backwards. */
  private static Path temporaryDirectory(String name) throws IOException {
    Path directory = Files.createTempDirectory(name);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    directory.toFile().deleteOnExit();
    return directory;
  }

  private static Optional<Path> compile() {
    Path source = Path.of(System.getProperty("millrace.root"), "server/client/src/main/c");
    try {
      Path binary = temporaryDirectory("millrace-c").resolve("millrace-client");
      Process cc =
          new ProcessBuilder(
                  "cc",
                  "-O2",
                  "-Wall",
                  "-Wextra",
                  "-Werror",
                  "-o",
                  binary.toString(),
                  source.resolve("millrace-client.c").toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(cc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (cc.waitFor() != 0) {
        throw new IllegalStateException("the C client does not compile cleanly:\n" + said);
      }
      binary.toFile().deleteOnExit();
      return Optional.of(binary);
    } catch (IOException e) {
      if (e.getMessage().contains("Cannot run program \"cc\"")) {
        return Optional.empty();
      }
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
