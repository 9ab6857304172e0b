package io.millrace.schedulers.gridengine.language.cluster;

/** Kinds of resource containers, with the letters of the file schedule and of messages. */
public enum Level {
  ENVIRONMENT('P', 'p'),
  GLOBAL('G', 'g'),
  HOST('H', 'h'),
  QUEUE('Q', 'q');

  private final char letter;
  private final char dominance;

  Level(char letter, char dominance) {
    this.letter = letter;
    this.dominance = dominance;
  }

  public char letter() {
    return letter;
  }

  public char dominance() {
    return dominance;
  }
}
