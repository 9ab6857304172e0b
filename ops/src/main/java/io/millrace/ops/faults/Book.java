package io.millrace.ops.faults;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Notes what clients asked for and were told. Thread-safe. */
final class Book {
  private static final class Page {
    private final ErrandPlan plan;
    private final Set<Deed> deeds = EnumSet.noneOf(Deed.class);
    private final List<String> words = new ArrayList<>();
    private String jobId;

    Page(ErrandPlan plan) {
      this.plan = plan;
    }
  }

  private final Map<String, Page> pages = new TreeMap<>();

  synchronized void begun(ErrandPlan plan) {
    pages.put(plan.token(), new Page(plan));
  }

  synchronized void submitted(String token, String jobId) {
    pages.get(token).jobId = jobId;
  }

  /** Before it is asked for: an answer that never came is no proof that nothing was done. */
  synchronized void asking(String token, Deed deed) {
    pages.get(token).deeds.add(deed);
  }

  synchronized void heard(String token, String words) {
    pages.get(token).words.add(words);
  }

  synchronized List<Errand> errands() {
    List<Errand> errands = new ArrayList<>();
    for (Map.Entry<String, Page> entry : pages.entrySet()) {
      Page page = entry.getValue();
      errands.add(
          new Errand(
              entry.getKey(), page.plan.exitStatus(), Optional.ofNullable(page.jobId), page.deeds));
    }
    return errands;
  }

  /** Ids that qsub printed. */
  synchronized Set<String> jobIds() {
    Set<String> ids = new TreeSet<>();
    pages.values().stream().filter(p -> p.jobId != null).forEach(p -> ids.add(p.jobId));
    return ids;
  }

  synchronized int refused() {
    return pages.size() - jobIds().size();
  }

  /** One line for each errand with all that clients were told. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    pages.forEach(
        (token, page) -> lines.add(token + " " + page.jobId + " " + page.deeds + " " + page.words));
    return lines;
  }
}
