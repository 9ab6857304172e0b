package io.millrace.connectors.bridge.far;

import java.io.IOException;
import java.time.Duration;

/** A question about a file was not answered in time. */
public final class SftpSilence extends IOException {
  private static final long serialVersionUID = 1L;

  public SftpSilence(Duration limit) {
    super("no answer within " + limit.toSeconds() + " s");
  }
}
