package io.millrace.ops.faults;

import java.util.ArrayList;
import java.util.List;

/** Collects what the checks find. */
final class Findings {
  private final List<Finding> all = new ArrayList<>();

  void lost(String subject, String what) {
    all.add(new Finding(Finding.Kind.LOST, subject, what));
  }

  void twice(String subject, String what) {
    all.add(new Finding(Finding.Kind.TWICE, subject, what));
  }

  void unexplained(String subject, String what) {
    all.add(new Finding(Finding.Kind.UNEXPLAINED, subject, what));
  }

  List<Finding> all() {
    return List.copyOf(all);
  }
}
