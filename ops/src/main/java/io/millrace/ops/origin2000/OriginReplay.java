package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;

/** A case again, with our scheduler. */
final class OriginReplay {

  private OriginReplay() {}

  /**
   * The fields of {@code expected.json} as we find them.
   *
   * @param usageFirst whether past usage counts in the first cycle
   */
  static ObjectNode of(Path folder, boolean usageFirst) throws IOException {
    OriginCase given = OriginCase.read(folder);
    return given.isTable()
        ? new OriginTables(given).replay()
        : new OriginCaseSession(given, usageFirst).replay();
  }
}
