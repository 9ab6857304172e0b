package io.millrace.server.core.job.array;

import io.millrace.schemas.command.Continue;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Decides continued work on arrays. */
public final class Deciders {

  public Decision arrayWindow(Context c, Continue work) {
    return SubjobWindow.go(c, work.getCursor());
  }

  public Decision arrayDeletion(Context c, Continue work) {
    return Deletion.go(c, work.getCursor());
  }

  public Decision arrayPurge(Context c, Continue work) {
    return Deletion.purge(c, work.getCursor());
  }
}
