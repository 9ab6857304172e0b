package io.millrace.ops.process;

import io.millrace.connectors.local.spool.LockFile;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;

/** One launcher at a time changes what runs in a home. The lock ends with its channel. */
public final class HomeLock {

  private static final long LOOK_MS = 100;

  private HomeLock() {}

  /** Waits until no other launcher holds the lock. */
  public static FileChannel take(Home home, Console console) throws IOException {
    home.create();
    FileChannel channel = LockFile.open(home.lock());
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
    home.create();
    FileChannel channel = LockFile.open(home.lock());
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

  private static String another(Home home) {
    return "another ./millrace is at work in " + home.root();
  }
}
