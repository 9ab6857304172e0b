package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.request.GridEngineJob;

/** Run limits that are set outside the dialect: on the server and on queues. */
public interface OutsideLimits {

  /** No limits. */
  OutsideLimits OPEN =
      new OutsideLimits() {
        @Override
        public int slots(GridEngineJob job, int task, int most) {
          return most;
        }

        @Override
        public Reason refusal(GridEngineJob job, int task, int slots) {
          return Reason.of(Reason.Code.LIMIT, "", "", "");
        }

        @Override
        public void takes(GridEngineJob job, int task, int slots) {
          // Nothing is counted.
        }
      };

  /**
   * Number of slots, at most {@code most}, with which a task may run now; 0 when it may not run.
   */
  int slots(GridEngineJob job, int task, int most);

  /** Why a task may not run with this number of slots. */
  Reason refusal(GridEngineJob job, int task, int slots);

  /** Counts a task that is started or promised a start. */
  void takes(GridEngineJob job, int task, int slots);
}
