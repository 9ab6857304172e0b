package io.millrace.ops.schedconfig;

import io.millrace.schedulers.dialects.schedconfig.replay.SiteSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs of a session's server_dyn_res, run from a copy of its folder {@code dyn}: what the
 * recording calls {@code /var/spool/pbs/dyn} lies elsewhere here.
 */
final class SessionPrograms implements SiteSession.Programs, AutoCloseable {

  private static final String RECORDED = "/var/spool/pbs/dyn";

  /** Most of a program's output that is read. */
  private static final int OUTPUT_MAX = 64 << 10;

  /** Bits of a mode by which a group or others may write. */
  private static final int WRITABLE = 0022;

  private final Path folder;
  private final Map<String, String> modes;

  private SessionPrograms(Path folder, Map<String, String> modes) {
    this.folder = folder;
    this.modes = new TreeMap<>(modes);
  }

  /**
   * @param programs folder with the programs; may be missing
   * @param modes who may do what with them, as chmod knows it
   */
  static SessionPrograms of(Path programs, Map<String, String> modes) throws IOException {
    Path copy = Files.createTempDirectory("millrace-case");
    SessionPrograms made = new SessionPrograms(copy, modes);
    if (Files.isDirectory(programs)) {
      try (Stream<Path> files = Files.list(programs)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          made.write(file.getFileName().toString(), Files.readString(file));
        }
      }
    }
    return made;
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, content.replace(RECORDED, folder.toString()));
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made a program");
    }
  }

  @Override
  public void replaced(String name, String content) {
    try {
      if (name.startsWith(RECORDED + "/")) {
        write(name.substring(RECORDED.length() + 1), content);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<String> firstLine(String commandLine, int limitS) {
    String[] words = commandLine.replace(RECORDED, folder.toString()).split("\\s+");
    Path program = Path.of(words[0]);
    if (!program.startsWith(folder) || !Files.isRegularFile(program)) {
      return null;
    }
    String mode = modes.getOrDefault(program.getFileName().toString(), "755");
    if (writable(mode)) {
      return Optional.empty();
    }
    try {
      return run(words, limitS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** True when a group or others may write the program. */
  private static boolean writable(String mode) {
    return !mode.matches("[0-7]{3,4}") || (Integer.parseInt(mode, 8) & WRITABLE) != 0;
  }

  private Optional<String> run(String[] words, int limitS)
      throws IOException, InterruptedException {
    Path output = folder.resolve(".output");
    Process process =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(output.toFile())
            .start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(limitS, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      return Optional.empty();
    }
    byte[] bytes = Files.readAllBytes(output);
    String text = new String(bytes, 0, Math.min(bytes.length, OUTPUT_MAX), StandardCharsets.UTF_8);
    return text.lines().findFirst();
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
