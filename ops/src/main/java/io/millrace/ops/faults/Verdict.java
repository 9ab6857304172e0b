package io.millrace.ops.faults;

import java.util.List;

/** What the evidence shows. */
public record Verdict(List<Finding> findings) {

  public Verdict {
    findings = List.copyOf(findings);
  }

  /** Judges; the same evidence always gives the same verdict. */
  public static Verdict of(Evidence evidence) {
    Findings findings = new Findings();
    Stories stories = Stories.of(evidence.ledger());
    new SubmissionCheck(evidence, stories, findings).run();
    new EndCheck(evidence, stories, findings).run();
    new RunCheck(evidence, stories, findings).run();
    new LedgerCheck(evidence.ledger(), findings).run();
    new PlaceCheck(stories, findings).run();
    new EpochCheck(evidence.ledger(), findings).run();
    evidence
        .accounts()
        .ifPresent(lines -> new AccountCheck(evidence.ledger(), lines, findings).run());
    return new Verdict(findings.all());
  }

  public int lost() {
    return count(Finding.Kind.LOST);
  }

  public int twice() {
    return count(Finding.Kind.TWICE);
  }

  public int unexplained() {
    return count(Finding.Kind.UNEXPLAINED);
  }

  public boolean clean() {
    return findings.isEmpty();
  }

  /** Subjects, not findings: one job that lacks two things was lost once. */
  private int count(Finding.Kind kind) {
    return (int)
        findings.stream().filter(f -> f.kind() == kind).map(Finding::subject).distinct().count();
  }
}
