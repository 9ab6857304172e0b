package io.millrace.connectors.local.spool;

import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.PrintedOutput;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.Staging;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The directory that execution shares with its supervisors. A run directory appears whole (renamed
 * into place: the intent to start) and goes whole (renamed away, then emptied).
 */
public final class Spool {
  private static final FileAttribute<Set<PosixFilePermission>> PASSABLE = mode("rwx--x--x");
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE = mode("rw-------");
  private static final FileAttribute<Set<PosixFilePermission>> SCRIPT = mode("r-x------");
  private static final List<String> DIRECTORIES =
      List.of("runs", "events", "new", "trash", "spare", "nodes", "spool", "undelivered", "site");

  private static final String OUTPUT = ".OU";
  private static final String ERRORS = ".ER";

  private static final int KILL = 9;

  /** Most unread bytes in a FIFO; the smallest that a kernel gives has room for 4096. */
  private static final int UNREAD_MAX = 2048;

  private final Path root;
  private final Path runs;
  private final Path events;
  private final Path fresh;
  private final Path trash;
  private final SpareRunDirectories spare;
  private final NodeFiles nodeFiles;
  private final Undelivered undelivered;

  private Spool(Path root) {
    this.root = root;
    this.runs = root.resolve("runs");
    this.events = root.resolve("events");
    this.fresh = root.resolve("new");
    this.trash = root.resolve("trash");
    this.spare = new SpareRunDirectories(root.resolve("spare"));
    this.nodeFiles = new NodeFiles(root.resolve("nodes"));
    this.undelivered = new Undelivered(root);
  }

  /**
   * Opens the spool, makes its directories, and removes what an interrupted process left half done.
   */
  public static Spool open(Path root) throws IOException {
    Spool spool = new Spool(root);
    Files.createDirectories(root);
    allowPassing(root);
    for (String name : DIRECTORIES) {
      Path directory = root.resolve(name);
      Files.createDirectories(directory);
      allowPassing(directory);
    }
    for (Path unfinished : list(spool.fresh)) {
      empty(unfinished);
    }
    for (Path released : list(spool.trash)) {
      empty(released);
    }
    for (Path leftOver : list(root.resolve("spare"))) {
      empty(leftOver);
    }
    for (Path nodes : list(root.resolve("nodes"))) {
      Files.deleteIfExists(nodes);
    }
    spool.undelivered.trim();
    return spool;
  }

  /** Keeps undelivered output within its bound when this end of a run has added to it. */
  public void settle(SpoolFields outcome) throws IOException {
    if (outcome.text("message").contains(Undelivered.TOLD)) {
      undelivered.trim();
    }
  }

  public Path events() {
    return events;
  }

  Path root() {
    return root;
  }

  /**
   * Appends a line to an output of a run, as its processes do; to the only one where the streams
   * are joined, and to none where nobody is to see it.
   */
  public void write(RunId id, boolean output, String line) throws IOException {
    Path wanted = output(id, output);
    Path file = Files.exists(wanted, LinkOption.NOFOLLOW_LINKS) ? wanted : output(id, !output);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      Set<OpenOption> options =
          Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
      try (SeekableByteChannel channel = Files.newByteChannel(file, options)) {
        channel.write(StandardCharsets.UTF_8.encode(line + "\n"));
      }
    }
  }

  private Path output(RunId id, boolean output) {
    return root.resolve("spool").resolve(id.directoryName() + (output ? ".OU" : ".ER"));
  }

  public Path directory(RunId id) {
    return runs.resolve(id.directoryName());
  }

  Path event(RunId id, String kind) {
    return events.resolve(id.directoryName() + "." + kind);
  }

  /** The runs that have a directory. */
  public List<RunId> runs() throws IOException {
    return list(runs).stream()
        .map(path -> RunId.ofDirectoryName(path.getFileName().toString()))
        .toList();
  }

  /**
   * Makes the run directory; from then on the run will be started.
   *
   * @return false when it exists, and nothing was done
   */
  public boolean create(RunRequest request, LocalSettings settings) throws IOException {
    return create(request, settings, "");
  }

  /**
   * The same for a run that is bound to processors, in the kernel's form of a list; from then on
   * they are its own.
   */
  public boolean create(RunRequest request, LocalSettings settings, String cpus)
      throws IOException {
    Path directory = directory(request.id());
    if (Files.exists(directory)) {
      return false;
    }
    // All checks come before anything is made.
    StringBuilder text = new StringBuilder();
    List<String> records = RequestFile.records(request, settings, cpus);
    records.forEach(record -> text.append(record).append('\0'));
    boolean far = records.stream().anyMatch(record -> record.startsWith("output_host="));
    StringBuilder nodes = new StringBuilder();
    request.context().nodes().lines().forEach(node -> nodes.append(node).append('\n'));
    Staging staging = request.files().staging();
    byte[] stage = staging.none() && !far ? null : bytes(StageScript.of(staging));
    Path draft = fresh.resolve(request.id().directoryName());
    boolean made = false;
    try {
      if (!spare.take(draft)) {
        Files.createDirectory(draft, PASSABLE);
        allowPassing(draft);
      }
      overwrite(draft.resolve("request"), bytes(text), settings.durable());
      if (request.program() instanceof RunProgram.Script script) {
        write(
            draft.resolve(RequestFile.scriptName(request)),
            script.text(),
            SCRIPT,
            settings.durable());
      }
      if (stage != null) {
        write(draft.resolve(RequestFile.STAGE), stage, PRIVATE, settings.durable());
      }
      nodeFiles.put(nodes.toString(), draft.resolve("nodes"));
      Files.move(draft, directory, StandardCopyOption.ATOMIC_MOVE);
      made = true;
      if (settings.durable()) {
        force(runs);
      }
      return true;
    } finally {
      if (!made) {
        empty(draft);
      }
    }
  }

  /** Asks the supervisor to end the run, also one that has not started yet. */
  public void requestKill(RunId id, int signal) throws IOException {
    try {
      write(directory(id).resolve("kill"), bytes(signal + "\n"), PRIVATE, false);
    } catch (FileAlreadyExistsException e) {
      // asked before; the line below wakes it again
    } catch (IOException e) {
      // On a full disk a run that has come up can still be told.
      if (!has(id, "started")) {
        throw e;
      }
    }
    tell(id, signal);
  }

  /**
   * Asks the supervisor to end the run at once and to keep what it printed from its owner's files;
   * takes the place of an earlier request to end it.
   */
  public void requestDiscard(RunId id) throws IOException {
    try {
      Path draft = directory(id).resolve("kill.new");
      overwrite(draft, bytes(KILL + " discard\n"), false);
      Files.move(draft, directory(id).resolve("kill"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // On a full disk a run that has come up can still be told.
      if (!has(id, "started")) {
        throw e;
      }
    }
    tell(id, "discard");
  }

  /** Writes an order down for the supervisor, which looks for those that came before it. */
  public void order(RunId id, int number, String order) throws IOException {
    Path file = directory(id).resolve("orders");
    if (!saysLast(file, order)) {
      append(file, number, order);
    }
    tell(id, "orders");
  }

  /** Whether a run stands still, or will as soon as it begins. */
  public boolean isSuspended(RunId id) throws IOException {
    return saysLast(directory(id).resolve("orders"), OrderSubject.SUSPEND);
  }

  /**
   * Whether an order is the last one of its kind in the file, for suspend, resume and walltime.
   * Such orders are repeated in case they were lost, and the file must not grow with each
   * repetition.
   */
  private static boolean saysLast(Path file, String order) throws IOException {
    OrderSubject subject = OrderSubject.of(order);
    if (subject == OrderSubject.SIGNAL) {
      return false;
    }
    String text = Files.exists(file) ? Files.readString(file, StandardCharsets.US_ASCII) : "";
    // The last line may have been cut short, and is none before it ends.
    String[] lines = text.substring(0, text.lastIndexOf('\n') + 1).split("\n");
    // Without any such order a run is not suspended.
    String last = subject == OrderSubject.STANDING ? OrderSubject.RESUME : "";
    for (String line : lines) {
      String what = line.substring(line.indexOf(' ') + 1);
      if (what.endsWith(";") && OrderSubject.of(what.substring(0, what.length() - 1)) == subject) {
        last = what.substring(0, what.length() - 1);
      }
    }
    return last.equals(order);
  }

  private static void append(Path file, int number, String order) throws IOException {
    Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    try (FileChannel channel = FileChannel.open(file, options, PRIVATE)) {
      // On a line of its own, also when an earlier one was cut short by a full disk.
      ByteBuffer line = ByteBuffer.wrap(bytes("\n" + number + " " + order + ";\n"));
      while (line.hasRemaining()) {
        channel.write(line);
      }
    }
  }

  /**
   * Passes a signal on to a run.
   *
   * @return false when its supervisor has not made its FIFO yet, or has not read it for long; it
   *     looks for the file "kill" without it
   */
  public boolean tell(RunId id, int signal) throws IOException {
    return tell(id, "signal " + signal);
  }

  private boolean tell(RunId id, String line) throws IOException {
    Path control = directory(id).resolve("control");
    if (!Files.exists(control)) {
      return false;
    }
    // Open for reading too: that never blocks, not even when the supervisor has died.
    try (RandomAccessFile fifo = new RandomAccessFile(control.toFile(), "rw");
        FileInputStream unread = new FileInputStream(fifo.getFD())) {
      // A supervisor that is finishing its run does not read, and writing must not block.
      boolean room = unread.available() < UNREAD_MAX;
      if (room) {
        fifo.write(bytes(line + "\n"));
      }
      return room;
    } catch (FileNotFoundException e) {
      return false; // released meanwhile; or it cannot be opened now, and is not needed
    }
  }

  public Optional<SpoolFields> request(RunId id) throws IOException {
    return SpoolFields.read(directory(id).resolve("request"), '\0');
  }

  public Optional<SpoolFields> fields(RunId id, String file) throws IOException {
    return SpoolFields.read(directory(id).resolve(file));
  }

  public boolean has(RunId id, String file) {
    return Files.exists(directory(id).resolve(file));
  }

  /** Names of the events that nobody took away yet. */
  public List<String> pendingEvents() throws IOException {
    return list(events).stream().map(path -> path.getFileName().toString()).toList();
  }

  public void forgetEvent(RunId id, String kind) throws IOException {
    Files.deleteIfExists(event(id, kind));
  }

  /** What the supervisor of a task left for its report. */
  public PrintedOutput printed(RunId id) throws IOException {
    return new PrintedOutput(printed(id, OUTPUT), printed(id, ERRORS));
  }

  /** What a run has written down of its steps; nothing when it had none. */
  public PrintedOutput steps(RunId id) throws IOException {
    Path file = directory(id).resolve("steps");
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return PrintedOutput.NOTHING;
    }
    try (InputStream steps = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return new PrintedOutput(steps.readNBytes(PrintedOutput.MAX), new byte[0]);
    }
  }

  private byte[] printed(RunId id, String suffix) throws IOException {
    try (InputStream file = Files.newInputStream(output(id, suffix))) {
      return file.readNBytes(PrintedOutput.MAX);
    } catch (NoSuchFileException e) {
      return new byte[0]; // it printed nothing, or much, which was delivered
    }
  }

  private Path output(RunId id, String suffix) {
    return root.resolve("spool").resolve(id.directoryName() + suffix);
  }

  /** Removes a run directory. The rename comes first: no supervisor starts from a renamed one. */
  public void remove(RunId id) throws IOException {
    if (id.task() > 0) {
      Files.deleteIfExists(output(id, OUTPUT));
      Files.deleteIfExists(output(id, ERRORS));
    }
    Path away = trash.resolve(id.directoryName());
    try {
      Files.move(directory(id), away, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return;
    }
    if (!spare.put(away)) {
      empty(away);
    }
  }

  /** Removes a directory of plain files: the request first, the claim last (see SPOOL.md). */
  static void empty(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve("request"));
    if (!Files.isDirectory(directory)) {
      return;
    }
    List<Path> files = list(directory);
    for (Path file : files) {
      if (!file.endsWith("outcome") && !file.endsWith("started")) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(directory.resolve("outcome"));
    Files.deleteIfExists(directory.resolve("started"));
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // A latecoming supervisor made its lock file: the next opening of the spool clears it.
    }
  }

  public static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void write(
      Path file, byte[] bytes, FileAttribute<Set<PosixFilePermission>> mode, boolean durable)
      throws IOException {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(file, options, mode)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      if (durable) {
        channel.force(true);
      }
    }
  }

  /** Writes over a file that may be there already, and cuts off what is left of it. */
  private static void overwrite(Path file, byte[] bytes, boolean durable) throws IOException {
    Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(file, options, PRIVATE)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.truncate(bytes.length);
      if (durable) {
        channel.force(true);
      }
    }
  }

  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Sets the mode, from which the umask may have removed the right to pass through. */
  private static void allowPassing(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
  }

  private static byte[] bytes(CharSequence text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static FileAttribute<Set<PosixFilePermission>> mode(String mode) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
  }
}
