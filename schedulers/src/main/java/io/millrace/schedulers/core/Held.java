package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;
import java.util.List;

/** All that one run or proposal holds. */
record Held(List<Take> takes, Sharing sharing) {

  boolean sameTakes(Held other) {
    if (sharing != other.sharing || takes.size() != other.takes.size()) {
      return false;
    }
    for (int i = 0; i < takes.size(); i++) {
      Take a = takes.get(i);
      Take b = other.takes.get(i);
      if (a.node() != b.node() || !sameAmounts(a.amounts(), b.amounts())) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameAmounts(long[] a, long[] b) {
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      if (ResourceNames.at(a, i) != ResourceNames.at(b, i)) {
        return false;
      }
    }
    return true;
  }
}
