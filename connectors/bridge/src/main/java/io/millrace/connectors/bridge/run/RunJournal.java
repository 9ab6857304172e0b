package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideTask;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of a cluster on disk: a file to which lines are added, each with a check sum, and which
 * is written anew when most of it is of the past. A line at its end that is not whole was never
 * told to anybody, and is cut off; a wrong line before it stops the bridge. Runs are added by any
 * thread; all else that is noted of them is by one.
 */
public final class RunJournal implements Closeable {

  private static final Logger log = LoggerFactory.getLogger(RunJournal.class);

  private static final long SMALL = 1L << 20;
  private static final int GROWTH = 4;

  /** Bytes that are read of it at a time. */
  private static final int PIECE = 1 << 16;

  private final Path folder;
  private final Path file;
  private final FileChannel lock;
  private final Map<OutsideTag, OutsideRun> runs = new LinkedHashMap<>();
  private final Map<OutsideRunState, Map<OutsideTag, OutsideRun>> byState =
      new EnumMap<>(OutsideRunState.class);
  private final Map<OutsideTag, OutsideRun> toDelete = new LinkedHashMap<>();
  private final Map<OutsideTask, OutsideTag> byTask = new HashMap<>();
  private final Map<OutsideId, OutsideTag> byId = new HashMap<>();
  private final Map<String, Integer> waiting = new HashMap<>();
  private String cursor = "";
  private Optional<Instant> gap = Optional.empty();
  private JournalAppender end;
  private long afterCompaction;

  /** Bytes before which it is not tried again to write the file anew, for which was no room. */
  private long cramped;

  private boolean unsynced;

  /** Whether the file was replaced, and its folder is not on disk as it is. */
  private boolean replaced;

  /** What takes lines at the end of a file. */
  private final Function<FileChannel, JournalAppender.FileEnd> ends;

  private RunJournal(
      Path folder, FileChannel lock, Function<FileChannel, JournalAppender.FileEnd> ends) {
    this.ends = ends;
    this.folder = folder;
    this.file = folder.resolve("journal");
    this.lock = lock;
  }

  /**
   * Opens the journal in a folder, and makes it when there is none.
   *
   * @throws IOException when another process has it, or a line before its last is wrong
   */
  public static RunJournal open(Path folder) throws IOException {
    return open(folder, channel -> channel::write);
  }

  /** The same, where something else writes to the files. */
  static RunJournal open(Path folder, Function<FileChannel, JournalAppender.FileEnd> ends)
      throws IOException {
    Files.createDirectories(folder);
    FileChannel lock = opened(folder.resolve("lock"));
    try {
      FileLock held = lock.tryLock();
      if (held == null) {
        throw new IOException(folder + ": another process has this journal");
      }
      RunJournal journal = new RunJournal(folder, lock, ends);
      journal.replay();
      return journal;
    } catch (OverlappingFileLockException e) {
      lock.close();
      throw new IOException(folder + ": this process has this journal already", e);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static FileChannel opened(Path path) throws IOException {
    return FileChannel.open(
        path,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  private void replay() throws IOException {
    FileChannel channel = opened(file);
    Map<OutsideTag, OutsideSubmission> orders = new LinkedHashMap<>();
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long begin = 0;
    boolean whole = true;
    while (channel.read(piece.clear()) >= 0) {
      int from = 0;
      for (int i = 0; i < piece.position(); i++) {
        if (!whole) {
          throw new IOException(file + ": the line at byte " + begin + " is damaged");
        }
        if (piece.get(i) == '\n') {
          line.write(piece.array(), from, i - from);
          from = i + 1;
          Optional<JournalLine> read = JournalLine.read(line.toString(StandardCharsets.UTF_8));
          whole = read.isPresent();
          if (whole) {
            take(read.get(), orders);
            begin += line.size() + 1;
          }
          line.reset();
        }
      }
      line.write(piece.array(), from, piece.position() - from);
    }
    channel.truncate(begin);
    channel.position(begin);
    end = new JournalAppender(channel, ends.apply(channel));
    // Most of what was found may be of the past, however little this process adds to it.
    afterCompaction = 0;
  }

  private void take(JournalLine line, Map<OutsideTag, OutsideSubmission> orders)
      throws IOException {
    try {
      switch (line.word()) {
        case "order" -> orders.put(line.tag(), line.submission());
        case "run" -> index(line.run(orders.get(line.tag())));
        case "forgotten" -> {
          unindex(line.tag());
          orders.remove(line.tag());
        }
        case "cursor" -> cursor = line.fields().get(0);
        case "gap" -> gap = Optional.of(Instant.parse(line.fields().get(0)));
        default -> throw new IOException(file + ": '" + line.word() + "' is not known");
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException e) {
      throw new IOException(file + ": a line of " + line.word() + " makes no sense", e);
    }
  }

  /** All runs that are not forgotten, in the order in which they came. */
  public synchronized Collection<OutsideRun> runs() {
    return List.copyOf(runs.values());
  }

  /** Runs in a state. */
  synchronized Collection<OutsideRun> runs(OutsideRunState state) {
    return List.copyOf(byState.getOrDefault(state, Map.of()).values());
  }

  synchronized int count(OutsideRunState state) {
    return byState.getOrDefault(state, Map.of()).size();
  }

  /** How many runs wait outside, or may so, by their accounts. */
  synchronized Map<String, Integer> waiting() {
    return Map.copyOf(waiting);
  }

  private void count(OutsideRun run, int more) {
    if (run.state().isWaitingOutside()) {
      waiting.merge(run.account(), more, (all, one) -> all + one == 0 ? null : all + one);
    }
  }

  /** Runs that are outside and not over. */
  synchronized Collection<OutsideRun> outside() {
    return Arrays.stream(OutsideRunState.values())
        .filter(OutsideRunState::isOutside)
        .flatMap(it -> runs(it).stream())
        .toList();
  }

  /** Runs that are to be deleted and are not over. */
  synchronized Collection<OutsideRun> toDelete() {
    return List.copyOf(toDelete.values());
  }

  public synchronized int size() {
    return runs.size();
  }

  public synchronized Optional<OutsideRun> run(OutsideTag tag) {
    return Optional.ofNullable(runs.get(tag));
  }

  /** The run that is a task of an array. */
  synchronized Optional<OutsideRun> run(OutsideTask task) {
    return Optional.ofNullable(byTask.get(task)).flatMap(this::run);
  }

  /** The run that has a number outside, or got it last of several that have it. */
  synchronized Optional<OutsideRun> run(OutsideId id) {
    return Optional.ofNullable(byId.get(id)).flatMap(this::run);
  }

  /** Where it is; others may keep what belongs to it beside it. */
  Path folder() {
    return folder;
  }

  /** How far logs and accounting were read; what they said before stands in the runs. */
  public synchronized String cursor() {
    return cursor;
  }

  /**
   * Brings a new run to the disk, or one that is known already and had no room there before.
   *
   * @param most runs that may be known
   * @return false when there are as many
   */
  synchronized boolean order(OutsideRun run, int most) throws IOException {
    boolean known = runs.containsKey(run.tag());
    if (!known && runs.size() >= most) {
      return false;
    }
    if (!known) {
      put(run);
    }
    sync();
    return true;
  }

  /** Notes a run as it is now. It is on disk after {@link #sync}. */
  synchronized void put(OutsideRun run) throws IOException {
    if (!runs.containsKey(run.tag())) {
      append(JournalLine.order(run.order()));
    }
    append(JournalLine.run(run));
    index(run);
  }

  private void index(OutsideRun run) {
    OutsideRun before = runs.put(run.tag(), run);
    if (before != null && before.state() != run.state()) {
      byState.get(before.state()).remove(run.tag());
    }
    byState.computeIfAbsent(run.state(), it -> new LinkedHashMap<>()).put(run.tag(), run);
    count(run, 1);
    if (before != null) {
      count(before, -1);
      before.task().ifPresent(byTask::remove);
      before.id().ifPresent(it -> byId.remove(it, run.tag()));
    }
    run.task().ifPresent(it -> byTask.put(it, run.tag()));
    run.id().ifPresent(it -> byId.put(it, run.tag()));
    if (run.delete() && run.state() != OutsideRunState.ENDED) {
      toDelete.put(run.tag(), run);
    } else {
      toDelete.remove(run.tag());
    }
  }

  private void unindex(OutsideTag tag) {
    OutsideRun run = runs.remove(tag);
    if (run != null) {
      byState.get(run.state()).remove(tag);
      count(run, -1);
      toDelete.remove(tag);
      run.task().ifPresent(byTask::remove);
      run.id().ifPresent(it -> byId.remove(it, tag));
    }
  }

  synchronized void cursor(String now) throws IOException {
    if (!now.equals(cursor)) {
      append(new JournalLine("cursor", List.of(now)));
      cursor = now;
    }
  }

  /** When it was found last that of accounting some was not read, and is lost. */
  synchronized Optional<Instant> gap() {
    return gap;
  }

  synchronized void gap(Instant at) throws IOException {
    append(gapLine(at));
    gap = Optional.of(at);
  }

  private static JournalLine gapLine(Instant at) {
    return new JournalLine("gap", List.of(at.toString()));
  }

  synchronized void forget(OutsideTag tag) throws IOException {
    if (runs.containsKey(tag)) {
      append(new JournalLine("forgotten", List.of(tag.toString())));
      unindex(tag);
    }
  }

  private void append(JournalLine line) throws IOException {
    end.append(line);
    unsynced = true;
  }

  /** Brings what was noted to the disk, and writes the file anew when it has grown. */
  synchronized void sync() throws IOException {
    if (unsynced) {
      end.force();
      unsynced = false;
      if (end.size() > Math.max(SMALL, cramped) && end.size() > GROWTH * afterCompaction) {
        compact();
      }
    }
    if (replaced) {
      try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
        directory.force(true);
      }
      replaced = false;
    }
  }

  /** Writes the file anew; where there is no room for a second one it stays as it is for now. */
  private void compact() throws IOException {
    Path fresh = folder.resolve("journal.new");
    JournalAppender to;
    try {
      to = rewritten(fresh);
    } catch (IOException e) {
      if (cramped == 0) {
        log.warn("{} is not written anew, and grows: {}", file, e.toString());
      }
      cramped = end.size() + SMALL;
      Files.deleteIfExists(fresh); // others need the room
      return;
    }
    if (cramped > 0) {
      log.info("{} is written anew", file);
      cramped = 0;
    }
    // The former file has no name any more, and a line added to it would be lost.
    JournalAppender former = end;
    end = to;
    afterCompaction = to.size();
    replaced = true;
    former.close();
  }

  /**
   * Puts a file with what is known now in the place of the other one.
   *
   * @return what adds lines to it
   * @throws IOException when that one is still in its place
   */
  private JournalAppender rewritten(Path fresh) throws IOException {
    Files.deleteIfExists(fresh);
    FileChannel channel = opened(fresh);
    boolean done = false;
    try {
      JournalAppender to = new JournalAppender(channel, ends.apply(channel));
      for (OutsideRun run : runs.values()) {
        to.append(JournalLine.order(run.order()));
        to.append(JournalLine.run(run));
      }
      to.append(new JournalLine("cursor", List.of(cursor)));
      if (gap.isPresent()) {
        to.append(gapLine(gap.get()));
      }
      channel.force(true);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      done = true;
      return to;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      sync();
    } finally {
      end.close();
      lock.close();
    }
  }
}
