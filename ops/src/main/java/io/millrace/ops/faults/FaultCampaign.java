package io.millrace.ops.faults;

import io.millrace.ops.faults.FaultSettings.CampaignTerms;
import io.millrace.ops.faults.evidence.CampaignEvidence;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.load.CampaignLoad;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.LoadFolder;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The campaign of a run of the harness; of a run without one, nothing. */
final class FaultCampaign implements AutoCloseable {

  /** Tasks take less than so many seconds, and more where it takes longer until all is whole. */
  private static final int LESS_THAN_S = 2;

  private static final int LESS_THAN_S_OUTSIDE = 5;

  private final FaultSettings settings;
  private final Home home;
  private final CampaignLoad load;
  private boolean stuck;

  /**
   * @param client the administrator's
   */
  FaultCampaign(FaultSettings settings, Home home, CommandClient client, LoadFolder folder)
      throws IOException {
    this.settings = settings;
    this.home = home;
    this.load =
        settings.campaign().isEmpty()
            ? null
            : new CampaignLoad(
                client,
                settings.campaign().get().owner(),
                folder,
                settings.size().tasks(),
                ledger());
  }

  private LedgerConsumer ledger() throws IOException {
    return LedgerConsumer.ofCampaigns(ClientSettings.read(home.client(KafkaPrincipal.MONITOR)));
  }

  /**
   * @param queues where its tasks run
   * @param grouped those of them in which several run in one job
   */
  void begin(List<String> queues, List<String> grouped) throws IOException, InterruptedException {
    if (load != null) {
      boolean outside = settings.campaign().flatMap(CampaignTerms::outside).isPresent();
      // A planted fault is one of a job.
      load.submit(
          queues,
          settings.sabotage().isPresent() ? List.of() : grouped,
          outside ? LESS_THAN_S_OUTSIDE : LESS_THAN_S);
    }
  }

  /** Waits until a share of its tasks is done, or gives up, and then does not wait again. */
  void awaitShare(int parts, int of) throws InterruptedException {
    if (load != null && !stuck) {
      stuck = !load.awaitShare(parts, of, settings.patience().toMillis());
    }
  }

  /** Waits until it is over; false when it was given up. */
  boolean awaitOver() throws InterruptedException {
    return load == null || load.awaitOver(settings.patience().toMillis());
  }

  /** Whether there is one, and it has not ended. */
  boolean goesOn() {
    return load != null && !load.isOver();
  }

  /** Attempts that had to give way to local jobs. */
  int gaveWay() {
    return load == null ? 0 : load.gaveWay();
  }

  Optional<CampaignEvidence> evidence() throws IOException, InterruptedException {
    if (load == null) {
      return Optional.empty();
    }
    try (LedgerConsumer ledger = ledger()) {
      return Optional.of(load.evidence(ledger));
    }
  }

  /** How far it is, behind a comma; empty without one. */
  String words() {
    return load == null ? "" : ", " + load.done() + " tasks done";
  }

  @Override
  public void close() throws InterruptedException {
    if (load != null) {
      load.close();
    }
  }
}
