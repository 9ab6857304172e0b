package io.millrace.connectors.bridge.ssh;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.ChannelListener;

/** Waits for a command's channel. */
final class ChannelWatch implements ChannelListener {

  /** What an output is given to end when its command has ended, or was told to. */
  static final Duration GRACE = Duration.ofSeconds(2);

  private boolean closed;
  private boolean exited;
  private boolean tooLong;

  synchronized void closed() {
    closed = true;
    notifyAll();
  }

  synchronized void tooLong() {
    tooLong = true;
    notifyAll();
  }

  @Override
  public synchronized void channelStateChanged(Channel channel, String hint) {
    if (channel instanceof ClientChannel client
        && (client.getExitStatus() != null || client.getExitSignal() != null)) {
      exited = true;
      notifyAll();
    }
  }

  /**
   * Waits until the channel is closed, for so long at most, and no longer than a moment when its
   * command has ended or has printed too much.
   *
   * @return whether the command has ended in time
   */
  synchronized boolean await(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!closed && !tooLong) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return exited;
      }
      boolean before = exited;
      TimeUnit.NANOSECONDS.timedWait(this, left);
      if (exited && !before) {
        end = Math.min(end, System.nanoTime() + GRACE.toNanos());
      }
    }
    return true;
  }

  /** Waits until the channel is closed, for so long at most. */
  synchronized void awaitClosed(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    for (long left = limit.toNanos(); !closed && left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
