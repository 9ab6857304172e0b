package io.millrace.schemas.program;

/**
 * The name of a program in its messages.
 *
 * @param called as a user types it
 * @param complaining at the begin of its complaints
 * @param helping what tells its options
 */
record ProgramName(String called, String complaining, String helping) {

  static ProgramName ofWord(String word) {
    String called = "./millrace " + word;
    return new ProgramName(called, "millrace " + word, called + " --help");
  }

  static ProgramName ofProcess(String name) {
    return new ProgramName(name, name, "--help");
  }

  UsageException wrong(String what) {
    return new UsageException(complaining + ": " + what + " (see " + helping + ")");
  }
}
