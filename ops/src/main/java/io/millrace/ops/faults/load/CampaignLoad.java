package io.millrace.ops.faults.load;

import io.millrace.ops.campaigns.CampaignDescription;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.evidence.CampaignEvidence;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.TaskLine;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A campaign that goes on while parts are killed; its owner submits it as any user does. */
public final class CampaignLoad implements AutoCloseable {

  private static final Pattern ID = Pattern.compile("CAMPAIGN_ID=([0-9]+)");

  /** Bytes for the lines of a task's attempts; one has 50 or so. */
  private static final int BYTES_OF_TASK = 1_000;

  private static final int BYTES_MIN = 1 << 20;

  private final CommandClient client;
  private final CampaignOwner owner;
  private final LoadFolder folder;
  private final int tasks;
  private final CampaignProgress progress;
  private long id;

  /**
   * @param administrator whose client becomes the owner's
   * @param ledger of the campaign server
   */
  public CampaignLoad(
      CommandClient administrator,
      CampaignOwner owner,
      LoadFolder folder,
      int tasks,
      LedgerConsumer ledger) {
    this.client = administrator.as(owner.become(), folder.tasks());
    this.owner = owner;
    this.folder = folder;
    this.tasks = tasks;
    this.progress = new CampaignProgress(ledger);
  }

  /**
   * Submits it, before anything is killed.
   *
   * @param grouped those of the queues where short tasks run in one job, one after another
   * @param lessThanS no task but the last ones takes so many seconds
   */
  public void submit(List<String> queues, List<String> grouped, int lessThanS)
      throws IOException, InterruptedException {
    Path script = folder.writeTask(tasks, owner, lessThanS);
    CampaignDescription description =
        new CampaignDescription("faults", tasks, script, folder.tasks(), "00:10:00");
    String said = client.must("gridsub", description.json(queues, grouped, true));
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

  /** Whether it has ended. */
  public boolean isOver() {
    return progress.isOver();
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
    return new CampaignEvidence(id, tasks, lines(), ledger.all(), shown);
  }

  /** What tasks have written; nothing when none has yet. */
  private List<TaskLine> lines() throws IOException {
    owner.takeBack(folder.tasks());
    try {
      return owner.lines(folder.attempts(), BYTES_MIN + tasks * BYTES_OF_TASK).stream()
          .map(TaskLine::parse)
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  @Override
  public void close() throws InterruptedException {
    progress.close();
  }
}
