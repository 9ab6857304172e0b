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
  /** The campaign server forgets a task that it has sent. */
  FORGET_TASK(true),
  /** The campaign server has a task's job submitted again without having asked for the first. */
  SEND_AGAIN(true),
  /** The campaign server takes a replica's success for one that is to be counted. */
  COUNT_REPLICA(true);

  private final boolean ofCampaign;

  Sabotage() {
    this(false);
  }

  Sabotage(boolean ofCampaign) {
    this.ofCampaign = ofCampaign;
  }

  /** Name on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * @param ofCampaign whether the run has a campaign
   */
  public static Optional<Sabotage> of(String text, boolean ofCampaign) {
    return Arrays.stream(values())
        .filter(it -> it.ofCampaign == ofCampaign && it.text().equals(text))
        .findFirst();
  }

  public static String names(boolean ofCampaign) {
    return Arrays.stream(values())
        .filter(it -> it.ofCampaign == ofCampaign)
        .map(Sabotage::text)
        .collect(Collectors.joining("|"));
  }
}
