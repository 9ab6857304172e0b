package io.millrace.ops.faults.load;

import io.millrace.ops.faults.evidence.CampaignEvidence;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.TaskLine;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A campaign that goes on while parts are killed; its owner submits it as any user does. */
public final class CampaignLoad implements AutoCloseable {

  private static final Pattern ID = Pattern.compile("CAMPAIGN_ID=([0-9]+)");

  private final CommandClient client;
  private final LoadFolder folder;
  private final int tasks;
  private final CampaignProgress progress;
  private long id;

  /**
   * @param client the owner's
   * @param ledger of the campaign server
   */
  public CampaignLoad(CommandClient client, LoadFolder folder, int tasks, LedgerConsumer ledger) {
    this.client = client;
    this.folder = folder;
    this.tasks = tasks;
    this.progress = new CampaignProgress(ledger);
  }

  /** Submits it, before anything is killed. */
  public void submit(List<String> queues) throws IOException, InterruptedException {
    String script = folder.writeTask(tasks).toString();
    String clusters =
        queues.stream().map(queue -> '"' + queue + "\": {}").collect(Collectors.joining(", "));
    // Paths of a home are plain enough for JSON; gridsub says so where they are not.
    String description =
        "{\"name\": \"faults\", \"finalize\": true, \"walltime\": \"00:10:00\", \"nb_jobs\": "
            + tasks
            + ", \"exec_file\": \""
            + script
            + "\", \"exec_directory\": \""
            + folder.tasks()
            + "\", \"clusters\": {"
            + clusters
            + "}}";
    String said = client.must("gridsub", description);
    Matcher found = ID.matcher(said);
    if (!found.find()) {
      throw new IOException("gridsub told no number: " + said);
    }
    id = Long.parseLong(found.group(1));
  }

  public long id() {
    return id;
  }

  /** Tasks that are done. */
  public int done() {
    return progress.done();
  }

  /** Attempts that had to give way to local jobs. */
  public int gaveWay() {
    return progress.gaveWay();
  }

  /** Waits until a share of the tasks is done; false when the time is up. */
  public boolean awaitShare(int parts, int of, long patienceMs) throws InterruptedException {
    return progress.awaitDone((int) ((long) tasks * parts / of), patienceMs);
  }

  /** Waits until it is over; false when nothing has changed for so long. */
  public boolean awaitOver(long patienceMs) throws InterruptedException {
    return progress.awaitOver(patienceMs);
  }

  /**
   * What is known of it.
   *
   * @param ledger of the campaign server
   */
  public CampaignEvidence evidence(LedgerConsumer ledger) throws IOException, InterruptedException {
    String shown = client.must("gridstat", "-c", Long.toString(id));
    return new CampaignEvidence(
        id, tasks, TaskLine.readAll(folder.attempts()), ledger.all(), shown);
  }

  @Override
  public void close() throws InterruptedException {
    progress.close();
  }
}
