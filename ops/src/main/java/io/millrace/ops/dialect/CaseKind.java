package io.millrace.ops.dialect;

import io.millrace.ops.word.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A form in which sessions of a scheduler were recorded. */
public interface CaseKind {

  /**
   * What to do with a session.
   *
   * @param out file for what became of it; empty for none
   * @param json whether to print it as JSON
   * @param compare whether to hold it against what was recorded
   * @param tolerance by how much usages of fair share may differ from the recorded ones
   */
  record CaseReplayOptions(Optional<Path> out, boolean json, boolean compare, int tolerance) {}

  /** True when the folder holds a session of this form. */
  boolean knows(Path folder);

  /**
   * Plays a session; writes nothing into its folder.
   *
   * @return exit code: 0, or 1 when the folder is wrong or something differs
   */
  int play(Path folder, CaseReplayOptions wanted, Console console) throws IOException;
}
