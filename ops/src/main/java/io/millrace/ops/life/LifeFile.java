package io.millrace.ops.life;

import io.millrace.connectors.local.spool.LockFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A file that a process keeps locked until it ends, however it ends. */
public final class LifeFile {

  /** Names the file of this process; without it nobody waits for the end. */
  public static final String PROPERTY = "millrace.life";

  private static final int TRIES = 100;
  private static final int LOOK_MS = 10;

  private LifeFile() {}

  /**
   * Holds the lock from here on. A full disk or an interrupt leaves the file alone: who waits for
   * the end then has to look.
   */
  public static void hold() {
    String file = System.getProperty(PROPERTY);
    if (file == null) {
      return;
    }
    try {
      FileChannel channel = LockFile.open(Path.of(file));
      ReferencedChannels.CHANNELS.add(channel);
      // Who waits for the end of the life before has it for a moment.
      for (int i = 0; i < TRIES && channel.tryLock() == null; i++) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    } catch (IOException e) {
      // See above.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns when no process holds the lock: at once when the part never took it. */
  public static void awaitFree(Path file) throws IOException {
    try (FileChannel channel = LockFile.open(file)) {
      channel.lock().release();
    }
  }

  /** Holds channels in a field, because one that nobody refers to is closed, and its lock gone. */
  private static final class ReferencedChannels {
    private static final List<FileChannel> CHANNELS = new CopyOnWriteArrayList<>();
  }
}
