package io.millrace.connectors.bridge.files;

import java.io.Closeable;
import java.io.IOException;

/** An open file. */
public interface OutsideFile extends Closeable {

  /** Its bytes now. */
  long size() throws IOException;

  /**
   * Bytes from an offset on.
   *
   * @return as many as there are, up to so many
   */
  byte[] read(long offset, int most) throws IOException;

  /** Name of its owner. */
  String owner() throws IOException;

  /** What it is known by, also under another name. */
  String identity() throws IOException;
}
