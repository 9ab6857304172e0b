package io.millrace.ops.bench.outside;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder with the commands of a system, in which some write down when they have answered. What
 * that costs, a shell, is in all that is measured with them.
 */
final class NotedCommands {

  /**
   * A command that has answered.
   *
   * @param run job and run of a submission, with a blank between; empty for another command
   * @param runs that were submitted together, as tasks of an array
   */
  record NotedCall(long atMs, String command, String run, int runs) {}

  private static final Pattern TASKS = Pattern.compile(" (?:--array=|-t )1-([0-9]{1,9})\\b");

  private static final Pattern LINE =
      Pattern.compile("([0-9]{13}) (\\S+)(?:.*?\\bmr\\.[a-z0-9-]+\\.([0-9-]+)\\.([0-9]+))?.*");

  private final Path folder;
  private final Path log;

  private NotedCommands(Path folder) {
    this.folder = folder;
    this.log = folder.resolve("log");
  }

  /**
   * Makes the folder.
   *
   * @param real folder of the real commands
   * @param names of all of them
   * @param noted those that write down their answers
   */
  static NotedCommands make(Path folder, Path real, List<String> names, List<String> noted)
      throws IOException {
    NotedCommands commands = new NotedCommands(Files.createDirectories(folder));
    Files.writeString(commands.log, "");
    Files.setPosixFilePermissions(commands.log, PosixFilePermissions.fromString("rw-rw-rw-"));
    for (String name : names) {
      if (noted.contains(name)) {
        commands.program(
            name,
            """
            "%s" "$@"
            status=$?
            now=${EPOCHREALTIME/[.,]/} words="$*"
            echo "${now:0:13} %s ${words%%%%$'\\n'*}" >> "%s"
            exit $status
            """
                .formatted(real.resolve(name), name, commands.log));
      } else {
        Files.createSymbolicLink(folder.resolve(name), real.resolve(name));
      }
    }
    return commands;
  }

  /** Puts a script in the place of a command. */
  void program(String name, String text) throws IOException {
    Path program = folder.resolve(name);
    Files.deleteIfExists(program);
    Files.writeString(program, "#!/bin/bash\n" + text);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Path folder() {
    return folder;
  }

  List<NotedCall> calls() throws IOException {
    List<NotedCall> calls = new ArrayList<>();
    for (String line : Files.readAllLines(log, StandardCharsets.UTF_8)) {
      note(line, calls);
    }
    return calls;
  }

  static void note(String line, List<NotedCall> calls) {
    Matcher said = LINE.matcher(line);
    if (said.matches()) {
      String run = said.group(3) == null ? "" : said.group(3) + " " + said.group(4);
      Matcher tasks = TASKS.matcher(line);
      int runs = tasks.find() ? Integer.parseInt(tasks.group(1)) : 1;
      calls.add(new NotedCall(Long.parseLong(said.group(1)), said.group(2), run, runs));
    }
  }

  /** When each submission was answered. */
  List<NotedCall> submissions() throws IOException {
    return calls().stream().filter(it -> !it.run().isEmpty()).toList();
  }
}
