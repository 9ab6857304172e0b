package io.millrace.ops.process;

import io.millrace.connectors.local.spool.LockFile;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** One launcher at a time changes what runs in a home. The lock ends with its channel. */
public final class HomeLock {

  private static final long LOOK_MS = 100;

  private HomeLock() {}

  /** Waits until no other launcher holds the lock. */
  public static FileChannel take(Home home, Console console) throws IOException {
    FileChannel channel = open(home);
    if (channel.tryLock() == null) {
      console.say(another(home) + "; waiting for its end");
      channel.lock();
    }
    return channel;
  }

  /**
   * Takes the lock for qterm, whose user does not see a waiting launcher. Waits just long enough
   * for the {@code up --keep} that runs every minute.
   *
   * @throws IOException in one line when another launcher still holds the lock after that time
   */
  public static FileChannel takeWithin(Home home, long waitMs)
      throws IOException, InterruptedException {
    FileChannel channel = open(home);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    while (channel.tryLock() == null) {
      if (System.nanoTime() >= deadline) {
        channel.close();
        throw new IOException(another(home) + "; try again when it has ended");
      }
      Thread.sleep(LOOK_MS); // a lock of files tells nobody that it is free
    }
    return channel;
  }

  private static FileChannel open(Home home) throws IOException {
    try {
      home.create();
      return LockFile.open(home.lock());
    } catch (AccessDeniedException e) {
      if (!Files.isDirectory(home.root())) {
        throw e;
      }
      String owner = Files.getOwner(home.root()).getName();
      throw new IOException(refusal(owner, home.root()), e);
    }
  }

  /** What others are told. */
  static String refusal(String owner, Path root) {
    String who = owner.equals("root") ? "only root changes" : "only root and " + owner + " change";
    return who + " what runs in " + root;
  }

  private static String another(Home home) {
    return "another ./millrace is at work in " + home.root();
  }
}
