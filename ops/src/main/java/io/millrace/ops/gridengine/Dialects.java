package io.millrace.ops.gridengine;

import io.millrace.ops.dialect.CaseKind;
import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.ops.plus.PlusDialect;
import io.millrace.ops.schedconfig.SchedConfigDialect;
import io.millrace.ops.schedconfig.SiteCaseKind;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The dialects beside Grid Engine's; a new one adds its line to each list. */
public final class Dialects {

  private static final List<PolicyDialect> POLICIES =
      List.of(new SchedConfigDialect(), new PlusDialect());

  private static final List<CaseKind> CASES = List.of(new SiteCaseKind());

  private Dialects() {}

  /**
   * The dialect of a policy's texts; empty for Grid Engine's.
   *
   * @param texts by the names of their files, without folders
   */
  public static Optional<PolicyDialect> of(Map<String, String> texts) {
    return POLICIES.stream().filter(dialect -> dialect.knows(texts)).findFirst();
  }

  /** The form of a recorded session; empty for Grid Engine's. */
  static Optional<CaseKind> ofCase(Path folder) {
    return CASES.stream().filter(kind -> kind.knows(folder)).findFirst();
  }

  /**
   * Which files of a folder are those of one policy, by their names; all when these do not tell.
   */
  static List<String> filesOf(List<String> names) {
    return POLICIES.stream()
        .map(dialect -> dialect.filesOf(names))
        .filter(files -> !files.isEmpty())
        .findFirst()
        .orElse(names);
  }

  /**
   * The texts of a file, or of the files of a folder, by their names.
   *
   * @throws ConfigurationRefused when there are none
   */
  public static Map<String, String> texts(Path path) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    if (!Files.isDirectory(path)) {
      texts.put(path.getFileName().toString(), text(path));
      return texts;
    }
    List<String> names = files(path).stream().map(it -> it.getFileName().toString()).toList();
    if (names.isEmpty()) {
      throw new ConfigurationRefused(
          path.toString(),
          0,
          "there is no file of a policy in it: sched_config of PBS, config of an Origin2000"
              + " scheduler, sched_conf of PluS, or sched of a Grid Engine");
    }
    for (String name : filesOf(names)) {
      texts.put(name, text(path.resolve(name)));
    }
    return texts;
  }

  /** A folder's files except hidden ones, by name. */
  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }

  static String text(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ConfigurationRefused(
          file.toString(), 0, Files.exists(file) ? "this is no file" : "there is no such file");
    }
    return PolicyText.read(file);
  }
}
