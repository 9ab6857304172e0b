package io.millrace.server.gateway.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** An invocation without a client and a terminal. */
public abstract class OfflineInvocation implements Invocation {
  private static final int COLUMNS = 80;

  @Override
  public final boolean stdinIsTerminal() {
    return false;
  }

  @Override
  public final boolean stdoutIsTerminal() {
    return false;
  }

  @Override
  public final int columns() {
    return COLUMNS;
  }

  @Override
  public final void print(byte[] bytes, boolean error) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (error) {
      err(text);
    } else {
      out(text);
    }
  }

  @Override
  public final boolean servesTerminal() {
    return false;
  }

  @Override
  public final String listen() throws IOException {
    throw new IOException("there is no terminal");
  }

  @Override
  public final void attend(String jobId) {
    throw new IllegalStateException("there is no terminal for " + jobId);
  }

  @Override
  public final void streaming() {
    // There is no client to which output could be shown earlier.
  }

  @Override
  public final void lasts() {
    // It uses no session slot.
  }

  @Override
  public final boolean clientGone() {
    return false;
  }
}
