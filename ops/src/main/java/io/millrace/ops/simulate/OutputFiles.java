package io.millrace.ops.simulate;

import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Files that a simulation was asked to write, each given by an option. */
final class OutputFiles {

  static final String CSV = "--csv";
  static final String REPORT = "--report";

  private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
  private static final Path NOWHERE = Path.of("/dev/null");

  private final GivenOptions options;

  OutputFiles(GivenOptions options) {
    this.options = options;
  }

  /** Writes the content of one file. */
  interface Content {
    void write(Path file) throws IOException;
  }

  private Optional<Path> file(String option) {
    return options.get(option).map(Path::of);
  }

  /**
   * Checks the files before the simulation, which may take long.
   *
   * @param read input files, which must not be overwritten
   */
  void check(List<Path> read) throws IOException, UsageException {
    List<Path> taken = new ArrayList<>();
    for (String option : List.of(CSV, REPORT)) {
      Optional<Path> asked = file(option);
      if (asked.isPresent()) {
        Path file = asked.get();
        writable(option, file);
        for (Path other : read) {
          if (same(file, other)) {
            throw options.wrong(option + " " + file + " is a file that is read");
          }
        }
        if (same(file, STANDARD_OUTPUT) && !same(file, NOWHERE)) {
          throw options.wrong(option + " " + file + " is where the figures are printed");
        }
        if (taken.stream().anyMatch(other -> same(file, other))) {
          throw options.wrong(CSV + " and " + REPORT + " are the same file");
        }
        taken.add(file);
      }
    }
  }

  private static void writable(String option, Path given) throws IOException {
    Path file = given.toAbsolutePath();
    Path asked = Files.exists(file) ? file : file.getParent();
    if (Files.isDirectory(file) || asked == null || !Files.isWritable(asked)) {
      throw new IOException(option + ": " + file + " cannot be written");
    }
  }

  /** Whether two paths name the same file, which need not exist yet. */
  private static boolean same(Path one, Path other) {
    try {
      return Files.exists(one) && Files.exists(other)
          ? Files.isSameFile(one, other)
          : place(one).equals(place(other));
    } catch (IOException e) {
      // One folder cannot be read, so writing there will fail with its own message.
      return false;
    }
  }

  private static Path place(Path file) throws IOException {
    Path whole = file.toAbsolutePath();
    Path folder = whole.getParent();
    return folder == null ? whole : folder.toRealPath().resolve(whole.getFileName());
  }

  /** Writes the file of an option, if it was given. */
  void write(String option, Content content) throws IOException {
    Optional<Path> asked = file(option);
    if (asked.isEmpty()) {
      return;
    }
    try {
      content.write(asked.get());
    } catch (FileSystemException e) {
      // The exception's own message is only the file name.
      throw new IOException(option + ": " + asked.get() + " cannot be written", e);
    } catch (IOException e) {
      throw new IOException(
          option + ": " + asked.get() + " was not written in full: " + e.getMessage(), e);
    }
  }
}
