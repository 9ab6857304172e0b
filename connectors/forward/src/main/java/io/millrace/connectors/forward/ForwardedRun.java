package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.local.run.RunId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A run that was taken on, as its file in the node's folder remembers it.
 *
 * @param id here
 * @param tag there
 * @param account there
 * @param origin handed back with each report
 * @param ncpus as requested
 * @param orders that are not carried out yet
 */
record ForwardedRun(
    RunId id, OutsideTag tag, String account, String origin, int ncpus, PassedOrders orders) {

  private static final int LINES = 5;

  private static final String DELETE = ".delete";

  ForwardedRun with(PassedOrders now) {
    return new ForwardedRun(id, tag, account, origin, ncpus, now);
  }

  /** Brings the file to the disk. */
  void write(Path folder) throws IOException {
    String text = tag + "\n" + account + "\n" + origin + "\n" + ncpus + "\n";
    text += orders.line() + "\n";
    Path draft = folder.resolve(id.directoryName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, folder.resolve(id.directoryName()), StandardCopyOption.ATOMIC_MOVE);
    force(folder);
  }

  /**
   * Notes that it is to be deleted, which the journal has no room for, or that this is noted there.
   * An empty file mostly finds room where others do not.
   */
  void toDelete(Path folder, boolean noted) throws IOException {
    Path mark = mark(folder);
    if (noted == Files.exists(mark)) {
      return;
    }
    if (noted) {
      Files.createFile(mark);
    } else {
      Files.delete(mark);
    }
    force(folder);
  }

  boolean isToDelete(Path folder) {
    return Files.exists(mark(folder));
  }

  private Path mark(Path folder) {
    return folder.resolve(id.directoryName() + DELETE);
  }

  /** Takes the file from the disk. */
  void remove(Path folder) throws IOException {
    Files.deleteIfExists(mark(folder));
    Files.deleteIfExists(folder.resolve(id.directoryName()));
    force(folder);
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** All runs of a folder. */
  static List<ForwardedRun> all(Path folder) throws IOException {
    List<ForwardedRun> runs = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.endsWith(".new")) {
          Files.delete(file); // nobody was told that it is there
        } else if (name.endsWith(DELETE)) {
          String run = name.substring(0, name.length() - DELETE.length());
          if (!Files.exists(folder.resolve(run))) {
            Files.delete(file); // it is over
          }
        } else {
          runs.add(read(file, RunId.ofDirectoryName(name)));
        }
      }
    }
    return runs;
  }

  private static ForwardedRun read(Path file, RunId id) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.size() != LINES) {
      throw new IOException(file + " is no file of a run");
    }
    OutsideTag tag =
        OutsideTag.read(lines.get(0)).orElseThrow(() -> new IOException(file + " has no tag"));
    return new ForwardedRun(
        id,
        tag,
        lines.get(1),
        lines.get(2),
        Integer.parseInt(lines.get(LINES - 2)),
        PassedOrders.read(lines.get(LINES - 1)));
  }
}
