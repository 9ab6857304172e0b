package io.millrace.ops.launcher;

/** {@code --help} was among the arguments; the message is the help. */
public final class HelpRequested extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HelpRequested(String help) {
    super(help, null, false, false);
  }
}
