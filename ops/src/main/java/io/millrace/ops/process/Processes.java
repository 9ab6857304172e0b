package io.millrace.ops.process;

import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.log.CrashReports;
import io.millrace.ops.log.LogMode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Starts, watches and stops the parts of one home. */
public final class Processes {

  private static final int LOOK_MS = 15;
  private static final int MARK_LOOK_MS = 1;
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final Path NICE = Path.of("/usr/bin/nice");

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Suffix of pid files. */
  private static final String PID = ".pid";

  /**
   * Shell script that writes its own pid file and then execs the part, so that no part runs without
   * a pid file, even if the launcher dies meanwhile. Fields are counted from the last parenthesis,
   * since the command name in /proc/PID/stat may contain blanks.
   */
  private static final String MARKS_ITSELF =
      """
      read -r stat </proc/$$/stat && read -r boot </proc/sys/kernel/random/boot_id || exit
      ticks=$(set -- ${stat##*) } && echo ${20})
      echo "$$ $ticks $boot" >"$0.new" && mv "$0.new" "$0" && exec "$@"
      """;

  /**
   * Shell script that stays as the parent of a part and starts it again when it was killed: not
   * after an orderly end, nor when its pid file is gone or another process's. Deaths that follow
   * each other closely are waited out for longer and longer.
   */
  private static final String GUARDS =
      """
      marks=$1 pause=1
      shift
      while :; do
        begun=$(date +%s)
        /bin/sh -c "$marks" "$0" "$@" &
        child=$!
        wait $child
        case $? in 0 | 143) exit ;; esac
        if [ $(($(date +%s) - begun)) -ge 10 ]; then pause=1; fi
        sleep $pause
        pause=$((pause < 60 ? pause * 2 : pause))
        read -r pid rest <"$0" && [ "$pid" = $child ] || exit
      done
      """;

  private final Home home;

  public Processes(Home home) {
    this.home = home;
  }

  /** All live parts, including those that the settings no longer ask for. */
  public SortedMap<String, PidFile> alive() throws IOException {
    SortedMap<String, PidFile> alive = new TreeMap<>();
    Path folder = home.lock().getParent();
    if (Files.exists(folder)) {
      try (DirectoryStream<Path> marks = Files.newDirectoryStream(folder, "*" + PID)) {
        for (Path mark : marks) {
          String name = mark.getFileName().toString();
          PidFile.alive(mark)
              .ifPresent(p -> alive.put(name.substring(0, name.length() - PID.length()), p));
        }
      }
    }
    return alive;
  }

  /** Process ids of all live parts of the home. */
  public List<Long> pids() throws IOException {
    return alive().values().stream().map(PidFile::pid).toList();
  }

  /** The process of a part; empty when it is not alive. */
  public Optional<PidFile> alive(String part) throws IOException {
    return PidFile.alive(home.pid(part));
  }

  /** The process that was a part's last, alive or not; empty after an orderly end. */
  public Optional<PidFile> marked(String part) throws IOException {
    return PidFile.read(home.pid(part));
  }

  /**
   * Starts a part unless it runs; does not wait until it serves. The mark of its last life stays
   * until the new process replaces it: after a start that fails, whoever keeps the part still sees
   * that it died.
   *
   * @return false when it runs already
   */
  public boolean start(Part part) throws IOException, InterruptedException {
    if (alive(part.name()).isPresent()) {
      return false;
    }
    Path mark = home.pid(part.name());
    if (part.manner().guarded()) {
      // The guard of its last life, which may still be there, ends when this mark is gone.
      Files.deleteIfExists(mark);
    }
    Optional<PidFile> last = PidFile.read(mark);
    Files.deleteIfExists(home.ready(part.name()));
    CrashReports.forgetOld(home, part.name());
    Path temporary = home.temporary(part.name());
    FolderTree.delete(temporary);
    Files.createDirectory(temporary, PRIVATE);
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // In a session of its own, so that Ctrl-C in the terminal does not reach the parts.
      command.add(SETSID.toString());
    }
    if (part.niceness() > 0 && Files.isExecutable(NICE)) {
      command.addAll(List.of(NICE.toString(), "-n", Integer.toString(part.niceness())));
    }
    command.addAll(part.manner().within());
    command.addAll(
        part.manner().guarded()
            ? List.of("/bin/sh", "-c", GUARDS, mark.toString(), MARKS_ITSELF, part.program())
            : List.of("/bin/sh", "-c", MARKS_ITSELF, mark.toString(), part.program()));
    command.add("@" + arguments(part));
    LogMode.create(home.printed(part.name()));
    File printed = home.printed(part.name()).toFile();
    Process process =
        new ProcessBuilder(command)
            .directory(home.root().toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(ProcessBuilder.Redirect.to(printed))
            .redirectErrorStream(true)
            .start();
    long deadline = System.nanoTime() + part.patience().ready().toNanos();
    while (PidFile.read(mark).equals(last) && process.isAlive()) {
      if (System.nanoTime() > deadline) {
        process.destroyForcibly();
        throw new IOException(part.name() + " cannot mark itself: " + mark);
      }
      TimeUnit.MILLISECONDS.sleep(MARK_LOOK_MS);
    }
    return true;
  }

  /**
   * Writes the arguments into a file: a class path of sixty jars would hide everything else in ps.
   */
  private Path arguments(Part part) throws IOException {
    List<String> arguments = HeapAtStart.atStart(ClassArchive.atStart(part.arguments()));
    return Files.write(home.arguments(part.name()), escaped(arguments));
  }

  private static List<String> escaped(List<String> arguments) {
    return arguments.stream().map(Processes::escaped).toList();
  }

  /** An argument as it is quoted in the arguments file. */
  public static String escaped(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Whether a running part was started with these arguments. */
  public boolean runsAs(Part part) throws IOException {
    Path file = home.arguments(part.name());
    List<String> wanted = escaped(part.arguments());
    return Files.exists(file) && settings(Files.readAllLines(file)).equals(settings(wanted));
  }

  /**
   * The arguments without those that do not affect what a part does: creation or use of a class
   * data archive, the size with which the heap begins, the folder for unpacked libraries, and
   * options for a single start.
   */
  private static List<String> settings(List<String> arguments) {
    List<String> settings = new ArrayList<>(arguments);
    settings.removeIf(
        argument -> argument.matches("\"-X(X:.*Archive|X:NewSize|ms|share:|log:cds).*"));
    settings.removeIf(argument -> argument.startsWith('"' + Part.TEMPORARY));
    int once = settings.indexOf("\"--take-over\"");
    if (once >= 0) {
      settings.subList(once, Math.min(once + 2, settings.size())).clear();
    }
    return settings;
  }

  /**
   * Waits until the part can serve, or waits itself for what somebody has to do.
   *
   * @return what it waits for, in its own words; empty when it can serve
   * @throws PartFailed when it ended or took too long; with the reason, if the part wrote one
   */
  public Optional<String> awaitReady(Part part)
      throws IOException, InterruptedException, PartFailed {
    long deadline = System.nanoTime() + part.patience().ready().toNanos();
    while (!ready(part)) {
      Optional<String> waits = waitsFor(part);
      if (alive(part.name()).isEmpty()) {
        throw new PartFailed(
            part.name()
                + " ended before it could serve"
                + because(EndReason.ofDead(home, part), part.name()));
      }
      if (waits.isPresent()) {
        return waits;
      }
      if (System.nanoTime() > deadline) {
        throw new PartFailed(
            part.name()
                + " cannot serve after "
                + part.patience().ready().toSeconds()
                + " s"
                + because(EndReason.latest(home, part.name()), part.name()));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    standBack(part);
    return Optional.empty();
  }

  /**
   * Lowers the priority of a part's session. With Linux's autogroups a nice value counts only
   * within a session, so the session's group gets it too. Done only once the part serves, because
   * on a busy machine it would otherwise not start in time.
   */
  private void standBack(Part part) throws IOException {
    Optional<PidFile> running = part.niceness() > 0 ? alive(part.name()) : Optional.empty();
    running.ifPresent(process -> setGroup(process, part.niceness()));
  }

  /**
   * Sets the nice value of a part's autogroup, unless it has that value already: the kernel limits
   * the rate of changes.
   */
  private static void setGroup(PidFile running, int niceness) {
    Path group = Path.of("/proc", Long.toString(running.pid()), "autogroup");
    try {
      if (!Files.readString(group).strip().endsWith(" nice " + niceness)) {
        Files.writeString(group, Integer.toString(niceness), StandardOpenOption.WRITE);
      }
    } catch (IOException e) {
      // No autogroups, the process is gone, or the rate limit applies: the low priority is
      // optional.
    }
  }

  public boolean ready(Part part) throws IOException {
    if (part.readyLine().isEmpty()) {
      return Files.exists(home.ready(part.name()));
    }
    return hasPrinted(part.name(), part.readyLine()) && waitsFor(part).isEmpty();
  }

  /** What a part waits for, in its own words, until it can serve; empty when it does not. */
  public Optional<String> waitsFor(Part part) throws IOException {
    Path printed = home.printed(part.name());
    if (part.readyLine().isEmpty() || !Files.exists(printed)) {
      return Optional.empty();
    }
    String text = Files.readString(printed, StandardCharsets.ISO_8859_1);
    int waits = text.lastIndexOf(Part.WAITS);
    return waits < 0 || waits < text.lastIndexOf(part.readyLine())
        ? Optional.empty()
        : text.substring(waits + Part.WAITS.length()).lines().findFirst();
  }

  /**
   * Waits until a part has printed a line.
   *
   * @return false when it did not in time
   * @throws PartFailed when it ended; with the reason, if the part wrote one
   */
  public boolean awaitLine(Part part, String line, Duration patience)
      throws IOException, InterruptedException, PartFailed {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!hasPrinted(part.name(), line)) {
      if (alive(part.name()).isEmpty()) {
        throw new PartFailed(
            part.name() + " ended" + because(EndReason.ofDead(home, part), part.name()));
      }
      if (System.nanoTime() > deadline) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return true;
  }

  private boolean hasPrinted(String part, String line) throws IOException {
    Path printed = home.printed(part);
    return Files.exists(printed)
        && Files.readString(printed, StandardCharsets.ISO_8859_1).contains(line);
  }

  private String because(String words, String part) {
    return (words.isEmpty() ? "" : ": " + words)
        + " (all of it: "
        + home.log(part)
        + ", "
        + home.printed(part)
        + ")";
  }

  /**
   * Sends SIGTERM and does not wait. A part of low priority gets normal priority first, because on
   * a busy machine it would otherwise not end, or write its class data archive, in time.
   */
  public void askToEnd(String part) throws IOException {
    Optional<PidFile> running = alive(part);
    if (running.isPresent()) {
      setGroup(running.get(), 0);
      ProcessHandle.of(running.get().pid()).ifPresent(ProcessHandle::destroy);
    }
  }

  /**
   * Asks a part to end, and ends it when it does not in time.
   *
   * @return true when it ended by itself after it was asked
   * @throws PartFailed when it does not end at all; its pid file stays
   */
  public boolean stop(String part, Duration patience)
      throws IOException, InterruptedException, PartFailed {
    if (alive(part).isEmpty()) {
      return false;
    }
    askToEnd(part);
    return end(part, patience);
  }

  /**
   * Waits for the end of a part that was asked to end, which may have ended already, and kills it
   * when it does not in time.
   */
  public boolean end(String part, Duration patience)
      throws IOException, InterruptedException, PartFailed {
    Optional<PidFile> running = alive(part);
    boolean orderly = awaitEnd(part, patience);
    if (!orderly && alive(part).equals(running)) {
      ProcessHandle.of(running.get().pid()).ifPresent(ProcessHandle::destroyForcibly);
      awaitEnd(part, patience);
    }
    forget(part);
    return orderly;
  }

  /**
   * Deletes the pid and ready files of a part that has ended. A process that hangs in disk I/O
   * survives SIGKILL; without its pid file a second one would be started beside it.
   *
   * @throws PartFailed when it has not ended
   */
  public void forget(String part) throws IOException, PartFailed {
    Optional<PidFile> running = alive(part);
    if (running.isPresent()) {
      throw new PartFailed(part + " (pid " + running.get().pid() + ") does not end");
    }
    Files.deleteIfExists(home.ready(part));
    Files.deleteIfExists(home.pid(part));
  }

  public boolean awaitEnd(String part, Duration patience) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (alive(part).isPresent()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return true;
  }
}
