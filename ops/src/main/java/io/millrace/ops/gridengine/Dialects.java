package io.millrace.ops.gridengine;

import io.millrace.ops.dialect.CaseKind;
import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.ops.plus.PlusDialect;
import io.millrace.ops.schedconfig.SchedConfigDialect;
import io.millrace.ops.schedconfig.SiteCaseKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The dialects beside Grid Engine's; a new one adds its line to each list. */
final class Dialects {

  private static final List<PolicyDialect> POLICIES =
      List.of(new SchedConfigDialect(), new PlusDialect());

  private static final List<CaseKind> CASES = List.of(new SiteCaseKind());

  private Dialects() {}

  /**
   * The dialect of a policy's texts; empty for Grid Engine's.
   *
   * @param texts by the names of their files, without folders
   */
  static Optional<PolicyDialect> of(Map<String, String> texts) {
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
}
