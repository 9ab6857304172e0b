package io.millrace.server.gateway.session;

/** An invocation behind which there is no client: no terminal, and nobody who could leave. */
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
  public final void streaming() {
    // There is nobody to show output to earlier.
  }

  @Override
  public final boolean clientGone() {
    return false;
  }
}
