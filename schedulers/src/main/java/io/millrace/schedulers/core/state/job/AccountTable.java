package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.JobOwner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers for the owners of jobs; a number is valid while its owner has a job. */
final class AccountTable {

  private record NumberedOwner(JobOwner account, int number, int[] jobs) {}

  private final Map<JobOwner, NumberedOwner> byAccount = new HashMap<>();
  private final List<NumberedOwner> byNumber = new ArrayList<>();
  private final List<Integer> free = new ArrayList<>();

  /** Adds one job of the owner and returns the owner's number. */
  int join(JobOwner account) {
    NumberedOwner known = byAccount.get(account);
    if (known == null) {
      int number = free.isEmpty() ? byNumber.size() : free.remove(free.size() - 1);
      known = new NumberedOwner(account, number, new int[1]);
      byAccount.put(account, known);
      if (number == byNumber.size()) {
        byNumber.add(known);
      } else {
        byNumber.set(number, known);
      }
    }
    known.jobs[0]++;
    return known.number();
  }

  JobOwner get(int number) {
    return byNumber.get(number).account();
  }

  /** Removes one job of the owner with this number. */
  void leave(int number) {
    NumberedOwner known = byNumber.get(number);
    known.jobs[0]--;
    if (known.jobs[0] == 0) {
      byAccount.remove(known.account());
      byNumber.set(number, null);
      free.add(number);
    }
  }
}
