package io.millrace.schemas.program;

/** {@code --help} was among the arguments; the message is the help. */
public final class HelpRequested extends UsageException {
  private static final long serialVersionUID = 1L;

  public HelpRequested(String help) {
    super(help);
  }

  @Override
  public int tell() {
    System.out.println(getMessage());
    return 0;
  }
}
