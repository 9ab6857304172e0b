package io.millrace.ops.faults.outside;

import io.millrace.ops.faults.evidence.CommandNote;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A folder of programs in the place of a system's commands. Each starts the real one of its name;
 * while the faults are on, at some calls its answer is swallowed, cut or late, and all are refused
 * for as long as there is an outage. Accounts of all users call them, by sudo.
 */
final class FaultyCommands {
  private static final String SCRIPT = "faulty-command.sh";
  private static final int CALLS = 20_000;
  private static final String ON = "on";
  private static final String OUTAGE = "outage";
  private static final String LOG = "log";

  private final Path folder;
  private final Path state;

  private FaultyCommands(Path folder) {
    this.folder = folder;
    this.state = folder.resolve("state");
  }

  /**
   * What the commands are to do.
   *
   * @param real folder of the real ones
   * @param names of all of them
   * @param submitting name of the one that submits
   * @param words while there is an outage
   */
  record FaultyCommandTerms(Path real, List<String> names, String submitting, OutageWords words) {}

  /**
   * Makes them; they have no faults yet.
   *
   * @param seed of the faults; empty when what is submitted is written down, and nothing fails but
   *     what the sabotage needs
   */
  static FaultyCommands make(
      Path folder, FaultyCommandTerms terms, OptionalLong seed, Optional<OutsideSabotage> sabotage)
      throws IOException {
    FaultyCommands commands = new FaultyCommands(folder);
    Files.createDirectories(commands.state);
    commands.write("real", terms.real() + "\n");
    commands.shared("lock", "");
    commands.shared(LOG, "");
    byte[] text = script();
    for (String name : terms.names()) {
      boolean submits = name.equals(terms.submitting());
      if (seed.isPresent() || submits) {
        List<String> plan =
            seed.isPresent()
                ? CommandPlan.lines(name, submits, seed.getAsLong(), CALLS)
                : ofSabotage(sabotage);
        commands.write("plan." + name, String.join("\n", plan) + "\n");
      }
      commands.shared("calls." + name, "0\n");
      Path program = Files.write(folder.resolve(name), text);
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    commands.write("submits." + terms.submitting(), "");
    OutageWords words = terms.words();
    commands.write("outage.words", words.complaint());
    boolean asEmpty = sabotage.equals(Optional.of(OutsideSabotage.FAILED_QUERY_IS_END));
    String answer = words.answer(asEmpty);
    if (!answer.isEmpty()) {
      commands.write("outage." + words.asking(), answer);
    }
    if (asEmpty && !words.unknown().isEmpty()) {
      commands.write("unknown." + words.asking(), words.unknown());
    }
    for (OutsideSabotage each : List.of(OutsideSabotage.NO_CLAIM, OutsideSabotage.NO_LOOK_UP)) {
      if (sabotage.equals(Optional.of(each))) {
        commands.write(each.text(), "");
      }
    }
    return commands;
  }

  /** What happens to submissions where nothing else fails. */
  private static List<String> ofSabotage(Optional<OutsideSabotage> sabotage) {
    return sabotage.equals(Optional.of(OutsideSabotage.NO_LOOK_UP))
        ? CommandPlan.swallowing(CALLS)
        : List.of(CommandPlan.NONE);
  }

  private static byte[] script() throws IOException {
    try (InputStream in = FaultyCommands.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IOException("there is no " + SCRIPT);
      }
      return in.readAllBytes();
    }
  }

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(state.resolve(name), text, StandardCharsets.US_ASCII);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    return file;
  }

  /** A file into which all accounts write. */
  private void shared(String name, String text) throws IOException {
    Files.setPosixFilePermissions(write(name, text), PosixFilePermissions.fromString("rw-rw-rw-"));
  }

  Path folder() {
    return folder;
  }

  /** From here on there are faults. */
  void on() throws IOException {
    write(ON, "");
  }

  /** From here on there are none. */
  void off() throws IOException {
    outage(false);
    Files.deleteIfExists(state.resolve(ON));
  }

  /** Whether the credentials of all are refused. */
  void outage(boolean is) throws IOException {
    if (is) {
      write(OUTAGE, "");
    } else {
      Files.deleteIfExists(state.resolve(OUTAGE));
    }
  }

  /** What became of the calls, but of those that the real command alone has answered. */
  List<CommandNote> notes() throws IOException {
    List<CommandNote> notes = new ArrayList<>();
    for (String line : Files.readAllLines(state.resolve(LOG))) {
      CommandNote.parse(line).ifPresent(notes::add);
    }
    return notes;
  }

  /** How many calls met one of these faults. */
  static int count(List<CommandNote> notes, String... faults) {
    Set<String> wanted = Set.of(faults);
    return (int) notes.stream().filter(it -> wanted.contains(it.what())).count();
  }
}
