package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.Evidence;
import io.millrace.ops.faults.evidence.JobHistories;
import java.util.ArrayList;
import java.util.List;

/** The defects that the evidence shows. */
public record Verdict(List<Defect> defects) {

  public Verdict {
    defects = List.copyOf(defects);
  }

  /** Judges the evidence; the same evidence always gives the same verdict. */
  public static Verdict of(Evidence evidence) {
    Defects defects = new Defects();
    JobHistories histories = JobHistories.of(evidence.ledger());
    new SubmissionCheck(evidence, histories, defects).run();
    evidence
        .outside()
        .ifPresent(outside -> new OutsideCheck(evidence, outside, histories, defects).run());
    new EndCheck(evidence, histories, defects).run();
    new RunCheck(evidence, histories, defects).run();
    new LedgerCheck(evidence.ledger(), defects).run();
    new ShardCheck(histories, defects).run();
    new EpochCheck(evidence.ledger(), defects).run();
    evidence
        .accounts()
        .ifPresent(lines -> new AccountCheck(evidence.ledger(), lines, defects).run());
    evidence
        .campaign()
        .ifPresent(
            campaign -> {
              new TaskCheck(campaign, defects).run();
              new AttemptCheck(campaign, histories, defects).run();
            });
    return new Verdict(defects.all());
  }

  /** The same of a run whose end was not awaited, so that something may be missing. */
  public Verdict givenUp(long seconds) {
    List<Defect> all = new ArrayList<>(defects);
    String what = "was given up, no change for " + seconds + " s";
    all.add(new Defect(Defect.DefectKind.UNEXPLAINED, "the wait for the end", what));
    return new Verdict(all);
  }

  /** The same with what another check has found. */
  public Verdict and(List<Defect> others) {
    List<Defect> all = new ArrayList<>(defects);
    all.addAll(others);
    return new Verdict(all);
  }

  public int lost() {
    return count(Defect.DefectKind.LOST);
  }

  public int twice() {
    return count(Defect.DefectKind.TWICE);
  }

  public int countedTwice() {
    return count(Defect.DefectKind.COUNTED_TWICE);
  }

  public int submittedAgain() {
    return count(Defect.DefectKind.SUBMITTED_AGAIN);
  }

  public int endedEarly() {
    return count(Defect.DefectKind.ENDED_EARLY);
  }

  public int disagreements() {
    return count(Defect.DefectKind.DISAGREES);
  }

  public int unexplained() {
    return count(Defect.DefectKind.UNEXPLAINED);
  }

  public boolean clean() {
    return defects.isEmpty();
  }

  /** Counts subjects rather than defects: a job that lacks two things was lost once. */
  private int count(Defect.DefectKind kind) {
    return (int)
        defects.stream().filter(f -> f.kind() == kind).map(Defect::subject).distinct().count();
  }
}
