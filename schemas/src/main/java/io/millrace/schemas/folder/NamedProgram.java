package io.millrace.schemas.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks a program that an attribute names and that the server runs again and again. What it says
 * counts for all jobs, so that nobody may write it but root and the account of this process; and
 * nobody gets rights by it that he lacks.
 */
public final class NamedProgram {

  private static final int SET_ID = 06000;

  private NamedProgram() {}

  /** Why the program is not run; empty when it may be. */
  public static Optional<String> refuse(String path) {
    return refuse(path, true);
  }

  /** The same for a file that is read and not run. */
  static Optional<String> refuseFile(String path) {
    return refuse(path, false);
  }

  private static Optional<String> refuse(String path, boolean run) {
    try {
      Path program = Path.of(path);
      if (!program.isAbsolute() || !program.equals(program.normalize())) {
        return Optional.of("is no absolute path");
      }
      for (Path part = program.getParent(); part != null; part = part.getParent()) {
        Optional<String> refused = NamedFolder.above(part);
        if (refused.isPresent()) {
          return refused;
        }
      }
      return own(program, run);
    } catch (InvalidPathException e) {
      return Optional.of("is no path");
    } catch (IOException e) {
      return Optional.of("is not there, or cannot be reached");
    }
  }

  private static Optional<String> own(Path program, boolean run) throws IOException {
    if (!Files.isRegularFile(program, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of("is not there, or no file; a symbolic link is none");
    }
    int owner = NamedFolder.owner(program);
    if (owner != NamedFolder.ROOT && owner != NamedFolder.self()) {
      return Optional.of("belongs to another account");
    }
    int mode = NamedFolder.mode(program);
    if ((mode & NamedFolder.WRITTEN_BY_OTHERS) != 0) {
      return Optional.of("may be written by others");
    }
    if (!run) {
      return Optional.empty();
    }
    if ((mode & SET_ID) != 0) {
      return Optional.of("has the bit set-user-id or set-group-id");
    }
    return Files.isExecutable(program) ? Optional.empty() : Optional.of("cannot be executed");
  }
}
