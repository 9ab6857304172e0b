package io.millrace.server.core.cluster;

import io.millrace.schemas.pbs.PbsError;

/**
 * A directive that cannot be carried out; carries PBS's code and the text after "svr=default: ".
 */
final class RejectedChange extends Exception {
  private static final long serialVersionUID = 1L;
  private final int code;

  RejectedChange(PbsError error) {
    this(error, "");
  }

  RejectedChange(PbsError error, String subject) {
    super(error.text(subject), null, false, false);
    this.code = error.code();
  }

  int code() {
    return code;
  }
}
