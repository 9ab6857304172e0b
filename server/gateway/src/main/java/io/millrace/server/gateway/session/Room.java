package io.millrace.server.gateway.session;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all may hold together who share it. */
public final class Room {
  private final long most;
  private final AtomicLong held = new AtomicLong();

  public Room(long most) {
    this.most = most;
  }

  /** False when there is no room for these bytes now. */
  public boolean take(long bytes) {
    long now = held.addAndGet(bytes);
    if (now > most) {
      held.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  public void give(long bytes) {
    held.addAndGet(-bytes);
  }

  public long held() {
    return held.get();
  }
}
