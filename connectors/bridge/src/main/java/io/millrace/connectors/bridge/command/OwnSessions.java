package io.millrace.connectors.bridge.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sessions of this machine in which we have begun processes: the present one, and those of earlier
 * processes of ours in which something still lives. A process gets into a session by being begun
 * there and in no other way, also one that is root's meanwhile, as sudo is while it looks into its
 * rules.
 */
public final class OwnSessions {

  private static final Path PROCESSES = Path.of("/proc");

  /** Behind the name of the program: its state, its parent, its group and its session. */
  private static final int SESSION = 3;

  private final Set<String> numbers;

  private OwnSessions(Set<String> numbers) {
    this.numbers = Set.copyOf(numbers);
  }

  /** The present one alone. */
  static OwnSessions present() {
    String own = of(PROCESSES.resolve("self"));
    return new OwnSessions(own.isEmpty() ? Set.of() : Set.of(own));
  }

  /**
   * The present one and those that a file knows, which from here on knows the present one too. That
   * file must be nobody else's, and be opened by one process at a time.
   */
  public static OwnSessions open(Path file) throws IOException {
    String machine = machine();
    List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
    Set<String> numbers = new HashSet<>(present().numbers);
    if (!lines.isEmpty() && lines.get(0).equals(machine)) {
      Set<String> known = new HashSet<>(lines.subList(1, lines.size()));
      known.retainAll(alive());
      numbers.addAll(known);
    }
    List<String> now = new ArrayList<>(List.of(machine));
    now.addAll(numbers);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.write(fresh, now);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    return new OwnSessions(numbers);
  }

  /** Numbers are given out anew after a boot, and in each space of processes. */
  private static String machine() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip()
        + " "
        + Files.readSymbolicLink(PROCESSES.resolve("self/ns/pid"));
  }

  private static Set<String> alive() throws IOException {
    Set<String> alive = new HashSet<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      processes.forEach(it -> alive.add(of(it)));
    }
    return alive;
  }

  /** Whether a process was begun in one of them. */
  boolean has(Path process) {
    return numbers.contains(of(process));
  }

  /** The session of a process; empty when it has ended meanwhile. */
  private static String of(Path process) {
    try {
      // Its name can have any bytes, and is in the last brackets.
      String line = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
      String[] words = line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
      return words.length > SESSION ? words[SESSION] : "";
    } catch (IOException e) {
      return "";
    }
  }
}
