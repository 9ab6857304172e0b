package io.millrace.server.core.handover.message;

import io.millrace.schemas.command.NoteWhereabouts;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Keeps the birth shard of a job informed. */
public final class BirthShardNotice {
  private BirthShardNotice() {}

  /** Tells the birth shard, when that is another one, that the job is here, or purged. */
  public static void tell(Context c, Job job, boolean purged, Decision decision) {
    if (job.getBirthShard() != c.shard()) {
      decision.tell(
          job.getBirthShard(),
          new NoteWhereabouts(c.asShard(), job.getNumber(), c.shard(), purged));
    }
  }
}
