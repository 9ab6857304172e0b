package io.millrace.server.campaigns.streams;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.CampaignState;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;

/** What can be asked and wanted of the campaigns of this process. Thread-safe. */
public interface LiveCampaigns {

  /** What there is; empty while this process holds nothing. */
  Optional<CampaignTable> table();

  /** What those who look at clusters are to look at; nothing while this process holds nothing. */
  CampaignState.Wanted wanted();

  /**
   * Writes a command into the inbox.
   *
   * @param id under which it is done once
   * @return what is answered; it stays open when this process ends before. Who waits no longer
   *     cancels it, or it is kept
   */
  CompletableFuture<Reply> send(CommandId id, SpecificRecord command);

  /** Writes what nobody waits for. */
  void note(SpecificRecord note);
}
