package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.request.GridEngineJob;

/** Limits from outside the dialect on what may run at the same time. */
public interface OutsideLimits {

  /** There are none. */
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
          // Nobody counts.
        }
      };

  /** Slots with which a task may run now, at most {@code most}; 0 when it may not. */
  int slots(GridEngineJob job, int task, int most);

  /** Why a task may not run with so many slots. */
  Reason refusal(GridEngineJob job, int task, int slots);

  /** A task is started, or is promised a start: it counts from now on. */
  void takes(GridEngineJob job, int task, int slots);
}
