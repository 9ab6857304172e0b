package io.millrace.ops.faults.sabotage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Faults that the harness can inject, to see whether it finds them. */
public enum Sabotage {
  /** Records of the inbox that the broker has acknowledged vanish while the server is down. */
  LOSE_COMMAND,
  /** The script of a granted run is run a second time. */
  START_TWICE,
  /** An executor forgets the outcome of a run before it has reported it. */
  DROP_REPORT,
  /** The server forgets its jobs, on its disk and in their changelog. */
  FORGET_STATE,
  /** An account is charged for more than its runs have used. */
  CHARGE_AGAIN(SabotagedLoad.FAIR_SHARE),
  /** The campaign server forgets a task that it has sent. */
  FORGET_TASK(SabotagedLoad.CAMPAIGN),
  /** The campaign server has a task's job submitted again without having asked for the first. */
  SEND_AGAIN(SabotagedLoad.CAMPAIGN),
  /** The campaign server takes a replica's success for one that is to be counted. */
  COUNT_REPLICA(SabotagedLoad.CAMPAIGN);

  private final SabotagedLoad needs;

  Sabotage() {
    this(SabotagedLoad.JOBS);
  }

  Sabotage(SabotagedLoad needs) {
    this.needs = needs;
  }

  private boolean goesWith(SabotagedLoad load) {
    boolean jobs = needs == SabotagedLoad.JOBS && load == SabotagedLoad.FAIR_SHARE;
    return needs == load || jobs;
  }

  /** Name on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The fault of this name, if it can be planted in such a run. */
  public static Optional<Sabotage> of(String text, SabotagedLoad load) {
    return Arrays.stream(values())
        .filter(it -> it.goesWith(load) && it.text().equals(text))
        .findFirst();
  }

  public static String names(SabotagedLoad load) {
    return Arrays.stream(values())
        .filter(it -> it.goesWith(load))
        .map(Sabotage::text)
        .collect(Collectors.joining("|"));
  }
}
