package io.millrace.ops.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The class data archive of a part: a JVM that is told to makes it when it ends in an orderly way,
 * and the next one, whoever starts it, loads its classes from there.
 *
 * @param file where it lies once it is in use
 */
public record ClassArchive(Path file) {

  private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);

  private static final List<String> QUIET =
      List.of("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off");

  private static final String MAKE = "-XX:ArchiveClassesAtExit=";
  private static final String FRESH = ".new";

  /** JVM options to use it if there is one, and to make it otherwise. */
  public List<String> makingOptions() throws IOException {
    Files.createDirectories(file.getParent());
    return with(MAKE + file + FRESH);
  }

  /** JVM options to use it if there is one. */
  public List<String> usingOptions() {
    return Files.exists(file) ? with(use()) : QUIET;
  }

  private static List<String> with(String option) {
    return Stream.concat(QUIET.stream(), Stream.of(option)).toList();
  }

  private String use() {
    return "-XX:SharedArchiveFile=" + file;
  }

  /** A part's arguments as they are at this start: what an earlier process made, this one uses. */
  static List<String> atStart(List<String> arguments) {
    return arguments.stream().map(ClassArchive::atStart).toList();
  }

  private static String atStart(String argument) {
    if (!argument.startsWith(MAKE)) {
      return argument;
    }
    String fresh = argument.substring(MAKE.length());
    ClassArchive archive =
        new ClassArchive(Path.of(fresh.substring(0, fresh.length() - FRESH.length())));
    archive.adopt(Path.of(fresh));
    return Files.exists(archive.file) ? archive.use() : argument;
  }

  /** One that a JVM still writes, or was killed before it had written all of it, stays aside. */
  private void adopt(Path fresh) {
    try {
      if (Files.exists(fresh) && isWhole(fresh)) {
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      // No reason not to start, which is slower without it.
      LOG.warn("the archive of classes {} cannot be put into use: {}", fresh, e.toString());
    }
  }

  /** The header, which begins with a number, is written last; before there are zeros. */
  private static boolean isWhole(Path fresh) throws IOException {
    try (InputStream in = Files.newInputStream(fresh)) {
      return in.read() > 0;
    }
  }
}
