package io.millrace.ops.faults.verdict;

import java.util.ArrayList;
import java.util.List;

/** Collects the defects that checks find. */
final class Defects {
  private final List<Defect> all = new ArrayList<>();

  void lost(String subject, String what) {
    all.add(new Defect(Defect.DefectKind.LOST, subject, what));
  }

  void twice(String subject, String what) {
    all.add(new Defect(Defect.DefectKind.TWICE, subject, what));
  }

  void countedTwice(String subject, String what) {
    all.add(new Defect(Defect.DefectKind.COUNTED_TWICE, subject, what));
  }

  void submittedAgain(String subject, String what) {
    all.add(new Defect(Defect.DefectKind.SUBMITTED_AGAIN, subject, what));
  }

  void endedEarly(String subject, String what) {
    all.add(new Defect(Defect.DefectKind.ENDED_EARLY, subject, what));
  }

  void disagrees(String subject, String what) {
    all.add(new Defect(Defect.DefectKind.DISAGREES, subject, what));
  }

  void unexplained(String subject, String what) {
    all.add(new Defect(Defect.DefectKind.UNEXPLAINED, subject, what));
  }

  List<Defect> all() {
    return List.copyOf(all);
  }
}
