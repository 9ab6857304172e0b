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

  /** Takes the file from the disk. */
  void remove(Path folder) throws IOException {
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
