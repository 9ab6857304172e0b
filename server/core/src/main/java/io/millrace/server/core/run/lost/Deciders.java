package io.millrace.server.core.run.lost;

import io.millrace.schemas.command.Continue;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Decides continued work on lost runs and tasks. */
public final class Deciders {

  public Decision lostRuns(Context c, Continue work) {
    return LostRuns.go(c, work.getCursor());
  }

  public Decision forcedEnd(Context c, Continue work) {
    return LostRuns.goForced(c, work.getCursor());
  }

  public Decision lostTask(Context c, Continue work) {
    return LostTasks.go(c, work.getCursor());
  }
}
