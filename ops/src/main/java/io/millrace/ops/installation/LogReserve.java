package io.millrace.ops.installation;

import io.millrace.ops.home.Home;
import io.millrace.server.gateway.command.DiskRoom;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Room of the log's own: a file on its disk that is emptied when that disk is full, so that the
 * broker finds room to start and to go on, and filled again when there is room.
 */
final class LogReserve {

  static final long BYTES = 64L << 20;

  /** It is filled only where this much is left: what is kept back must not be what is missing. */
  static final long WANTED_BYTES = 3 * BYTES;

  private static final int PIECE = 1 << 20;
  private static final File FALLOCATE = new File("/usr/bin/fallocate");

  private final Path folder;
  private final Path file;

  LogReserve(Home home) {
    this.folder = home.brokerData();
    this.file = home.logReserve();
  }

  /** Whether the disk of the log is full. */
  boolean isNeeded() {
    return DiskRoom.isFull(folder);
  }

  boolean isKept() throws IOException {
    return Files.exists(file) && Files.size(file) >= BYTES;
  }

  /** Whether it was kept once and is not now. */
  boolean isGiven() throws IOException {
    return Files.exists(file) && Files.size(file) < BYTES;
  }

  /**
   * Gives the room.
   *
   * @return false when there is none to give
   */
  boolean give() throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
    return true;
  }

  /**
   * Keeps room back unless it is kept already, or there is too little.
   *
   * @return whether it is kept now
   */
  boolean keep() throws IOException, InterruptedException {
    if (isKept()) {
      return true;
    }
    // Before the broker has its folder there is no log to keep room for.
    if (!Files.exists(folder.resolve("meta.properties"))
        || folder.toFile().getUsableSpace() < WANTED_BYTES) {
      return false;
    }
    if (!allocated()) {
      write();
    }
    return true;
  }

  /** Lets the kernel set the room aside, which takes no time. */
  private boolean allocated() throws IOException, InterruptedException {
    return FALLOCATE.canExecute()
        && new ProcessBuilder(FALLOCATE.toString(), "-l", Long.toString(BYTES), file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0
        && isKept();
  }

  private void write() throws IOException {
    byte[] piece = new byte[PIECE];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long written = 0; written < BYTES; written += PIECE) {
        out.write(piece);
      }
    } catch (IOException e) {
      give();
      throw e;
    }
  }
}
