package io.millrace.server.gateway.session;

import java.util.concurrent.atomic.AtomicLong;

/** A number of bytes that several holders share and together never exceed. */
public final class SharedBytes {
  private final long most;
  private final AtomicLong held = new AtomicLong();

  public SharedBytes(long most) {
    this.most = most;
  }

  /** Reserves bytes; false when there is no room for them now. */
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
