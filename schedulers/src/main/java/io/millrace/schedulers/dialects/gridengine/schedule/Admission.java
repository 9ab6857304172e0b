package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.request.Job;

/** Limits from outside the dialect on what may run at the same time. */
public interface Admission {

  /** There are none. */
  Admission OPEN =
      new Admission() {
        @Override
        public int slots(Job job, int task, int most) {
          return most;
        }

        @Override
        public Reason refusal(Job job, int task, int slots) {
          return Reason.of(Reason.Code.LIMIT, "", "", "");
        }

        @Override
        public void takes(Job job, int task, int slots) {
          // Nobody counts.
        }
      };

  /** Slots with which a task may run now, at most {@code most}; 0 when it may not. */
  int slots(Job job, int task, int most);

  /** Why a task may not run with so many slots. */
  Reason refusal(Job job, int task, int slots);

  /** A task is started, or is promised a start: it counts from now on. */
  void takes(Job job, int task, int slots);
}
