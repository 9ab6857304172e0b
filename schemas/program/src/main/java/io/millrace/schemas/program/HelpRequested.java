package io.millrace.schemas.program;

/** The arguments contain {@code --help}; the message is the help text. */
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
