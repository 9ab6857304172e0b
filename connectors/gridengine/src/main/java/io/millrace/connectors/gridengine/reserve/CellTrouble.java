package io.millrace.connectors.gridengine.reserve;

/** A command of the cell did not say or do what it was asked for; the message says why. */
final class CellTrouble extends Exception {
  private static final long serialVersionUID = 1L;

  CellTrouble(String message) {
    super(message);
  }
}
