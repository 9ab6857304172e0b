package io.millrace.ops.outside.peer;

import java.util.Locale;

/** A daemon of a batch system. */
public enum PeerDaemon {
  /** It decides which job runs when. */
  MASTER,
  /** It runs the jobs of a host. */
  HOST;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
