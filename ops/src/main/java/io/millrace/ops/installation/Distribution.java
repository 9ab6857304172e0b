package io.millrace.ops.installation;

import io.millrace.ops.process.ClassArchive;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The folder that the build assembles: jars, native programs and class data archives. */
public record Distribution(Path root) {

  /** Set by the script {@code millrace}. */
  private static final String PROPERTY = "millrace.dist";

  public static Distribution current() throws UsageException {
    String dist = System.getProperty(PROPERTY);
    if (dist == null) {
      throw new UsageException("start this through the script ./millrace");
    }
    return new Distribution(Path.of(dist));
  }

  /** JVM option with which another process finds this distribution. */
  public static String property(Distribution dist) {
    return "-D" + PROPERTY + "=" + dist.root();
  }

  /** A native program. */
  public Path bin(String program) {
    return root.resolve("bin/" + program);
  }

  /** True when there was no C compiler at build time. */
  boolean clientIsJava() throws IOException {
    return Files.mismatch(bin("millrace-client"), bin("millrace-client-java")) < 0;
  }

  /**
   * Class path of all jars, in a fixed order, because a class data archive is valid for one class
   * path only.
   */
  public String classPath() throws IOException {
    try (Stream<Path> jars = Files.list(root.resolve("lib"))) {
      return jars.map(Path::toString)
          .filter(name -> name.endsWith(".jar"))
          .sorted()
          .collect(Collectors.joining(":"));
    }
  }

  Path archive(String part) {
    return root.resolve("cds/" + part + ".jsa");
  }

  /**
   * JVM options to use a part's class data archive. An archive more than halves the start of a
   * part.
   *
   * @param make whether this process creates the archive when there is none; only one part of a
   *     kind should
   */
  public List<String> archiveOptions(String part, boolean make) throws IOException {
    ClassArchive archive = new ClassArchive(archive(part));
    return make && Files.isWritable(root) ? archive.makingOptions() : archive.usingOptions();
  }
}
