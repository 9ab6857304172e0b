package io.millrace.ops.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The classes of this build's distribution, for parts that tests start by their command lines. */
public final class PartClasses {

  private PartClasses() {}

  /**
   * Options of a Java machine: the class path in the order in which the launcher has it, and the
   * part's class data archive if an earlier start has left one.
   */
  public static List<String> options(String part) throws IOException {
    Path distribution = Path.of(System.getProperty("millrace.root", ".."), "ops/target/dist");
    Path root = distribution.toAbsolutePath().normalize();
    List<String> options = new ArrayList<>();
    Path archive = root.resolve("cds/" + part + ".jsa");
    if (Files.exists(archive)) {
      options.add("-XX:SharedArchiveFile=" + archive);
      options.addAll(List.of("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
    }
    try (Stream<Path> jars = Files.list(root.resolve("lib"))) {
      String all =
          jars.map(Path::toString)
              .filter(name -> name.endsWith(".jar"))
              .sorted()
              .collect(Collectors.joining(":"));
      options.addAll(List.of("-cp", all));
    }
    return options;
  }
}
