package io.millrace.server.client;

import java.util.ArrayList;
import java.util.List;

/**
 * The files that the command line names: no others are read or written for a gateway of another
 * host, whoever it may be that answers there.
 */
final class NamedFiles {
  /** What qsub --bulk writes beside the file that it is given. */
  private static final String PROGRESS = ".progress";

  private final List<String> names = new ArrayList<>();

  /**
   * @param arguments of the command
   * @param directory in which it was called
   * @param nodeFile value of PBS_NODEFILE, which pbsdsh reads; null without it
   */
  NamedFiles(List<String> arguments, String directory, String nodeFile) {
    for (String argument : arguments) {
      name(argument, directory);
      if (argument.startsWith("-")) {
        name(argument.substring(Math.min(2, argument.length())), directory);
        name(argument.substring(argument.indexOf('=') + 1), directory);
      }
    }
    if (nodeFile != null) {
      name(nodeFile, directory);
    }
  }

  private void name(String path, String directory) {
    if (!path.isEmpty()) {
      names.add(path);
      names.add(directory + "/" + path);
      names.add(path + PROGRESS);
    }
  }

  boolean has(String path) {
    return names.contains(path);
  }
}
